// The shelf: every album, a page at a time as one scrolls.
import { read } from './api.js';
import { h, reconcile, setAttribute, setMessage, setText } from './dom.js';
import { makeRecord, updateRecord } from './records.js';
import { currentRoom, follow, look, store } from './store.js';
import { count, perSecond } from './words.js';

const pageSize = 60;
const part = (id) => document.getElementById(id);

const shelf = { albums: [], next: null, loaded: false, failed: false, loading: null, generation: null, sort: 'name', seed: 1 };

function show() {
  reconcile(part('records'), shelf.albums, (album) => album.id, makeRecord, updateRecord);
  part('records').hidden = shelf.loaded && !shelf.albums.length;
  const albums = store.catalogue?.albums ?? shelf.albums.length;
  setText(part('shelf-count'), shelf.loaded && albums ? count(albums, 'record') : '');
}

/**
 * What follows an album on the shelf. The order by last heard changes as music plays, so there the albums themselves are
 * named.
 */
function listOf(album) {
  if (shelf.sort !== 'played') return { sort: shelf.sort, seed: shelf.sort === 'random' ? shelf.seed : null };
  const at = shelf.albums.findIndex(({ id }) => id === album);
  return { albums: shelf.albums.slice(Math.max(at, 0), at + 200).map(({ id }) => id) };
}

/** Says that a person looks at the shelf. */
export function openShelf() {
  look(listOf);
}

/** Reads the next page, or the pages up to `upTo` albums from the start again; gives up a reading that still runs. */
async function load(upTo = null) {
  shelf.loading?.abort();
  const control = new AbortController();
  shelf.loading = control;
  try {
    let albums = upTo === null ? shelf.albums : [];
    let after = upTo === null ? shelf.next : null;
    do {
      const limit = upTo === null ? pageSize : Math.min(200, Math.max(pageSize, upTo - albums.length));
      const seed = shelf.sort === 'random' ? shelf.seed : null;
      const page = await read('albums', { after, limit, sort: shelf.sort, seed }, control.signal);
      const known = new Set(albums.map((album) => album.id));
      albums = [...albums, ...page.items.filter((album) => !known.has(album.id))];
      after = page.next;
    } while (after && upTo !== null && albums.length < upTo);
    Object.assign(shelf, { albums, next: after, loaded: true, failed: false });
  } catch (error) {
    if (error.name === 'AbortError') return;
    // What is on the screen stays, and the next word from the household tries again.
    Object.assign(shelf, { failed: true, generation: null });
  } finally {
    if (shelf.loading === control) shelf.loading = null;
  }
  show();
  showSources();
  showEmpty();
  if (!shelf.failed) refresh();
}

/** Loads on while the end of the shelf is near the screen. */
async function loadNear() {
  while (shelf.next && !shelf.loading && !part('shelf').hidden
    && part('more').getBoundingClientRect().top < innerHeight + 900) {
    const before = shelf.albums.length;
    await load();
    if (shelf.albums.length === before) return;
  }
}

// MARK: what stands in for an empty shelf, and what the sources have to say

function sourceLine(source) {
  if (source.health === 'scanning') {
    const { done = 0, total = null } = source.progress ?? {};
    const thing = source.kind === 'files' ? 'file' : 'item';
    const pace = source.progress?.rate ? `, ${perSecond(source.progress.rate)}` : '';
    return `Looking through ${source.name}: ${total ? `${done.toLocaleString('en')} of ${count(total, thing)}` : count(done, thing)}${pace} …`;
  }
  if (source.health === 'unreachable') return `${source.name} cannot be reached right now. What was read before is shown.`;
  if (source.health === 'signed-out') return `${source.name} asks you to sign in again. What was read before is shown.`;
  if (source.problemCount && source.kind === 'files') return `${count(source.problemCount, 'file')} could not be read.`;
  if (source.problemCount) return `${source.name} has ${count(source.problemCount, 'problem')}.`;
  return null;
}

