// Search over the whole library, as one types. The words are in the address, which leaves no trail while they change.
import { read } from '../core/api.js';
import { h, reconcile, setText } from '../core/dom.js';
import { address, go } from '../core/router.js';
import { follow, look } from '../core/store.js';
import { count } from '../core/words.js';
import { complain } from '../parts/banners.js';
import { makeArtist, makeBundle, makeRecord, updateArtist, updateBundle, updateRecord } from '../parts/cards.js';
import { makeTrack, updateTrack } from '../parts/lines.js';

const pause = 140;
const nothing = { artists: [], albums: [], tracks: [], collections: [] };

function searchBox() {
  return h('input', {
    type: 'search', id: 'search-words', placeholder: 'A record, a song, a name', 'aria-label': 'Search the library', spellcheck: 'false',
    autocapitalize: 'off', autocomplete: 'off', enterkeyhint: 'search',
  });
}

function resultLists() {
  const list = (tag, kind, label) => h(tag, { class: kind, 'aria-label': label });
  return {
    artists: list('ul', 'faces loose', 'Artists'), albums: list('ul', 'shelf loose', 'Albums'),
    tracks: list('ol', 'lines card', 'Tracks'), collections: list('ul', 'shelf loose', 'Collections'),
  };
}

/** Opens the place of searches; there is but one. */
export async function open() {
  let found = nothing;
  let words = null;
  let control = null;
  let timer = 0;
  const box = searchBox();
  const said = h('p', { class: 'count', role: 'status' });
  const lists = resultLists();
  const groups = Object.values(lists).map((list) => h('section', { class: 'group', hidden: true }, h('h2', { text: list.getAttribute('aria-label') }), list));
  const form = h('form', { role: 'search', class: 'search-form', onsubmit: (event) => event.preventDefault() }, box);
  const element = h('section', { class: 'place search', 'aria-label': 'Search' }, h('header', { class: 'head' }, h('h1', { text: 'Search', tabindex: '-1' }), form, said), groups);

  const show = () => {
    for (const [name, list] of Object.entries(lists)) list.parentElement.hidden = !found[name].length;
    reconcile(lists.artists, found.artists, ({ id }) => id, makeArtist, updateArtist);
    reconcile(lists.albums, found.albums, ({ id }) => id, makeRecord, (one, album) => updateRecord(one, album));
    reconcile(lists.tracks, found.tracks, ({ id }) => id, () => makeTrack({ cover: true }),
      (one, track) => updateTrack(one, track, { under: `${track.artist} · ${track.album}` }));
    reconcile(lists.collections, found.collections, ({ id }) => id, makeBundle,
      (one, item) => updateBundle(one, item, 'collection', count(item.itemCount, 'item')));
  };

  async function search(text) {
    if (text === words) return;
    words = text;
    control?.abort();
    control = new AbortController();
    try {
      found = text ? { ...nothing, ...await read('search', { q: text, limit: 40 }, control.signal) } : nothing;
      const all = Object.keys(lists).reduce((sum, name) => sum + found[name].length, 0);
      setText(said, all || !text ? '' : `Nothing is called “${text}”.`);
      show();
    } catch (error) {
      if (error.name === 'AbortError') return;
      words = null;
      complain(error);
    }
  }
  box.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const text = box.value.trim();
      go(text ? `${address('search')}?q=${encodeURIComponent(text)}` : address('search'), true);
    }, pause);
  });
  box.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') element.querySelector('.group:not([hidden]) a, .group:not([hidden]) button')?.focus();
  });
  let stop = () => {};
  return {
    title: 'Search', element, lasting: true,
    enter({ query }) {
      const text = query.get('q') ?? '';
      if (document.activeElement !== box) box.value = text;
      search(text);
    },
    show() {
      look(() => ({ albums: found.albums.map(({ id }) => id).slice(0, 200) }));
      stop = follow(show);
    },
    shown() {
      if (!words) box.focus({ preventScroll: true });
    },
    hide() {
      clearTimeout(timer);
      stop();
    },
  };
}
