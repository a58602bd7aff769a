// The home screen: a shelf with the albums that were played and added last, then the shelves of the day, and reels that
// fill the width of the window.
import { messageOf, read, readAhead } from '../core/api.js';
import { h, reconcile, setAttribute, setText, setVars } from '../core/dom.js';
import { ago, count } from '../core/format.js';
import { stateIfCurrent } from '../core/playbackstate.js';
import { preference, setPreference } from '../core/preferences.js';
import { currentRoom, setAlbumList, store, subscribe } from '../core/store.js';
import { enqueue } from '../parts/actions.js';
import { showError } from '../parts/banners.js';
import { makeAlbumCard, makeListCard, updateAlbumCard, updateListCard } from '../parts/cards.js';
import { againButton, linkButton, textButton } from '../parts/controls.js';
import { emptyMessage, pageHeader } from '../parts/headers.js';
import { icon } from '../parts/icons.js';
import { makeReel } from '../parts/reels.js';
import { makeShelf } from '../parts/shelf.js';
import { emptyLibraryMessage, sourceName, sourceStatus } from '../parts/sources.js';

// The albums of each order that are read: enough for the largest shelf, and a reel of those that are not on it.
const readAlbums = 60;
const reelLength = 24;
const mostCollections = 100;
// The times in milliseconds for which the screen waits for its albums before it is shown, and its lower part for all
// reels, so that none pushes away another that a person looks at.
const patience = 100;
const patienceBelow = 1500;

const parametersOf = (sort) => ({ sort, first: 0, limit: readAlbums });
const orders = ['played', 'added'];

const pause = (time) => new Promise((done) => { setTimeout(done, time); });
const playRandom = () => import('../rediscovery/random.js').then((module) => module.playRandom(), showError);

/**
 * Returns the albums on a shelf of some rows and columns: in the upper half those that were played last, then those
 * that were added last, none twice.
 */
function shelfOf({ played, added }, { rows, columns }) {
  const heard = played.slice(0, Math.ceil(rows / 2) * columns);
  const ids = new Set();
  return [...heard, ...added, ...played].filter(({ id }) => !ids.has(id) && ids.add(id)).slice(0, rows * columns);
}

const albumReel = (title, sort) => makeReel(title, {
  href: `#/albums?sort=${sort}`, make: makeAlbumCard, update: (card, album) => updateAlbumCard(card, album),
});

function listReel(title, kind, href, underOf) {
  return makeReel(title, {
    href, mustFill: false, make: makeListCard, update: (card, item) => updateListCard(card, item, kind, underOf(item)),
  });
}

const underOfCollection = ({ isPinned, itemCount }) =>
  [isPinned && 'Pinned', count(itemCount, 'item')].filter(Boolean).join(' · ');

/** Returns the line about the sources that are being read; empty if none is. */
function readingLine() {
  const source = store.catalogue?.sources.find(({ health }) => health === 'scanning');
  return source ? `${sourceName(source)}: ${sourceStatus(source)}` : '';
}

/** Returns true while the music is read for the first time: the shelf then fills, cover after cover. */
function isFirstReading() {
  return Boolean(store.catalogue?.sources.some(({ health, lastRefreshed }) => health === 'scanning' && !lastRefreshed));
}

/** Asks for the albums of the screen that is opened afterwards. */
export function ask() {
  for (const sort of orders) readAhead('albums', parametersOf(sort));
}

