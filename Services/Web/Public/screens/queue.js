// The queue of the room that is shown: the whole of it in a window, with its order changed by drag or arrow keys, and
// what was played.
import { queuePart, read } from '../core/api.js';
import { h, reconcile, setText, setVars } from '../core/dom.js';
import { currentRoom, follow, queueOf } from '../core/store.js';
import { ago, count, roomTitle } from '../core/words.js';
import { Windowed, wireArrows } from '../core/windowed.js';
import { change } from '../parts/actions.js';
import { complain } from '../parts/banners.js';
import { pill } from '../parts/buttons.js';
import { emptyCard, plainHead } from '../parts/heads.js';
import { makeTrack, updateTrack } from '../parts/lines.js';
import { wireDragging } from '../player/dragging.js';
import { makeLine, moveEntry, updateLine } from '../player/queuelines.js';
import { lineShape } from './tracks.js';

const part = 100;

/** The queue as a list for a window: what the events say of it, and the rest as it is looked at. */
class Queued {
  #items = [];
  #reading = new Set();
  #revision = null;
  room = null;
  total = 0;
  current = null;

  constructor(onChange) {
    this.onChange = onChange;
  }

  get(index) {
    return this.#items[index];
  }

  /** Takes in what the events say; of another revision all that was read before may be wrong. */
  take(room, queue) {
    if (room !== this.room || queue.revision !== this.#revision) {
      if (room !== this.room) this.#items = [];
      this.#reading.clear();
      this.#revision = queue.revision;
      this.room = room;
      // What is shown stays until it is read again: the nearest is here already.
      this.stale = new Set(Array.from({ length: Math.ceil(queue.count / part) }, (_, number) => number));
      this.#items.length = Math.min(this.#items.length, queue.count);
    }
    this.total = queue.count;
    this.current = queue.current;
    queue.items.forEach((item, offset) => {
      this.#items[queue.first + offset] = item;
    });
    if (queue.items.length >= queue.count) this.stale.clear();
  }

  want(first, last) {
    for (let number = Math.floor(first / part); number <= Math.floor(Math.max(first, last) / part); number += 1) {
      if (this.stale?.has(number) && !this.#reading.has(number)) this.#read(number);
    }
  }

  async #read(number) {
    const [revision, room] = [this.#revision, this.room];
    this.#reading.add(number);
    try {
      const { items, first } = await queuePart(room, number * part, part);
      if (revision !== this.#revision || room !== this.room) return;
      items.forEach((item, offset) => {
        this.#items[first + offset] = item;
      });
      this.stale.delete(number);
    } catch (error) {
      complain(error);
    }
    this.onChange();
  }

  /** Moves an entry here before the room has done it, so that it stays under the hand. */
  move(from, to) {
    const [item] = this.#items.splice(from, 1);
    this.#items.splice(to, 0, item);
    if (this.current === from) this.current = to;
    else if (this.current !== null) this.current += (from < this.current ? -1 : 0) + (to <= this.current - (from < this.current ? 1 : 0) ? 1 : 0);
  }
}

function history() {
  const list = h('ol', { class: 'lines card', 'aria-label': 'Played before' });
  const element = h('section', { class: 'group', hidden: true }, h('h2', { text: 'Played before' }), list);
  element.load = async (room) => {
    try {
      const { items } = await read(`rooms/${encodeURIComponent(room)}/played`, { limit: 30 });
      element.hidden = !items.length;
      reconcile(list, items, (item) => `${item.entry} ${item.startedAt}`, () => makeTrack({ cover: true }),
        (one, item) => updateTrack(one, item, { under: [item.artist, ago(item.startedAt), item.reason === 'skipped' && 'skipped'].filter(Boolean).join(' · '), isCurrent: false }));
    } catch {
      element.hidden = true; // It is not worth a word.
    }
  };
  return element;
}

/** Opens the queue. */
export async function open() {
  const source = new Queued(() => lines.refresh());
  const moved = async (line, to) => {
    source.move(line.index, to);
    lines.refresh();
    lines.reach(to, { keep: true });
    lines.at(to)?.querySelector('.handle')?.focus({ preventScroll: true });
    await moveEntry(line, to);
  };
  const drag = wireDragging(moved);
  const lines = new Windowed({
    tag: 'ol', kind: 'lines card', label: 'Queue', measure: lineShape, make: () => makeLine({ moved, wireDrag: drag }),
    update: (one, item, index) => {
      setVars(one, { '--row-index': null });
      updateLine(one, { item, index, current: source.current, count: source.total });
    },
  });
  wireArrows(lines, () => source.total);
  const said = h('p', { class: 'count', role: 'status' });
  const clear = pill('Clear', 'trash', () => change({ action: 'clear' }));
  const none = h('div', {}, emptyCard('Nothing is queued', 'Play an album, or add one from its menu.', h('a', { class: 'pill first', href: '#/albums', text: 'All albums' })));
  const after = h('p', { class: 'soft' });
  const past = history();
  const element = h('section', { class: 'place queue-place', 'aria-label': 'Queue' }, plainHead('Queue', said, clear), none, lines.element, after, past);
  let entry = null;
  const show = () => {
    const room = currentRoom();
    const queue = queueOf(room);
    if (queue) source.take(room.name, queue);
    const isEmpty = !queue?.count;
    none.hidden = !isEmpty;
    lines.element.hidden = isEmpty;
    clear.hidden = isEmpty;
    const left = queue ? queue.count - (queue.current ?? -1) - 1 : 0;
    setText(said, room ? [roomTitle(room.name), !isEmpty && `${count(left, 'track')} to come`].filter(Boolean).join(' · ') : '');
    setText(after, queue?.continues && !isEmpty ? 'Then more albums follow.' : '');
    lines.refresh();
    if (room && `${room.name} ${room.entry}` !== entry) {
      entry = `${room.name} ${room.entry}`;
      past.load(room.name);
    }
  };
  let stop = () => {};
  return {
    title: 'Queue', element, lasting: true,
    show: () => lines.show(source),
    shown({ back } = {}) {
      lines.start();
      stop = follow(show);
      if (!back && source.current > 6) lines.reach(source.current);
    },
    hide() {
      stop();
      lines.stop();
    },
  };
}
