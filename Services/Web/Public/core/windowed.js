// A window on a long list: only the rows that can be seen, and two above and below, stand in the document.
import { h, reconcile, setVars } from './dom.js';

// Browsers lay out no element that is taller (Firefox gives up at 17.9 million pixels, Chromium at 33.5 million).
const tallest = 17_000_000;
const beyond = 2;

/** Shows a list (see pages.js) in rows of one or more columns, as the page is scrolled. */
export class Windowed {
  #source = null;
  #shape = { columns: 1, row: 60 };
  #range = [-1, -1];
  #scheduled = false;
  #top = 0;
  #speed = 0;
  #resting = 0;
  // How many places are left free before the first item, so that what is seen keeps its column.
  #lead = 0;

  /**
   * `measure(width)` answers `{ columns, row, vars }`: how many fit, how tall a row is, and what the style needs to know.
   * `make()` makes an element, `update(element, item, index)` fills it; an item that is not there yet is undefined.
   */
  constructor({ tag = 'ul', kind, label, measure, make, update }) {
    Object.assign(this, { measure, make, update });
    this.list = h(tag, { class: kind, 'aria-label': label });
    this.element = h('div', { class: 'window' }, this.list);
    this.size = new ResizeObserver(() => this.#measure());
    this.scrolled = () => this.#schedule();
  }

  get columns() {
    return this.#shape.columns;
  }

  /** The place of the first item that is wholly in sight. */
  get first() {
    const above = Math.max(0, scrollY - this.#offset());
    const place = Math.round(above / this.#shape.row) * this.#shape.columns - this.#lead;
    return Math.min(Math.max(0, place), Math.max(0, (this.#source?.total ?? 1) - 1));
  }

  show(source) {
    this.#source = source;
    this.#lead = 0;
    this.#range = [-1, -1];
    this.#measure();
  }

  start() {
    addEventListener('scroll', this.scrolled, { passive: true });
    this.size.observe(this.element);
    this.#measure();
  }

  stop() {
    removeEventListener('scroll', this.scrolled);
    this.size.disconnect();
  }

  /** Shows what has changed in the items. */
  refresh() {
    this.#range = [-1, -1];
    this.#draw();
  }

  /** Scrolls to a place. */
  reach(index, { keep = false } = {}) {
    const top = this.#offset() + Math.floor((index + this.#lead) / this.#shape.columns) * this.#shape.row;
    const isSeen = top >= scrollY + 60 && top + this.#shape.row <= scrollY + innerHeight - 100;
    if (!keep || !isSeen) scrollTo({ top: Math.max(0, keep && top > scrollY ? top - innerHeight + this.#shape.row + 130 : top - 80), behavior: 'instant' });
    this.#draw();
  }

  /** Keeps what is seen where it is, in its column as well, though `moved` items came before it. */
  shift(moved) {
    const { columns, row } = this.#shape;
    const lead = (((this.#lead - moved) % columns) + columns) % columns;
    const rows = (moved + lead - this.#lead) / columns;
    this.#lead = lead;
    this.#fit();
    if (rows) scrollBy({ top: rows * row, behavior: 'instant' });
    this.refresh();
  }

  /** The element at a place, if it is in the document. */
  at(index) {
    return this.list.querySelector(`:scope > [data-key="${index}"]`);
  }

  #offset() {
    return this.element.getBoundingClientRect().top + scrollY;
  }

  #measure() {
    const width = this.list.clientWidth;
    if (!width) return;
    const shape = this.measure(width);
    const before = this.#shape;
    const index = this.first;
    this.#shape = shape;
    if (before.columns !== shape.columns) this.#lead = 0;
    setVars(this.list, shape.vars ?? {});
    if (this.#fit() && before.columns !== shape.columns && index) this.reach(index);
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
    const above = Math.max(0, Math.floor(top / row) - beyond);
    const first = Math.max(0, above * columns - this.#lead);
    const last = Math.min(source.total, (Math.ceil((top + innerHeight) / row) + beyond) * columns - this.#lead);
    // Whoever flies past is not read for; where they come to rest is.
    clearTimeout(this.#resting);
    if (this.#speed > 6) this.#resting = setTimeout(() => this.#rest(first, last), 90);
    else source.want(first, last - 1);
    if (first === this.#range[0] && last === this.#range[1]) return;
    this.#range = [first, last];
    setVars(this.list, { '--from': `${above * row}px`, '--lead': above ? null : this.#lead + 1 });
    const places = Array.from({ length: Math.max(0, last - first) }, (_, offset) => first + offset);
    reconcile(this.list, places, (index) => index, this.make, (element, index) => this.update(element, source.get(index), index));
  }

  #rest(first, last) {
    this.#speed = 0;
    this.#source?.want(first, last - 1);
  }
}

/** Lets the arrow keys move from item to item of a windowed list. */
export function wireArrows(windowed, total) {
  windowed.list.addEventListener('keydown', (event) => {
    const item = event.target.closest('[data-key]');
    if (!item || event.ctrlKey || event.metaKey || event.altKey || event.target.matches('input')) return;
    const { columns } = windowed;
    const step = { ArrowDown: columns, ArrowUp: -columns, ...(columns > 1 ? { ArrowRight: 1, ArrowLeft: -1 } : {}) }[event.key];
    const index = Number(item.dataset.key) + (step ?? 0);
    if (!step || index < 0 || index >= total()) return;
    event.preventDefault();
    windowed.reach(index, { keep: true });
    windowed.at(index)?.querySelector('a, button')?.focus({ preventScroll: true });
  });
}
