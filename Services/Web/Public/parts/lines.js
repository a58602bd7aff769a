// Lines of tracks: of an album, a playlist, a search, the whole library.
import { h, setAttribute, setText } from '../core/dom.js';
import { mark, setMark, stateName, stateOf } from '../core/state.js';
import { currentRoom } from '../core/store.js';
import { clock } from '../core/words.js';
import { put } from './actions.js';
import { knob } from './buttons.js';
import { clearCover, setCover } from './cover.js';
import { offerMenu, openMenuOf } from './menu.js';
import { trackMenu } from './things.js';

const current = new WeakMap();

function run(element) {
  const { track, options } = current.get(element) ?? {};
  if (!track) return;
  if (options.start) options.start();
  else put(track);
}

/** Makes a line; with `cover` it shows the album's picture instead of a number. */
export function makeTrack({ cover = false } = {}) {
  const element = h('li', { class: 'track' },
    h('button', { type: 'button', class: 'track-play', onclick: () => run(element) },
      h('span', { class: 'track-sign', 'aria-hidden': 'true' }, cover ? h('span', { class: 'cover' }) : h('span', { class: 'track-number' }), mark()),
      h('span', { class: 'track-words' }, h('b'), h('span')),
      h('span', { class: 'track-stars', 'aria-hidden': 'true' }),
      h('span', { class: 'track-length' })),
    knob('more', 'More', (event) => openMenuOf(element, null, null, event.currentTarget), 'small'));
  offerMenu(element, () => current.get(element)?.track.title ?? '', () => {
    const { track, options } = current.get(element) ?? {};
    return track ? trackMenu(track, options) : null;
  });
  return element;
}

/**
 * Fills a line, or leaves it waiting. `under` is what stands below the title, empty for nothing; `start` plays it where
 * it stands; `number` stands in front.
 */
export function updateTrack(element, track, { under = '', number = null, isCurrent = null, ...options } = {}) {
  element.classList.toggle('shimmering', !track);
  const [button, more] = element.children;
  const [sign, words, stars, length] = button.children;
  more.hidden = !track;
  button.disabled = !track;
  if (!track) {
    current.delete(element);
    if (sign.firstChild.matches('.cover')) clearCover(sign.firstChild);
    setAttribute(button, 'aria-label', 'Loading');
    setAttribute(button, 'aria-current', null);
    for (const part of [words.children[0], words.children[1], length, stars]) setText(part, '');
    setMark(sign.lastChild, null);
    return;
  }
  current.set(element, { track, options });
  const room = currentRoom();
  const state = stateOf(room, isCurrent ?? room?.track?.id === track.id);
  if (sign.firstChild.matches('.cover')) setCover(sign.firstChild, { ...track, title: track.album });
  else setText(sign.firstChild, String(number ?? track.number ?? '·'));
  setText(words.children[0], track.title);
  setText(words.children[1], under);
  setText(stars, track.rating ? `★ ${track.rating}` : '');
  setText(length, track.durationSeconds ? clock(track.durationSeconds) : '');
  setAttribute(button, 'aria-label', [track.title, under, track.rating && `rated ${track.rating}`,
    track.durationSeconds && clock(track.durationSeconds), state && stateName(state)].filter(Boolean).join(', '));
  setAttribute(more, 'aria-label', `More for ${track.title}`);
  setMark(sign.lastChild, state);
  setAttribute(element, 'data-state', state);
  setAttribute(button, 'aria-current', state ? 'true' : null);
}
