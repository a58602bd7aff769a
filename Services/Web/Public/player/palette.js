// The colours of what plays. Tracks carry none, so they are those of their album, read once.
import { albumPath, read } from '../core/api.js';

const known = new Map();
const most = 200;

/** Notes the colours of an album that was read for another reason. */
export function notePalette(id, palette) {
  known.set(id, Promise.resolve(palette ?? null));
  if (known.size > most) known.delete(known.keys().next().value);
}

/** Calls `run` with the colours of a track's album, or null. */
export async function paletteOf(track, run) {
  const id = track?.albumID;
  if (!id) {
    run(null);
    return;
  }
  if (!known.has(id)) {
    known.set(id, read(albumPath(id)).then((album) => album.palette ?? null).catch(() => {
      known.delete(id);
      return null;
    }));
  }
  run(await known.get(id));
}
