// The queue of the shown room, whose order a person changes by dragging or arrow keys, and the tracks played before.
import { read, readQueue } from '../core/api.js';
import { h, reconcile, setText, setVars } from '../core/dom.js';
import { ago, roomTitle } from '../core/format.js';
import { retryPause } from '../core/lists.js';
import { currentRoom, queueOf, subscribe } from '../core/store.js';
import { VirtualList, wireArrows } from '../core/virtuallist.js';
import { toggleQueuePanel } from '../find/queuepanel.js';
import { showError } from '../parts/banners.js';
import { textButton } from '../parts/controls.js';
import { makeDragWiring } from '../parts/dragging.js';
import { emptyMessage, pageHeader } from '../parts/headers.js';
import { clearQueue } from '../parts/queueundo.js';
import { makeTrackRow, updateTrackRow } from '../parts/trackrow.js';
import { makeFollowing } from '../player/following.js';
import { makeQueueRow, moveEntry, queueRowOf, updateQueueRow } from '../player/queuerows.js';
import { followingFrom } from '../player/queuerules.js';
import { leftWords } from '../player/queuetotals.js';
import { makeQueueWhy } from '../player/queuewhy.js';
import { rowShape } from './tracks.js';

const part = 100;

/**
 * The queue for `VirtualList`. Events contain the part around the current track; others are read when they are seen.
 */
class QueueList {
  #items = [];
  #reading = new Set();
  #revision = null;
  room = null;
  count = 0;
  current = null;

  constructor(onChange) {
    this.onChange = onChange;
  }

  get(index) {
    return this.#items[index];
  }

  /** Sets the part of the queue from the events. If its revision has changed, all other parts are read again. */
  update(room, queue) {
    if (room !== this.room || queue.revision !== this.#revision) {
      if (room !== this.room) this.#items = [];
      this.#reading.clear();
      this.#revision = queue.revision;
      this.room = room;
      // The old items stay on screen until they are read again.
      this.stale = new Set(Array.from({ length: Math.ceil(queue.count / part) }, (_, number) => number));
      this.#items.length = Math.min(this.#items.length, queue.count);
    }
    this.count = queue.count;
    this.current = queue.current;
    this.nextIndex = queue.nextIndex;
    queue.items.forEach((item, offset) => {
      this.#items[queue.first + offset] = item;
    });
    if (queue.items.length >= queue.count) this.stale.clear();
  }

  /** Has all parts read again. */
  forget() {
    this.#revision = null;
  }

