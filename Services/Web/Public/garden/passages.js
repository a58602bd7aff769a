// Plays the passage that a note is about.
import { albumPath, play, read, readAllPages, sendCommand, trackPath } from '../core/api.js';
import { currentRoom } from '../core/store.js';
import { offerUndo, rememberQueue } from '../parts/queueundo.js';

/** Returns the arguments of `play` for a track: its album from this track on, so that the music goes on after it. */
async function placeOf(id) {
  const { albumID } = await read(trackPath(id));
  const { tracks } = await readAllPages(albumPath(albumID), ['tracks']);
  const startAt = tracks.findIndex((one) => one.id === id);
  return startAt < 0 ? [[id], {}] : [[albumID], { startAt }];
}

/** Plays the track of a note from its position on, in the room that is shown. */
export async function playPassage({ on, position }) {
  const room = currentRoom();
  const seconds = position / 1000;
  if (room?.track?.id === on.id) {
    await sendCommand(room.name, { action: 'seek', seconds, ...(room.entry ? { entry: room.entry } : {}) });
    if (room.state !== 'playing' && room.state !== 'buffering') await sendCommand(room.name, { action: 'resume' });
    return;
  }
  const former = rememberQueue(room);
  const [ids, options] = await placeOf(on.id);
  const done = await play(ids, { room: room?.name ?? null, ...options });
  await sendCommand(done.room, { action: 'seek', seconds });
  offerUndo(done.room, former, `The queue was replaced by a passage of “${on.title}”.`, done.queue.revision);
}
