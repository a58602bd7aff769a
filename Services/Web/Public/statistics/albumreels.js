// Reels below an album: more by its artist, and albums that are near it. They come after the album is shown, and each
// is left out where there is nothing to show.
import { albumPath, artistPath, read } from '../core/api.js';
import { h, reconcile } from '../core/dom.js';
import { count } from '../core/format.js';
import { subscribe } from '../core/store.js';
import { loadStyles } from '../core/stylesheets.js';
import { makeAlbumCard, updateAlbumCard } from '../parts/cards.js';

const styled = loadStyles('statistics/statistics.css');

const most = 24;

/** Returns a reel of albums with a function `show`, which marks the album that plays. */
function reel(title, albums, under) {
  const list = h('ul', { class: 'carousel', 'aria-label': title, tabindex: '0' });
  const show = () => reconcile(list, albums, ({ id }) => id, makeAlbumCard,
    (card, album) => updateAlbumCard(card, album, under(album), album.reason ?? null));
  show();
  return { element: h('section', { class: 'carousel-box' }, h('h2', { text: title }), list), show };
}

/** Returns the other albums of an album's artist; none where they cannot be read. */
async function moreByArtist({ id, artistID, editions = [] }) {
  if (!artistID) return [];
  const known = new Set([id, ...editions.map((one) => one.id)]);
  const { albums } = await read(artistPath(artistID)).catch(() => ({ albums: [] }));
  return albums.filter((one) => !known.has(one.id)).slice(0, most);
}

/** Returns the albums that are near an album; none where discovery does not run, or knows the album not. */
async function similarTo({ id }) {
  const { items } = await read(`${albumPath(id)}/similar`, { limit: 12 }).catch(() => ({ items: [] }));
  return items.filter((one) => one.id);
}

/** Fills an element with the reels of an album. Returns the functions `show` and `hide`. */
export async function addReels(box, album) {
  const [own, near] = await Promise.all([moreByArtist(album), similarTo(album), styled]);
  const reels = [
    own.length && reel(`More by ${album.artist}`, own,
      ({ year, trackCount }) => String(year ?? count(trackCount, 'track'))),
    near.length && reel('Similar albums', near, ({ artist }) => artist),
  ].filter(Boolean);
  box.replaceChildren(...reels.map(({ element }) => element));
  let stop = () => {};
  return {
    show() {
      stop = subscribe(() => reels.forEach(({ show }) => show()));
    },
    hide: () => stop(),
  };
}
