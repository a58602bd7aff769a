// Undo for a queue that was cleared or replaced: its room has kept it whole.
import { editQueue, move, sendCommand } from '../core/api.js';
import { roomTitle } from '../core/format.js';
import { chooseRoom, currentRoom, queueOf, roomNamed, subscribe } from '../core/store.js';
import { hideBanner, showBanner, showError } from './banners.js';

const key = 'queue-undo';
// Ends the watch over the queue for which Undo was offered last.
let endWatch = () => {};

const plays = (room) => room?.state === 'playing' || room?.state === 'buffering';

/** Returns what is needed to restore the queue of a room as it is now; null if the queue is empty. */
export function rememberQueue(room) {
  const queue = queueOf(room);
  return queue?.count ? { wasCurrent: queue.current !== null, wasPlaying: plays(room) } : null;
}

async function restore(name, { wasPlaying }) {
  // A queue that was paused must not sound for a moment.
  if (!wasPlaying && plays(roomNamed(name))) await sendCommand(name, { action: 'pause' });
  await editQueue(name, { action: 'restore' });
  if (wasPlaying) await sendCommand(name, { action: 'resume' });
}

/**
 * Hides Undo once somebody else has replaced, cleared or filled a queue from the state on for which `isBegun(queue)` is
 * true: a room keeps only the queue that went last, so Undo would bring back another one. A queue that was filled keeps
 * entries. `watched` are pairs of a room's name and `isBegun`.
 */
function hideWhenReplaced(...watched) {
  const known = new Map();
  endWatch();
  endWatch = subscribe(({ queues }) => {
    for (const [name, isBegun] of watched) {
      const queue = queues.get(name);
      const entries = known.get(name);
      if (!queue || (!entries && !isBegun(queue))) continue;
      const now = queue.items.map(({ entry }) => entry);
      const isSame = !entries || (entries.length ? now.some((entry) => entries.includes(entry)) : !now.length);
      known.set(name, now);
      if (!isSame) hideBanner(key);
    }
  });
}

const since = (revision) => (queue) => queue.revision >= revision;

function showUndo(name, former, message, revision) {
  showBanner(message, { key, action: { name: 'Undo', run: () => restore(name, former).catch(showError) } });
  hideWhenReplaced([name, since(revision)]);
}

/**
 * Shows a message with the action Undo, if there is something to restore: a queue of which a track was current.
 * `revision` is that of the queue which replaced it.
 */
export function offerUndo(name, former, message, revision) {
  if (former?.wasCurrent) showUndo(name, former, message, revision);
}

/** Clears the queue of the shown room, and offers to restore it. */
export async function clearQueue() {
  const room = currentRoom();
  const former = rememberQueue(room);
  if (!former) return;
  try {
    const { revision } = await editQueue(room.name, { action: 'clear' });
    showUndo(room.name, former, 'The queue was cleared.', revision);
  } catch (error) {
    showError(error);
  }
}

/** Moves the music of a room to another room, shows that room, and offers to bring back what both had. */
export async function moveMusic(from, to) {
  const former = rememberQueue(roomNamed(to));
  const takeBack = async () => {
    await move(to, from);
    chooseRoom(from);
    if (former?.wasCurrent) await restore(to, former);
  };
  try {
    const { queueRevision } = await move(from, to);
    chooseRoom(to);
    showBanner(`The music now plays in ${roomTitle(to)}.`,
      { key, action: { name: 'Undo', run: () => takeBack().catch(showError) } });
    hideWhenReplaced([to, since(queueRevision)], [from, ({ count }) => !count]);
  } catch (error) {
    showError(error);
  }
}
