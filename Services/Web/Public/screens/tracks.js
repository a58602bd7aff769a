// The list of all tracks.
import { h, rem, setText } from '../core/dom.js';
import { count } from '../core/format.js';
import { CursorList } from '../core/lists.js';
import { preference, setPreference } from '../core/preferences.js';
import { reopenScreen } from '../core/router.js';
import { store, subscribe } from '../core/store.js';
import { VirtualList, wireArrows } from '../core/virtuallist.js';
import { showError } from '../parts/banners.js';
import { choices } from '../parts/controls.js';
import { pageHeader } from '../parts/headers.js';
import { makeTrackRow, updateTrackRow } from '../parts/trackrow.js';

const sorts = [['name', 'title'], ['added', 'date added'], ['year', 'release year'], ['played', 'last played'], ['random', 'random']];

/** Returns the shape of a list with one row per line; see virtuallist.js. */
export function rowShape() {
  const row = Math.round(rem() * 3.9);
  return { columns: 1, row, vars: { '--row': `${row}px` } };
}

/**
 * Returns a list of tracks; `start(index)` plays the track at an index as a part of its list, `editsOf(track, index)`
 * returns further items of its menu, and `make()` another row than the usual one. `many` has the edits of several tracks,
 * and where they are found; see playlists/selection.js.
 */
export function makeTrackList(label, start = null, editsOf = null, make = () => makeTrackRow({ cover: true }), many = null) {
  return new VirtualList({
    tag: 'ol', kind: 'lines card', label, measure: rowShape, make,
    update: (one, track, index) => updateTrackRow(one, track, {
      under: track && [track.artist, track.album].filter(Boolean).join(' · '), ...(start ? { start: () => start(index) } : {}),
      ...(track && editsOf ? { edits: editsOf(track, index) } : {}), ...(many ? { many } : {}),
    }),
  });
}

/** Opens the list. */
export async function open() {
  const sort = preference('tracks', 'name');
  const text = h('p', { class: 'count' });
  const source = new CursorList('tracks', { sort, seed: sort === 'random' ? Math.floor(Math.random() * 2 ** 31) : null }, () => {
    if (source.error) showError(source.error);
    lines.refresh();
  });
  const lines = makeTrackList('Tracks', null, null, undefined, { itemAt: (index) => source.items[index], count: () => source.items.length });
  wireArrows(lines, () => source.items.length);
  const sorter = choices('Sorted by', sorts, sort, (value) => {
    setPreference('tracks', value);
    reopenScreen().catch(showError);
  }, 'sort');
  let stop = () => {};
  return {
    title: 'Tracks', element: h('section', { class: 'screen', 'aria-label': 'Tracks' }, pageHeader('Tracks', text, sorter), lines.element),
    show: () => lines.show(source),
    shown() {
      lines.start();
      stop = subscribe(() => {
        setText(text, store.catalogue?.tracks ? count(store.catalogue.tracks, 'track') : '');
        lines.refresh();
      });
    },
    hide() {
      stop();
      lines.stop();
    },
  };
}
