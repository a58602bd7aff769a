// The rows of a queue: a tap plays the track, the handle moves it by dragging or arrow keys, the cross removes it. The
// screen of the queue shows all rows, the sheet the next ones.
import { h, setAttribute, setText } from '../core/dom.js';
import { clock } from '../core/format.js';
import { setIndicator, stateIfCurrent, stateIndicator } from '../core/playbackstate.js';
import { currentRoom, store } from '../core/store.js';
import { command, trackMenu } from '../parts/actions.js';
import { showError } from '../parts/banners.js';
import { iconButton } from '../parts/controls.js';
import { clearCover, setCover } from '../parts/cover.js';
import { wireKeys } from '../parts/dragging.js';
import { offerMenu } from '../parts/menu.js';
import { watchFound } from '../parts/found.js';

const rows = new WeakMap();

// The edits can be taken back, and are loaded with the first one.
const edits = () => import('../find/queueedits.js');

/** Moves an entry of the queue; `to` is its index after the move. */
export const moveEntry = (row, to) => edits().then((all) => all.moveEntry(row, to), showError);

const remove = (row) => edits().then(({ removeEntry }) => removeEntry(row), showError);

/**
 * Returns an empty row. `moved(row, to)` is called to move an entry; `wireDrag(handle, element)` makes the row
 * draggable.
 */
export function makeQueueRow({ moved, wireDrag = null }) {
  const handle = iconButton('drag', 'Move', () => {}, 'small handle');
  const element = h('li', { class: 'track queued' },
    h('button', { type: 'button', class: 'track-play', onclick: () => {
      const row = rows.get(element);
      if (row) command({ action: 'jump', index: row.index, entry: row.item.entry });
    } },
      h('span', { class: 'track-sign', 'aria-hidden': 'true' }, h('span', { class: 'cover' }), stateIndicator()),
      h('span', { class: 'track-words' }, h('b'), h('span')),
      h('span', { class: 'track-length' })),
    handle,
    iconButton('remove', 'Remove', () => rows.has(element) && remove(rows.get(element)), 'small'));
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Delete' || !rows.has(element)) return;
    event.preventDefault();
    remove(rows.get(element));
  });
  wireKeys(handle, element, queueRowOf, moved);
  wireDrag?.(handle, element);
  offerMenu(element,
    () => rows.get(element)?.item.title ?? '',
    () => rows.has(element) && trackMenu(rows.get(element).item, {
      start: () => command({ action: 'jump', index: rows.get(element).index, entry: rows.get(element).item.entry }),
    }), () => {
      const item = rows.get(element)?.item;
      return item && !item.described ? item : null;
    });
  return element;
}

/** Returns the row that an element shows; null if it is empty. */
export function queueRowOf(element) {
  return rows.get(element) ?? null;
}

/**
 * Fills a row with `{ item, index, current, count }`; without an item it shows as loading. `itemAt(index)` returns
 * another item of the queue.
 */
export function updateQueueRow(element, row) {
  const [button, handle, cross] = element.querySelectorAll(':scope > :not(.found)');
  const [sign, words, length] = button.children;
  element.classList.toggle('shimmering', !row?.item);
  watchFound(element, row?.item, {
    place: 'queue', ahead: (count) => Array.from({ length: count }, (_, step) => row.itemAt?.(row.index + step + 1)),
  });
  for (const one of [button, handle, cross]) one.disabled = !row?.item;
  if (!row?.item) {
    rows.delete(element);
    clearCover(sign.firstChild);
    for (const one of [button, handle, cross]) setAttribute(one, 'aria-label', 'Loading');
    for (const part of [...words.children, length]) setText(part, '');
    setIndicator(sign.lastChild, null);
    return;
  }
  const { item, index, current } = row;
  rows.set(element, row);
  const isCurrent = index === current;
  const state = stateIfCurrent(currentRoom(), isCurrent);
  setCover(sign.firstChild, { ...item, title: item.album });
  setText(words.children[0], item.title);
  setText(words.children[1], item.artist);
  setText(length, item.durationSeconds ? clock(item.durationSeconds) : '');
  element.classList.toggle('past', current !== null && index < current);
  setAttribute(button, 'aria-label', `Play ${item.title}, ${item.artist}`);
  setAttribute(handle, 'aria-label', `Move ${item.title}: arrow keys up and down`);
  setAttribute(cross, 'aria-label', `Remove ${item.title}`);
  setIndicator(sign.lastChild, state ?? (isCurrent && store.link === 'open' ? 'paused' : null));
  setAttribute(button, 'aria-current', isCurrent ? 'true' : null);
}
