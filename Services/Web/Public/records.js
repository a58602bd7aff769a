// Records as they stand on a shelf: used by the shelf itself and by what a search finds.
import { play } from './api.js';
import { complain } from './banners.js';
import { setCover } from './cover.js';
import { h, setAttribute, setText } from './dom.js';
import { setIcon } from './icons.js';
import { currentRoom, listFrom } from './store.js';

/** The path of an album's place on the page. */
export function albumPath(id) {
  return `#/album/${encodeURIComponent(id)}`;
}

/** Makes one record; `updateRecord` fills it. Once it is over the music goes on in the list that it stands in. */
export function makeRecord(album) {
  const start = h('button', { type: 'button', class: 'knob quick', onclick: () => {
    play([album.id], currentRoom()?.name ?? null, 'now', 0, listFrom(album.id)).catch(complain);
  } });
  setIcon(start, 'play');
  return h('li', { class: 'record' },
    h('a', { class: 'record-link', href: albumPath(album.id) },
      h('span', { class: 'stand', 'aria-hidden': 'true' },
        h('span', { class: 'disc' }, h('span', { class: 'disc-turn' })), h('span', { class: 'cover' })),
      h('span', { class: 'record-words' }, h('b'), h('span'))),
    start);
}

/** Fills a record from its album and marks the one that plays. */
export function updateRecord(record, album) {
  const [link, start] = record.children;
  const [stand, words] = link.children;
  setCover(stand.children[1], album.art, album.title, album.artist);
  setText(words.children[0], album.title);
  setText(words.children[1], album.artist);
  setAttribute(link, 'title', `${album.title} – ${album.artist}${album.year ? `, ${album.year}` : ''}`);
  setAttribute(start, 'aria-label', `Play ${album.title}`);
  const room = currentRoom();
  const playing = room?.track?.albumID === album.id && room.state !== 'idle';
  record.classList.toggle('playing', playing);
  setAttribute(link, 'aria-current', playing ? 'true' : null);
}
