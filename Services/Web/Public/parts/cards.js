// The cards in grids: albums, artists, collections and playlists, each with a picture and a button to play it.
import { h, rem, setAttribute, setText } from '../core/dom.js';
import { count, distinctions } from '../core/format.js';
import { setIndicator, stateIfCurrent, stateIndicator, stateName } from '../core/playbackstate.js';
import { address } from '../core/router.js';
import { currentRoom } from '../core/store.js';
import { albumMenu, artistMenu, enqueue, playMenu } from './actions.js';
import { iconButton } from './controls.js';
import { clearCover, setCover } from './cover.js';
import { features } from './features.js';
import { offerMenu, openMenuOf } from './menu.js';

const current = new WeakMap();
const sources = new WeakMap();
// The choice of several albums of a grid, while a person makes one; see find/albumselection.js.
let selection = null;

/** Sets the selection that presses on cards belong to; null for none. */
export function setCardSelection(now) {
  selection = now;
}

/**
 * Says where the albums of a long grid are found, of which only those in view are in the document: `itemAt(index)`,
 * `count()`, and `between(first, last)`, which resolves to the items between two indices.
 */
export function offerSelection(list, source) {
  sources.set(list, source);
}

/** Returns the item that a card shows; undefined while it is not read. */
export const shownInCard = (element) => current.get(element);

/** Begins to choose several albums of the grid of a card, which is the first one. */
const select = (element, list = element.parentElement) => 
  features.selectAlbums(list, element, sources.get(list));

/** Chooses the album of a card instead of opening it, while albums are chosen or if a key says so. */
function choose(element, event) {
  const isChoosing = selection?.list === element.parentElement;
  if (!isChoosing && !(event.ctrlKey || event.metaKey || event.shiftKey)) return;
  event.preventDefault();
  if (isChoosing) selection.press(element, event.shiftKey);
  else if (current.has(element)) select(element);
}

function withSelect(menuOf, element) {
  return (album) => {
    // The grid may be drawn anew while the menu is open.
    const list = element.parentElement;
    return [...menuOf(album), { name: 'Select', icon: 'check', run: () => select(element, list) }];
  };
}

/** Returns the columns and the row height of a grid that is `width` pixels wide; see virtuallist.js. */
export function gridShape(width, { widest = 12.5, words = 4.2 } = {}) {
  const unit = rem();
  const gap = Math.max(14, Math.min(34, width * 0.026));
  const columns = Math.max(unit > 22 && width < 420 ? 1 : 2, Math.ceil((width + gap) / (widest * unit + gap)));
  const cover = Math.floor((width - (columns - 1) * gap) / columns);
  const row = Math.round(cover + words * unit + 22);
  return {
    columns, row, vars: { '--columns': columns, '--gap': `${gap}px`, '--cover': `${cover}px`, '--row': `${row}px` },
  };
}

function card(kind, round, menuOf, hasSelection = false) {
  const start = iconButton('play', '', () => enqueue(current.get(element)), 'quick');
  const element = h('li', { class: `record ${kind}` },
    h('a', { class: 'record-link' },
      h('span', { class: 'cover-frame', 'aria-hidden': 'true' },
        round ? null : h('span', { class: 'disc' }),
        h('span', { class: 'cover' }),
        stateIndicator()),
      h('span', { class: 'record-words' }, h('b'), h('span'), h('small'))),
    start,
    iconButton('more', '', ({ currentTarget }) => openMenuOf(element, null, null, currentTarget), 'small quick-more'));
  // The key of the menu opens the same one, so that there is one stop less for the Tab key.
  element.lastChild.tabIndex = -1;
  const itemsOf = hasSelection ? withSelect(menuOf, element) : menuOf;
  if (hasSelection) element.firstChild.addEventListener('click', (event) => choose(element, event));
  offerMenu(element,
    () => current.get(element)?.title ?? '',
    () => current.get(element) && itemsOf(current.get(element)),
    () => current.get(element) ?? null);
  return element;
}

function fill(element, item, { href = null, under = '', said = under, apart = '', state = null, size = 300 } = {}) {
  const [link, start, more] = element.children;
  const [frame, words] = link.children;
  const cover = frame.querySelector('.cover');
  element.classList.toggle('shimmering', !item);
  start.hidden = more.hidden = !item;
  if (!item) {
    current.delete(element);
    clearCover(cover);
    // Without an address the link would lose the focus.
    if (document.activeElement !== link) link.removeAttribute('href');
    setText(words.children[0], '');
    setText(words.children[1], '');
    setText(words.children[2], '');
    setIndicator(frame.lastChild, null);
    return;
  }
  current.set(element, item);
  setCover(cover, item, size);
  setText(words.children[0], item.title);
  setText(words.children[1], under);
  setText(words.children[2], apart);
  setAttribute(link, 'href', href);
  setAttribute(link, 'aria-label', [item.title, said, state && stateName(state)].filter(Boolean).join(', '));
  setAttribute(start, 'aria-label', `Play ${item.title}`);
  setAttribute(more, 'aria-label', `More for ${item.title}`);
  selection?.mark(element);
  setIndicator(frame.lastChild, state);
  setAttribute(element, 'data-state', state);
}

/** Returns an empty card of an album; `updateAlbumCard` fills it. */
export const makeAlbumCard = () => card('', false, albumMenu, true);

/** Returns such a card with another menu: `menuOf(album)` returns its entries. */
export const makeAlbumCardWith = (menuOf) => card('', false, menuOf, true);

/**
 * Fills the card of an album, and marks the album that plays; an undefined album shows as loading. `under` is the
 * second line, `why` a reason that stands below, and `size` the width of the picture in pixels, 300 or 1024.
 */
export function updateAlbumCard(element, album, under = album?.artist, why = null, size = 300) {
  const room = currentRoom();
  fill(element, album, album ? {
    href: address('album', album.id), under,
    said: [album.artist, album.year, ...distinctions(album), why].filter(Boolean).join(', '),
    apart: why ?? distinctions(album).join(' · '),
    state: stateIfCurrent(room, room?.track?.albumID === album.id), size,
  } : {});
}

/** Returns an empty card of an artist. */
export const makeArtistCard = () => card('round', true, artistMenu);

/** Fills the card of an artist. */
export function updateArtistCard(element, artist) {
  const item = artist && { ...artist, title: artist.name, artist: undefined };
  fill(element, item,
    artist
      ? {
        href: address('artist', artist.id),
        under: artist.albumCount || !artist.trackCount
          ? count(artist.albumCount, 'album')
          : count(artist.trackCount, 'track'),
      }
      : {});
}

/** Returns an empty card of a collection or a playlist. */
export const makeListCard = () => card('bundle', false, playMenu);

/** Returns the line under the title of a collection. */
export const underOfCollection = ({ isPinned, itemCount }) =>
  [isPinned && 'Pinned', count(itemCount, 'item')].filter(Boolean).join(' · ');

/** Fills the card of a collection or a playlist; `kind` is the name of its screen. */
export function updateListCard(element, bundle, kind, under) {
  fill(element, bundle && { ...bundle, artist: undefined }, bundle ? { href: address(kind, bundle.id), under } : {});
}
