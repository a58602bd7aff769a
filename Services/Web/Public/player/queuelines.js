// Lines of a queue: tap plays, the handle moves by drag or arrow keys, the cross removes. The queue's own place shows
// the whole of it, the sheet what comes next.
import { h, setAttribute, setText } from '../core/dom.js';
import { mark, setMark, stateOf } from '../core/state.js';
import { currentRoom, store } from '../core/store.js';
import { clock } from '../core/words.js';
import { change, command } from '../parts/actions.js';
import { knob } from '../parts/buttons.js';
import { clearCover, setCover } from '../parts/cover.js';
import { offerMenu } from '../parts/menu.js';
import { trackMenu } from '../parts/things.js';

const lines = new WeakMap();

/** Moves an entry; the place where it goes is counted without it. */
export function moveEntry({ item, index }, to) {
  return change({ action: 'move', index, to, entry: item.entry });
}

function remove({ item, index }) {
  return change({ action: 'remove', index, entry: item.entry });
}

function wireKeys(handle, element, moved) {
  handle.addEventListener('keydown', (event) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const line = lines.get(element);
    if (!step || !line || event.altKey || event.ctrlKey) return;
    event.preventDefault();
    event.stopPropagation();
    const to = line.index + step;
    if (to < 0 || to >= line.count) return;
    moved(line, to);
  });
}

/** Makes a line. `moved(line, to)` moves it; `wireDrag(handle, element)` lets it be dragged. */
export function makeLine({ moved, wireDrag = () => {} }) {
  const handle = knob('drag', 'Move', () => {}, 'small handle');
  const element = h('li', { class: 'track queued' },
    h('button', { type: 'button', class: 'track-play', onclick: () => {
      const line = lines.get(element);
      if (line) command({ action: 'jump', index: line.index, entry: line.item.entry });
    } },
      h('span', { class: 'track-sign', 'aria-hidden': 'true' }, h('span', { class: 'cover' }), mark()),
      h('span', { class: 'track-words' }, h('b'), h('span')),
      h('span', { class: 'track-length' })),
    handle,
    knob('remove', 'Remove', () => lines.has(element) && remove(lines.get(element)), 'small'));
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Delete' || !lines.has(element)) return;
    event.preventDefault();
    remove(lines.get(element));
  });
  wireKeys(handle, element, moved);
  wireDrag(handle, element);
  offerMenu(element, () => lines.get(element)?.item.title ?? '', () => lines.has(element) && trackMenu(lines.get(element).item, {
    start: () => command({ action: 'jump', index: lines.get(element).index, entry: lines.get(element).item.entry }),
  }));
  return element;
}

/** The line that an element shows. */
export function lineOf(element) {
  return lines.get(element) ?? null;
}

/** Fills a line with `{ item, index, current, count }`, or leaves it waiting. */
export function updateLine(element, line) {
  const [button, handle, cross] = element.children;
  const [sign, words, length] = button.children;
  element.classList.toggle('shimmering', !line?.item);
  for (const one of [button, handle, cross]) one.disabled = !line?.item;
  if (!line?.item) {
    lines.delete(element);
    clearCover(sign.firstChild);
    for (const one of [button, handle, cross]) setAttribute(one, 'aria-label', 'Loading');
    for (const part of [...words.children, length]) setText(part, '');
    setMark(sign.lastChild, null);
    return;
  }
  const { item, index, current } = line;
  lines.set(element, line);
  const isCurrent = index === current;
  const state = stateOf(currentRoom(), isCurrent);
  setCover(sign.firstChild, { ...item, title: item.album });
  setText(words.children[0], item.title);
  setText(words.children[1], item.artist);
  setText(length, item.durationSeconds ? clock(item.durationSeconds) : '');
  element.classList.toggle('past', current !== null && index < current);
  setAttribute(button, 'aria-label', `Play ${item.title}, ${item.artist}`);
  setAttribute(handle, 'aria-label', `Move ${item.title}: arrow keys up and down`);
  setAttribute(cross, 'aria-label', `Remove ${item.title}`);
  setMark(sign.lastChild, state ?? (isCurrent && store.link === 'open' ? 'paused' : null));
  setAttribute(button, 'aria-current', isCurrent ? 'true' : null);
}
