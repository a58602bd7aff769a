// The wall decides by the state of its feed (feeds.js) which albums and words it shows, and what it reads.
import { count } from '../core/format.js';

// A library with fewer albums begins a new round only when a person asks for it; it would fill the screen with repeats.
const smallLibrary = 40;

/** Returns true if the next page may be read without being asked for. */
export function mayReadOn({ rounds, error }) {
  const last = rounds.at(-1);
  return Boolean(last) && !error && !(last.isDone && last.tiles.length < smallLibrary);
}

/** Returns true once a feed has something to show: tiles, an error, or that there are none. */
export const hasArrived = (feed) => Boolean(feed.count || feed.error || feed.isOver);

/** Returns what lies over the grid: an `error`, `loading`, that it is `empty`, or null. */
export function overOf({ count: tiles, error, isLoading, isOver }) {
  return tiles ? null : error ? 'error' : isLoading ? 'loading' : isOver ? 'empty' : null;
}

/** Returns what stands below the grid: an `error`, `loading`, or null. */
export function footOf({ count: tiles, error, isLoading }) {
  return !tiles ? null : error ? 'error' : isLoading ? 'loading' : null;
}

/** Returns what a screen reader says when a feed has so many tiles, of which `announced` were said before. */
export function arrivalWords(tiles, announced) {
  return announced && tiles > announced
    ? `${count(tiles - announced, 'more album')}, ${tiles.toLocaleString('en')} in all.` : count(tiles, 'album');
}

/**
 * Returns what stands below a round: null while it goes on, `next` if another one follows, and `asked` if a person has
 * to ask for it.
 */
export function noteBelow({ isDone, tiles }, isLast) {
  return !isDone ? null : isLast && tiles.length < smallLibrary ? 'asked' : 'next';
}
