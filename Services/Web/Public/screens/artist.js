// An artist: picture, words about them, genres, and their albums, the oldest first.
import { artistPath, readWhole } from '../core/api.js';
import { h, reconcile } from '../core/dom.js';
import { follow, look } from '../core/store.js';
import { count } from '../core/words.js';
import { put } from '../parts/actions.js';
import { pill } from '../parts/buttons.js';
import { makeRecord, updateRecord } from '../parts/cards.js';
import { coverHead, tagPills } from '../parts/heads.js';
import { summary } from '../parts/summary.js';

/** Opens an artist's place. */
export async function open({ parts: [id], signal }) {
  const artist = await readWhole(artistPath(id), ['albums'], signal);
  const lead = artist.albums.find(({ art }) => art);
  const thing = { id: artist.id, title: artist.name, art: artist.art ?? lead?.art, palette: lead?.palette };
  const list = h('ul', { class: 'shelf loose', 'aria-label': 'Albums' });
  const head = coverHead(thing, { round: true },
    h('p', { class: 'facts', text: count(artist.albumCount, 'album') }),
    tagPills(artist), summary(artist.summary),
    h('div', { class: 'actions' }, pill('Play', 'play', () => put(thing), { kind: 'first' }),
      pill('Shuffle', 'shuffle', () => put(thing, 'now', { shuffle: true }))));
  const show = () => reconcile(list, artist.albums, ({ id: one }) => one, makeRecord,
    (one, album) => updateRecord(one, album, album.year ? String(album.year) : count(album.trackCount, 'track')));
  let stop = () => {};
  return {
    title: artist.name, element: h('section', { class: 'place artist', 'aria-label': artist.name }, head, list),
    show() {
      look(() => ({ artist: artist.id }));
      stop = follow(show);
    },
    hide: () => stop(),
  };
}
