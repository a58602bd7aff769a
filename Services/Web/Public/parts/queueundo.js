// Undo for a queue that was cleared or replaced: the page remembers the queue as it was, and queues its tracks again.
import { editQueue, play, readQueue, sendCommand } from '../core/api.js';
import { count } from '../core/format.js';
import { currentRoom, positionOf, queueOf } from '../core/store.js';
import { showBanner, showError } from './banners.js';

// The number of tracks that one request reads, and that one request plays.
const [partSize, loadSize] = [100, 500];
// The greatest number of tracks that are remembered before a queue is cleared, and before it is replaced: music that a
// person starts must not wait for many requests.
const [clearLimit, replaceLimit] = [2000, 500];

/** Reads all tracks of a queue; returns null if it changes meanwhile. */
async function readItems(room, queue) {
  // The event stream has sent all of a short queue.
  if (queue.items.length === queue.count) return queue.items;
  const starts = Array.from({ length: Math.ceil(queue.count / partSize) }, (_, number) => number * partSize);
  const parts = await Promise.all(starts.map((first) => readQueue(room.name, first, partSize)));
  const items = parts.flatMap((part) => part.items);
  return parts.every(({ revision }) => revision === queue.revision) && items.length === queue.count ? items : null;
}

/**
 * Returns what is needed to restore the queue of a room as it is now: its tracks, the current one and the position in
 * it, and what follows. Returns null if the queue is empty, longer than `limit`, or cannot be read.
 */
export async function rememberQueue(room, limit = replaceLimit) {
  const queue = queueOf(room);
  if (!queue?.count || queue.count > limit) return null;
  const { current, continuation = null } = queue;
  const [seconds, isPlaying] = [positionOf(room), room.state === 'playing' || room.state === 'buffering'];
  try {
    const items = await readItems(room, queue);
    return items && { ids: items.map(({ id }) => id), current, continuation, seconds, isPlaying };
  } catch {
    return null; // Undo is then not offered.
  }
}

async function restore(room, { ids, current, continuation, seconds, isPlaying }) {
  if (current === null) {
    // Nothing sounded, so nothing starts.
    for (let at = 0; at < ids.length; at += loadSize) await play(ids.slice(at, at + loadSize), { room, mode: 'later' });
    return;
  }
  const first = ids.slice(0, loadSize);
  const isAmongFirst = current < first.length;
  await play(first, { room, startAt: isAmongFirst ? current : 0, continues: ids.length > loadSize ? null : continuation });
  if (!isAmongFirst) await sendCommand(room, { action: 'stop' });
  else if (!isPlaying) await sendCommand(room, { action: 'pause' });
  for (let at = loadSize; at < ids.length; at += loadSize) await play(ids.slice(at, at + loadSize), { room, mode: 'later' });
  if (!isAmongFirst) {
    await sendCommand(room, { action: 'jump', index: current });
    if (!isPlaying) await sendCommand(room, { action: 'pause' });
  }
  await sendCommand(room, { action: 'seek', seconds });
}

/** Shows a message with the action Undo, if there is something to restore: a queue of which a track was current. */
export function offerUndo(room, former, message) {
  if (!former || former.current === null) return;
  showBanner(message, { key: 'queue-undo', action: { name: 'Undo', run: () => restore(room, former).catch(showError) } });
}

/** Clears the queue of the shown room, and offers to restore it. Asks first if the queue is too long for that. */
export async function clearQueue() {
  const room = currentRoom();
  const total = queueOf(room)?.count;
  if (!total) return;
  const former = await rememberQueue(room, clearLimit);
  if (!former && !confirm(`Clear all ${count(total, 'track')}? The queue cannot be restored afterwards.`)) return;
  try {
    await editQueue(room.name, { action: 'clear' });
    showBanner('The queue was cleared.', { key: 'queue-undo', action: former && { name: 'Undo', run: () => restore(room.name, former).catch(showError) } });
  } catch (error) {
    showError(error);
  }
}
