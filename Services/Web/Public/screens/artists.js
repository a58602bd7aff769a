// Artists by name, with their pictures.
import { h, setText } from '../core/dom.js';
import { Trail } from '../core/pages.js';
import { Windowed, wireArrows } from '../core/windowed.js';
import { go } from '../core/router.js';
import { complain } from '../parts/banners.js';
import { makeArtist, shelfShape, updateArtist } from '../parts/cards.js';
import { emptyCard, plainHead } from '../parts/heads.js';
import { letterStrip } from '../parts/letters.js';

const letters = [...'abcdefghijklmnopqrstuvwxyz'];

/** Opens the list; `from=m` begins it at a letter. */
export async function open({ query }) {
  const from = query.get('from');
  const text = h('p', { class: 'count', role: 'status' });
  const none = h('div', { hidden: true }, emptyCard('No artists', 'There is nobody on the shelf yet.'));
  const source = new Trail('artists', { startingAt: from }, () => {
    if (source.error) complain(source.error);
    none.hidden = !(source.isComplete && !source.items.length);
    setText(text, from ? `from ${from.toUpperCase()}` : '');
    strip.hidden = !from && source.isComplete && source.items.length < 30;
    grid.refresh();
  });
  const grid = new Windowed({
    kind: 'faces', label: 'Artists', measure: (width) => shelfShape(width, { widest: 10, words: 3.6 }), make: makeArtist, update: updateArtist,
  });
  wireArrows(grid, () => source.items.length);
  const strip = letterStrip((index) => go(index ? `#/artists?from=${letters[index - 1]}` : '#/artists', true));
  strip.set({ total: 100, marks: [{ name: '#', first: 0 }, ...letters.map((name, index) => ({ name, first: index + 1 }))] }, 'artists');
  return {
    title: 'Artists', element: h('section', { class: 'place artists', 'aria-label': 'Artists' }, plainHead('Artists', text), none, grid.element, strip),
    show: () => grid.show(source), shown: () => grid.start(), hide: () => grid.stop(),
  };
}
