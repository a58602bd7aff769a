// A list of which only the rows in view, and two above and below them, are in the document.
import { h, reconcile, setAttribute, setVars } from './dom.js';

// The greatest height of an element that all browsers lay out (Firefox stops at 17.9 million pixels, Chromium at 33.5
// million).
const tallest = 17_000_000;
const beyond = 2;

/** Shows a list (see lists.js) in rows of one or more columns while the page is scrolled. */
export class VirtualList {
  #source = null;
  #shape = { columns: 1, row: 60 };
  #range = [-1, -1];
  #width = 0;
  #scheduled = false;
  #top = 0;
  #speed = 0;
  #resting = 0;
  // The items that the elements show, so that those which stay while rows come and go are not updated.
  #shown = new WeakMap();
  // The number of empty places before the first item, which keeps the items in view in their columns when others are
  // added before them.
  #lead = 0;
  // The rows above and below those in view.
  #beyond = beyond;
  // The upper half of the rows in view is made first.
  #isHalf = false;
  #sizes;
  #make;
  #fill;
  #isInSteps;

  /**
   * `measure(width)` returns `{ columns, row, vars }`: the number of columns, the height of a row in pixels, and
   * variables for the style. `make()` returns an empty element, and `update(element, item, index)` fills it; `item` is
   * undefined if it is not read yet. With `isInSteps` one task makes the upper half of the rows in view and another one
   * the lower half; the rows beyond them come a frame later.
   */
  constructor({ tag = 'ul', kind, label, measure, make, update, isInSteps = false }) {
    this.#sizes = measure;
    this.#make = make;
    this.#fill = update;
    this.#isInSteps = isInSteps;
    this.list = h(tag, { class: kind, 'aria-label': label });
    this.element = h('div', { class: 'window' }, this.list);
    // Letters beside the list make it narrower, but not the window. Its height changes with its rows.
    this.size = new ResizeObserver(() => this.list.clientWidth !== this.#width && this.#measure());
    this.scrolled = () => this.#schedule();
  }

  get columns() {
    return this.#shape.columns;
  }

  /** The index of the first item of the first row that is mostly in view. */
  get first() {
    const above = Math.max(0, scrollY - this.#offset());
    const place = Math.round(above / this.#shape.row) * this.#shape.columns - this.#lead;
    return Math.min(Math.max(0, place), Math.max(0, (this.#source?.total ?? 1) - 1));
  }

  show(source) {
    this.#source = source;
    this.#lead = 0;
    this.#range = [-1, -1];
    if (this.#isInSteps) this.#showRestLater();
    this.#measure();
  }

  #showRestLater() {
    this.#beyond = 0;
    this.#isHalf = true;
    setTimeout(() => {
      this.#isHalf = false;
      this.#draw();
    });
    // The first frame is drawn between the two.
    requestAnimationFrame(() => requestAnimationFrame(() => {
      this.#beyond = beyond;
      this.#draw();
    }));
  }

  start() {
    addEventListener('scroll', this.scrolled, { passive: true });
    this.size.observe(this.list);
    this.#measure();
  }

  stop() {
    removeEventListener('scroll', this.scrolled);
    this.size.disconnect();
  }

  /** Updates all elements in the document. */
  refresh() {
    this.#range = [-1, -1];
    this.#shown = new WeakMap();
    this.#draw();
  }

  /** Scrolls to an item; with `keep`, only if the item is not in view. */
  scrollToItem(index, { keep = false } = {}) {
    const top = this.#offset() + Math.floor((index + this.#lead) / this.#shape.columns) * this.#shape.row;
    const isSeen = top >= scrollY + 60 && top + this.#shape.row <= scrollY + innerHeight - 100;
    if (!keep || !isSeen) {
      scrollTo({
        top: Math.max(0, keep && top > scrollY ? top - innerHeight + this.#shape.row + 130 : top - 80),
        behavior: 'instant',
      });
    }
    this.#draw();
  }

  /** Keeps the items in view at their place on screen after `moved` items were added before them. */
  shift(moved) {
    const { columns, row } = this.#shape;
    const lead = (((this.#lead - moved) % columns) + columns) % columns;
    const rows = (moved + lead - this.#lead) / columns;
    this.#lead = lead;
    this.#fit();
    if (rows) scrollBy({ top: rows * row, behavior: 'instant' });
    this.refresh();
  }

  /** Returns the element of an item; null if it is not in the document. */
  at(index) {
    return this.list.querySelector(`:scope > [data-key="${index}"]`);
  }

  #offset() {
    return this.element.getBoundingClientRect().top + scrollY;
  }

  #measure() {
    const width = this.list.clientWidth;
    if (!width) return;
    this.#width = width;
    const shape = this.#sizes(width);
    const before = this.#shape;
    const index = this.first;
    this.#shape = shape;
    if (before.columns !== shape.columns) this.#lead = 0;
    setVars(this.element, shape.vars ?? {});
    if (this.#fit() && before.columns !== shape.columns && index) this.scrollToItem(index);
    this.refresh();
  }

  #fit() {
    const rows = Math.ceil(((this.#source?.total ?? 0) + this.#lead) / this.#shape.columns);
    setVars(this.element, { '--height': `${Math.min(tallest, rows * this.#shape.row)}px` });
    return rows > 0;
  }

  #schedule() {
    const now = scrollY;
    this.#speed = Math.abs(now - this.#top) / this.#shape.row;
    this.#top = now;
    if (this.#scheduled) return;
    this.#scheduled = true;
    requestAnimationFrame(() => {
      this.#scheduled = false;
      this.#draw();
    });
  }

  #draw() {
    const source = this.#source;
    if (!source || !this.element.isConnected) return;
    this.#fit();
    const { columns, row } = this.#shape;
    const top = -this.element.getBoundingClientRect().top;
    const above = Math.max(0, Math.floor(top / row) - this.#beyond);
    const first = Math.max(0, above * columns - this.#lead);
    const below = Math.ceil((top + innerHeight) / row) + this.#beyond;
    const end = this.#isHalf ? Math.ceil((above + below) / 2) : below;
    const last = Math.min(source.total, end * columns - this.#lead);
    // While a person scrolls fast no items are read, only those in view when the scrolling ends.
    clearTimeout(this.#resting);
    if (this.#speed > 6) this.#resting = setTimeout(() => this.#rest(first, last), 90);
    else source.ensure(first, last - 1);
    if (first === this.#range[0] && last === this.#range[1]) return;
    this.#range = [first, last];
    setVars(this.list, { '--from': `${above * row}px`, '--lead': above ? null : this.#lead + 1 });
    const places = Array.from({ length: Math.max(0, last - first) }, (_, offset) => first + offset);
    reconcile(this.list, places,
      (index) => index, this.#make,
      (element, index) => this.#update(element, source.get(index), index));
    setAttribute(this.list, 'aria-busy', places.some((index) => source.get(index) === undefined) ? 'true' : null);
  }

  #update(element, item, index) {
    if (this.#shown.has(element) && this.#shown.get(element) === item) return;
    this.#shown.set(element, item);
    this.#fill(element, item, index);
  }

  #rest(first, last) {
    this.#speed = 0;
    this.#source?.ensure(first, last - 1);
  }
}

/** Lets the arrow keys move the focus from item to item of a list. */
export function wireArrows(view, total) {
  view.list.addEventListener('keydown', (event) => {
    const item = event.target.closest('[data-key]');
    if (!item || event.ctrlKey || event.metaKey || event.altKey || event.target.matches('input')) return;
    const { columns } = view;
    const step = {
      ArrowDown: columns, ArrowUp: -columns, ...(columns > 1 ? { ArrowRight: 1, ArrowLeft: -1 } : {}),
    }[event.key];
    const index = Number(item.dataset.key) + (step ?? 0);
    if (!step || index < 0 || index >= total()) return;
    event.preventDefault();
    view.scrollToItem(index, { keep: true });
    view.at(index)?.querySelector('a, button')?.focus({ preventScroll: true });
  });
}
