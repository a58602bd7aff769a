// A collection: its picture, play and shuffle, a pin, and what it holds.
import { change, collectionPath, readWhole } from '../core/api.js';
import { h, reconcile, setAttribute, setText } from '../core/dom.js';
import { forgetScreens } from '../core/router.js';
import { follow, look } from '../core/store.js';
import { count } from '../core/words.js';
import { put } from '../parts/actions.js';
import { complain } from '../parts/banners.js';
import { pill } from '../parts/buttons.js';
import { makeArtist, makeRecord, updateArtist, updateRecord } from '../parts/cards.js';
import { coverHead } from '../parts/heads.js';
import { summary } from '../parts/summary.js';
import { makeTrack, updateTrack } from '../parts/lines.js';

function pinPill(collection) {
  const show = () => {
    setAttribute(button, 'aria-pressed', collection.isPinned);
    setText(button.querySelector('span'), collection.isPinned ? 'Pinned' : 'Pin');
  };
  const button = pill('Pin', 'pin', async () => {
    const pinned = !collection.isPinned;
    try {
      await change(`${collectionPath(collection.id)}/pin`, { pinned }, 'PUT');
      collection.isPinned = pinned;
      forgetScreens(true);
      show();
    } catch (error) {
      complain(error);
    }
  });
  show();
  return button;
}

/** Opens a collection's place. */
export async function open({ parts: [id], signal }) {
  const collection = await readWhole(collectionPath(id), ['albums', 'artists', 'tracks'], signal);
  const { albums, artists = [], tracks = [] } = collection;
  const lead = albums.find(({ art }) => art);
  const thing = { ...collection, art: collection.art ?? lead?.art, palette: lead?.palette };
  const head = coverHead(thing, {},
    h('p', { class: 'facts', text: count(collection.itemCount, 'item') }), summary(collection.summary),
    h('div', { class: 'actions' }, pill('Play', 'play', () => put(collection), { kind: 'first' }),
      pill('Shuffle all', 'shuffle', () => put(collection, 'now', { shuffle: true })), pinPill(collection)));
  const lists = {
    albums: h('ul', { class: 'shelf loose', 'aria-label': 'Albums', hidden: !albums.length }),
    artists: h('ul', { class: 'faces loose', 'aria-label': 'Artists', hidden: !artists.length }),
    tracks: h('ol', { class: 'lines card', 'aria-label': 'Tracks', hidden: !tracks.length }),
  };
  const show = () => {
    reconcile(lists.albums, albums, (album) => album.id, makeRecord, (one, album) => updateRecord(one, album));
    reconcile(lists.artists, artists, (artist) => artist.id, makeArtist, updateArtist);
    reconcile(lists.tracks, tracks, (track) => track.id, () => makeTrack({ cover: true }),
      (one, track) => updateTrack(one, track, { under: `${track.artist} · ${track.album}` }));
  };
  let stop = () => {};
  return {
    title: collection.title, element: h('section', { class: 'place', 'aria-label': collection.title }, head, ...Object.values(lists)),
    show() {
      look(() => ({ collection: collection.id }));
      stop = follow(show);
    },
    hide: () => stop(),
  };
}
