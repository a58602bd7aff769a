// The list of all tracks, or of those that tags narrow it to.
import { h, rem, setText } from '../core/dom.js';
import { count } from '../core/format.js';
import { navigate, reopenScreen } from '../core/router.js';
import { store } from '../core/store.js';
import { loadStyles } from '../core/stylesheets.js';
import { placeAddress, tagParameters, tagsOf } from '../core/tags.js';
import { VirtualList } from '../core/virtuallist.js';
import { listFailure } from '../find/listfailure.js';
import { makeLongList } from '../find/longlist.js';
import { keepOrder, orderControls, orderOf, orderParameters } from '../find/orders.js';
import { showError } from '../parts/banners.js';
import { filterButton, filterChips, lastFilterChip } from '../find/filter.js';
import { emptyMessage, pageHeader } from '../parts/headers.js';
import { makeTrackRow, updateTrackRow } from '../parts/trackrow.js';

const styled = loadStyles('find/find.css');

/** Returns the shape of a list with one row per line; see virtuallist.js. */
export function rowShape() {
  const row = Math.round(rem() * 3.9);
  return { columns: 1, row, vars: { '--row': `${row}px` } };
}

/**
 * Returns a list of tracks; `start(index)` plays the track at an index as a part of its list, `editsOf(track, index)`
 * returns further items of its menu, and `make()` another row than the usual one. `many` has the edits of several
 * tracks, and where they are found; see playlists/selection.js.
 */
export function makeTrackList(label, start = null, editsOf = null, make = () => makeTrackRow({ cover: true }),
  many = null) {
  return new VirtualList({
    tag: 'ol', kind: 'lines card', label, measure: rowShape, make,
    update: (one, track, index) => updateTrackRow(one, track, {
      under: track && [track.artist, track.album].filter(Boolean).join(' · '),
        ...(start ? { start: () => start(index) } : {}),
      ...(track && editsOf ? { edits: editsOf(track, index) } : {}), ...(many ? { many } : {}),
    }),
  });
}

/**
 * Opens the list; the query may contain tags (`tag=genre:Jazz`), excluded ones (`without=type:live`) and the order
 * (`sort=year`, `reversed=true`).
 */
export async function open({ query }) {
  await styled;
  const tags = tagsOf(query);
  const order = orderOf('tracks', query);
  const shelf = { name: 'tracks', word: 'track', more: order.isOwn ? orderParameters(order, true) : {} };
  const failure = listFailure('The tracks could not be read');
  const counted = h('p', { class: 'count', role: 'status' });
  const none = h('div', { hidden: true },
    emptyMessage('No tracks', tags.length ? 'No track has all of this. Remove a filter.'
    : 'There are no tracks in your library yet.'));
  const list = makeLongList({
    path: 'tracks', parameters: { ...orderParameters(order), ...tagParameters(tags) }, expected: tags.length ? 1
      : store.catalogue?.tracks || 60,
    changed: () => show(),
    makeView: (source) => makeTrackList('Tracks', null, null, undefined, {
      itemAt: (index) => source.get(index), count: () => source.total,
      between: (first, last) => list.itemsBetween(first, last),
    }),
  });
  const { source, view, jumpBar } = list;
  const change = (next) => {
    keepOrder('tracks', next, tags.length > 0);
    const to = placeAddress('tracks', tags, orderParameters({ ...next, seed: undefined }, true));
    if (to === location.hash) reopenScreen().catch(showError);
    else navigate(to, true);
  };
  const show = () => {
    const isEmpty = !source.get(0) && source.total === 0;
    setText(counted, source.get(0) || !tags.length
      ? count(source.get(0) ? source.total : store.catalogue?.tracks ?? 0, 'track') : '');
    none.hidden = !isEmpty;
    view.element.hidden = failure.show(source) || isEmpty;
  };
  const element = h('section', { class: 'screen tracks', 'aria-label': 'Tracks' },
    pageHeader('Tracks', counted, filterButton(tags, shelf), orderControls('tracks', order, change)),
    tags.length ? filterChips(tags, shelf) : lastFilterChip(shelf), none, failure, view.element, jumpBar);
  return { title: 'Tracks', element, isLive: true, reload: list.reload, show: () => view.show(source),
    shown: list.start, hide: list.stop };
}
