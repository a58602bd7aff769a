// Edits of a queue that can be taken back: an entry is moved or removed, or tracks are added. Each change is announced.
import { editQueue, play, readQueue } from '../core/api.js';
import { announce } from '../core/announce.js';
import { currentRoom } from '../core/store.js';
import { descriptionOf } from '../parts/actions.js';
import { showBanner, showError } from '../parts/banners.js';

const part = 100;
// The most added tracks that are taken back, as each is removed by a request of its own.
const mostAdded = 60;

function offerUndo(key, message, run) {
  showBanner(message, { key, action: { name: 'Undo', run: () => run().catch(showError) } });
}

/** Returns the index of an entry in a room's queue; null if it is not there any more. */
async function indexOf(room, entry) {
  for (let first = 0, count = 1; first < count; first += part) {
    const queue = await readQueue(room, first, part);
    const at = queue.items.findIndex((item) => item.entry === entry);
    if (at >= 0) return queue.first + at;
    count = queue.count;
  }
  return null;
}

/** Moves an entry of the shown room's queue to the index `to`. Returns true if that has succeeded. */
export async function moveEntry({ item, index, count }, to) {
  const room = currentRoom()?.name;
  if (!room) return false;
  try {
    await editQueue(room, { action: 'move', index, to, entry: item.entry });
    announce(`${item.title} is now at place ${to + 1}${count ? ` of ${count}` : ''}.`);
    if (Math.abs(to - index) < 2) return true; // A step by a key is taken back by the other key.
    offerUndo('queue-moved', `“${item.title}” was moved.`, async () => {
      const at = await indexOf(room, item.entry);
      if (at !== null) await editQueue(room, { action: 'move', index: at, to: index, entry: item.entry });
    });
    return true;
  } catch (error) {
    showError(error);
    return false;
  }
}

/** Adds a removed entry again at its old index. */
async function putBack(room, item, index) {
  const again = item.described ? [[], { described: [descriptionOf(item)] }] : [[item.id], {}];
  const { queue } = await play(again[0], { ...again[1], room, mode: 'later' });
  const last = queue.count - 1;
  const { items: [added] } = await readQueue(room, last, 1);
  if (added && index < last) await editQueue(room, { action: 'move', index: last, to: index, entry: added.entry });
}

/** Removes an entry of the shown room's queue. */
export async function removeEntry({ item, index }) {
  const room = currentRoom()?.name;
  if (!room) return;
  try {
    await editQueue(room, { action: 'remove', index, entry: item.entry });
    offerUndo('queue-removed', `“${item.title}” was removed from the queue.`, () => putBack(room, item, index));
  } catch (error) {
    showError(error);
  }
}

/** Returns the entries that `count` added tracks have: at the end of the queue, or after the current track. */
async function addedEntries(room, mode, count, queue) {
  const first = mode === 'next' && (queue.current ?? null) !== null ? queue.current + 1 : queue.count - count;
  const { items } = await readQueue(room, Math.max(0, first), count);
  return items.map(({ entry }) => entry);
}

/** Says that tracks were added to a queue, and offers to take that back. `done` is the answer to the request. */
export async function offerTakingBack({ room, tracks, queue }, mode, message) {
  if (!tracks || tracks > mostAdded) return showBanner(message, { key: 'queued' });
  const entries = await addedEntries(room, mode, tracks, queue).catch(() => []);
  if (!entries.length) return showBanner(message, { key: 'queued' });
  return offerUndo('queued', message, async () => {
    for (const entry of entries.toReversed()) {
      const at = await indexOf(room, entry);
      if (at !== null) await editQueue(room, { action: 'remove', index: at, entry });
    }
    announce('It was taken out of the queue again.');
  });
}
