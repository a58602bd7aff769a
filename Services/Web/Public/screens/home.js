// The home screen: a shelf with the albums that were played and added last, then the shelves of the day, and reels that
// fill the width of the window.
import { messageOf, read, readAhead } from '../core/api.js';
import { h, reconcile, setAttribute, setText, setVars } from '../core/dom.js';
import { count } from '../core/format.js';
import { stateIfCurrent } from '../core/playbackstate.js';
import { preference, setPreference } from '../core/preferences.js';
import { currentRoom, setAlbumList, store, subscribe } from '../core/store.js';
import { enqueue } from '../parts/actions.js';
import { showError } from '../parts/banners.js';
import { makeAlbumCard, makeListCard, underOfCollection, updateAlbumCard, updateListCard } from '../parts/cards.js';
import { againButton, linkButton, textButton } from '../parts/controls.js';
import { emptyMessage, pageHeader } from '../parts/headers.js';
import { icon } from '../parts/icons.js';
import { makeReel } from '../parts/reels.js';
import { makeShelf } from '../parts/shelf.js';
import { emptyLibraryMessage, sourceName, sourceStatus } from '../parts/sources.js';
import {
  afterChange, albumsOf, insteadOfShelf, isFirstReading, knownOf, nothingKnown, readAlbums, reasonOf, shelfOf,
} from './homestate.js';

const reelLength = 24;
// The times in milliseconds for which the screen waits for its albums before it is shown, and its lower part for all
// reels, so that none pushes away another that a person looks at.
const patience = 100;
const patienceBelow = 1500;

const parametersOf = (sort) => ({ sort, first: 0, limit: readAlbums });
const orders = ['played', 'added'];

const pause = (time) => new Promise((done) => { setTimeout(done, time); });
const playRandom = () => import('../rediscovery/random.js').then((module) => module.playRandom(), showError);

const albumReel = (title, sort) => makeReel(title, {
  href: `#/albums?sort=${sort}`, make: makeAlbumCard, update: (card, album) => updateAlbumCard(card, album),
});

function listReel(title, kind, href, underOf) {
  return makeReel(title, {
    href, mustFill: false, make: makeListCard, update: (card, item) => updateListCard(card, item, kind, underOf(item)),
  });
}

/** Returns the line about the sources that are being read; empty if none is. */
function readingLine() {
  const source = store.catalogue?.sources.find(({ health }) => health === 'scanning');
  return source ? `${sourceName(source)}: ${sourceStatus(source)}` : '';
}

/** Asks for the albums of the screen that is opened afterwards. */
export function ask() {
  for (const sort of orders) readAhead('albums', parametersOf(sort));
}

function newState() {
  let noteShown = () => {};
  /** @type {Promise<void>} */
  const isShown = new Promise((done) => { noteShown = done; });
  return {
    albums: null, error: null, expected: preference('shelfAlbums', readAlbums), onShelf: new Set(), columns: 0,
    known: nothingKnown, albumsAreRead: null, isLoading: false, isOutdated: false, marked: null, wasFirstReading: false,
    // Covers are loaded only on screen, and the notes that come back count as seen there.
    isShown, noteShown,
  };
}

/** Returns the shelf; `fitted(usual)` is called with the shape of a reel. */
function homeShelf(state, fitted) {
  const invitation = h('button', { type: 'button', class: 'invite', onclick: playRandom }, icon('random'),
    h('span', { text: 'Play one by chance' }), h('small', { text: 'Nothing in mind?' }));
  const isFilling = () => isFirstReading(store.catalogue);
  return makeShelf({
    label: 'Your shelf', invitation, invites: () => !isFilling(),
    total: () => (state.albums ? Math.max(state.albums.total, isFilling() ? readAlbums : 0) : state.expected),
    whyOf: (album) => reasonOf(album, state.albums),
    albumsFor(shape) {
      if (!state.albums) return Array.from({ length: Math.min(state.expected, shape.rows * shape.columns) });
      const shown = shelfOf(state.albums, shape);
      state.onShelf = new Set(shown.map(({ id }) => id));
      return shown;
    },
    fitted: (_, usual) => fitted(usual),
  });
}

/** Returns the parts of the screen. */
function makeView(state) {
  const shelf = homeShelf(state, (usual) => {
    setVars(below, { '--whole': `${usual.cover}px`, '--gap': `${usual.gap}px` });
    state.columns = usual.columns;
    queueMicrotask(() => fitReels(state, view));
  });
  // Playlists and collections are shown however few there are: a person looks for what they made or pinned.
  const [added, played] = [albumReel('Recently added', 'added'), albumReel('Last played', 'played')];
  const collections = listReel('Collections', 'collection', '#/collections', underOfCollection);
  const playlists = listReel('Playlists', 'playlist', '#/playlists', ({ trackCount }) => count(trackCount, 'track'));
  const all = [added, played, collections, playlists];
  const dayBox = h('div', { class: 'rediscovery' });
  const dueBox = h('section', { class: 'group', hidden: true });
  const below = h('div', { class: 'below waits' }, dueBox, dayBox, all.map(({ element }) => element));
  const empty = h('div', { hidden: true });
  const reading = h('p', { class: 'count' });
  const shuffle = textButton('Shuffle all', 'shuffle', () => enqueue({ id: 'library:all', title: 'All albums' }, 'now',
    { shuffle: true }));
  const random = textButton('Random album', 'random', playRandom);
  const element = h('section', { class: 'screen home', 'aria-label': 'Home' },
    pageHeader('Your music', reading, linkButton('Wall', '#/wall', 'wall', 'first'), random, shuffle), empty,
    shelf.element, below);
  const view = {
    element, shelf, below, dayBox, dueBox, empty, reading, added, played, collections, playlists,
    // The shelves of the day follow the reels once they are there.
    reels: all, day: null, hiddenByMessage: [shelf.element, below, shuffle, random],
  };
  return view;
}

