// Why a queue plays what it plays: what was queued, what of it is on disk, what follows, and when it ends.
import { read } from '../core/api.js';
import { h, setText } from '../core/dom.js';
import { span, timeOfDay } from '../core/format.js';
import { currentRoom } from '../core/store.js';
import { whyLines } from './queuewhyrules.js';

/** Returns the box with the explanation of the room's queue. It reads when it is opened, and again after a change. */
export function makeQueueWhy() {
  const list = h('dl', { class: 'fact-list' });
  const problem = h('p', { class: 'soft', role: 'status' });
  const element = h('details', { class: 'group queue-why', ontoggle: () => load() },
    h('summary', { text: 'Why this plays' }), list, problem);
  let shown = null;

  /** Identifies what is explained: an entry of a revision of a room's queue. */
  const keyOf = (room) => (room ? `${room.name} ${room.queueRevision} ${room.entry} ${room.state}` : '');

  async function load() {
    const room = currentRoom();
    const key = keyOf(room);
    if (!element.open || !room || key === shown) return;
    shown = key;
    try {
      const why = await read(`rooms/${encodeURIComponent(room.name)}/queue/why`);
      if (key !== shown) return;
      const later = (seconds) => (why.playing
        ? `at ${timeOfDay(Date.now() + seconds * 1000)}` : `after ${span(seconds)} of music`);
      list.replaceChildren(...whyLines(why, later)
        .map(([label, text]) => h('div', {}, h('dt', { text: label }), h('dd', { text }))));
      setText(problem, '');
    } catch (error) {
      shown = null;
      setText(problem, error.message);
    }
  }

  element.show = load;
  return element;
}
