// The filter of the albums: chips of the tags that narrow the list, and the dialog in which a person chooses them.
import { read } from '../core/api.js';
import { h, reconcile, setAttribute, setText } from '../core/dom.js';
import { count } from '../core/format.js';
import { CursorList } from '../core/lists.js';
import { discardScreensOf, navigate, screenIsShown } from '../core/router.js';
import { preference, setPreference } from '../core/preferences.js';
import { isSameTag, kindGroups, kindTitle, placeAddress, tagParameters, tagWords } from '../core/tags.js';
import { showError } from '../parts/banners.js';
import { iconButton, textButton } from '../parts/controls.js';
import { icon } from '../parts/icons.js';

// The kinds whose lists are in the order of names, so that a person can jump to a letter.
const named = new Set(['genre', 'style', 'mood', 'language', 'grouping', 'artist', 'composer', 'conductor',
  'performer', 'lyricist', 'remixer', 'work', 'label', 'media', 'country']);
const letters = ['#', ...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const long = 15;

function said(tag) {
  const kind = tag.kind === 'unplayed' ? '' : `${kindTitle(tag.kind)}: `;
  return `${tag.isExcluded ? 'not ' : ''}${kind}${tagWords(tag)}`;
}

/**
 * Returns the chips of the tags of a place, each of which a tap removes. The place is `{ name, word, more }`: its name
 * in the address, the word for one of its items, and what else its address has.
 */
export function filterChips(tags, { name, more }) {
  const change = (left) => navigate(placeAddress(name, left, more));
  const chip = (tag) => h('li', {}, h('button', {
    type: 'button', class: tag.isExcluded ? 'chip excluded' : 'chip', 'aria-label': `Remove ${said(tag)}`,
      onclick: () => change(tags.filter((one) => one !== tag)),
  }, h('span', { class: 'chip-kind', text: tag.isExcluded ? `Not ${kindTitle(tag.kind).toLowerCase()}`
    : kindTitle(tag.kind) }), tag.kind === 'unplayed' ? null : h('span', { text: tagWords(tag) }), icon('close')));
  const clear = h('li', {}, h('button', { type: 'button', class: 'chip clear', text: 'Clear all',
    onclick: () => change([]) }));
  return h('ul', { class: 'chips', 'aria-label': 'Filters' }, tags.map(chip), tags.length > 1 ? clear : null);
}

/** Lists the folders in a folder, or the music folders, as tags. */
async function readFolders(path, signal) {
  const folders = [];
  let after = null;
  do {
    const page = await read('folders', { path, after, limit: 200 }, signal);
    folders.push(...page.folders);
    after = page.tracks.length ? null : page.next; // The files come after the folders.
  } while (after);
  return folders.map(({ name, path: whole }) => ({ name: whole, words: name, albums: null }));
}

class FilterDialog {
  #tags;
  #shelf;
  #isChanged = false;
  #kind = null;
  #sort = 'name';
  #place = null;
  #list = null;
  #reading = null;
  #address = null;

  constructor(tags, shelf) {
    this.#tags = tags;
    this.#shelf = shelf;
    this.title = h('h2', { tabindex: '-1' });
    this.back = iconButton('left', 'All filters', () => this.#open(null), 'small');
    this.body = h('div', { class: 'filter-body' });
    this.done = textButton(`Show ${shelf.word}s`, null, () => this.element.close(), { kind: 'first' });
    this.clear = textButton('Clear all', null, () => {
      this.#set([]);
      if (this.#kind) this.#read(); // The numbers were those among the albums of other tags.
    }, { kind: 'quiet' });
    this.element = h('dialog', { class: 'filter', 'aria-label': `Filter the ${shelf.word}s` },
      h('div', { class: 'filter-head' }, this.back, this.title,
        iconButton('close', 'Close', () => this.element.close(), 'small')), this.body,
      h('div', { class: 'filter-foot' }, this.done, this.clear));
    const leave = () => location.hash !== this.#address && this.element.close();
    this.element.addEventListener('click', (event) => event.target === this.element && this.element.close());
    this.element.addEventListener('close', async () => {
      removeEventListener('popstate', leave);
      this.#reading?.abort();
      this.element.remove();
      // A screen that is still being made takes the focus once it is there.
      await screenIsShown();
      document.querySelector('.filter-button')?.focus();
    });
    addEventListener('popstate', leave);
    document.body.append(this.element);
    this.element.showModal();
    this.#address = location.hash;
    this.#open(null);
    this.#count();
  }

  #set(tags) {
    this.#tags = tags;
    this.#address = placeAddress(this.#shelf.name, tags, this.#shelf.more);
    if (tags.length) setPreference(`filter.${this.#shelf.name}`, tags);
    discardScreensOf(this.#shelf.name); // They offer the filter that was the last one.
    // All choices make one history entry together, so that Back shows the albums as they were before.
    navigate(this.#address, this.#isChanged);
    this.#isChanged = true;
    this.#show();
    this.#count();
  }

  /** Adds or removes a tag. The same tag is never both asked for and excluded. */
  #toggle(tag) {
    const known = this.#tags.find((one) => isSameTag(one, tag));
    const others = this.#tags.filter((one) => one !== known);
    this.#set(known?.isExcluded === tag.isExcluded ? others : [...others, tag]);
  }

  async #count() {
    const { name, word, isCounted = true } = this.#shelf;
    setText(this.done.querySelector('span'), `Show ${word}s`);
    if (!isCounted) return;
    const tags = this.#tags;
    try {
      const { total } = await read(name, { ...tagParameters(tags), first: 0, limit: 1 });
      if (tags === this.#tags) setText(this.done.querySelector('span'), `Show ${count(total, word)}`);
    } catch {
      // The button works without the number.
    }
  }

  #open(kind) {
    const former = this.#kind;
    this.#kind = kind;
    this.#place = null;
    setText(this.title, kind ? kindTitle(kind) : 'Filter');
    this.back.hidden = !kind;
    if (kind) this.#openKind();
    else this.#openKinds();
    const button = former && !kind && this.body.querySelector(`[data-kind="${former}"]`);
    (button || this.title).focus();
    this.#show();
  }

  #openKinds() {
    this.#list = null;
    const row = (kind, title) => (kind === 'unplayed'
      ? h('button', { type: 'button', class: 'filter-row', 'data-kind': kind, 'aria-pressed': 'false',
        onclick: () => this.#toggle({ kind, name: '', isExcluded: false }) }, h('b', { text: title }),
        h('span', { class: 'soft' }), icon('check'))
      : h('button', { type: 'button', class: 'filter-row', 'data-kind': kind, onclick: () => this.#open(kind) },
        h('b', { text: title }), h('span', { class: 'soft' }), icon('right')));
    this.body.replaceChildren(...kindGroups.map(
      ([title, kinds]) => h('section', {}, h('h3', { text: title }),
      h('ul', { class: 'card' }, Object.entries(kinds).map(([kind, name]) => h('li', {}, row(kind, name)))))));
  }

  #openKind() {
    const isNamed = named.has(this.#kind);
    this.sorters = ['name', 'albums'].map((sort) => textButton(sort === 'name' ? 'By name' : 'Most first', null, () => {
      this.#sort = sort;
      this.#place = null;
      this.#read();
    }));
    this.letters = h('ul', { class: 'filter-letters', 'aria-label': 'Jump to', hidden: true },
      letters.map((letter) => h('li', {}, h('button', { type: 'button', text: letter, onclick: () => {
      this.#place = letter === '#' ? null : letter.toLowerCase();
      this.#read();
    } }))));
    this.rows = h('ul', { class: 'card', 'aria-label': kindTitle(this.#kind) });
    this.none = h('p', { class: 'soft', role: 'status' });
    this.body.replaceChildren(isNamed ? h('div', { class: 'row wrap', role: 'group', 'aria-label': 'Order' },
      this.sorters) : '', this.letters, this.rows, this.none);
    this.body.onscroll = () => this.#ensure();
    this.#read();
  }

  /** Lists the tags of the kind, counted among the albums that the tags of other kinds leave. */
  #read() {
    this.sorters.forEach((button, index) => setAttribute(button, 'aria-pressed', this.#sort === ['name', 'albums'][
      index]));
    this.#reading?.abort();
    this.#reading = new AbortController();
    const { signal } = this.#reading;
    const { tag, without } = tagParameters(this.#tags.filter(({ kind }) => kind !== this.#kind));
    this.rows.replaceChildren();
    if (this.#kind === 'folder') {
      this.#list = { items: [], isComplete: false };
      readFolders(this.#place, signal).then((items) => {
        this.#list = { items, isComplete: true };
        this.#show();
      }).catch(showError);
      return;
    }
    const isNamed = named.has(this.#kind);
    const list = new CursorList(`tags/${this.#kind}`, { among: tag, without, sort: isNamed ? this.#sort : null,
      startingAt: this.#sort === 'name' ? this.#place : null }, () => {
      if (list.error) showError(list.error);
      if (list !== this.#list) return;
      this.#show();
      this.#ensure();
    });
    this.#list = list;
    this.#ensure();
  }

  #ensure() {
    if (!this.#list?.ensure) return;
    const { scrollTop, clientHeight, scrollHeight } = this.body;
    if (scrollTop + clientHeight > scrollHeight - 600) this.#list.ensure(0, this.#list.items.length + 1);
  }

  #show() {
    this.clear.hidden = !this.#tags.length;
    if (!this.#kind) {
      for (const row of this.body.querySelectorAll('[data-kind]')) {
        const own = this.#tags.filter(({ kind }) => kind === row.dataset.kind);
        if (row.dataset.kind === 'unplayed') setAttribute(row, 'aria-pressed', own.length > 0);
        else setText(row.querySelector('.soft'), own.map((tag) => `${tag.isExcluded ? 'not ' : ''}${tagWords(tag)}`)
          .join(', '));
      }
      return;
    }
    const { items, isComplete } = this.#list;
    const above = this.#kind === 'folder' && this.#place ? [{ name: '..', words: 'All music folders', isUp: true }]
      : [];
    reconcile(this.rows, [...above, ...items], ({ name, id }) => `${id ?? ''} ${name}`,
      (item) => this.#makeRow(item), (row, item) => this.#updateRow(row, item));
    this.letters.hidden = !named.has(this.#kind) || this.#sort !== 'name'
      || (!this.#place && isComplete && items.length <= long);
    setText(this.none, isComplete && !items.length
      ? (this.#place ? 'Nothing else follows.'
      : `No album that is left has this: ${kindTitle(this.#kind).toLowerCase()}.`) : '');
  }

  #makeRow(item) {
    const { name, words = tagWords({ kind: this.#kind, name }) } = item;
    if (item.isUp) return h('li', {},
      h('button', { type: 'button', class: 'filter-row', onclick: () => this.#enter(null) }, icon('left'),
      h('b', { text: words })));
    const choose = (isExcluded) => () => this.#toggle({ kind: this.#kind, name, isExcluded });
    return h('li', {},
      h('button', { type: 'button', class: 'filter-row', 'aria-pressed': 'false', onclick: choose(false) },
        icon('check'), h('b', { text: words }), h('span', { class: 'soft' })),
      this.#kind === 'folder' ? iconButton('right', `Open ${words}`, () => this.#enter(name), 'small') : null,
      iconButton('exclude', `Without ${words}`, choose(true), 'small'));
  }

  #enter(path) {
    this.#place = path;
    this.#read();
    this.title.focus();
  }

  #updateRow(row, item) {
    if (item.isUp) return;
    const known = this.#tags.find((tag) => isSameTag(tag, { kind: this.#kind, name: item.name }));
    const button = row.firstChild;
    setAttribute(button, 'aria-pressed', known?.isExcluded === false);
    setAttribute(row.lastChild, 'aria-pressed', known?.isExcluded === true);
    setText(button.lastChild, item.albums === null ? '' : item.albums.toLocaleString('en'));
    setAttribute(button, 'aria-label', item.albums === null ? null
      : `${button.children[1].textContent}, ${count(item.albums, 'album')}`);
  }
}

/**
 * Opens the dialog in which a person chooses tags, beside those that the place has (see `filterChips`). Each choice
 * shows its list at once, and the dialog closes when the page is led elsewhere. `isCounted` of the place is false if
 * its items cannot be counted.
 */
function openFilter(tags, shelf) {
  return new FilterDialog(tags, shelf);
}

/** Returns the button that opens the filter of a place. */
export function filterButton(tags, shelf) {
  const button = textButton(tags.length ? `Filter (${tags.length})` : 'Filter', 'filter',
    () => openFilter(tags, shelf), { kind: 'filter-button' });
  button.setAttribute('aria-haspopup', 'dialog');
  return button;
}

/** Returns the chip that filters a place again as it was last filtered in this browser; null if it never was. */
export function lastFilterChip({ name, more }) {
  const tags = preference(`filter.${name}`, []);
  if (!tags.length) return null;
  return h('ul', { class: 'chips', 'aria-label': 'Last filter' },
    h('li', {}, h('a', { class: 'chip', href: placeAddress(name, tags, more) },
    h('span', { class: 'chip-kind', text: 'Last filter' }), h('span', { text: tags.map(said).join(', ') }))));
}
