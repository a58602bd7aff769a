// The albums of the tracks that were shown, of which the player shows the colours and the rating. Each is read once,
// and again after the catalogue has changed.
import { albumPath, read } from './api.js';

const limit = 200;
// Promises of the albums, by their ids.
const known = new Map();
// The newest call of `withAlbum` for each element.
const calls = new WeakMap();

function keep(id, album) {
  known.delete(id);
  known.set(id, album);
  if (known.size > limit) known.delete(known.keys().next().value);
}

/** Stores an album that was read for another purpose. */
export const cacheAlbum = (album) => keep(album.id, Promise.resolve(album));

/** Discards all albums, as they may have changed. */
export function forgetAlbums() {
  known.clear();
}

function readAlbum(id) {
  const reading = read(albumPath(id)).then((album) => {
    // The colours of a new cover are known a moment after it was first shown.
    if (album.art && !album.palette && known.get(id) === reading) known.delete(id);
    return album;
  }).catch(() => {
    if (known.get(id) === reading) known.delete(id);
    return null;
  });
  keep(id, reading);
  return reading;
}

/** Returns the album of a track; null if there is none or it cannot be read. */
export async function albumOf(track) {
  const id = track?.albumID;
  return id ? known.get(id) ?? readAlbum(id) : null;
}

/**
 * Calls `show(album)` with the album of a track, or with null if there is none or it cannot be read. It is not called
 * if there was a later call for the same element meanwhile, perhaps with another track.
 */
export async function withAlbum(element, track, show) {
  const call = {};
  calls.set(element, call);
  const album = await albumOf(track);
  if (calls.get(element) === call) show(album);
}
