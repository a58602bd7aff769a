// The search in the library while a person types. The words are in the address, without a history entry for each
// change.
import { read } from '../core/api.js';
import { h, reconcile, setText } from '../core/dom.js';
import { count, isAddress } from '../core/format.js';
import { address, navigate } from '../core/router.js';
import { setAlbumList, subscribe } from '../core/store.js';
import { showError } from '../parts/banners.js';
import { makeAlbumCard, makeArtistCard, makeListCard, updateAlbumCard, updateArtistCard, updateListCard } from '../parts/cards.js';
import { makeTrackRow, updateTrackRow } from '../parts/trackrow.js';

const pause = 140;
const nothing = { artists: [], albums: [], tracks: [], collections: [], playlists: [] };

function searchBox() {
  return h('input', {
    type: 'search', id: 'search-words', placeholder: 'Album, track, artist or link', 'aria-label': 'Search the library', spellcheck: 'false',
    autocapitalize: 'off', autocomplete: 'off', enterkeyhint: 'search',
  });
}

function resultLists() {
  const list = (tag, kind, label) => h(tag, { class: kind, 'aria-label': label });
  return {
    artists: list('ul', 'artist-grid loose', 'Artists'), albums: list('ul', 'album-grid loose', 'Albums'),
    tracks: list('ol', 'lines card', 'Tracks'), collections: list('ul', 'album-grid loose', 'Collections'),
    playlists: list('ul', 'album-grid loose', 'Playlists'),
  };
}

/** Opens the search; one screen serves all addresses. */
export async function open() {
  let found = nothing;
  let words = null;
  let control = null;
  let timer = 0;
  const box = searchBox();
  const said = h('p', { class: 'count', role: 'status' });
  const lists = resultLists();
  const inNotes = h('section', { class: 'group', hidden: true });
  const elsewhere = h('div');
  let plugins = null;
  const groups = Object.values(lists).map((list) => h('section', { class: 'group', hidden: true }, h('h2', { text: list.getAttribute('aria-label') }), list));
  const form = h('form', { role: 'search', class: 'search-form', onsubmit: (event) => event.preventDefault() }, box);
  const element = h('section', { class: 'screen search', 'aria-label': 'Search' }, h('header', { class: 'head' }, h('h1', { text: 'Search', tabindex: '-1' }), form, said), groups, inNotes, elsewhere);

  const show = () => {
    for (const [name, list] of Object.entries(lists)) list.parentElement.hidden = !found[name].length;
    reconcile(lists.artists, found.artists, ({ id }) => id, makeArtistCard, updateArtistCard);
    reconcile(lists.albums, found.albums, ({ id }) => id, makeAlbumCard, (one, album) => updateAlbumCard(one, album, [album.year, album.artist].filter(Boolean).join(' · ')));
    reconcile(lists.tracks, found.tracks, ({ id }) => id, () => makeTrackRow({ cover: true }),
      (one, track) => updateTrackRow(one, track, { under: `${track.artist} · ${track.album}` }));
    reconcile(lists.collections, found.collections, ({ id }) => id, makeListCard,
      (one, item) => updateListCard(one, item, 'collection', count(item.itemCount, 'item')));
    reconcile(lists.playlists, found.playlists, ({ id }) => id, makeListCard,
      (one, item) => updateListCard(one, item, 'playlist', count(item.trackCount, 'track')));
  };

  /** Lets plugins search as well; what shows their hits is loaded with the first words. */
  function searchPlugins(text) {
    if (!text && !plugins) return;
    plugins ??= import('../plugins/pluginhits.js').then(({ makePluginHits }) => {
      const hits = makePluginHits();
      elsewhere.replaceWith(hits.element);
      return hits;
    });
    plugins.then((hits) => text === words && hits.search(text), (error) => {
      plugins = null;
      showError(error);
    });
  }

  async function search(text) {
    if (text === words) return;
    words = text;
    control?.abort();
    control = new AbortController();
    try {
      // The address of something at a service is opened by plugins; the library has no words for it.
      const isLink = isAddress(text);
      found = text && !isLink ? { ...nothing, ...await read('search', { q: text, limit: 40, in: 'notes' }, control.signal) } : nothing;
      const all = Object.keys(lists).reduce((sum, name) => sum + found[name].length, found.notes?.length ?? 0);
      if (found.notes?.length || !inNotes.hidden) import('../garden/found.js').then(({ showFound }) => text === words && showFound(inNotes, found.notes ?? [])).catch(showError);
      setText(said, all || !text || isLink ? '' : `Nothing was found for “${text}”.`);
      show();
    } catch (error) {
      if (error.name === 'AbortError') return;
      words = null;
      showError(error);
    }
  }
  box.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const text = box.value.trim();
      navigate(text ? `${address('search')}?q=${encodeURIComponent(text)}` : address('search'), true);
    }, pause);
  });
  box.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') element.querySelector('.group:not([hidden]) a, .group:not([hidden]) button')?.focus();
  });
  let stop = () => {};
  return {
    title: 'Search', element, isLive: true,
    enter({ query }) {
      const text = query.get('q') ?? '';
      if (document.activeElement !== box) box.value = text;
      search(text);
    },
    show() {
      setAlbumList(() => ({ albums: found.albums.map(({ id }) => id).slice(0, 200) }));
      stop = subscribe(show);
      // Not before: for other words the router hides the screen and shows it again, which ends a search by plugins.
      searchPlugins(words);
    },
    shown() {
      if (!words) box.focus({ preventScroll: true });
    },
    hide() {
      clearTimeout(timer);
      plugins?.then((hits) => hits.stop(), () => {});
      stop();
    },
  };
}
