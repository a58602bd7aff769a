// Undo for a queue that was cleared or replaced: its room has kept it whole.
import { editQueue, sendCommand } from '../core/api.js';
import { currentRoom, queueOf, roomNamed } from '../core/store.js';
import { showBanner, showError } from './banners.js';

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

function showUndo(name, former, message) {
  showBanner(message, { key: 'queue-undo', action: { name: 'Undo', run: () => restore(name, former).catch(showError) } });
}

/** Shows a message with the action Undo, if there is something to restore: a queue of which a track was current. */
export function offerUndo(name, former, message) {
  if (former?.wasCurrent) showUndo(name, former, message);
}

/** Clears the queue of the shown room, and offers to restore it. */
export async function clearQueue() {
  const room = currentRoom();
  const former = rememberQueue(room);
  if (!former) return;
  try {
    await editQueue(room.name, { action: 'clear' });
    showUndo(room.name, former, 'The queue was cleared.');
  } catch (error) {
    showError(error);
  }
}
