// The search in the library while a person types. The words are in the address, without a history entry for each
// change. The best result comes first, then songs, artists, albums, and all else.
import { read } from '../core/api.js';
import { h, reconcile, setText } from '../core/dom.js';
import { count, isAddress } from '../core/format.js';
import { address, isAt, navigate } from '../core/router.js';
import { setAlbumList, subscribe } from '../core/store.js';
import { loadStyles } from '../core/stylesheets.js';
import { wireResultArrows } from './arrows.js';
import { rememberSearch } from './recent.js';
import { bestOf, makeBestCard, makeRecentSearches, showPeople, showTagChips } from './results.js';
import { showError } from '../parts/banners.js';
import { makeAlbumCard, makeArtistCard, makeListCard, updateAlbumCard, updateArtistCard,
  updateListCard } from '../parts/cards.js';
import { againButton, textButton } from '../parts/controls.js';
import { makeTrackRow, updateTrackRow } from '../parts/trackrow.js';

const styled = loadStyles('find/find.css');

const pause = 140;
// The time in milliseconds after which a search that has no answer yet is said to go on.
const patience = 300;
const nothing = { artists: [], albums: [], tracks: [], collections: [], playlists: [], tags: [], people: [] };
// The number of results of a kind that are shown before a person asks for all.
const atFirst = { artists: 10, albums: 14, tracks: 6, collections: 14, playlists: 14 };
// The elements among which the arrow keys move.
const results = '.best-link, .record-link, .track-play, .chips .chip';

