// A list of all albums or tracks, of which the page holds only the parts in view: read by index, with a bar that jumps
// to any letter, year or month, and read again when the catalogue has changed.
import { read, readAhead } from '../core/api.js';
import { IndexedList } from '../core/lists.js';
import { currentRoom, store, subscribe } from '../core/store.js';
import { wireArrows } from '../core/virtuallist.js';
import { makeJumpBar } from './jumpbar.js';

// The most items that are read to be chosen together.
const mostChosen = 2000;
const part = 200;

// The index of a list is the same for all seeds.
const indexParameters = ({ seed, ...parameters }) => parameters;

/** Asks for the first items and the index of a long list that is made afterwards. */
export function askForLongList(path, parameters) {
  IndexedList.readAhead(path, parameters);
  if (parameters.sort !== 'random') readAhead(`${path}/index`, indexParameters(parameters));
}

/**
 * Returns a long list. `path` is `albums` or `tracks`, `parameters` are those of its order and its tags, `expected` is
 * the number of items until it is read, `makeView(source)` returns its `VirtualList`, and `changed()` is called after
 * changes.
 */
export function makeLongList({ path, parameters, expected, makeView, changed }) {
  // The generation for which the list was read again last.
  let reread = null;
  let isReloading = false;
  let marked = null;
  let stop = () => {};
  const source = new IndexedList(path, parameters, expected, () => {
    view.refresh();
    changed();
  });
  const view = makeView(source);
  wireArrows(view, () => source.total);
  const jumpBar = makeJumpBar((index) => view.scrollToItem(index));

  async function readIndex() {
    if (parameters.sort === 'random') return;
    try {
      jumpBar.set(await read(`${path}/index`, indexParameters(parameters)), parameters.sort);
    } catch {
      jumpBar.set(null); // The list works without the jump bar.
    }
  }

  /** Reads the items in view again, and keeps them at the same place on screen. */
  async function reload() {
    if (isReloading) return;
    isReloading = true;
    try {
      view.shift(await source.reload(view.first));
      await readIndex();
    } catch {
      reread = null; // The next change of the state tries again.
    } finally {
      isReloading = false;
    }
    changed();
  }

  const update = () => {
    const now = store.catalogue?.generation ?? null;
    if (now !== null && now > (source.generation ?? now) && now !== reread && store.link === 'open') {
      reread = now;
      reload();
    }
    const room = currentRoom();
    const mark = [room?.track?.id, room?.track?.albumID, room?.state, room?.away, store.link].join(' ');
    if (mark !== marked) view.refresh();
    marked = mark;
    changed();
  };

  /**
   * Returns the items between two indices, and reads those that are not read yet. At most 2,000 can be chosen at once.
   */
  async function itemsBetween(first, last) {
    const end = Math.min(last, first + mostChosen - 1, source.total - 1);
    const items = [];
    for (let at = first; at <= end; at += 1) {
      if (!source.get(at)) {
        const page = await read(path, { ...parameters, first: at, limit: Math.min(part, end - at + 1) });
        if (!page.items.length) break;
        items.push(...page.items);
        at += page.items.length - 1;
      } else {
        items.push(source.get(at));
      }
    }
    return items.slice(0, end - first + 1);
  }

  readIndex();
  return {
    source, view, jumpBar, reload, itemsBetween,
    start() {
      view.start();
      stop = subscribe(update);
    },
    stop() {
      stop();
      view.stop();
    },
  };
}
