// The row of a track in an album, a playlist, a search or the list of all tracks.
import { h, setAttribute, setText } from '../core/dom.js';
import { clock } from '../core/format.js';
import { setIndicator, stateIfCurrent, stateIndicator, stateName } from '../core/playbackstate.js';
import { currentRoom } from '../core/store.js';
import { enqueue, trackMenu } from './actions.js';
import { iconButton } from './controls.js';
import { clearCover, setCover } from './cover.js';
import { features } from './features.js';
import { offerMenu, openMenuOf } from './menu.js';
import { watchFound } from './found.js';

const current = new WeakMap();
// The choice of several tracks of a list, while a person makes one; see playlists/selection.js.
let selection = null;

/** Sets the selection that presses on rows belong to; null for none. */
export function setSelection(now) {
  selection = now;
}

/** Returns the track that a row shows, and its options; undefined while it is not read. */
export const shownIn = (element) => current.get(element);

function run(element, event) {
  const { track, options } = current.get(element) ?? {};
  if (selection?.list === element.parentElement) return selection.press(element, event.shiftKey);
  if (!track) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey) return select(element);
  if (options.start) options.start();
  else enqueue(track);
}

/** Begins to choose several tracks of the list of a row, which is the first one. */
const select = (element, list = element.parentElement) => features.selectTracks(list, element);

/** Returns true if a room's track is that of a row; entries of playlists that are not in the library have no ids. */
function isSame(playing, track) {
  if (!track.described) return playing?.id === track.id;
  return Boolean(playing) && !playing.albumID && playing.title === track.title && playing.artist === track.artist;
}

/** Returns an empty row; with `cover` it shows the album's cover instead of a number. */
export function makeTrackRow({ cover = false } = {}) {
  const element = h('li', { class: 'track' },
    h('button', { type: 'button', class: 'track-play', onclick: (event) => run(element, event) },
      h('span', { class: 'track-sign', 'aria-hidden': 'true' },
        cover ? h('span', { class: 'cover' }) : h('span', { class: 'track-number' }),
        stateIndicator()),
      h('span', { class: 'track-words' }, h('b'), h('span')),
      h('span', { class: 'track-stars', 'aria-hidden': 'true' }),
      h('span', { class: 'track-length' })),
    iconButton('more', 'More', (event) => openMenuOf(element, null, null, event.currentTarget), 'small'));
  offerMenu(element, () => current.get(element)?.track.title ?? '', () => {
    const { track, options } = current.get(element) ?? {};
    if (!track) return null;
    // The list may be drawn anew while the menu is open.
    const list = element.parentElement;
    return [...trackMenu(track, options), { name: 'Select', icon: 'check', run: () => select(element, list) }];
  }, () => {
    const { track } = current.get(element) ?? {};
    return track && !track.described ? track : null;
  });
  return element;
}

/**
 * Fills a row; an undefined track shows as loading. `title` replaces the title, `under` is the text below it, `start`
 * plays the track as a part of its list, and `number` replaces the track number. The rest is for its menu (`trackMenu`)
 * and for the choice of several tracks (playlists/selection.js).
 * @param {any} element
 * @param {any} track
 * @param {{ title?: string, under?: string, number?: number, isCurrent?: boolean, start?: () => unknown,
 *   artistID?: string, albumHere?: string, edits?: object[], many?: object }} options
 */
export function updateTrackRow(element, track,
  { title = track?.title, under = '', number = null, isCurrent = null, ...options }) {
  element.classList.toggle('shimmering', !track);
  const button = element.firstElementChild;
  const more = element.querySelector(':scope > .knob');
  const [sign, words, stars, length] = button.children;
  more.hidden = !track;
  button.disabled = !track;
  element.classList.toggle('missing', Boolean(track?.described) && !track.isFound);
  watchFound(element, track);
  if (!track) {
    current.delete(element);
    if (sign.firstChild.matches('.cover')) clearCover(sign.firstChild);
    setAttribute(button, 'aria-label', 'Loading');
    setAttribute(button, 'aria-current', null);
    for (const part of [words.children[0], words.children[1], length, stars]) setText(part, '');
    setIndicator(sign.lastChild, null);
    return;
  }
  current.set(element, { track, options });
  selection?.mark(element);
  const room = currentRoom();
  const state = stateIfCurrent(room, isCurrent ?? isSame(room?.track, track));
  if (sign.firstChild.matches('.cover')) setCover(sign.firstChild, { ...track, title: track.album });
  else setText(sign.firstChild, String(number ?? track.numberText ?? track.number ?? '·'));
  setText(words.children[0], title);
  setText(words.children[1], under);
  setText(stars, track.rating ? `★ ${track.rating}` : '');
  setText(length, track.durationSeconds ? clock(track.durationSeconds) : '');
  setAttribute(button, 'aria-label', [title, under, track.rating && `rated ${track.rating}`,
    track.durationSeconds && clock(track.durationSeconds), state && stateName(state)].filter(Boolean).join(', '));
  setAttribute(more, 'aria-label', `More for ${track.title}`);
  setIndicator(sign.lastChild, state);
  setAttribute(element, 'data-state', state);
  setAttribute(button, 'aria-current', state ? 'true' : null);
}