function searchBox() {
  return h('input', {
    type: 'search', id: 'search-words', placeholder: 'Album, song, artist, genre or link',
      'aria-label': 'Search the library',
    spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off', enterkeyhint: 'search',
  });
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

/** Opens the search; one screen serves all addresses. */
export async function open() {
  await styled;
  let found = nothing;
  let words = null;
  let control = null;
  let timer = 0;
  let reading = null;
  let typed = null;
  const opened = new Set();
  const box = searchBox();
  const said = h('p', { class: 'count', role: 'status' });
  const failure = h('div', {});
  const lists = resultLists();
  const inNotes = h('section', { class: 'group', hidden: true });
  const elsewhere = h('div');
  const [best, recent] = [makeBestCard(), makeRecentSearches()];
  let plugins = null;
  const all = {};
  const groups = Object.entries(lists).map(([name, list]) => {
    all[name] = textButton('', 'down', () => {
      opened.add(name);
      show();
      list.children[atFirst[name]]?.querySelector('a, button')?.focus({ preventScroll: true });
    }, { kind: 'quiet' });
    return h('section', { class: 'group', hidden: true }, h('h2', { text: list.getAttribute('aria-label') }), list,
      all[name]);
  });
  const form = h('form', { role: 'search', class: 'search-form', onsubmit: (event) => {
    event.preventDefault();
    openFirst();
  } }, box);
  const element = h('section', { class: 'screen search', 'aria-label': 'Search' },
    h('header', { class: 'head' }, h('h1', { text: 'Search', tabindex: '-1' }), form, said), failure, recent, best,
    groups,
      inNotes, elsewhere);
  // A search is worth remembering once a person has used one of its results.
  element.addEventListener('click', ({ target }) => !recent.contains(target) && target.closest(results)
    && rememberSearch(words));
  wireResultArrows(element, results, box);

  const shownOf = (name) => (opened.has(name) ? found[name] : found[name].slice(0, atFirst[name]));
  const show = () => {
    for (const [name, list] of Object.entries(lists)) {
      list.parentElement.hidden = !found[name].length;
      all[name].hidden = !(found[name].length > atFirst[name]) || opened.has(name);
      setText(all[name].lastChild, `Show all ${found[name].length}`);
    }
    best.show(bestOf(found));
    reconcile(lists.artists, shownOf('artists'), ({ id }) => id, makeArtistCard, updateArtistCard);
    reconcile(lists.albums, shownOf('albums'), ({ id }) => id, makeAlbumCard,
      (one, album) => updateAlbumCard(one, album, [album.year, album.artist].filter(Boolean).join(' · ')));
    reconcile(lists.tracks, shownOf('tracks'), ({ id }) => id, () => makeTrackRow({ cover: true }),
      (one, track) => updateTrackRow(one, track, { under: `${track.artist} · ${track.album}` }));
    reconcile(lists.collections, shownOf('collections'), ({ id }) => id, makeListCard,
      (one, item) => updateListCard(one, item, 'collection', count(item.itemCount, 'item')));
    reconcile(lists.playlists, shownOf('playlists'), ({ id }) => id, makeListCard,
      (one, item) => updateListCard(one, item, 'playlist', count(item.trackCount, 'track')));
    showTagChips(lists.tags, found.tags);
    showPeople(lists.people, found.people);
    recent.show(!words && !failure.childElementCount);
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

  function sayResult(text, isLink) {
    const sum = Object.keys(lists).reduce((so, name) => so + found[name].length, found.notes?.length ?? 0);
    const { searchedWords } = found;
    if (sum && searchedWords) setText(said, `Searched for “${searchedWords}” instead of “${text}”.`);
    else setText(said, sum || !text || isLink ? '' : `Nothing was found for “${text}”.`);
  }

  /** Says that the search has failed, with a way to try again; null takes this away. */
  function showFailure(error, text) {
    if (failure.contains(document.activeElement)) box.focus({ preventScroll: true });
    failure.replaceChildren(...(error ? [h('div', { class: 'card empty', role: 'alert' },
      h('h2', { text: 'The search has failed' }), h('p', { text: error.message }),
      h('p', { class: 'row' }, againButton(() => search(text), { kind: 'first' })))] : []));
  }

  function search(text) {
    if (text === words) return;
    words = text;
    reading = readAndShow(text);
  }

  /**
   * Opens the best result of the words in the box; without one, moves the focus to the first result. Does neither if
   * the search has failed, or if the person has typed on or left meanwhile.
   */
  async function openFirst() {
    clearTimeout(timer);
    goToWords();
    const text = box.value.trim();
    search(text);
    await reading;
    if (words !== text || box.value.trim() !== text || !element.isConnected) return;
    const link = element.querySelector('.best:not([hidden]) .best-link');
    if (text && link) link.click();
    else [...element.querySelectorAll(results)].find((one) => one.getClientRects().length)?.focus();
  }

  async function readAndShow(text) {
    opened.clear();
    control?.abort();
    const mine = control = new AbortController();
    const late = setTimeout(() => text && setText(said, 'Searching …'), patience);
    try {
      // The address of something at a service is opened by plugins; the library has no words for it.
      const isLink = isAddress(text);
      const query = { q: text, limit: 40, in: 'notes' };
      found = text && !isLink ? { ...nothing, ...await read('search', query, control.signal) } : nothing;
      if (found.notes?.length || !inNotes.hidden) {
        import('../garden/notes.js')
          .then(({ showFound }) => text === words && showFound(inNotes, found.notes ?? [])).catch(showError);
      }
      showFailure(null);
      sayResult(text, isLink);
      show();
    } catch (error) {
      if (error.name === 'AbortError' || mine !== control) return;
      words = null;
      found = nothing;
      inNotes.hidden = true;
      setText(said, '');
      showFailure(error, text);
      show();
    } finally {
      clearTimeout(late);
    }
  }
  function goToWords() {
    // A person who has gone elsewhere just after typing is not brought back.
    if (!isAt('search')) return;
    const text = typed = box.value.trim();
    navigate(text ? `${address('search')}?q=${encodeURIComponent(text)}` : address('search'), true);
  }
  box.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(goToWords, pause);
  });
  let stop = () => {};
  return {
    title: 'Search', element, isLive: true,
    enter({ query }) {
      const text = query.get('q') ?? '';
      // A person can type on while the address follows.
      if (text !== typed) box.value = text;
      typed = null;
      // The recent searches, one of which may have the focus, hide once there are words.
      if (text && recent.contains(document.activeElement)) box.focus({ preventScroll: true });
      search(text);
    },
    show() {
      setAlbumList(() => ({ albums: found.albums.map(({ id }) => id).slice(0, 200) }));
      stop = subscribe(show);
      // Not before: for other words the router hides the screen and shows it again, which ends a search by plugins.
      searchPlugins(words);
    },
    shown({ back }) {
      if (!words && !back) box.focus({ preventScroll: true });
    },
    hide() {
      clearTimeout(timer);
      plugins?.then((hits) => hits.stop(), () => {});
      stop();
    },
  };
}
