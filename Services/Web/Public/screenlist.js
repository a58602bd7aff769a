// The screens of the page: their addresses, their links in the navigation, and the modules that show them. A new screen
// is one row here and one file in `screens`.
import { loadAhead } from './core/ahead.js';
import { readAhead } from './core/api.js';
import { h, setAttribute } from './core/dom.js';
import { onNavigate } from './core/router.js';
import { store, subscribe } from './core/store.js';
import { pageHeader } from './parts/headers.js';
import { watchAsking } from './parts/asking.js';
import { icon } from './parts/icons.js';
import { showShortcuts } from './parts/shortcuts.js';

// The parts of the wall by their paths without endings.
const wallParts = {
  modules: [
    'discovery/wall', 'discovery/bar', 'discovery/dial', 'discovery/feeds',
    'discovery/firstview', 'discovery/missing', 'discovery/motion', 'discovery/opinions',
    'discovery/reason', 'discovery/style', 'discovery/tile', 'discovery/wallgrids', 'discovery/wallstate',
    'discovery/words', 'parts/dialogs',
  ],
  styles: ['discovery/wall', 'discovery/places'],
};

let isWallAsked = false;

/** Asks for the first wall at the tap. Feeds of genres and later walls are asked for by the code that is there then. */
function askForWall({ parts, query }) {
  if (isWallAsked) return;
  isWallAsked = true;
  if (!parts.length && !query.has('sub')) readAhead('wall');
  loadAhead(wallParts);
}

/**
 * `name` is the first part of the address, `#/name`. A screen with a `title` has a link in the navigation; on small
 * screens, those with `isSecondary` are listed under More. `parent` is the screen whose link is highlighted instead.
 * `isOffered(store)` says if the household has what the link leads to. `isSingle` is true for a screen that serves all
 * addresses below its own. `load` imports the module whose function `open`, or the one named by the property `open`,
 * makes the screen. `ask(place)` sends the first requests of the screen at this place before it is loaded. `parts` are
 * the modules and style sheets that it consists of, unless they come with those that the page needs first.
 */
export const screens = [
  {
    name: '', title: 'Home', load: () => import('./screens/home.js'),
    ask: () => import('./screens/home.js').then(({ ask }) => ask()),
  },
  {
    name: 'wall', title: 'Wall', isSecondary: true, isSingle: true, load: () => import('./discovery/wall.js'),
    parts: wallParts, ask: askForWall,
  },
  {
    name: 'albums', title: 'Albums', load: () => import('./screens/albums.js'),
    ask: (place) => import('./screens/albums.js').then(({ ask }) => ask(place)),
  },
  { name: 'artists', title: 'Artists', load: () => import('./find/people.js') },
  { name: 'search', title: 'Search', isSingle: true, load: () => import('./find/search.js') },
  { name: 'random', title: 'Random', isSecondary: true, load: () => import('./rediscovery/random.js') },
  { name: 'tracks', title: 'Tracks', isSecondary: true, load: () => import('./screens/tracks.js') },
  { name: 'genres', title: 'Genres', isSecondary: true, load: () => import('./find/genres.js'), open: 'openGenres' },
  {
    name: 'playlists',
    title: 'Playlists',
    isSecondary: true,
    load: () => import('./playlists/playlists.js'),
    open: 'openList',
  },
  {
    name: 'collections',
    title: 'Collections',
    isSecondary: true,
    // Only Plex has collections.
    isOffered: ({ catalogue }) => Boolean(catalogue?.sources.some(({ kind }) => kind === 'plex')),
    load: () => import('./screens/collections.js'),
  },
  { name: 'garden', title: 'Garden', isSecondary: true, load: () => import('./garden/place.js') },
  { name: 'likes', title: 'Likes', isSecondary: true, load: () => import('./discovery/likes.js') },
  {
    name: 'history', title: 'History', isSecondary: true, isSingle: true, load: () => import('./statistics/history.js'),
  },
  {
    name: 'statistics', title: 'Statistics', isSecondary: true, isSingle: true,
    load: () => import('./statistics/statistics.js'),
  },
  { name: 'works', title: 'Works', isSecondary: true, load: () => import('./screens/works.js'), open: 'openList' },
  {
    name: 'concerts',
    title: 'Concerts',
    isSecondary: true,
    isOffered: ({ plugins }) => plugins?.concerts > 0,
    load: () => import('./plugins/concerts.js'),
  },
  { name: 'folders', title: 'Folders', isSecondary: true, load: () => import('./screens/folders.js') },
  { name: 'queue', title: 'Queue', isSecondary: true, load: () => import('./screens/queue.js') },
  { name: 'rooms', title: 'Rooms', isSecondary: true, load: () => import('./screens/rooms.js') },
  { name: 'ask', title: 'Ask', isSecondary: true, load: () => import('./plugins/ask.js') },
  {
    name: 'settings', title: 'Settings', isSecondary: true, isSingle: true, load: () => import('./screens/settings.js'),
  },
  { name: 'more', title: 'More', load: async () => ({ open: openMore }) },
  { name: 'genre', parent: 'genres', load: () => import('./screens/albums.js'), open: 'openGenre' },
  { name: 'decade', parent: 'genres', load: () => import('./screens/albums.js'), open: 'openDecade' },
  { name: 'album', parent: 'albums', load: () => import('./screens/album.js') },
  { name: 'track', parent: 'tracks', load: () => import('./screens/track.js') },
  { name: 'notes', parent: 'garden', isSingle: true, load: () => import('./garden/notesplace.js') },
  { name: 'marks', parent: 'garden', isSingle: true, load: () => import('./garden/marks.js') },
  { name: 'todos', parent: 'garden', load: () => import('./garden/todos.js') },
  { name: 'themes', parent: 'garden', load: () => import('./themes/themes.js'), open: 'openList' },
  { name: 'theme', parent: 'garden', load: () => import('./themes/themes.js'), open: 'openTheme' },
  { name: 'work', parent: 'works', load: () => import('./screens/works.js'), open: 'openWork' },
  { name: 'artist', parent: 'artists', load: () => import('./screens/artists.js'), open: 'openArtist' },
  { name: 'collection', parent: 'collections', load: () => import('./screens/collection.js') },
  { name: 'playlist', parent: 'playlists', load: () => import('./playlists/playlists.js'), open: 'openPlaylist' },
  { name: 'problems', parent: 'settings', load: () => import('./settings/problems.js') },
  { name: 'wishes', parent: 'likes', load: () => import('./discovery/wishes.js') },
  { name: 'discovery', parent: 'settings', load: () => import('./discovery/diagnostics.js') },
  { name: 'welcome', load: () => import('./screens/welcome.js') },
  { name: 'ambient', isSingle: true, load: () => import('./ambient/ambient.js') },
  { name: 'login', load: () => import('./settings/signin.js'), open: 'openLogin' },
];

