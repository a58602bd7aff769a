// What can be done with music, wherever it is met: play, next, later, shuffle, rate; each says what came of it.
import { edit, play, rate, steer } from '../core/api.js';
import { currentRoom, expect, listFrom } from '../core/store.js';
import { roomTitle } from '../core/words.js';
import { complain, say } from './banners.js';

/** Steers the room that is shown. */
export function command(body) {
  const room = currentRoom();
  if (room) steer(room.name, body).catch(complain);
}

/** Changes the queue of the room that is shown. */
export function change(body) {
  const room = currentRoom();
  return room ? edit(room.name, body).catch(complain) : Promise.resolve();
}

/** What stands for the track of an album, an artist or a list until the room says which it is. */
function placeholder(thing) {
  if (thing.albumID) return thing;
  const { title, artist = '', art = null, palette = null } = thing;
  return { title, artist, album: title, albumArtist: artist, albumID: thing.trackCount === undefined ? null : thing.id, art, palette };
}

/**
 * Puts a thing with an `id` and a `title` into the queue: `mode` is `now`, `next` or `later`. From an album that is
 * played now the music goes on in the list that a person looks at. `first` is the track it begins with, where that is known.
 */
export async function put(thing, mode = 'now', { startAt = 0, shuffle = false, ids = [thing.id], first = null } = {}) {
  const continues = thing.trackCount !== undefined && thing.artist !== undefined && ids.length === 1 ? listFrom(thing.id) : null;
  const takeBack = mode === 'now' && currentRoom() ? expect(currentRoom().name, first ?? placeholder(thing)) : () => {};
  try {
    const done = await play(ids, { room: currentRoom()?.name ?? null, mode, startAt, shuffle, continues });
    if (mode === 'now') return;
    const where = roomTitle(done.room);
    say(mode === 'next' ? `“${thing.title}” comes next in ${where}.` : `“${thing.title}” was added to the queue in ${where}.`, { key: 'queued' });
  } catch (error) {
    takeBack();
    complain(error);
  }
}

/** Rates a thing; null takes the rating back. Answers whether it was taken. */
export async function rateThing(id, stars) {
  try {
    await rate(id, stars);
    return true;
  } catch (error) {
    complain(error);
    return false;
  }
}

/** Plays or pauses; with nothing current the queue starts from its top. */
export function toggle(queue) {
  const room = currentRoom();
  if (!room) return;
  if (room.state === 'playing' || room.state === 'buffering') command({ action: 'pause' });
  else if (room.track) command({ action: 'resume' });
  else if (queue?.count) command({ action: 'jump', index: 0 });
}
