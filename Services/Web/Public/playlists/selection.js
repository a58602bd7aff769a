// Choosing several tracks of a list, to play, queue, add, remove or move them together. While it goes on, a press on a
// row chooses it, and with Shift all rows from the last one to it; Escape ends it.
import { h, setAttribute, setText } from '../core/dom.js';
import { enqueue } from '../parts/actions.js';
import { showError } from '../parts/banners.js';
import { textButton } from '../parts/controls.js';
import { setSelection, shownIn } from '../parts/trackrow.js';
import { choosePlaylist } from './playlistedits.js';

/** The choice within one list. `many` has what the list's own screen offers: `itemAt`, `count`, `remove`, `first`. */
class Selection {
  #chosen = new Map();
  #last = 0;

  constructor(list, many) {
    Object.assign(this, { list, many });
    const act = (name, picture, run) => textButton(name, picture, () => {
      const tracks = this.#inOrder();
      if (tracks.length && run(tracks) !== false) this.end();
    }, { kind: 'quiet' });
    // Several tracks are queued and added by their ids, which only those in the library have.
    const item = (tracks) => {
      const here = tracks.filter((one) => !one.described);
      return here.length
        ? { ids: here.map(({ id }) => id), title: here.length === 1 ? here[0].title : `${here.length} tracks` }
        : null;
    };
    const withItem = (run) => (tracks) => {
      const found = item(tracks);
      if (!found) return false;
      run(found, tracks.find((one) => !one.described));
      return true;
    };
    this.words = h('b', { role: 'status' });
    this.bar = h('div', { class: 'selection', role: 'toolbar', 'aria-label': 'Selected tracks' }, this.words,
      act('Play', 'play', withItem((found, first) => enqueue(found, 'now', { ids: found.ids, first }))),
      act('Play next', 'queueNext', withItem((found) => enqueue(found, 'next', { ids: found.ids }))),
      act('Play later', 'queueLater', withItem((found) => enqueue(found, 'later', { ids: found.ids }))),
      textButton('Add to playlist', 'playlists', () => {
        const found = item(this.#inOrder());
        if (found) choosePlaylist(found, () => this.end());
      }, { kind: 'quiet' }),
      many?.first && act('Move to the beginning', 'up', (tracks) => many.first(tracks.map(({ entry }) => entry))),
      many?.remove && act('Remove', 'remove', (tracks) => many.remove(tracks.map(({ entry }) => entry))),
      textButton('All', 'check', () => this.#chooseAll(), { kind: 'quiet' }),
      textButton('Done', null, () => this.end()));
    this.keys = (event) => {
      if (event.key !== 'Escape' || document.querySelector('.menu, dialog[open]')) return;
      event.preventDefault();
      this.end();
    };
    this.left = () => this.end(false);
  }

  /** Returns the place of a row in the list. */
  #indexOf(element) {
    return this.many ? Number(element.dataset.key) : [...this.list.children].indexOf(element);
  }

  #itemAt(index) {
    if (this.many) return this.many.itemAt(index);
    return shownIn(this.list.children[index])?.track;
  }

  #inOrder() {
    return [...this.#chosen].sort(([one], [other]) => one - other).map(([, track]) => track);
  }

  begin(element) {
    document.querySelector('#main').append(this.bar);
    addEventListener('keydown', this.keys);
    addEventListener('hashchange', this.left);
    setSelection(this);
    this.list.classList.add('selecting');
    this.press(element, false);
    element.querySelector('button').focus({ preventScroll: true });
  }

  end(givesBack = true) {
    this.bar.remove();
    removeEventListener('keydown', this.keys);
    removeEventListener('hashchange', this.left);
    setSelection(null);
    this.list.classList.remove('selecting');
    for (const row of this.list.querySelectorAll('.track-play')) setAttribute(row, 'aria-pressed', null);
    const row = this.row?.isConnected ? this.row : this.list;
    if (givesBack && row.isConnected) row.querySelector('.track-play')?.focus({ preventScroll: true });
  }

  /** Chooses a row, or no longer. */
  press(element, isRange) {
    const at = this.#indexOf(element);
    this.row = element;
    const from = this.#last;
    this.#last = at;
    if (isRange) return this.#chooseRange(Math.min(at, from), Math.max(at, from));
    this.#choose(at, !this.#chosen.has(at));
    return this.#show();
  }

  /** Chooses all rows between two places. Those of a long list that are not read yet are read. */
  async #chooseRange(first, last) {
    try {
      if (this.many?.between) (await this.many.between(first, last))
        .forEach((track, at) => this.#chosen.set(first + at, track));
      else for (let index = first; index <= last; index += 1) this.#choose(index, true);
      this.#show();
    } catch (error) {
      showError(error);
    }
  }

  #choose(index, isOn) {
    const track = this.#itemAt(index);
    if (track && isOn) this.#chosen.set(index, track);
    else this.#chosen.delete(index);
  }

  #chooseAll() {
    return this.#chooseRange(0, (this.many ? this.many.count() : this.list.children.length) - 1);
  }

  #show() {
    setText(this.words, `${this.#chosen.size} selected`);
    for (const row of this.list.children) this.mark(row);
  }

  /** Shows on a row if it is chosen. */
  mark(element) {
    if (element.parentElement !== this.list) return;
    const button = element.querySelector('.track-play');
    if (button) setAttribute(button, 'aria-pressed', String(this.#chosen.has(this.#indexOf(element))));
  }
}

let current = null;

/** Begins to choose tracks of the list of a row, which is the first one. */
export function startSelection(element) {
  current?.end(false);
  current = new Selection(element.parentElement, shownIn(element)?.options.many ?? null);
  current.begin(element);
}
