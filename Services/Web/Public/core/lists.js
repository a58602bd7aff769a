// Long lists that are read in parts as they come into view: `IndexedList` by index, if the API returns any part of a
// list, and `CursorList` page after page. Both have `total`, `get(index)`, which returns undefined for an item that is
// not read yet, `ensure(first, last)`, which reads the items in view, and `retry()`, which lets what has failed be read
// again at once.
import { read, readAhead } from './api.js';

/** The time in milliseconds after which a part that could not be read is read again. */
export const retryPause = 3000;

/** A list that is read by index, in chunks of 60 items. */
export class IndexedList {
  static chunk = 60;
  #path;
  #parameters;
  #chunks = new Map();
  #reading = new Map();
  #failed = new Set();
  total;
  // The catalogue's generation of what was read last; undefined before.
  generation;
  error = null;

  /** `total` is the expected number of items; `onChange` is called when items were read or failed. */
  constructor(path, parameters, total, onChange) {
    this.#path = path;
    this.#parameters = parameters;
    this.total = total;
    this.onChange = onChange;
  }

  /** Asks for the first items of a list that is made afterwards. */
  static readAhead(path, parameters) {
    readAhead(path, { ...parameters, limit: IndexedList.chunk, first: 0 });
  }

  get(index) {
    return this.#chunks.get(Math.floor(index / IndexedList.chunk))?.[index % IndexedList.chunk];
  }

  /** Reads the items from `first` to `last`, and cancels earlier requests for other items. */
  ensure(first, last) {
    const [from, to] = [Math.floor(first / IndexedList.chunk), Math.floor(Math.max(first, last) / IndexedList.chunk)];
    for (const number of this.#reading.keys()) if (number < from - 1 || number > to + 1) this.#cancel(number);
    for (let number = from; number <= to; number += 1) if (!this.#chunks.has(number)) this.#load(number);
  }

  /** Cancels a request. The same items can be read again at once. */
  #cancel(number) {
    this.#reading.get(number).abort();
    this.#reading.delete(number);
  }

  /** Reads what failed again at once. */
  retry() {
    this.#failed.clear();
    this.onChange();
  }

  async #readChunk(number, signal) {
    const items = [];
    const start = number * IndexedList.chunk;
    let page;
    do {
      const part = { limit: IndexedList.chunk - items.length, first: start + items.length };
      page = await read(this.#path, { ...this.#parameters, ...part }, signal);
      items.push(...page.items);
    } while (page.items.length && items.length < IndexedList.chunk && start + items.length < page.total);
    return { items, total: page.total, generation: page.generation };
  }

  async #load(number) {
    const isAsked = this.#reading.has(number) || this.#failed.has(number);
    if (isAsked || number * IndexedList.chunk >= Math.max(this.total, 1)) return;
    const control = new AbortController();
    this.#reading.set(number, control);
    try {
      const { items, total, generation } = await this.#readChunk(number, control.signal);
      if (control.signal.aborted) return; // It was asked for ahead, so nothing ended the request.
      this.#chunks.set(number, items);
      Object.assign(this, { total, generation });
      this.error = null;
    } catch (error) {
      if (error.name === 'AbortError') return;
      this.error = error;
      this.#failed.add(number);
      setTimeout(() => {
        this.#failed.delete(number);
        this.onChange();
      }, retryPause);
    } finally {
      if (this.#reading.get(number) === control) this.#reading.delete(number);
    }
    this.onChange();
  }

  /**
   * Reads the items around `index` again, and discards all others. Returns the number of places by which the item at
   * `index` has moved, so that the view can keep it at the same place on screen; 0 if that is not known.
   */
  async reload(index) {
    const anchor = this.get(index)?.id;
    const number = Math.floor(index / IndexedList.chunk);
    const control = new AbortController();
    const fresh = new Map();
    for (const one of [number, number + 1, number - 1]) {
      if (one < 0 || (one > number && one * IndexedList.chunk >= this.total)) continue;
      const { items, total, generation } = await this.#readChunk(one, control.signal);
      Object.assign(this, { total, generation });
      if (items.length) fresh.set(one, items);
    }
    let moved = 0;
    for (const [one, items] of fresh) {
      const at = items.findIndex(({ id }) => id === anchor);
      if (anchor && at >= 0) moved = one * IndexedList.chunk + at - index;
    }
    for (const one of [...this.#reading.keys()]) this.#cancel(one);
    this.#chunks = fresh;
    return moved;
  }
}

/** A list that is read from its beginning, page after page. */
export class CursorList {
  #path;
  #parameters;
  #pick;
  #next = null;
  #reading = false;
  #last = 0;
  #pause = 0;
  items = [];
  isComplete = false;
  error = null;

  /** `pick` returns the items of a page. */
  constructor(path, parameters, onChange, pick = (page) => page.items) {
    this.#path = path;
    this.#parameters = parameters;
    this.#pick = pick;
    this.onChange = onChange;
  }

  /** The number of items that were read, plus 24 as long as there are more. */
  get total() {
    return this.items.length + (this.isComplete ? 0 : 24);
  }

  get(index) {
    return this.items[index];
  }

  async ensure(_, last) {
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
      this.#reading = false;
    } catch (error) {
      this.error = error;
      this.onChange();
      this.#pause = setTimeout(() => this.retry(), retryPause);
    }
  }

  retry() {
    if (!this.#pause) return;
    clearTimeout(this.#pause);
    this.#pause = 0;
    this.#reading = false;
    this.onChange();
  }
}
