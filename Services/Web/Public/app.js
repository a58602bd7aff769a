// Starts the page, and connects its parts.
import { read } from './core/api.js';
import { h } from './core/dom.js';
import { connectWhileVisible, onFact } from './core/events.js';
import { startPullToRefresh } from './core/gestures.js';
import { readPlaces } from './core/places.js';
import { preference } from './core/preferences.js';
import {
  askAhead, currentScreen, discardScreens, discardScreensBehind, screenIsShown, startRouter,
} from './core/router.js';
import { currentRoom, subscribe } from './core/store.js';
import { startAlerts } from './parts/alerts.js';
import { showBanner, showError } from './parts/banners.js';
import { startCovers } from './parts/cover.js';
import { startMenus } from './parts/menu.js';
import { startRecovery } from './parts/recovery.js';
import { startShortcuts } from './parts/shortcuts.js';
import { refreshSources } from './parts/sources.js';
import { addFeatures } from './featurelist.js';
import { loadPartsAhead, screens, startNavigation } from './screenlist.js';
import { startBar } from './player/bar.js';

// The places that show playlists and collections.
const placesOfLists = ['', 'playlists', 'playlist', 'collections', 'collection', 'search'];

/**
 * Discards the screens in the background when the catalogue has changed, so that their next visit makes them anew; if
 * only playlists or collections have, the screens that show these.
 */
function watchCatalogue() {
  let [generation, lists] = [null, null];
  subscribe(({ catalogue }) => {
    if (!catalogue) return;
    if (generation !== null && catalogue.generation !== generation) discardScreens();
    else if (generation !== null && catalogue.lists !== lists) discardScreensBehind(placesOfLists);
    [generation, lists] = [catalogue.generation, catalogue.lists];
  });
  onFact(({ kind }) => kind === 'page.reset' && discardScreens(true));
}

/**
 * Opens the welcome screen, once, if there is no music yet. The library always has a source of folders, even without
 * any folder, so the page waits until the folders have been read and no album was found.
 */
function watchFirstRun() {
  let isChecked = false;
  subscribe(({ catalogue }) => {
    if (isChecked || !catalogue) return;
    const { albums, sources } = catalogue;
    const isUsed = albums > 0 || sources.some(({ kind }) => kind !== 'files');
    const isWaiting = ({ health, lastRefreshed, problems }) => problems?.[0]?.code !== 'library.noFolders'
      && (health === 'scanning' || !lastRefreshed);
    if (!isUsed && sources.some(isWaiting)) return;
    isChecked = true;
    if (!isUsed && (location.hash || '#/') === '#/') location.replace('#/welcome');
  });
}

/** Gives the page the look of the theme that the shown room plays. */
function watchTheme() {
  let shown = null;
  subscribe(() => {
    const theme = currentRoom()?.theme ?? null;
    if (theme === shown) return;
    shown = theme;
    import('./themes/dress.js').then(({ dress }) => dress(theme)).catch(() => {}); // The next theme tries again.
  });
}

let sheet = null;

/** Loads the sheet with the full player when it is first opened, or when the browser is idle. */
function loadSheet() {
  sheet ??= import('./player/sheet.js').then((module) => {
    module.startSheet();
    return module;
  });
  sheet.catch(() => { sheet = null; });
  return sheet;
}

function setSheet(isOpen) {
  if (isOpen || sheet) loadSheet().then((module) => module.setSheet(isOpen)).catch(showError);
}

const loadLockScreen = () => import('./player/lockscreen.js');

/** Returns true if the page needs a password that was not given, or no longer counts. */
async function mustSignIn() {
  const session = await read('session').catch(() => null);
  return Boolean(session?.needsPassword && !session.signedIn);
}

/**
 * Opens the sign-in in a new document if the session has ended, so that nothing stays on screen or on the lock screen.
 */
async function leaveIfSignedOut() {
  if (!await mustSignIn()) return;
  await loadLockScreen().then(({ clearLockScreen }) => clearLockScreen()).catch(() => {}); // The reload clears it too.
  // Only then are there none.
  await import('./phone/worker.js').then(({ forgetCovers }) => forgetCovers()).catch(() => {});
  location.replace('#/login');
  location.reload();
}

const whenIdle = () => new Promise((done) => {
  if (window.requestIdleCallback) requestIdleCallback(done, { timeout: 3000 });
  else setTimeout(done);
});

/** Loads what the first screen does not need, one after another, so that a tap in the meantime waits for one only. */
async function loadTheRest() {
  await screenIsShown();
  await whenIdle();
  // The browser may take long to register the worker. The next load of the page tries both again.
  import('./phone/worker.js').then(({ startWorker }) => startWorker()).catch(() => {});
  loadLockScreen().then(({ startLockScreen }) => startLockScreen()).catch(() => {});
  const all = [
    readPlaces,
    () => import('./find/queuepanel.js').then(({ startQueuePanel }) => startQueuePanel()), // The shortcut tries again.
    loadSheet, // Opening the sheet tries again.
    () => import('./find/albumselection.js'), // The first choice of albums tries again.
    // The menu has what swipes do.
    () => matchMedia('(pointer: coarse)').matches
      && import('./find/swipes.js').then(({ startSwipes }) => startSwipes()),
    loadPartsAhead,
  ];
  for (const load of all) {
    await whenIdle();
    await Promise.resolve().then(load).catch(() => {}); // It is of use without, and the others are loaded.
  }
}

async function refresh() {
  await refreshSources();
  await Promise.resolve(currentScreen()?.reload?.()).catch(showError);
}

// The offer of the browser to install the page comes once, perhaps before the module that shows it.
addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault();
  // The browser offers it by itself.
  import('./phone/install.js').then(({ keepOffer }) => keepOffer(event)).catch(() => {});
});

async function start() {
  if (location.search) {
    // Without it the home screen opens.
    await import('./phone/sharing.js').then(({ openShared }) => openShared()).catch(() => {});
  } else {
    // Home has an address of its own, so its link and a reload still lead to it.
    const first = preference('firstScreen', '');
    if (!location.hash && first) history.replaceState(history.state, '', `#/${first}`);
    askAhead(screens);
  }
  addFeatures();
  startMenus();
  startShortcuts();
  startBar();
  startNavigation();
  document.getElementById('skip').addEventListener('click',
    () => (document.querySelector('#main h1') ?? document.getElementById('main')).focus());
  const isSignedOut = await mustSignIn();
  if (isSignedOut && location.hash !== '#/login') location.replace('#/login');
  startRouter(screens, setSheet);
  if (isSignedOut) {
    import('./phone/worker.js').then(({ forgetCovers }) => forgetCovers()).catch(() => {}); // Only then are there none.
    return;
  }
  startAlerts();
  startCovers();
  startRecovery();
  watchCatalogue();
  watchFirstRun();
  watchTheme();
  startPullToRefresh(refresh);
  // The lock screen shows the current track while the page is hidden, so with the lock screen on the connection stays
  // open.
  connectWhileVisible({
    mayClose: () => !preference('lockScreen', false), onRefused: leaveIfSignedOut,
    onNotice: (notice) => showBanner(notice.message, { key: notice.code, kind: 'error' }),
  });
  document.body.append(h('div', { id: 'ready', hidden: true }));
  loadTheRest();
}

start();
