// One album: its sleeve, what can be done with it, and its tracks.
import { play, read } from './api.js';
import { complain, say } from './banners.js';
import { setCover } from './cover.js';
import { h, reconcile, setAttribute, setText } from './dom.js';
import { icon } from './icons.js';
import { currentRoom, follow, listFrom } from './store.js';
import { clock, count, roomTitle, span } from './words.js';

const place = () => document.getElementById('album');
let shown = null;

function put(ids, title, mode, startAt = 0) {
  const continues = ids[0] === shown?.id ? listFrom(shown.id) : null;
  play(ids, currentRoom()?.name ?? null, mode, startAt, continues).then((done) => {
    if (mode === 'now') return;
    const where = roomTitle(done.room);
    say(mode === 'next' ? `“${title}” comes next in ${where}.` : `“${title}” was added to the queue in ${where}.`, { key: 'queued' });
  }).catch(complain);
}

function action(name, label, picture, run, kind = '') {
  return h('button', { type: 'button', class: `pill ${kind}`, onclick: run, 'aria-label': label }, icon(picture), h('span', { text: name }));
}

function header(album) {
  const cover = h('div', { class: 'cover' });
  setCover(cover, album.art, album.title, album.artist, true);
  const facts = [album.year, count(album.trackCount, 'track'), span(album.durationSeconds)].filter(Boolean).join(' · ');
  return h('header', { class: 'album-head' },
    h('div', { class: 'album-sleeve', 'aria-hidden': 'true' }, h('div', { class: 'disc' }, h('div', { class: 'disc-turn' }), h('div', { class: 'disc-sheen' })), cover),
    h('div', { class: 'album-words' },
      h('h2', { id: 'album-title', tabindex: '-1', text: album.title }),
      h('p', { class: 'album-artist', text: album.artist }),
      h('p', { class: 'album-facts', text: facts }),
      album.genres.length ? h('ul', { class: 'genres', 'aria-label': 'Genres' }, ...album.genres.slice(0, 6).map((genre) => h('li', { text: genre }))) : null,
      h('div', { class: 'actions' },
        action('Play', `Play ${album.title}`, 'play', () => put([album.id], album.title, 'now'), 'first'),
        action('Play next', `Play ${album.title} next`, 'queueNext', () => put([album.id], album.title, 'next')),
        action('Play later', `Add ${album.title} to the end of the queue`, 'queueLater', () => put([album.id], album.title, 'later')))));
}

/** One line of a track list; `start` plays from it. Search results use it too. */
export function makeTrack(track, start) {
  const small = (picture, label, mode) => h('button', {
    type: 'button', class: 'knob small', 'aria-label': label, title: label, onclick: () => put([track.id], track.title, mode),
  }, icon(picture));
  return h('li', { class: 'track' },
    h('button', { type: 'button', class: 'track-play', onclick: start },
      h('span', { class: 'track-number' }, h('span'), h('span', { class: 'bars', 'aria-hidden': 'true' }, h('i'), h('i'), h('i'))),
      h('span', { class: 'track-words' }, h('b'), h('span')),
      h('span', { class: 'track-length' })),
    small('queueNext', `Play ${track.title} next`, 'next'),
    small('queueLater', `Add ${track.title} to the end of the queue`, 'later'));
}

/** Fills a line; `under` is what stands below the title, empty for nothing. */
export function updateTrack(line, track, under) {
  const [number, words, length] = line.firstElementChild.children;
  setText(number.firstElementChild, track.number ? String(track.number) : '·');
  setText(words.children[0], track.title);
  setText(words.children[1], under);
  setText(length, clock(track.durationSeconds));
  const room = currentRoom();
  const current = room?.track?.id === track.id && room.state !== 'idle';
  setAttribute(line.firstElementChild, 'aria-current', current ? 'true' : null);
}

function discs(album) {
  const several = new Set(album.tracks.map((track) => track.disc)).size > 1;
  const lines = [];
  album.tracks.forEach((track, index) => {
    if (several && track.disc !== album.tracks[index - 1]?.disc) lines.push({ key: `disc ${track.disc}`, disc: track.disc });
    lines.push({ key: track.id, track, index });
  });
  return lines;
}

function showTracks() {
  if (!shown) return;
  const album = shown;
  setAttribute(place(), 'data-playing', currentRoom()?.track?.albumID === album.id && currentRoom().state === 'playing' ? 'yes' : null);
  reconcile(place().querySelector('.tracks'), discs(album), (line) => line.key,
    (line) => line.track
      ? makeTrack(line.track, () => put([album.id], album.title, 'now', line.index))
      : h('li', { class: 'disc-name', text: `Disc ${line.disc}` }),
    (element, line) => {
      if (line.track) updateTrack(element, line.track, line.track.artist === album.artist ? '' : line.track.artist);
    });
}

/** Reads every page of an album's tracks. */
async function readAll(id, signal) {
  const album = await read(`albums/${encodeURIComponent(id)}`, {}, signal);
  while (album.next) {
    const page = await read(`albums/${encodeURIComponent(id)}`, { after: album.next }, signal);
    album.tracks.push(...page.tracks);
    album.next = page.next;
  }
  return album;
}

/** Shows an album; resolves when it stands. */
export async function openAlbum(id, signal) {
  if (shown?.id !== id) {
    const album = await readAll(id, signal);
    shown = album;
    place().replaceChildren(header(album), h('ol', { class: 'tracks', 'aria-label': 'Tracks' }));
  }
  showTracks();
}

/** Forgets what is shown, so that the next visit reads it again. */
export function forgetAlbum() {
  shown = null;
}

/** Wires the album to the store. */
export function startAlbum() {
  follow(showTracks);
}
