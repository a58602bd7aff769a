// Search over the whole library, as one types.
import { play, read } from './api.js';
import { complain } from './banners.js';
import { makeTrack, updateTrack } from './album.js';
import { h, reconcile } from './dom.js';
import { makeRecord, updateRecord } from './records.js';
import { currentRoom, follow, look } from './store.js';
import { count } from './words.js';

const part = (id) => document.getElementById(id);
let found = null;

function build() {
  const group = (name, title, list) => h('section', { class: 'group', 'data-group': name }, h('h3', { text: title }), list);
  part('found').replaceChildren(
    h('h2', { id: 'found-title', tabindex: '-1', class: 'found-title' }),
    group('artists', 'Artists', h('ul', { class: 'names' })),
    group('albums', 'Records', h('ul', { class: 'shelf' })),
    group('tracks', 'Songs', h('ol', { class: 'tracks' })));
}

function list(name) {
  const group = part('found').querySelector(`[data-group=${name}]`);
  group.hidden = !found[name].length;
  return group.lastElementChild;
}

function show() {
  if (!found) return;
  const all = found.artists.length + found.albums.length + found.tracks.length;
  part('found-title').textContent = all ? `Found for “${found.words}”` : `Nothing found for “${found.words}”`;
  reconcile(list('artists'), found.artists, (artist) => artist.id,
    (artist) => h('li', {}, h('a', { class: 'pill', href: `#/search/${encodeURIComponent(artist.name)}` },
      h('span', { text: artist.name }), h('small', { text: count(artist.albumCount, 'record') }))));
  reconcile(list('albums'), found.albums, (album) => album.id, makeRecord, updateRecord);
  reconcile(list('tracks'), found.tracks, (track) => track.id,
    (track) => makeTrack(track, () => play([track.id], currentRoom()?.name ?? null).catch(complain)),
    (line, track) => updateTrack(line, { ...track, number: null }, `${track.artist} · ${track.album}`));
}

/** Shows what the words find; resolves when it stands. */
export async function openSearch(words, signal) {
  if (document.activeElement !== part('search-words')) part('search-words').value = words;
  if (found?.words !== words) found = { words, ...await read('search', { q: words }, signal) };
  const albums = found.albums.map((album) => album.id);
  look(() => ({ albums }));
  show();
}

/** Wires the search box: it writes the page's address, and the address finds. */
export function startSearch(go) {
  build();
  const box = part('search-words');
  let timer = 0;
  box.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => go(box.value.trim() ? `#/search/${encodeURIComponent(box.value.trim())}` : '#/', true), 140);
  });
  box.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !box.value) return;
    event.preventDefault();
    clearTimeout(timer);
    box.value = '';
    go('#/', true);
  });
  part('search').addEventListener('submit', (event) => event.preventDefault());
  follow(show);
}
