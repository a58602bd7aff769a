// Pictures of artists in lists that have only their names: each is read when its card is in the document.
import { artistPath, read } from '../core/api.js';

// The number of artists that are read at a time.
const most = 4;
const known = new Map();
// The requests that have no answer yet, by the ids of their artists: several cards may show one artist.
const requests = new Map();
const waiting = [];
let running = 0;

async function readPicture(id) {
  const { art, albums = [] } = await read(artistPath(id));
  const withCover = albums.find((album) => album.art);
  known.set(id, { art: art ?? withCover?.art ?? null, palette: withCover?.palette });
}

/** Reads the picture of an artist once, for all who wait for it. */
function requestPicture(id) {
  if (!requests.has(id)) requests.set(id, readPicture(id).finally(() => requests.delete(id)));
  return requests.get(id);
}

async function readNext() {
  // The card that came last is in view, and those before it may have been scrolled away.
  const next = waiting.pop();
  if (!next || running >= most) return next && waiting.push(next);
  const { id, isWanted, found } = next;
  if (!isWanted()) return readNext();
  running += 1;
  try {
    if (!known.has(id)) await requestPicture(id);
    if (isWanted()) found(known.get(id));
  } catch {
    // The card shows a drawing until it is shown again.
  } finally {
    running -= 1;
  }
  return readNext();
}

/**
 * Returns the picture of an artist, `{ art, palette }`; else an empty one, and calls `found` with it once it is read.
 */
export function pictureOf(id, isWanted, found) {
  if (known.has(id)) return known.get(id);
  waiting.push({ id, isWanted, found });
  readNext();
  return {};
}
