// The grids of the wall, one for each round of a feed, and the notes between them.
import { h, rem } from '../core/dom.js';
import { VirtualList, wireArrows } from '../core/virtuallist.js';
import { textButton } from '../parts/controls.js';
import { makeTile, updateTile } from './tile.js';
import { noteBelow } from './wallstate.js';

/**
 * Returns the columns and the row height of the grid: two columns on a phone. The tiles are squares of whole pixels,
 * because the page would show as hairlines between tiles that end within a pixel; the last column may lose a few pixels
 * at the edge.
 */
function wallShape(width) {
  const columns = Math.max(2, Math.round(width / (11.5 * rem())));
  const row = Math.ceil(width / columns);
  return { columns, row, vars: { '--columns': columns, '--row': `${row}px`, '--cover': `${row}px` } };
}

function makeGrid(at) {
  const view = new VirtualList({
    kind: 'wall-grid', label: at ? `Round ${at + 1}` : 'Albums', measure: wallShape, make: makeTile,
    update: updateTile, isInSteps: true,
  });
  const note = h('div', { class: 'wall-note', hidden: true });
  const grid = {
    view, note, round: null, box: h('section', { 'aria-label': `Round ${at + 1}` }, view.element, note),
  };
  wireArrows(view, () => grid.round.tiles.length);
  return grid;
}

/** Shows a round; `again` is called for another one. */
function showRound(grid, round, isLast, again) {
  if (grid.round !== round) {
    grid.round = round;
    grid.view.show({
      get total() { return round.tiles.length; }, get: (index) => round.tiles[index], ensure() {},
    });
  } else {
    grid.view.refresh();
  }
  const note = noteBelow(round, isLast);
  grid.note.hidden = !note;
  if (!note || grid.note.dataset.shown === note) return;
  grid.note.dataset.shown = note;
  grid.note.replaceChildren(
    h('p', { text: note === 'asked' ? 'That was every album.' : 'That was every album. A new round begins.' }),
    ...note === 'asked' ? [textButton('Begin a new round', 'sync', again, { kind: 'quiet' })] : []);
}

/** Returns the grids of a feed, one for each round, and the notes between them. */
export function makeGrids() {
  const element = h('div', { class: 'wall-rounds' });
  const grids = [];
  let isRunning = false;
  return {
    element,
    /** Shows the rounds of a feed; `again` is called for another round of a small library. */
    show(feed, again) {
      while (grids.length > feed.rounds.length) grids.pop().box.remove();
      feed.rounds.forEach((round, at) => {
        if (!grids[at]) {
          grids.push(makeGrid(at));
          element.append(grids[at].box);
          if (isRunning) grids[at].view.start();
        }
        showRound(grids[at], round, at === feed.rounds.length - 1, again);
      });
    },
    refresh: () => grids.forEach(({ view }) => view.refresh()),
    start() {
      isRunning = true;
      grids.forEach(({ view }) => view.start());
    },
    stop() {
      isRunning = false;
      grids.forEach(({ view }) => view.stop());
    },
    /** Returns the tiles in view. */
    inView: () => [...element.querySelectorAll('.tile')].filter((one) => {
      const { top, bottom } = one.getBoundingClientRect();
      return bottom > 0 && top < innerHeight;
    }),
  };
}