  ensure(first, last) {
    for (let number = Math.floor(first / part); number <= Math.floor(Math.max(first, last) / part); number += 1) {
      if (this.stale?.has(number) && !this.#reading.has(number)) this.#read(number);
    }
  }

  async #read(number) {
    const [revision, room] = [this.#revision, this.room];
    this.#reading.add(number);
    try {
      const { items, first } = await readQueue(room, number * part, part);
      if (revision !== this.#revision || room !== this.room) return;
      items.forEach((item, offset) => {
        this.#items[first + offset] = item;
      });
      this.stale.delete(number);
    } catch (error) {
      showError(error);
      setTimeout(() => {
        this.#reading.delete(number);
        this.onChange();
      }, retryPause);
    }
    this.onChange();
  }

  /** Moves an entry before the room has confirmed it, so that it stays under the pointer. */
  move(from, to) {
    const [item] = this.#items.splice(from, 1);
    this.#items.splice(to, 0, item);
    if (this.current === from) this.current = to;
    else if (this.current !== null) this.current += (from < this.current ? -1 : 0)
      + (to <= this.current - (from < this.current ? 1 : 0) ? 1 : 0);
  }
}

function history() {
  const list = h('ol', { class: 'lines card', 'aria-label': 'Played before' });
  const element = h('section', { class: 'group', hidden: true }, h('h2', { text: 'Played before' }), list);
  element.load = async (room) => {
    try {
      const { items } = await read(`rooms/${encodeURIComponent(room)}/played`, { limit: 30 });
      element.hidden = !items.length;
      reconcile(list, items, (item) => `${item.entry} ${item.startedAt}`, () => makeTrackRow({ cover: true }),
        (one, item) => updateTrackRow(one, { ...item, isFound: true },
          { under: [item.artist, ago(item.startedAt), item.skipped && 'skipped']
            .filter(Boolean).join(' · '), isCurrent: false }));
    } catch {
      element.hidden = true; // The screen works without the history.
    }
  };
  return element;
}

/** Opens the screen of the queue. */
export async function open() {
  const source = new QueueList(() => refresh());
  // The index of the first item under the heading of the albums that follow.
  let split = 0;
  const moved = async (row, to) => {
    source.move(row.index, to);
    refresh();
    const [list, place] = to < split ? [rows, to] : [later, to - split];
    list.scrollToItem(place, { keep: true });
    list.at(place)?.querySelector('.handle')?.focus({ preventScroll: true });
    if (await moveEntry(row, to)) return;
    // The room still has it at its former place.
    source.forget();
    show();
  };
  const drag = makeDragWiring(queueRowOf, moved);
  const makeList = (label, from) => new VirtualList({
    tag: 'ol', kind: 'lines card', label, measure: rowShape,
    make: () => makeQueueRow({ moved, wireDrag: drag }),
    update: (one, item, index) => {
      setVars(one, { '--row-index': null });
      updateQueueRow(one, {
        item, index: from() + index, current: source.current, count: source.count,
        itemAt: (other) => source.get(other),
      });
    },
  });
  const rows = makeList('Queue', () => 0);
  const later = makeList('Then more albums', () => split);
  const own = {
    get total() { return split; }, get: (index) => source.get(index), ensure: (...all) => source.ensure(...all),
  };
  const others = {
    get total() { return source.count - split; }, get: (index) => source.get(split + index),
    ensure: (first, last) => source.ensure(split + first, split + last),
  };
  const following = makeFollowing(later.element);
  const refresh = () => {
    split = followingFrom(source, (index) => source.get(index));
    following.show(queueOf(currentRoom()), split < source.count);
    for (const list of [rows, later]) list.refresh();
  };
  wireArrows(rows, () => own.total);
  wireArrows(later, () => others.total);
  const said = h('p', { class: 'count', role: 'status' });
  const save = textButton('Save as playlist', 'playlists',
    () => import('../playlists/playlistedits.js').then(({ saveQueue }) => saveQueue(currentRoom().name), showError),
    { kind: 'quiet' });
  const beside = textButton('Beside the page', 'queue', toggleQueuePanel, { kind: 'quiet wide-only' });
  const clear = textButton('Clear', 'trash', clearQueue);
  const none = h('div', {},
    emptyMessage('The queue is empty', 'Play an album, or add one with its menu.', h('a', {
      class: 'pill first', href: '#/albums', text: 'All albums',
    })));
  const past = history();
  const why = makeQueueWhy();
  const element = h('section', { class: 'screen queue-screen', 'aria-label': 'Queue' },
    pageHeader('Queue', said, beside, save, clear),
    none, rows.element, following, why, past);
  let entry = null;
  const show = () => {
    const room = currentRoom();
    const queue = queueOf(room);
    if (queue) source.update(room.name, queue);
    const isEmpty = !queue?.count;
    none.hidden = !isEmpty;
    rows.element.hidden = isEmpty;
    clear.hidden = isEmpty;
    save.hidden = isEmpty;
    why.hidden = isEmpty;
    why.show();
    setText(said, room ? [roomTitle(room.name), leftWords(room, queue, show)].filter(Boolean).join(' · ') : '');
    refresh();
    if (room && `${room.name} ${room.entry}` !== entry) {
      entry = `${room.name} ${room.entry}`;
      past.load(room.name);
    }
  };
  let stop = () => {};
  return {
    title: 'Queue', element, isLive: true,
    show() {
      rows.show(own);
      later.show(others);
    },
    shown({ back }) {
      rows.start();
      later.start();
      stop = subscribe(show);
      if (!back && source.current > 6) rows.scrollToItem(source.current);
    },
    hide() {
      stop();
      rows.stop();
      later.stop();
    },
  };
}