const iconOf = ({ name }) => icon(name || 'home');

/** Returns the screen of an address. */
const screenAt = (address) => screens.find(({ name }) => name === address.replace(/^#\/?/, '').split(/[/?]/)[0]);

/** Loads the parts of the screens that have them, unless the person wants to save data. */
export function loadPartsAhead() {
  if (navigator.connection?.saveData) return;
  for (const { parts } of screens) if (parts) loadAhead(parts);
}

/** Fills the navigation, and highlights the link of the screen that is shown. */
export function startNavigation() {
  const links = screens.filter(({ title }) => title).map((screen) => h('a', {
    href: `#/${screen.name}`, 'data-name': screen.name,
    class: screen.isSecondary ? 'wide' : screen.name === 'more' ? 'narrow' : null,
  }, iconOf(screen), h('span', { text: screen.title })));
  document.getElementById('nav').replaceChildren(...links);
  const showOffered = () => {
    for (const { name, isOffered } of screens) {
      if (isOffered) links.find((link) => link.dataset.name === name).hidden = !isOffered(store);
    }
  };
  subscribe(showOffered);
  watchAsking(links.find(({ dataset }) => dataset.name === 'ask'));
  onNavigate((address) => {
    const screen = screenAt(address);
    const shown = screen?.parent ?? screen?.name;
    const isInMore = Boolean(screens.find(({ name }) => name === shown)?.isSecondary);
    for (const link of links) {
      const { name } = link.dataset;
      setAttribute(link, 'aria-current', name === shown ? 'page' : name === 'more' && isInMore ? 'true' : null);
    }
  });
}

/** Opens the list of screens that have no link in the navigation of a small screen. */
async function openMore() {
  const isOffered = ({ name }) => !document.querySelector(`#nav [data-name="${name}"]`)?.hidden;
  const links = screens.filter((screen) => screen.isSecondary && isOffered(screen))
    .map((screen) => h('li', {},
      h('a', { class: 'more-link', href: `#/${screen.name}` }, iconOf(screen), h('span', { text: screen.title }))));
  const shortcuts = h('li', {},
    h('button', { type: 'button', class: 'more-link', onclick: showShortcuts },
      icon('keys'),
      h('span', { text: 'Keyboard shortcuts' })));
  return {
    title: 'More',
    element: h('section', { class: 'screen', 'aria-label': 'More' },
      pageHeader('More'),
      h('ul', { class: 'card more' }, links, shortcuts)),
    isLive: true,
  };
}