/** Opens the home screen. */
export async function open() {
  let albums = null;
  let error = null;
  const expected = preference('shelfAlbums', readAlbums);
  const total = () => (albums ? Math.max(albums.total, isFirstReading() ? readAlbums : 0) : expected);
  const whyOf = ({ lastPlayedAt, addedAt }) => {
    if (!albums.played.length) return null;
    return lastPlayedAt ? `Played ${ago(lastPlayedAt)}` : addedAt ? `Added ${ago(addedAt)}` : null;
  };
  const invitation = h('button', { type: 'button', class: 'invite', onclick: playRandom }, icon('random'),
    h('span', { text: 'Play one by chance' }), h('small', { text: 'Nothing in mind?' }));
  let onShelf = new Set();
  const shelf = makeShelf({
    label: 'Your shelf', total, whyOf, invitation, invites: () => !isFirstReading(),
    albumsFor(shape) {
      if (!albums) return Array.from({ length: Math.min(expected, shape.rows * shape.columns) });
      const shown = shelfOf(albums, shape);
      onShelf = new Set(shown.map(({ id }) => id));
      return shown;
    },
    fitted(_, usual) {
      setVars(below, { '--whole': `${usual.cover}px`, '--gap': `${usual.gap}px` });
      columns = usual.columns;
      queueMicrotask(fitReels);
    },
  });
  let columns = 0;

  // Playlists and collections are shown in any number: a person looks for what they made or pinned, and no other place
  // leads to the collections.
  const [played, added] = [albumReel('Last played', 'played'), albumReel('Recently added', 'added')];
  const collections = listReel('Collections', 'collection', null, underOfCollection);
  const playlists = listReel('Playlists', 'playlist', '#/playlists', ({ trackCount }) => count(trackCount, 'track'));
  const reels = [added, played, collections, playlists];
  const dayBox = h('div', { class: 'rediscovery' });
  const dueBox = h('section', { class: 'group', hidden: true });
  const below = h('div', { class: 'below waits' }, dueBox, dayBox, reels.map(({ element: one }) => one));

  const empty = h('div', { hidden: true });
  const reading = h('p', { class: 'count' });
  const shuffle = textButton('Shuffle all', 'shuffle', () => enqueue({ id: 'library:all', title: 'All albums' }, 'now',
    { shuffle: true }));
  const random = textButton('Random album', 'random', playRandom);
  const element = h('section', { class: 'screen home', 'aria-label': 'Home' },
    pageHeader('Your music', reading, linkButton('Wall', '#/wall', 'wall', 'first'), random, shuffle), empty,
    shelf.element, below);

  // Covers are loaded only on screen, and the notes that come back count as seen there.
  let shown = () => {};
  /** @type {Promise<void>} */
  const isShown = new Promise((done) => { shown = done; });
  let day = null;
  function fitReels() {
    const others = (list) => list.filter(({ id }) => !onShelf.has(id)).slice(0, reelLength);
    if (albums) {
      played.set(others(albums.played));
      added.set(others(albums.added));
    }
    for (const one of [...reels, day]) one?.fit(columns);
  }

  async function loadAlbums() {
    try {
      const [heard, fresh] = await Promise.all(orders.map((sort) => read('albums', parametersOf(sort))));
      albums = {
        played: heard.items.filter(({ lastPlayedAt }) => lastPlayedAt), added: fresh.items,
        total: Math.max(fresh.total ?? 0, fresh.items.length),
      };
      error = null;
      generation ??= fresh.generation ?? null;
      setPreference('shelfAlbums', albums.total);
    } catch (caught) {
      error = caught;
    }
    show();
    shelf.fit();
  }

  // The code of the shelves comes after that of the screen, which shows its shelf meanwhile.
  async function loadDay() {
    try {
      day ??= (await import('../rediscovery/shelves.js')).makeShelves(dayBox);
      await isShown;
      await day.load();
      day.fit(columns);
    } catch {
      dayBox.hidden = !dayBox.childElementCount; // The next visit tries again.
    }
  }

  async function loadPlaylists() {
    playlists.set((await read('playlists', { limit: reelLength })).items);
  }

  async function loadCollections() {
    collections.set((await read('collections', { limit: mostCollections })).items);
  }

  // The generation of the catalogue that is shown, and the revision of its lists; null while they are not known.
  let [generation, lists] = [null, null];
  let isLoading = false;
  let isOutdated = false;
  let albumsAreRead = null;
  /** Reads everything again; once more at the end if the catalogue has changed meanwhile. */
  async function load() {
    isOutdated = isLoading;
    if (isLoading) return;
    isLoading = true;
    generation = store.catalogue?.generation ?? generation;
    lists = store.catalogue?.lists ?? lists;
    const due = Promise.all([import('../garden/due.js'), isShown]).then(([{ showDue }]) => showDue(dueBox));
    albumsAreRead = loadAlbums();
    const all = Promise.allSettled([albumsAreRead, due, loadDay(), loadPlaylists(), loadCollections()]);
    await Promise.race([all, pause(patienceBelow)]);
    below.classList.remove('waits');
    await all;
    isLoading = false;
    if (isOutdated) await load();
  }

  /** Returns what stands in place of the shelf, if there is nothing to show on it. */
  function messageInstead() {
    if (albums?.total) return null;
    if (store.catalogue?.albums === 0 || albums) return emptyLibraryMessage();
    if (!error) return null;
    return {
      title: 'Your shelf could not be read', words: messageOf(error),
      more: () => [againButton(() => load(), { kind: 'first' })],
    };
  }

  let marked = null;
  function show() {
    const message = messageInstead();
    setText(reading, message ? '' : readingLine());
    empty.hidden = !message;
    for (const one of [shelf.element, below, shuffle, random]) setAttribute(one, 'hidden', message ? '' : null);
    if (message) {
      reconcile(empty, [message], ({ title, words }) => `${title} ${words}`, ({ title, words, more }) =>
        emptyMessage(title, words, ...more()));
    }
    const room = currentRoom();
    const playing = `${room?.track?.albumID} ${stateIfCurrent(room, true)}`;
    if (playing !== marked) for (const one of [shelf, ...reels, day]) one?.show();
    marked = playing;
  }

  let link = null;
  let wasFirstReading = false;
  function follow() {
    show();
    if (wasFirstReading !== isFirstReading()) shelf.fit();
    wasFirstReading = isFirstReading();
    const now = store.catalogue?.generation ?? null;
    const isChanged = now !== null && now !== generation && (generation !== null || albums?.total === 0);
    const isBack = error && store.link === 'open' && link !== 'open';
    generation = now ?? generation;
    link = store.link;
    const areListsChanged = lists !== null && (store.catalogue?.lists ?? lists) !== lists;
    lists = store.catalogue?.lists ?? lists;
    if (isChanged || isBack) load();
    else if (areListsChanged) Promise.allSettled([loadPlaylists(), loadCollections()]);
  }

  let stop = () => {};
  load();
  await Promise.race([albumsAreRead, pause(patience)]);
  let isNew = true;
  return {
    title: 'Your music', element, isLive: true, reload: load,
    show({ back = false } = {}) {
      setAlbumList(() => ({ sort: 'added' }));
      // Whoever comes back finds the shelf as it was, with the record that was left.
      if (!isNew && !back) load();
      isNew = false;
      marked = null;
      stop = subscribe(follow);
      shelf.start();
      shown();
    },
    hide() {
      stop();
      shelf.stop();
    },
  };
}
