// Features add these entries to menus and to other parts of the page. Their code is loaded when a person first uses it.
// A new entry of a menu is one row here.
import { showError } from './parts/banners.js';
import { addEntries, features } from './parts/features.js';

const gardenEntries = [
  ['Write a note', 'ask', 'writeNote'],
  ['Add a todo', 'check', 'addTodo'],
  ['Mark for deletion', 'trash', 'markForDeletion'],
];

/** Registers the entries and actions of all features. */
export function addFeatures() {
  Object.assign(features, {
    addToPlaylist: (...added) =>
      import('./playlists/playlistedits.js').then(({ choosePlaylist }) => choosePlaylist(...added), showError),
    keepOffline: (item) => import('./settings/offline.js').then(({ keep }) => keep(item), showError),
    offerTakingBack: (...added) =>
      import('./find/queueedits.js').then(({ offerTakingBack }) => offerTakingBack(...added)),
    // The menu has what a drop does.
    showDropTargets: (item) =>
      import('./playlists/dropping.js').then(({ showDropTargets }) => showDropTargets(item)).catch(() => {}),
    selectAlbums: (...chosen) => import('./find/albumselection.js')
      .then(({ startAlbumSelection }) => startAlbumSelection(...chosen), showError),
    selectTracks: (list, row) =>
      import('./playlists/selection.js').then(({ startSelection }) => startSelection(list, row), showError),
  });
  addEntries('collect', (item) => [
    { name: 'Add to playlist', icon: 'playlists', run: () => features.addToPlaylist(item) },
  ]);
  addEntries('collect', (album, kind) => (kind !== 'album' ? [] : [{
    name: 'Add to theme', icon: 'themes',
    run: () => import('./themes/edits.js').then(({ chooseTheme }) => chooseTheme(album), showError),
  }]));
  addEntries('collect', (item, kind) => (kind === 'track' ? [] : [
    { name: 'Keep offline', icon: 'down', run: () => features.keepOffline(item) },
  ]));
  addEntries('remember', (item) => gardenEntries.map(([name, icon, open]) => ({
    name, icon, run: () => import('./garden/edits.js').then((edits) => edits[open](item), showError),
  })));
  addEntries('find', (track) => [{
    name: 'Where it is found', icon: 'search',
    run: () => import('./plugins/tracksources.js').then(({ showSources }) => showSources(track), showError),
  }]);
}
