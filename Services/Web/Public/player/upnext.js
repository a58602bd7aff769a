// The queue in the player: the tracks that come, which can be moved and removed there, and how many they are and how
// long they last.
import { readQueue } from '../core/api.js';
import { h, reconcile, setAttribute, setText } from '../core/dom.js';
import { count, span } from '../core/format.js';
import { currentRoom, positionOf, queueOf } from '../core/store.js';
import { iconButton, linkButton } from '../parts/controls.js';
import { makeDragWiring } from '../parts/dragging.js';
import { clearQueue } from '../parts/queueundo.js';
import { makeQueueRow, moveEntry, queueRowOf, updateQueueRow } from './queuerows.js';

// The most rows that are shown, and the most tracks of which the length is read.
const [mostRows, mostRead] = [60, 1000];
const part = 100;

/** Returns the part of the player with the queue. `show()` shows that of the room. */
export function makeUpNext() {
  const list = h('ol', { class: 'lines', 'aria-label': 'Up next' });
  const total = h('p', { class: 'panel-total', role: 'status' });
  const follows = h('p', { class: 'soft' });
  const clear = iconButton('trash', 'Clear the queue', clearQueue, 'small');
  const more = linkButton('Queue', '#/queue', 'queue', 'quiet');
  const scroll = h('div', { class: 'panel-scroll', tabindex: '-1' }, list, follows);
  const row = h('div', { class: 'panel-row' }, total, clear, more);
  const element = h('section', { class: 'panel-part', 'aria-label': 'Up next' }, row, scroll);
  const wireDrag = makeDragWiring(queueRowOf, (row, to) => moveEntry(row, to), scroll);
  // The seconds of the tracks behind the part of the queue that the page knows; null until they are read.
  let rest = { key: null, seconds: 0 };

  /** Reads the lengths of the tracks behind the known part, if they are not too many. */
  async function readRest(room, queue, key) {
    rest = { key, seconds: null };
    let seconds = 0;
    try {
      for (let first = queue.first + queue.items.length; first < queue.count; first += part) {
        const { items } = await readQueue(room, first, part);
        if (rest.key !== key) return;
        for (const { durationSeconds } of items) seconds += durationSeconds ?? 0;
      }
      rest = { key, seconds };
      showTotal();
    } catch {
      rest = { key: null, seconds: null }; // The next change of the queue tries again.
    }
  }

  function showTotal() {
    const room = currentRoom();
    const queue = queueOf(room);
    const from = (queue?.current ?? -1) + 1;
    const left = Math.max(0, (queue?.count ?? 0) - from);
    const behind = queue ? queue.count - queue.first - queue.items.length : 0;
    const key = queue ? `${room.name} ${queue.revision} ${behind}` : null;
    if (behind > 0 && behind <= mostRead && rest.key !== key) readRest(room.name, queue, key);
    const now = room?.track && room.durationSeconds ? Math.max(0, room.durationSeconds - positionOf(room)) : 0;
    const coming = (queue?.items ?? []).slice(Math.max(0, from - (queue?.first ?? 0)));
    const known = now + coming.reduce((sum, { durationSeconds }) => sum + (durationSeconds ?? 0), 0);
    const whole = behind <= 0 ? known : rest.key === key && rest.seconds !== null ? known + rest.seconds : null;
    const words = [count(left, 'track'), whole && `${span(whole)} left`].filter(Boolean).join(', ');
    setText(total, left ? words : 'No more tracks');
  }

  element.show = () => {
    const room = currentRoom();
    const queue = queueOf(room);
    const from = (queue?.current ?? -1) + 1;
    const itemAt = (index) => queue.items[index - queue.first];
    const lines = (queue?.items ?? [])
      .map((item, offset) => ({ item, itemAt, index: queue.first + offset, current: queue.current, count: queue.count }))
      .filter(({ index }) => index >= from).slice(0, mostRows);
    const make = () => makeQueueRow({ moved: keepFocus, wireDrag });
    reconcile(list, lines, ({ item }) => item.entry, make, updateQueueRow);
    const left = (queue?.count ?? 0) - from - lines.length;
    const last = lines.length || !from ? '' : 'This is the last track in the queue.';
    const end = queue?.continues ? 'Then more albums follow.' : last;
    setText(follows, [left > 0 && `… and ${left} more.`, end].filter(Boolean).join(' '));
    setAttribute(scroll, 'tabindex', lines.length ? '-1' : null);
    clear.hidden = !queue?.count;
    showTotal();
  };

  /** Moves a row by the keys of its handle, which keeps the focus. */
  async function keepFocus(row, to) {
    await moveEntry(row, to);
    const element = [...list.children].find((one) => queueRowOf(one)?.item.entry === row.item.entry);
    element?.querySelector('.handle').focus({ preventScroll: true });
  }
  element.tick = showTotal;
  return element;
}
