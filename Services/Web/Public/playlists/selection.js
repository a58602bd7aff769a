// Choosing several tracks of a list, to play, queue, add, remove or move them together.
import { setAttribute } from '../core/dom.js';
import { count } from '../core/format.js';
import { Selection } from '../parts/selection.js';
import { setSelection, shownIn } from '../parts/trackrow.js';

/** Returns tracks as one item to queue or add: by their ids, which only those in the library have; null for none. */
function itemOf(tracks) {
  const here = tracks.filter((one) => !one.described);
  const title = here.length === 1 ? here[0].title : count(here.length, 'track');
  return here.length ? { ids: here.map(({ id }) => id), title, first: here[0] } : null;
}

/** Returns the buttons. `many` has what the list's own screen offers: `first(entries)` and `remove(entries)`. */
function buttons(selection, many) {
  const entries = (tracks) => tracks.map(({ entry }) => entry);
  return [
    ...selection.musicButtons(itemOf),
    many?.first && selection.button('Move to the beginning', 'up', (tracks) => many.first(entries(tracks))),
    many?.remove && selection.button('Remove', 'remove', (tracks) => many.remove(entries(tracks))),
  ];
}

const kind = {
  label: 'Selected tracks', target: '.track-play', tell: setSelection, buttons,
  shown: (row) => shownIn(row)?.track,
  show: (target, isChosen) => setAttribute(target, 'aria-pressed', isChosen === null ? null : String(isChosen)),
};

/** Begins to choose tracks of a list; `row` is the first one. */
export function startSelection(list, row) {
  new Selection(list, kind, shownIn(row)?.options.many ?? null).begin(row);
}
