// The walls and feeds of this page. Each is kept until the page is closed, so that going back shows the same albums at
// the same place.
import { read } from '../core/api.js';
import { onOpinion, opinionOf } from './opinions.js';
import { isOnShelf } from './words.js';

/** Returns what tells the album of a tile apart from others. */
export const keyOf = ({ id, missing, artist, title }) => id ?? missing?.releaseGroup ?? `${artist}\n${title}`;

/** Returns the names of a tile, which stay when an album comes into the library, apart from case and signs. */
const nameOf = ({ artist, title }) =>
  `${artist}\n${title}`.normalize('NFKD').toLowerCase().replace(/[^\p{L}\p{N}\n]/gu, '');

/** A wall, or the feed of a genre, which is read page after page. */
class Feed {
  /** The rounds, each with its tiles. A further round begins after every album of the library was shown. */
  rounds = [];
  /** The name by which the service and a queue know the wall; null before the first page. */
  name = null;
  error = null;
  isLoading = false;
  /** True if there is nothing more to read, which only happens without any album. */
  isOver = false;
  /** The place to which it was scrolled. */
  top = 0;
  /** Is called after each change. */
  changed = () => {};
  #next = null;
  #keys = new Set();
  #control = new AbortController();
  // The tiles of disliked albums with their places, for undo.
  #gone = new Map();

  constructor(genre = null, subs = []) {
    this.genre = genre;
    this.subs = subs;
  }

  get count() {
    return this.rounds.reduce((sum, { tiles }) => sum + tiles.length, 0);
  }

  /** Reads the next page, unless one is being read. The error of a failed reading is in `error`. */
  async load() {
    if (this.isLoading || this.isOver) return;
    this.isLoading = true;
    this.error = null;
    this.changed();
    const path = this.genre ? `genres/${encodeURIComponent(this.genre)}/feed` : 'wall';
    try {
      this.#add(await read(path, this.#next ? { after: this.#next } : { sub: this.subs }, this.#control.signal));
    } catch (error) {
      if (!this.#control.signal.aborted) this.error = error;
    }
    this.isLoading = false;
    this.changed();
  }

  #add({ wall, items, next, round = 1, endsRound = false }) {
    this.name = wall ?? this.name;
    this.#next = next;
    this.isOver = !next;
    let last = this.rounds.at(-1);
    if (items.length && last?.number !== round) {
      last = { number: round, tiles: [], isDone: false };
      this.rounds.push(last);
      this.#keys.clear();
    }
    for (const tile of items) {
      const key = keyOf(tile);
      if (this.#keys.has(key) || opinionOf(tile.id) === 'dislike') continue;
      this.#keys.add(key);
      last.tiles.push(tile);
    }
    if (last) last.isDone = endsRound;
  }

  /**
   * Reads the pages again in which albums are not in the library, as these may have come. The service keeps the wall,
   * so all other tiles stay.
   */
  async refresh() {
    const isAnyMissing = this.rounds.some(({ tiles }) => tiles.some((tile) => !isOnShelf(tile)));
    if (!isAnyMissing || this.isLoading || !this.name) return;
    this.isLoading = true;
    const path = this.genre ? `genres/${encodeURIComponent(this.genre)}/feed` : 'wall';
    const { seed, dial, first } = this.name;
    const found = new Map();
    try {
      let after = null;
      for (let seen = 0; seen < this.count;) {
        const query = after ? { after } : { seed, dial, count: first, sub: this.subs };
        const { items, next } = await read(path, query, this.#control.signal);
        for (const tile of items) found.set(nameOf(tile), tile);
        seen += items.length;
        after = next;
        if (!next || !items.length) break;
      }
      for (const { tiles } of this.rounds) {
        tiles.forEach((tile, at) => {
          const now = isOnShelf(tile) ? null : found.get(nameOf(tile));
          if (now) tiles[at] = now;
        });
      }
    } catch {
      // The tiles stay as they were; the next change of the library has them read again.
    }
    this.isLoading = false;
    this.changed();
  }

  /** Takes a disliked album out. */
  remove(id) {
    for (const { tiles } of this.rounds) {
      const at = tiles.findIndex((tile) => tile.id === id);
      if (at < 0) continue;
      this.#gone.set(id, [...this.#gone.get(id) ?? [], { tiles, at, tile: tiles[at] }]);
      tiles.splice(at, 1);
    }
    if (this.#gone.has(id)) this.changed();
  }

  /** Puts an album back to where it was. */
  restore(id) {
    const places = this.#gone.get(id);
    if (!places) return;
    this.#gone.delete(id);
    for (const { tiles, at, tile } of places) tiles.splice(at, 0, tile);
    this.changed();
  }

  /** Ends the reading. */
  end() {
    this.#control.abort();
    this.changed = () => {};
  }
}

const feeds = new Map();
// The number of walls and feeds that are kept. Of more the one is forgotten that was opened longest ago.
const mostFeeds = 24;

/** Returns the wall, or the feed of a genre, with its former pages if it was read before. */
export function feedOf(genre, subs) {
  const key = JSON.stringify([genre, [...subs].sort()]);
  const feed = feeds.get(key) ?? new Feed(genre, subs);
  feeds.delete(key);
  feeds.set(key, feed);
  if (feeds.size > mostFeeds) {
    const [oldest, former] = feeds.entries().next().value;
    former.end();
    feeds.delete(oldest);
  }
  return feed;
}

/** Forgets all walls and feeds, as the dial has changed or a person wants a new wall. */
export function forgetFeeds() {
  for (const feed of feeds.values()) feed.end();
  feeds.clear();
}

onOpinion((id, opinion) => {
  for (const feed of feeds.values()) {
    if (opinion === 'dislike') feed.remove(id);
    else feed.restore(id);
  }
});