/** The bar of a refresh: how far it is, or only that it goes on where nobody knows yet how much there is. */
function showProgress(bar, { name, health, progress }) {
  bar.hidden = health !== 'scanning';
  const { done = 0, total = null } = (!bar.hidden && progress) || {};
  setAttribute(bar, 'aria-label', `How far ${name} has been looked through`);
  setAttribute(bar, 'max', total || null);
  setAttribute(bar, 'value', total ? Math.min(done, total) : null);
}

/** Whether the library is known to be gone, or did not answer. */
function libraryIsAway() {
  return shelf.failed || store.nodes.some((node) => node.role === 'library' && node.away);
}

function showSources() {
  const lines = (store.catalogue?.sources ?? []).map((source) => ({ ...source, line: sourceLine(source) }));
  if (libraryIsAway() && shelf.albums.length) {
    lines.unshift({ name: '', problems: [], line: 'The library is not answering. What was read before is shown.' });
  }
  reconcile(part('sources'), lines.filter(({ line }) => line), ({ name }) => name,
    () => h('details', { class: 'source' }, h('summary', {}, h('span'), h('progress')), h('ul')),
    (box, { problems, line, ...source }) => {
      const [summary, list] = box.children;
      setText(summary.firstChild, line);
      showProgress(summary.lastChild, source);
      box.classList.toggle('bare', !problems.length);
      summary.tabIndex = problems.length ? 0 : -1;
      reconcile(list, problems, ({ message }) => message, () => h('li'), (line, { message }) => setMessage(line, message));
    });
}

function emptyWords() {
  const { catalogue } = store;
  if (!catalogue || libraryIsAway()) return ['The library is not answering', 'It may be starting. The shelf fills by itself as soon as it is there.'];
  if (catalogue.sources.some((source) => source.health === 'scanning')) return ['Unpacking the records', 'Your music is being read for the first time. The shelf fills by itself.'];
  const why = catalogue.sources.length
    ? 'No music was found in the folder that Lunara looks at. Put some there, or add another one:'
    : 'Lunara does not know where your music is yet. Add your music folder:';
  return ['An empty shelf', why, 'lunara sources add ~/Music'];
}

function showEmpty() {
  const box = part('shelf-empty');
  const expected = (store.catalogue?.albums ?? 0) > 0 && !libraryIsAway();
  box.hidden = shelf.albums.length > 0 || expected || !(store.settled || (store.catalogue && !libraryIsAway()));
  part('more').hidden = !box.hidden || (shelf.loaded && !shelf.next);
  if (box.hidden) return;
  const [title, words, command] = emptyWords();
  if (box.dataset.words === words) return;
  box.dataset.words = words;
  box.replaceChildren(h('h3', { text: title }), h('p', { text: words }), ...(command ? [h('code', { text: command })] : []));
}

/** Reads again what is shown when the catalogue has changed since. */
function refresh() {
  const generation = store.catalogue?.generation ?? null;
  if (store.link !== 'open' || generation === null || generation === shelf.generation || shelf.loading) return;
  shelf.generation = generation;
  load(Math.max(pageSize, shelf.albums.length));
}

/** Wires the shelf to the store and to scrolling. */
export function startShelf() {
  part('sort').addEventListener('change', (event) => {
    shelf.sort = event.target.value;
    shelf.seed = Math.floor(Math.random() * 2 ** 31);
    scrollTo({ top: Math.min(scrollY, part('shelf').offsetTop) });
    load(pageSize);
  });
  new IntersectionObserver(loadNear, { rootMargin: '900px' }).observe(part('more'));
  let playing;
  follow(() => {
    showSources();
    refresh();
    showEmpty();
    const room = currentRoom();
    const mark = `${room?.track?.albumID} ${room?.state === 'idle'}`;
    if (mark !== playing) {
      playing = mark;
      show();
    }
  });
}
