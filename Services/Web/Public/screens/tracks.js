// All tracks, in a window on the whole list.
import { h, rem, setText } from '../core/dom.js';
import { Trail } from '../core/pages.js';
import { recall, remember } from '../core/prefs.js';
import { remake } from '../core/router.js';
import { follow, store } from '../core/store.js';
import { count } from '../core/words.js';
import { Windowed, wireArrows } from '../core/windowed.js';
import { complain } from '../parts/banners.js';
import { choices } from '../parts/buttons.js';
import { plainHead } from '../parts/heads.js';
import { makeTrack, updateTrack } from '../parts/lines.js';

const sorts = [['name', 'title'], ['added', 'newest here'], ['year', 'newest release'], ['played', 'last heard'], ['random', 'chance']];

/** How tall a line of a windowed list is. */
export function lineShape() {
  const row = Math.round(rem() * 3.9);
  return { columns: 1, row, vars: { '--row': `${row}px` } };
}

/** A window on tracks; `start(index)` plays one where it stands. */
export function trackWindow(label, start = null) {
  return new Windowed({
    tag: 'ol', kind: 'lines card', label, measure: lineShape, make: () => makeTrack({ cover: true }),
    update: (one, track, index) => updateTrack(one, track, {
      under: track && [track.artist, track.album].filter(Boolean).join(' · '), ...(start ? { start: () => start(index) } : {}),
    }),
  });
}

/** Opens the list. */
export async function open() {
  const sort = recall('tracks', 'name');
  const text = h('p', { class: 'count' });
  const source = new Trail('tracks', { sort, seed: sort === 'random' ? Math.floor(Math.random() * 2 ** 31) : null }, () => {
    if (source.error) complain(source.error);
    lines.refresh();
  });
  const lines = trackWindow('Tracks');
  wireArrows(lines, () => source.items.length);
  const sorter = choices('Sorted by', sorts, sort, (value) => {
    remember('tracks', value);
    remake().catch(complain);
  }, 'sort');
  let stop = () => {};
  return {
    title: 'Tracks', element: h('section', { class: 'place', 'aria-label': 'Tracks' }, plainHead('Tracks', text, sorter), lines.element),
    show: () => lines.show(source),
    shown() {
      lines.start();
      stop = follow(() => {
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
