// A list of notes, marks or todos, read in pages, with its empty, loading and failed states.
import { h, reconcile, setText } from '../core/dom.js';
import { onFact } from '../core/events.js';
import { showError } from '../parts/banners.js';
import { againButton, moreButton } from '../parts/controls.js';

const pageLength = 50;
const mostOfPage = 200;
// The time in milliseconds between a change elsewhere and reading the list again.
const pause = 200;

/**
 * Returns a list. `page(after, limit)` reads a page, `keyOf(item)` names an item, `make(item)` returns its element with
 * the functions `show(item)` and, if it must not vanish now, `isBusy()`. `empty()` returns what is shown without items.
 * The list is read again after facts of the kind `fact`. `read(items, isWhole)` is called after each reading.
 */
export function makeList({ label, page, keyOf, make, empty, fact, read = null, kind = 'garden-list' }) {
  const list = h('ul', { class: kind, 'aria-label': label, hidden: true });
  const said = h('div', { class: 'garden-said' });
  let items = [];
  let next = null;
  let [isRead, isFresh, reading] = [false, false, 0];
  let soon = 0;
  let stop = () => {};

  const show = () => {
    // An entry that somebody edits stays, even if another device has deleted it meanwhile.
    const keys = new Set(items.map((item) => String(keyOf(item))));
    const busy = [...list.children]
      .filter((one) => one.isBusy?.() && !keys.has(one.dataset.key)).map(({ item }) => item);
    const at = [...list.children].findIndex((one) => one.contains(document.activeElement));
    reconcile(list, [...busy, ...items], keyOf, make, (one, item) => {
      one.item = item;
      one.show(item);
    });
    list.hidden = !list.childElementCount;
    if (list.hidden) said.replaceChildren(...[empty()].flat());
    else said.replaceChildren();
    more.hidden = !next;
    read?.(items, !next);
    if (at < 0 || list.contains(document.activeElement)) return;
    // The entry that had the focus is gone. The next one gets it.
    const then = list.children[Math.min(at, list.childElementCount - 1)]?.querySelector('button')
      ?? element.closest('.screen')?.querySelector('h1');
    then?.focus({ preventScroll: true });
  };
  const failed = (error) => said.replaceChildren(h('div', { class: 'row wrap', role: 'alert' },
    h('p', { class: 'problem-line', text: error.message }),
    againButton(() => element.load())));
  const more = moreButton(async () => {
    const found = await page(next, pageLength);
    const known = new Set(items.map(keyOf));
    items = items.concat(found.items.filter((item) => !known.has(keyOf(item))));
    next = found.next ?? null;
    show();
    return Boolean(next);
  });
  more.hidden = true;
  const element = h('div', {}, said, list, h('p', { class: 'row garden-more' }, more));
  /**
   * Reads the list from its beginning, as long as it is now. Resolves when it is shown, or when a later reading has
   * begun.
   */
  element.load = async () => {
    const mine = reading += 1;
    if (!isRead) said.replaceChildren(h('p', { class: 'soft', role: 'status', text: 'Loading …' }));
    try {
      const found = await page(null, Math.min(mostOfPage, Math.max(pageLength, items.length)));
      if (mine !== reading) return;
      items = found.items;
      next = found.next ?? null;
      [isRead, isFresh] = [true, true];
      show();
    } catch (error) {
      if (mine !== reading) return;
      if (isRead) showError(error);
      else failed(error);
    }
  };
  element.start = () => {
    stop();
    if (!isFresh) element.load();
    const end = onFact(({ kind: one }) => {
      if (one !== fact && one !== 'page.reset') return;
      clearTimeout(soon);
      soon = setTimeout(element.load, pause);
    });
    stop = () => {
      clearTimeout(soon);
      end();
      isFresh = false;
    };
  };
  element.stop = () => stop();
  return element;
}

/** Returns the words of a count in a heading, as in `3 notes` or `50 notes and more`. */
export function setCount(element, items, isWhole, words) {
  setText(element, items.length ? `${words(items)}${isWhole ? '' : ' and more'}` : '');
}
