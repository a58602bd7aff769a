// Long lists, read in pieces as they are looked at: by place where the service gives any part, else one page after the
// other. Both tell how many there are, give the item at a place or undefined, and read what is wanted.
import { read } from './api.js';

/** A list in which any place can be asked for: only what is looked at is read. */
export class Places {
  static chunk = 60;
  #path;
  #parameters;
  #chunks = new Map();
  #reading = new Map();
  #wanted = [0, 0];
  total;
  error = null;

  /** `total` is how many there are thought to be; `onChange` is called when more is known. */
  constructor(path, parameters, total, onChange) {
    this.#path = path;
    this.#parameters = parameters;
    this.total = total;
    this.onChange = onChange;
  }

  get(index) {
    return this.#chunks.get(Math.floor(index / Places.chunk))?.[index % Places.chunk];
  }

  /** Reads what lies between two places; what was asked for before and is no longer wanted is given up. */
  want(first, last) {
    this.#wanted = [Math.floor(first / Places.chunk), Math.floor(Math.max(first, last) / Places.chunk)];
    for (const [number, control] of this.#reading) if (number < this.#wanted[0] - 1 || number > this.#wanted[1] + 1) control.abort();
    for (let number = this.#wanted[0]; number <= this.#wanted[1]; number += 1) if (!this.#chunks.has(number)) this.#load(number);
  }

  async #readChunk(number, signal) {
    const items = [];
    const start = number * Places.chunk;
    let page;
    do {
      const part = { limit: Places.chunk - items.length, first: start + items.length };
      page = await read(this.#path, { ...this.#parameters, ...part }, signal);
      items.push(...page.items);
    } while (page.items.length && items.length < Places.chunk && start + items.length < page.total);
    return { items, total: page.total };
  }

  async #load(number) {
    if (this.#reading.has(number) || number * Places.chunk >= Math.max(this.total, 1)) return;
    const control = new AbortController();
    this.#reading.set(number, control);
    try {
      const { items, total } = await this.#readChunk(number, control.signal);
      this.#chunks.set(number, items);
      this.total = total;
      this.error = null;
    } catch (error) {
      if (error.name === 'AbortError') return;
      this.error = error;
    } finally {
      this.#reading.delete(number);
    }
    this.onChange();
  }

  /** Tries again what could not be read. */
  again() {
    this.want(this.#wanted[0] * Places.chunk, this.#wanted[1] * Places.chunk);
  }

  /**
   * Reads anew what is looked at from `index` on, and forgets the rest. Answers how far the item at `index` has moved,
   * so that it can be kept where it is seen; 0 where that is not known.
   */
  async renew(index) {
    const anchor = this.get(index)?.id;
    const number = Math.floor(index / Places.chunk);
    const control = new AbortController();
    const fresh = new Map();
    for (const one of [number, number + 1, number - 1]) {
      if (one < 0 || (one > number && one * Places.chunk >= this.total)) continue;
      const { items, total } = await this.#readChunk(one, control.signal);
      this.total = total;
      if (items.length) fresh.set(one, items);
    }
    let moved = 0;
    for (const [one, items] of fresh) {
      const at = items.findIndex(({ id }) => id === anchor);
      if (anchor && at >= 0) moved = one * Places.chunk + at - index;
    }
    for (const running of this.#reading.values()) running.abort();
    this.#chunks = fresh;
    return moved;
  }
}

/** A list that is read from its beginning on, as far as it is looked at. */
export class Trail {
  #path;
  #parameters;
  #pick;
  #next = null;
  #reading = false;
  #last = 0;
  items = [];
  isComplete = false;
  error = null;

  /** `pick` takes the items out of a page. */
  constructor(path, parameters, onChange, pick = (page) => page.items) {
    this.#path = path;
    this.#parameters = parameters;
    this.#pick = pick;
    this.onChange = onChange;
  }

  /** A few more places than are known, as long as more follow. */
  get total() {
    return this.items.length + (this.isComplete ? 0 : 24);
  }

  get(index) {
    return this.items[index];
  }

  async want(first, last) {
    this.#last = last;
    if (this.#reading) return;
    this.#reading = true;
    try {
      while (!this.isComplete && this.#last > this.items.length - 40) {
        const page = await read(this.#path, { ...this.#parameters, limit: 100, after: this.#next });
        this.items.push(...this.#pick(page));
        this.#next = page.next;
        this.isComplete = !page.next;
        this.error = null;
        this.onChange();
      }
    } catch (error) {
      this.error = error;
      this.onChange();
    } finally {
      this.#reading = false;
    }
  }

  again() {
    this.want(0, this.#last);
  }
}
