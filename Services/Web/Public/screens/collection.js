// The screen of a collection: its picture, actions, and its albums, artists and tracks.
import { change, collectionPath, readAllPages } from '../core/api.js';
import { h, reconcile, setAttribute, setText } from '../core/dom.js';
import { count } from '../core/format.js';
import { discardScreens } from '../core/router.js';
import { setAlbumList, subscribe } from '../core/store.js';
import { enqueue, playMenu } from '../parts/actions.js';
import { showError } from '../parts/banners.js';
import { makeAlbumCard, makeArtistCard, updateAlbumCard, updateArtistCard } from '../parts/cards.js';
import { textButton } from '../parts/controls.js';
import { features } from '../parts/features.js';
import { coverHeader, emptyMessage, summary } from '../parts/headers.js';
import { offerMenu } from '../parts/menu.js';
import { refreshSources } from '../parts/sources.js';
import { makeTrackRow, updateTrackRow } from '../parts/trackrow.js';

function pinButton(collection) {
  const show = () => {
    setAttribute(button, 'aria-pressed', collection.isPinned);
    setText(button.querySelector('span'), collection.isPinned ? 'Pinned' : 'Pin');
  };
  const button = textButton('Pin', 'pin', async () => {
    const isPinned = !collection.isPinned;
    try {
      await change(`${collectionPath(collection.id)}/pin`, { isPinned }, 'PUT');
      collection.isPinned = isPinned;
      discardScreens(true);
      show();
    } catch (error) {
      showError(error);
    }
  });
  show();
  return button;
}

/** Opens the screen of a collection. */
export async function open({ parts: [id], signal }) {
  const collection = await readAllPages(collectionPath(id), ['albums', 'artists', 'tracks'], signal);
  const { albums, artists = [], tracks = [] } = collection;
  const withCover = albums.find(({ art }) => art);
  const thing = { ...collection, art: collection.art ?? withCover?.art, palette: withCover?.palette };
  const head = coverHeader(thing, {},
    h('p', { class: 'facts', text: count(collection.itemCount, 'item') }), summary(collection.summary),
    h('div', { class: 'actions' }, textButton('Play', 'play', () => enqueue(collection), { kind: 'first' }),
      textButton('Shuffle all', 'shuffle', () => enqueue(collection, 'now', { shuffle: true })), pinButton(collection),
      textButton('Refresh', 'sync', () => refreshSources(collection.id.split(':')[0])),
      textButton('Keep offline', 'down', () => features.keepOffline(collection))));
  offerMenu(head.querySelector('.cover-stand'), () => collection.title, () => playMenu(collection), () => collection);
  const lists = {
    albums: h('ul', { class: 'album-grid loose', 'aria-label': 'Albums', hidden: !albums.length }),
    artists: h('ul', { class: 'artist-grid loose', 'aria-label': 'Artists', hidden: !artists.length }),
    tracks: h('ol', { class: 'lines card', 'aria-label': 'Tracks', hidden: !tracks.length }),
  };
  const none = albums.length + artists.length + tracks.length ? null : emptyMessage('Nothing in this collection',
    'What your music server puts into it appears here after Lunara has read the server again.');
  const show = () => {
    reconcile(lists.albums, albums, (album) => album.id, makeAlbumCard, (one, album) => updateAlbumCard(one, album));
    reconcile(lists.artists, artists, (artist) => artist.id, makeArtistCard, updateArtistCard);
    reconcile(lists.tracks, tracks, (track) => track.id, () => makeTrackRow({ cover: true }),
      (one, track) => updateTrackRow(one, track, { under: `${track.artist} · ${track.album}` }));
  };
  let stop = () => {};
  return {
    title: collection.title,
    element: h('section', { class: 'screen', 'aria-label': collection.title }, head, none, ...Object.values(lists)),
    show() {
      setAlbumList(() => ({ collection: collection.id }));
      stop = subscribe(show);
    },
    hide: () => stop(),
  };
}
