// The rest of a queue: its tracks, and their time. Events have only the part of a queue around its current
// track, so the rest is read once for each change of the queue.
import { readQueue } from '../core/api.js';
import { count, span } from '../core/format.js';
import { positionOf } from '../core/store.js';

const part = 100;
// The most tracks whose time is added up; of a longer queue only the number is said.
const most = 3000;

let known = { key: null, seconds: null };
// The functions of all who wait for the time that is being read.
const waiting = new Set();

/** Returns the seconds of the tracks after the current one; null while they are read, or if there are too many. */
function secondsAfter(room, queue, changed) {
  const first = (queue.current ?? -1) + 1;
  const key = `${room.name} ${queue.revision} ${first}`;
  if (known.key !== key) begin(room, queue, first, key);
  if (known.seconds === null) waiting.add(changed);
  return known.seconds;
}

/** Adds up the seconds of a queue from its track `first` on, or begins to read them. */
function begin(room, queue, first, key) {
  known = { key, seconds: null };
  waiting.clear(); // Those who waited for the former queue ask again, as it has changed.
  const left = queue.count - first;
  const offset = first - queue.first;
  const sum = (items) => items.reduce((all, { durationSeconds = 0 }) => all + durationSeconds, 0);
  if (offset >= 0 && queue.first + queue.items.length >= queue.count) known.seconds = sum(queue.items.slice(offset));
  else if (left <= most) read(room.name, first, queue.count, key, sum).catch(() => {}); // The number is said alone.
}

async function read(room, first, end, key, sum) {
  let seconds = 0;
  for (let at = first; at < end; at += part) {
    const { items } = await readQueue(room, at, Math.min(part, end - at));
    if (known.key !== key) return;
    seconds += sum(items);
  }
  known.seconds = seconds;
  const callers = [...waiting];
  waiting.clear();
  for (const caller of callers) caller();
}

/** Returns what is left as words: `14 tracks left · 52 minutes`. `changed` is called once the time is read. */
export function leftWords(room, queue, changed) {
  if (!room || !queue?.count) return '';
  const left = queue.count - (queue.current ?? -1) - 1;
  const after = secondsAfter(room, queue, changed);
  const now = queue.current === null ? 0 : Math.max(0, (room.durationSeconds ?? 0) - positionOf(room));
  const time = after === null ? null : after + now;
  return [`${count(left, 'track')} left`, time ? span(time) : null].filter(Boolean).join(' · ');
}
