// Choosing several rows or cards of a list, for what is then done with all of them. While it goes on, a press chooses a
// row, and with Shift all from the last one to it. Escape ends it.
import { h, setText } from '../core/dom.js';
import { enqueue } from './actions.js';
import { showError } from './banners.js';
import { textButton } from './controls.js';
import { features } from './features.js';

let current = null;

/** The choice within one list. There is one at a time: `begin` ends another one. */
export class Selection {
  #chosen = new Map();
  #last = 0;
  #lastKey = null;
  #kind;
  #source;
  #bar;
  #words = h('b', { role: 'status' });

  /**
   * `kind` is what differs between rows and cards: the `label` of the bar, the `target` in a row that is pressed,
   * `tell(selection)`, which says which selection presses belong to, with null at the end, and `show(target,
   * isChosen)`, with null at the end.
   *
   * `source` is null for a list whose rows are all in the document, whose items `shown(row)` returns. That of a long
   * list has `itemAt(index)`, `count()` and, for rows that may not be read yet, `between(first, last)`, which resolves
   * to the items between two indices; its rows have their index as key.
   */
  constructor(list, kind, source) {
    this.list = list;
    this.#kind = kind;
    this.#source = { isLong: Boolean(source), ...(source ?? {
      itemAt: (index) => kind.shown(list.children[index]), count: () => list.children.length,
    }) };
    this.#bar = h('div', { class: 'selection', role: 'toolbar', 'aria-label': kind.label }, this.#words,
      kind.buttons(this, source),
      textButton('All', 'check', () => this.#chooseRange(0, this.#source.count() - 1), { kind: 'quiet' }),
      textButton('Done', null, () => this.end()));
  }

  /** Returns a button that does something with all that is chosen, and ends the choice unless `run` returns false. */
  button(name, picture, run) {
    return textButton(name, picture, () => {
      const items = this.items();
      const done = items.length > 0 && run(items);
      if (done === false) return;
      Promise.resolve(done).catch(showError);
      this.end();
    }, { kind: 'quiet' });
  }

  /**
   * Returns the buttons that play, queue or add what is chosen to a playlist. `itemOf(items)` returns it as one item
   * with `ids`, and the `first` track if it is known; null if there is nothing to play.
   */
  musicButtons(itemOf) {
    const queue = (mode) => (items) => {
      const item = itemOf(items);
      return item ? enqueue(item, mode, { ids: item.ids, first: item.first ?? null }) : false;
    };
    return [
      this.button('Play', 'play', queue('now')),
      this.button('Play next', 'queueNext', queue('next')),
      this.button('Play later', 'queueLater', queue('later')),
      textButton('Add to playlist', 'playlists', () => {
        const item = itemOf(this.items());
        if (item) features.addToPlaylist(item, () => this.end());
      }, { kind: 'quiet' }),
    ];
  }

  /** Returns what is chosen, in the order of the list. */
  items() {
    return [...this.#chosen].sort(([one], [other]) => one - other).map(([, item]) => item);
  }

  #indexOf(row) {
    return this.#source.isLong ? Number(row.dataset.key) : [...this.list.children].indexOf(row);
  }

  #handleKey = (event) => {
    if (event.key !== 'Escape' || document.querySelector('.menu, dialog[open]')) return;
    event.preventDefault();
    this.end();
  };

  #leave = () => this.end(false);

  /** Begins with a row, which is the first one; with the one in its place if the list was drawn anew meanwhile. */
  begin(first) {
    const place = `:scope > [data-key="${CSS.escape(first.dataset.key ?? '')}"]`;
    const row = first.parentElement === this.list ? first : this.list.querySelector(place);
    if (!row) return;
    current?.end(false);
    current = this;
    document.querySelector('#main').append(this.#bar);
    addEventListener('keydown', this.#handleKey);
    addEventListener('hashchange', this.#leave);
    this.#kind.tell(this);
    this.list.classList.add('selecting');
    this.press(row, false);
    row.querySelector(this.#kind.target).focus({ preventScroll: true });
  }

  /** Ends the choice; with `givesBack` the focus returns to the row that was pressed last. */
  end(givesBack = true) {
    current = null;
    this.#bar.remove();
    removeEventListener('keydown', this.#handleKey);
    removeEventListener('hashchange', this.#leave);
    this.#kind.tell(null);
    this.list.classList.remove('selecting');
    const { target, show } = this.#kind;
    for (const one of this.list.querySelectorAll(target)) show(one, null);
    if (!givesBack || !this.list.isConnected) return;
    const last = this.list.querySelector(`[data-key="${CSS.escape(this.#lastKey)}"] ${target}`);
    (last ?? this.list.querySelector(target))?.focus({ preventScroll: true });
  }

  /** Chooses a row, or no longer; with `isRange` all from the last one to it. */
  press(row, isRange) {
    const at = this.#indexOf(row);
    const from = this.#last;
    this.#last = at;
    this.#lastKey = row.dataset.key ?? '';
    if (isRange) return this.#chooseRange(Math.min(at, from), Math.max(at, from));
    const item = this.#source.itemAt(at);
    if (this.#chosen.has(at)) this.#chosen.delete(at);
    else if (item) this.#chosen.set(at, item);
    return this.#showAll();
  }

  /** Chooses all rows between two places. Those of a long list that are not read yet are read. */
  async #chooseRange(first, last) {
    const { between, itemAt } = this.#source;
    try {
      const items = between ? await between(first, last)
        : Array.from({ length: last - first + 1 }, (_, offset) => itemAt(first + offset));
      items.forEach((item, offset) => item && this.#chosen.set(first + offset, item));
      this.#showAll();
    } catch (error) {
      showError(error);
    }
  }

  #showAll() {
    setText(this.#words, `${this.#chosen.size} selected`);
    for (const row of this.list.children) this.mark(row);
  }

  /** Shows on a row if it is chosen. */
  mark(row) {
    const target = row.parentElement === this.list && row.querySelector(this.#kind.target);
    if (target) this.#kind.show(target, this.#chosen.has(this.#indexOf(row)));
  }
}
