// The search in the library while a person types. The words are in the address, without a history entry for each
// change. The best result comes first, then songs, artists, albums, and all else.
import { read } from '../core/api.js';
import { h, reconcile, setText } from '../core/dom.js';
import { count } from '../core/format.js';
import { address, isAt, navigate } from '../core/router.js';
import { setAlbumList, subscribe } from '../core/store.js';
import { loadStyles } from '../core/stylesheets.js';
import { wireResultArrows } from './arrows.js';
import { rememberSearch } from './recent.js';
import { bestOf, makeBestCard, makeRecentSearches, showPeople, showTagChips } from './results.js';
import { atFirst, hasMore, nothing, requestFor, resultWords, shownOf } from './searchstate.js';
import { showError } from '../parts/banners.js';
import { makeAlbumCard, makeArtistCard, makeListCard, updateAlbumCard, updateArtistCard,
  updateListCard } from '../parts/cards.js';
import { textButton } from '../parts/controls.js';
import { failureMessage } from '../parts/headers.js';
import { makeTrackRow, updateTrackRow } from '../parts/trackrow.js';

const styled = loadStyles('find/find.css');

const pause = 140;
// The time in milliseconds after which a search that has no answer yet is said to go on.
const patience = 300;
// The elements among which the arrow keys move.
const results = '.best-link, .record-link, .track-play, .chips .chip';

function searchBox() {
  return /** @type {HTMLInputElement} */ (h('input', {
    type: 'search', id: 'search-words', placeholder: 'Album, song, artist, genre or link',
    'aria-label': 'Search the library', spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off',
    enterkeyhint: 'search',
  }));
}

function resultLists() {
  const list = (tag, kind, label) => h(tag, { class: kind, 'aria-label': label });
  return {
    tracks: list('ol', 'lines card', 'Songs'), artists: list('ul', 'artist-grid loose', 'Artists'),
    albums: list('ul', 'album-grid loose', 'Albums'), playlists: list('ul', 'album-grid loose', 'Playlists'),
    tags: list('ul', 'chips', 'Genres and years'), people: list('ul', 'chips', 'People'),
    collections: list('ul', 'album-grid loose', 'Collections'),
  };
}

/** Returns the parts of the screen. */
function makeView(state) {
  const box = searchBox();
  const said = h('p', { class: 'count', role: 'status' });
  const failure = h('div', {});
  const lists = resultLists();
  const inNotes = h('section', { class: 'group', hidden: true });
  const elsewhere = h('div');
  const [best, recent] = [makeBestCard(), makeRecentSearches()];
  const all = {};
  const groups = Object.entries(lists).map(([name, list]) => {
    all[name] = textButton('', 'down', () => {
      state.opened.add(name);
      show(state, view);
      list.children[atFirst[name]]?.querySelector('a, button')?.focus({ preventScroll: true });
    }, { kind: 'quiet' });
    return h('section', { class: 'group', hidden: true }, h('h2', { text: list.getAttribute('aria-label') }), list,
      all[name]);
  });
  const form = h('form', { role: 'search', class: 'search-form', onsubmit: (event) => {
    event.preventDefault();
    openFirst(state, view);
  } }, box);
  const element = h('section', { class: 'screen search', 'aria-label': 'Search' },
    h('header', { class: 'head' }, h('h1', { text: 'Search', tabindex: '-1' }), form, said), failure, recent, best,
    groups, inNotes, elsewhere);
  // A search is worth remembering once a person has used one of its results.
  element.addEventListener('click', ({ target }) => !recent.contains(target) && target.closest(results)
    && rememberSearch(state.words));
  wireResultArrows(element, results, box);
  box.addEventListener('input', () => {
    clearTimeout(state.timer);
    state.timer = setTimeout(() => goToWords(state, view), pause);
  });
  const view = { element, box, said, failure, lists, all, inNotes, elsewhere, best, recent };
  return view;
}

/** Shows what was found. */
function show({ found, words, opened }, { lists, all, best, recent, failure }) {
  for (const [name, list] of Object.entries(lists)) {
    list.parentElement.hidden = !found[name].length;
    all[name].hidden = !hasMore(found, name, opened);
    setText(all[name].lastChild, `Show all ${found[name].length}`);
  }
  const fill = (name, make, update) =>
    reconcile(lists[name], shownOf(found, name, opened), ({ id }) => id, make, update);
  best.show(bestOf(found));
  fill('artists', makeArtistCard, updateArtistCard);
  fill('albums', makeAlbumCard,
    (one, album) => updateAlbumCard(one, album, [album.year, album.artist].filter(Boolean).join(' · ')));
  fill('tracks', () => makeTrackRow({ cover: true }),
    (one, track) => updateTrackRow(one, track, { under: `${track.artist} · ${track.album}` }));
  fill('collections', makeListCard,
    (one, item) => updateListCard(one, item, 'collection', count(item.itemCount, 'item')));
  fill('playlists', makeListCard,
    (one, item) => updateListCard(one, item, 'playlist', count(item.trackCount, 'track')));
  showTagChips(lists.tags, found.tags);
  showPeople(lists.people, found.people);
  recent.show(!words && !failure.childElementCount);
}

