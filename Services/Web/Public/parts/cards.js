// Records as they stand on a shelf, and the other things that have a picture: artists, collections, playlists.
import { h, rem, setAttribute, setText } from '../core/dom.js';
import { address } from '../core/router.js';
import { mark, setMark, stateName, stateOf } from '../core/state.js';
import { currentRoom } from '../core/store.js';
import { put } from './actions.js';
import { knob } from './buttons.js';
import { clearCover, setCover } from './cover.js';
import { offerMenu } from './menu.js';
import { albumMenu, playMenu } from './things.js';

const current = new WeakMap();

/** How many records stand side by side in so many pixels, and how tall a row is; see windowed.js. */
export function shelfShape(width, { widest = 12.5, words = 4.2 } = {}) {
  const unit = rem();
  const gap = Math.max(14, Math.min(34, width * 0.026));
  const columns = Math.max(unit > 22 && width < 420 ? 1 : 2, Math.ceil((width + gap) / (widest * unit + gap)));
  const cover = Math.floor((width - (columns - 1) * gap) / columns);
  const row = Math.round(cover + words * unit + 22);
  return { columns, row, vars: { '--columns': columns, '--gap': `${gap}px`, '--cover': `${cover}px`, '--row': `${row}px` } };
}

function card(kind, round, itemsOf) {
  const start = knob('play', '', () => put(current.get(element)), 'quick');
  const element = h('li', { class: `record ${kind}` },
    h('a', { class: 'record-link' },
      h('span', { class: 'stand', 'aria-hidden': 'true' }, round ? null : h('span', { class: 'disc' }), h('span', { class: 'cover' }), mark()),
      h('span', { class: 'record-words' }, h('b'), h('span'))),
    start);
  offerMenu(element, () => current.get(element)?.title ?? '', () => current.get(element) && itemsOf(current.get(element)));
  return element;
}

function fill(element, thing, { href, under, said = under, state = null }) {
  const [link, start] = element.children;
  const [stand, words] = link.children;
  const cover = stand.querySelector('.cover');
  element.classList.toggle('shimmering', !thing);
  start.hidden = !thing;
  if (!thing) {
    current.delete(element);
    clearCover(cover);
    link.removeAttribute('href');
    setText(words.children[0], '');
    setText(words.children[1], '');
    setMark(stand.lastChild, null);
    return;
  }
  current.set(element, thing);
  setCover(cover, thing);
  setText(words.children[0], thing.title);
  setText(words.children[1], under);
  setAttribute(link, 'href', href);
  setAttribute(link, 'aria-label', [thing.title, said, state && stateName(state)].filter(Boolean).join(', '));
  setAttribute(start, 'aria-label', `Play ${thing.title}`);
  setMark(stand.lastChild, state);
  setAttribute(element, 'data-state', state);
}

/** Makes a record; `updateRecord` fills it. */
export const makeRecord = () => card('', false, albumMenu);

/** Fills a record from its album, or leaves it waiting, and marks the one that plays. `under` is its second line. */
export function updateRecord(element, album, under = album?.artist) {
  const room = currentRoom();
  fill(element, album, album ? {
    href: address('album', album.id), under, said: [album.artist, album.year].filter(Boolean).join(', '),
    state: stateOf(room, room?.track?.albumID === album.id),
  } : {});
}

/** Makes an artist's card. */
export const makeArtist = () => card('round', true, playMenu);

/** Fills it. */
export function updateArtist(element, artist) {
  const thing = artist && { ...artist, title: artist.name, artist: undefined };
  const albums = artist && (artist.albumCount === 1 ? '1 album' : `${artist.albumCount} albums`);
  fill(element, thing, artist ? { href: address('artist', artist.id), under: albums } : {});
}

/** Makes the card of a collection or playlist. */
export const makeBundle = () => card('bundle', false, playMenu);

/** Fills it; `kind` is the name of its place. */
export function updateBundle(element, bundle, kind, under) {
  fill(element, bundle && { ...bundle, artist: undefined }, bundle ? { href: address(kind, bundle.id), under } : {});
}
