// Playlists by title.
import { h } from '../core/dom.js';
import { Trail } from '../core/pages.js';
import { Windowed, wireArrows } from '../core/windowed.js';
import { count, span } from '../core/words.js';
import { complain } from '../parts/banners.js';
import { makeBundle, shelfShape, updateBundle } from '../parts/cards.js';
import { emptyCard, plainHead } from '../parts/heads.js';

function underOf(item) {
  return item && [count(item.trackCount, 'track'), item.durationSeconds && span(item.durationSeconds)].filter(Boolean).join(' · ');
}

/** Opens the list. */
export async function open() {
  const none = h('div', { hidden: true }, emptyCard('No playlists', 'The playlists of a Plex or Subsonic server show here.'));
  const source = new Trail('playlists', {}, () => {
    if (source.error) complain(source.error);
    const isEmpty = source.isComplete && !source.items.length;
    none.hidden = !isEmpty;
    grid.element.hidden = isEmpty;
    grid.refresh();
  });
  const grid = new Windowed({
    kind: 'shelf', label: 'Playlists', measure: (width) => shelfShape(width), make: makeBundle,
    update: (one, item) => updateBundle(one, item, 'playlist', underOf(item)),
  });
  wireArrows(grid, () => source.items.length);
  return {
    title: 'Playlists', element: h('section', { class: 'place', 'aria-label': 'Playlists' }, plainHead('Playlists'), none, grid.element),
    show: () => grid.show(source), shown: () => grid.start(), hide: () => grid.stop(),
  };
}
