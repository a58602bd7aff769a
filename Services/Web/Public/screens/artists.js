// The list of artists, and the screen of one artist: picture, text, genres and albums.
import { artistPath, readAllPages } from '../core/api.js';
import { h, reconcile, setText } from '../core/dom.js';
import { count } from '../core/format.js';
import { CursorList } from '../core/lists.js';
import { navigate } from '../core/router.js';
import { setAlbumList, subscribe } from '../core/store.js';
import { VirtualList, wireArrows } from '../core/virtuallist.js';
import { enqueue } from '../parts/actions.js';
import { showError } from '../parts/banners.js';
import { gridShape, makeAlbumCard, makeArtistCard, updateAlbumCard, updateArtistCard } from '../parts/cards.js';
import { textButton } from '../parts/controls.js';
import { coverHeader, emptyMessage, pageHeader, summary, tagLinks } from '../parts/headers.js';
import { makeJumpBar } from '../parts/jumpbar.js';

const letters = [...'abcdefghijklmnopqrstuvwxyz'];

/** Opens the list of artists; with the query `from=m` it starts at a letter. */
export async function openList({ query }) {
  const from = query.get('from');
  const text = h('p', { class: 'count', role: 'status' });
  const none = h('div', { hidden: true }, emptyMessage('No artists', 'There are no artists in your library yet.'));
  const source = new CursorList('artists', { startingAt: from }, () => {
    if (source.error) showError(source.error);
    none.hidden = !(source.isComplete && !source.items.length);
    setText(text, from ? `from ${from.toUpperCase()}` : '');
    jumpBar.hidden = !from && source.isComplete && source.items.length < 30;
    grid.refresh();
  });
  const grid = new VirtualList({
    kind: 'artist-grid', label: 'Artists', measure: (width) => gridShape(width, { widest: 10, words: 3.6 }), make: makeArtistCard, update: updateArtistCard,
  });
  wireArrows(grid, () => source.items.length);
  const jumpBar = makeJumpBar((index) => navigate(index ? `#/artists?from=${letters[index - 1]}` : '#/artists', true));
  jumpBar.set({ total: 100, marks: [{ name: '#', first: 0 }, ...letters.map((name, index) => ({ name, first: index + 1 }))] }, 'artists');
  return {
    title: 'Artists', element: h('section', { class: 'screen artists', 'aria-label': 'Artists' }, pageHeader('Artists', text), none, grid.element, jumpBar),
    show: () => grid.show(source), shown: () => grid.start(), hide: () => grid.stop(),
  };
}

/** Opens the screen of an artist. */
export async function openArtist({ parts: [id], signal }) {
  const artist = await readAllPages(artistPath(id), ['albums'], signal);
  const withCover = artist.albums.find(({ art }) => art);
  const item = { id: artist.id, title: artist.name, art: artist.art ?? withCover?.art, palette: withCover?.palette };
  const list = h('ul', { class: 'album-grid loose', 'aria-label': 'Albums' });
  const header = coverHeader(item, { round: true },
    h('p', { class: 'facts', text: count(artist.albumCount, 'album') }),
    tagLinks(artist), summary(artist.summary),
    h('div', { class: 'actions' }, textButton('Play', 'play', () => enqueue(item), { kind: 'first' }),
      textButton('Shuffle', 'shuffle', () => enqueue(item, 'now', { shuffle: true }))));
  const show = () => reconcile(list, artist.albums, ({ id: one }) => one, makeAlbumCard,
    (one, album) => updateAlbumCard(one, album, album.year ? String(album.year) : count(album.trackCount, 'track')));
  let stop = () => {};
  return {
    title: artist.name, element: h('section', { class: 'screen artist', 'aria-label': artist.name }, header, list),
    show() {
      setAlbumList(() => ({ artist: artist.id }));
      stop = subscribe(show);
    },
    hide: () => stop(),
  };
}
