// The page: wires its parts together.
import { change, read } from './core/api.js';
import { h, setAttribute } from './core/dom.js';
import { recall } from './core/prefs.js';
import { startPull } from './core/pull.js';
import { forgetScreens, onPlace, screenHere, startRouter } from './core/router.js';
import { connectWhileShown, follow, onFact, store } from './core/store.js';
import { startWatch } from './core/watch.js';
import { complain, say } from './parts/banners.js';
import { icon } from './parts/icons.js';
import { startKeys } from './parts/keys.js';
import { startMenus } from './parts/menu.js';
import { startBar } from './player/bar.js';

const one = (name, load) => ({ name, load, isOne: true });
const routes = [
  { name: '', load: () => import('./screens/collections.js') },
  { name: 'albums', load: () => import('./screens/albums.js') },
  { name: 'album', load: () => import('./screens/album.js') },
  { name: 'artists', load: () => import('./screens/artists.js') },
  { name: 'artist', load: () => import('./screens/artist.js') },
  { name: 'collection', load: () => import('./screens/collection.js') },
  { name: 'playlists', load: () => import('./screens/playlists.js') },
  { name: 'playlist', load: () => import('./screens/playlist.js') },
  { name: 'tracks', load: () => import('./screens/tracks.js') },
  one('search', () => import('./screens/search.js')),
  { name: 'queue', load: () => import('./screens/queue.js') },
  { name: 'rooms', load: () => import('./screens/rooms.js') },
  one('settings', () => import('./screens/settings.js')),
  { name: 'more', load: () => import('./screens/more.js') },
  { name: 'welcome', load: () => import('./screens/welcome.js') },
  { name: 'login', load: () => import('./screens/login.js') },
  { name: 'lost', load: () => import('./screens/lost.js') },
];

// Under which link of the navigation a place stands.
const families = { album: 'albums', artist: 'artists', collection: '', playlist: 'playlists' };
const inMore = new Set(['tracks', 'playlists', 'queue', 'rooms', 'settings']);

function wireNavigation() {
  const links = [...document.querySelectorAll('#nav a[data-name]')];
  for (const link of links) link.prepend(icon(link.dataset.name || 'collections'));
  onPlace((text) => {
    const name = text.replace(/^#\/?/, '').split(/[/?]/)[0];
    const family = families[name] ?? name;
    for (const link of links) {
      const own = link.dataset.name;
      setAttribute(link, 'aria-current', own === family ? 'page' : own === 'more' && inMore.has(family) ? 'true' : null);
    }
  });
}

/** What was left is made anew on its next visit when the catalogue has changed. */
function watchCatalogue() {
  let generation = null;
  follow(({ catalogue }) => {
    if (generation !== null && catalogue && catalogue.generation !== generation) forgetScreens();
    generation = catalogue?.generation ?? generation;
  });
  onFact(({ kind }) => kind === 'page.reset' && forgetScreens(true));
}

/** With nothing to play yet the first run opens, once. */
function watchFirstRun() {
  let isAsked = false;
  follow(({ catalogue }) => {
    if (isAsked || !catalogue) return;
    isAsked = true;
    if (!catalogue.sources.length && !catalogue.albums && (location.hash || '#/') === '#/') location.replace('#/welcome');
  });
}

let sheet = null;

/** The sheet of what plays is read when it is wanted, or when there is nothing else to do. */
function readSheet() {
  sheet ??= import('./player/sheet.js').then((part) => {
    part.startSheet();
    return part;
  });
  sheet.catch(() => { sheet = null; });
  return sheet;
}

function setSheet(isOpen) {
  if (isOpen || sheet) readSheet().then((part) => part.setSheet(isOpen)).catch(complain);
}

/** What the first look does not need. */
function readTheRest() {
  import('./player/media.js').then(({ startMedia }) => startMedia()).catch(() => {}); // A page on a lock screen is opened again anyway.
  readSheet().catch(() => {}); // It is asked for again when it is wanted.
}

async function refresh() {
  try {
    await change('sync', {});
    say('Your sources are being read.', { key: 'refresh' });
    await screenHere()?.reload?.();
  } catch (error) {
    complain(error);
  }
}

async function start() {
  startMenus();
  startKeys();
  startBar();
  wireNavigation();
  document.getElementById('skip').addEventListener('click', () => (document.querySelector('#main h1') ?? document.getElementById('main')).focus());
  const session = await read('session').catch(() => null);
  if (session?.needsPassword && !session.signedIn && location.hash !== '#/login') location.replace('#/login');
  startRouter(routes, setSheet);
  if (session?.needsPassword && !session.signedIn) return;
  startWatch();
  watchCatalogue();
  watchFirstRun();
  startPull(refresh);
  // The lock screen shows what plays while the page is hidden.
  connectWhileShown((notice) => say(notice.message, { key: notice.code, kind: 'error' }), () => !recall('lockScreen', false));
  document.body.append(h('div', { id: 'ready', hidden: true }));
  (window.requestIdleCallback ?? setTimeout)(readTheRest, { timeout: 3000 });
}

start();
export { store };