/** Lets plugins search as well; what shows their hits is loaded with the first words. */
function searchPlugins(state, { elsewhere }, text) {
  if (!text && !state.plugins) return;
  state.plugins ??= import('../plugins/pluginhits.js').then(({ makePluginHits }) => {
    const hits = makePluginHits();
    elsewhere.replaceWith(hits.element);
    return hits;
  });
  state.plugins.then((hits) => text === state.words && hits.search(text), (error) => {
    state.plugins = null;
    showError(error);
  });
}

/** Says that the search has failed, with a way to try again; null takes this away. */
function showFailure(state, view, error, text) {
  const { failure, box } = view;
  if (failure.contains(document.activeElement)) box.focus({ preventScroll: true });
  failure.replaceChildren(
    ...(error ? [failureMessage('The search has failed', error, () => search(state, view, text))] : []));
}

function search(state, view, text) {
  if (text === state.words) return;
  state.words = text;
  state.reading = readAndShow(state, view, text);
}

async function readAndShow(state, view, text) {
  const { said, inNotes } = view;
  state.opened.clear();
  state.control?.abort();
  const mine = state.control = new AbortController();
  const late = setTimeout(() => text && setText(said, 'Searching …'), patience);
  try {
    const request = requestFor(text);
    state.found = request ? { ...nothing, ...await read('search', request, mine.signal) } : nothing;
    const { notes = [] } = state.found;
    if (notes.length || !inNotes.hidden) {
      import('../garden/notes.js').then(({ showFound }) => text === state.words && showFound(inNotes, notes))
        .catch(showError);
    }
    showFailure(state, view, null, text);
    setText(said, resultWords(state.found, text));
    show(state, view);
  } catch (error) {
    if (error.name === 'AbortError' || mine !== state.control) return;
    [state.words, state.found] = [null, nothing];
    inNotes.hidden = true;
    setText(said, '');
    showFailure(state, view, error, text);
    show(state, view);
  } finally {
    clearTimeout(late);
  }
}

/** Brings the words in the box into the address. */
function goToWords(state, { box }) {
  // A person who has gone elsewhere just after typing is not brought back.
  if (!isAt('search')) return;
  const text = state.typed = box.value.trim();
  navigate(text ? `${address('search')}?q=${encodeURIComponent(text)}` : address('search'), true);
}

/**
 * Opens the best result of the words in the box; without one, moves the focus to the first result. Does neither if
 * the search has failed, or if the person has typed on or left meanwhile.
 */
async function openFirst(state, view) {
  const { element, box } = view;
  clearTimeout(state.timer);
  goToWords(state, view);
  const text = box.value.trim();
  search(state, view, text);
  await state.reading;
  if (state.words !== text || box.value.trim() !== text || !element.isConnected) return;
  const link = element.querySelector('.best:not([hidden]) .best-link');
  if (text && link) link.click();
  else [...element.querySelectorAll(results)].find((one) => one.getClientRects().length)?.focus();
}

/** Opens the search; one screen serves all addresses. */
export async function open() {
  await styled;
  const state = {
    found: nothing, words: null, typed: null, control: null, timer: 0, reading: null, opened: new Set(), plugins: null,
  };
  const view = makeView(state);
  const { element, box, recent } = view;
  let stop = () => {};
  return {
    title: 'Search', element, isLive: true,
    enter({ query }) {
      const text = query.get('q') ?? '';
      // A person can type on while the address follows.
      if (text !== state.typed) box.value = text;
      state.typed = null;
      // The recent searches, one of which may have the focus, hide once there are words.
      if (text && recent.contains(document.activeElement)) box.focus({ preventScroll: true });
      search(state, view, text);
    },
    show() {
      setAlbumList(() => ({ albums: state.found.albums.map(({ id }) => id).slice(0, 200) }));
      stop = subscribe(() => show(state, view));
      // Not before: for other words the router hides the screen and shows it again, which ends a search by plugins.
      searchPlugins(state, view, state.words);
    },
    shown({ back }) {
      if (!state.words && !back) box.focus({ preventScroll: true });
    },
    hide() {
      clearTimeout(state.timer);
      state.plugins?.then((hits) => hits.stop(), () => {});
      stop();
    },
  };
}