function fitReels({ albums, onShelf, columns }, view) {
  const others = (list) => list.filter(({ id }) => !onShelf.has(id)).slice(0, reelLength);
  if (albums) {
    view.played.set(others(albums.played));
    view.added.set(others(albums.added));
  }
  for (const one of [...view.reels, view.day]) one?.fit(columns);
}

function show(state, view) {
  const instead = insteadOfShelf(state, store.catalogue);
  const again = () => againButton(() => load(state, view), { kind: 'first' });
  const message = !instead ? null : instead === 'nothing' ? emptyLibraryMessage()
    : { title: 'Your shelf could not be read', words: messageOf(state.error), more: () => [again()] };
  setText(view.reading, message ? '' : readingLine());
  view.empty.hidden = !message;
  for (const one of view.hiddenByMessage) setAttribute(one, 'hidden', message ? '' : null);
  if (message) {
    reconcile(view.empty, [message], ({ title, words }) => `${title} ${words}`, ({ title, words, more }) =>
      emptyMessage(title, words, ...more()));
  }
  const room = currentRoom();
  const playing = `${room?.track?.albumID} ${stateIfCurrent(room, true)}`;
  if (playing !== state.marked) for (const one of [view.shelf, ...view.reels, view.day]) one?.show();
  state.marked = playing;
}

async function loadAlbums(state, view) {
  try {
    const [heard, fresh] = await Promise.all(orders.map((sort) => read('albums', parametersOf(sort))));
    state.albums = albumsOf(heard, fresh);
    state.error = null;
    state.known.generation ??= fresh.generation ?? null;
    setPreference('shelfAlbums', state.albums.total);
  } catch (caught) {
    state.error = caught;
  }
  show(state, view);
  view.shelf.fit();
}

/** Loads the shelves of the day. Their code comes after that of the screen, which shows its shelf meanwhile. */
async function loadDay(state, view) {
  try {
    view.day ??= (await import('../rediscovery/shelves.js')).makeShelves(view.dayBox);
    await state.isShown;
    await view.day.load();
    view.day.fit(state.columns);
  } catch {
    view.dayBox.hidden = !view.dayBox.childElementCount; // The next visit tries again.
  }
}

/** Loads the playlists and the collections. */
const loadLists = ({ playlists, collections }) => Promise.allSettled([
  read('playlists', { limit: reelLength }).then(({ items }) => playlists.set(items)),
  read('collections', { limit: reelLength }).then(({ items }) => collections.set(items)),
]);

/** Reads everything again; once more at the end if the catalogue has changed meanwhile. */
async function load(state, view) {
  state.isOutdated = state.isLoading;
  if (state.isLoading) return;
  state.isLoading = true;
  state.known = knownOf(state.known, store.catalogue);
  const due = Promise.all([import('../garden/due.js'), state.isShown]).then(([{ showDue }]) => showDue(view.dueBox));
  state.albumsAreRead = loadAlbums(state, view);
  const all = Promise.allSettled([state.albumsAreRead, due, loadDay(state, view), loadLists(view)]);
  await Promise.race([all, pause(patienceBelow)]);
  view.below.classList.remove('waits');
  await all;
  state.isLoading = false;
  if (state.isOutdated) await load(state, view);
}

/** Follows the household. */
function follow(state, view) {
  show(state, view);
  if (state.wasFirstReading !== isFirstReading(store.catalogue)) view.shelf.fit();
  state.wasFirstReading = isFirstReading(store.catalogue);
  const { known, outdated } = afterChange(state.known, store,
    { hasFailed: Boolean(state.error), isEmpty: state.albums?.total === 0 });
  state.known = known;
  if (outdated === 'all') load(state, view);
  else if (outdated === 'lists') loadLists(view);
}

/** Opens the home screen. */
export async function open() {
  const state = newState();
  const view = makeView(state);
  let stop = () => {};
  load(state, view);
  await Promise.race([state.albumsAreRead, pause(patience)]);
  let isNew = true;
  return {
    title: 'Your music', element: view.element, isLive: true, reload: () => load(state, view),
    show({ back }) {
      setAlbumList(() => ({ sort: 'added' }));
      // Whoever comes back finds the shelf as it was, with the record that was left.
      if (!isNew && !back) load(state, view);
      isNew = false;
      state.marked = null;
      stop = subscribe(() => follow(state, view));
      view.shelf.start();
      state.noteShown();
    },
    hide() {
      stop();
      view.shelf.stop();
    },
  };
}
