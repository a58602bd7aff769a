// The words of the full-screen view, and the place of its picture.

/** Returns the title and the artist of the track after the current one; empty if none is known. */
export function nextWords(queue) {
  const at = queue?.current ?? null;
  const next = at === null ? null : queue.items[at + 1 - queue.first];
  return next ? `${next.title} · ${next.artist}` : '';
}

/**
 * Returns by how much the picture is moved at a time, as a value of the style: a little every minute, so that it does
 * not burn into a screen that always shows it.
 */
export function driftAt(time) {
  const turn = time.getMinutes() * 2.4;
  return `${(6 * Math.cos(turn)).toFixed(1)}px ${(6 * Math.sin(turn)).toFixed(1)}px`;
}

/** Returns the milliseconds from a time until the clock shows the next minute. */
export const untilNextMinute = (time) => 60_200 - time.getTime() % 60_000;
