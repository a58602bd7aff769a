// The queue in the player: the tracks that come, which can be moved and removed there, and how many they are and how
// long they last.
import { h, reconcile, setAttribute, setText } from '../core/dom.js';
import { currentRoom, queueOf } from '../core/store.js';
import { iconButton, linkButton } from '../parts/controls.js';
import { makeDragWiring } from '../parts/dragging.js';
import { clearQueue } from '../parts/queueundo.js';
import { makeFollowing } from './following.js';
import { makeQueueRow, moveEntry, queueRowOf, updateQueueRow } from './queuerows.js';
import { followingFrom, stayAfterCurrent } from './queuerules.js';
import { leftWords } from './queuetotals.js';

// The most rows that are shown.
const mostRows = 60;
// The buttons of a row that every row has.
const buttons = ':scope > :not(.found)';

/** Returns the part of the player with the queue. `show()` shows that of the room. */
export function makeUpNext() {
  const list = h('ol', { class: 'lines', 'aria-label': 'Up next', tabindex: '-1' });
  const total = h('p', { class: 'panel-total', role: 'status' });
  const follows = h('p', { class: 'soft' });
  const clear = iconButton('trash', 'Clear the queue', clearQueue, 'small');
  const more = linkButton('Queue', '#/queue', 'queue', 'quiet');
  const later = h('ol', { class: 'lines', 'aria-label': 'Then more albums' });
  const following = makeFollowing(later);
  const scroll = h('div', { class: 'panel-scroll', tabindex: '-1' }, list, following, follows);
  const row = h('div', { class: 'panel-row' }, total, clear, more);
  const element = h('section', { class: 'panel-part', 'aria-label': 'Up next' }, row, scroll);
  const moved = (row, wanted) => {
    const to = stayAfterCurrent(row, wanted);
    return to === row.index ? undefined : moveEntry(row, to);
  };
  const wireDrag = makeDragWiring(queueRowOf, moved, scroll);

  function showTotal() {
    const room = currentRoom();
    const queue = queueOf(room);
    const left = (queue?.count ?? 0) - (queue?.current ?? -1) - 1;
    setText(total, left > 0 ? leftWords(room, queue, showTotal) : 'No more tracks');
  }

  const rows = () => [...list.children, ...later.children];

  /** Returns where the focus is in the lists: its element, and the indices of its row and of the button there. */
  function focusedPlace() {
    const focused = document.activeElement;
    const all = rows();
    const at = all.findIndex((one) => one.contains(focused));
    if (at < 0) return null;
    return { focused, at, button: Math.max(0, [...all[at].querySelectorAll(buttons)].indexOf(focused)) };
  }

  /** Focuses what had the focus. If its row has gone, the row that has come to its place gets it, or the empty list. */
  function restoreFocus({ focused, at, button }) {
    if (document.activeElement === focused) return;
    const all = rows();
    const row = all[Math.min(at, all.length - 1)];
    const next = focused.isConnected ? focused : row?.querySelectorAll(buttons)[button] ?? list;
    next.focus({ preventScroll: true });
  }

  element.show = () => {
    const room = currentRoom();
    const queue = queueOf(room);
    const from = (queue?.current ?? -1) + 1;
    const itemAt = (index) => queue.items[index - queue.first];
    const lines = (queue?.items ?? [])
      .map((item, offset) => ({
        item, itemAt, index: queue.first + offset, current: queue.current, count: queue.count,
      }))
      .filter(({ index }) => index >= from).slice(0, mostRows);
    const make = () => makeQueueRow({ moved, wireDrag });
    const place = focusedPlace();
    const split = queue ? followingFrom(queue, itemAt) : 0;
    const part = (isLater) => lines.filter(({ index }) => (index >= split) === isLater);
    reconcile(list, part(false), ({ item }) => item.entry, make, updateQueueRow);
    reconcile(later, part(true), ({ item }) => item.entry, make, updateQueueRow);
    following.show(queue, later.childElementCount > 0);
    if (place) restoreFocus(place);
    const left = (queue?.count ?? 0) - from - lines.length;
    const last = lines.length || !from ? '' : 'This is the last track in the queue.';
    setText(follows, left > 0 ? `… and ${left} more.` : last);
    setAttribute(scroll, 'tabindex', lines.length ? '-1' : null);
    clear.hidden = !queue?.count;
    showTotal();
  };
  element.tick = showTotal;
  return element;
}
