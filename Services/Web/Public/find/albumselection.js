// Choosing several albums of a grid, to play, queue, add, like or keep them together. A press on a card with Ctrl or
// Shift, or "Select" in its menu, begins; then a press chooses a card, and with Shift all from the last one to it.
// Escape ends it.
import { change } from '../core/api.js';
import { h, setAttribute, setText } from '../core/dom.js';
import { count, roomTitle } from '../core/format.js';
import { currentRoom } from '../core/store.js';
import { loadStyles } from '../core/stylesheets.js';
import { enqueue } from '../parts/actions.js';
import { showBanner, showError } from '../parts/banners.js';
import { setCardSelection, shownInCard } from '../parts/cards.js';
import { textButton } from '../parts/controls.js';

const styled = loadStyles('find/find.css');

const sources = new WeakMap();
// The most ids that one request plays or queues.
const mostIDs = 2000;

/**
 * Says where the albums of a long grid are found, of which only those in view are in the document: `itemAt(index)`,
 * `count()`, and `between(first, last)`, which resolves to the items between two indices.
 */
export function offerSelection(list, source) {
  sources.set(list, source);
}

/** Returns the source of a grid whose cards are all in the document. */
function loose(list) {
  const itemAt = (index) => shownInCard(list.children[index]);
  return {
    itemAt, count: () => list.children.length,
    between: async (first, last) => Array.from({ length: last - first + 1 }, (_, offset) => itemAt(first + offset)),
  };
}

async function like(albums) {
  const { setOpinion } = await import('../discovery/opinions.js');
  let done = 0;
  for (const album of albums) done += await setOpinion(album, 'like') ? 1 : 0;
  if (!done) return;
  showBanner(`You like ${count(done, 'album')}.`, { key: 'liked', action: { name: 'Show', href: '#/likes' } });
}

async function keepAll(albums) {
  const room = currentRoom();
  if (!room) return;
  for (const { id } of albums) await change(
    `rooms/${encodeURIComponent(room.name)}/offline/${encodeURIComponent(id)}`, {}, 'PUT');
  showBanner(`${count(albums.length, 'album')} will be kept in ${roomTitle(room.name)}.`,
    { key: 'offline', action: { name: 'Show', href: '#/settings/offline' } });
}

const addToPlaylist = async (item, done) => (await import('../playlists/playlistedits.js')).choosePlaylist(item, done);

class AlbumSelection {
  #chosen = new Map();
  #last = 0;

  constructor(list) {
    this.list = list;
    this.isLong = sources.has(list);
    this.source = sources.get(list) ?? loose(list);
    const act = (name, picture, run) => textButton(name, picture, () => {
      const albums = this.#inOrder();
      if (!albums.length) return;
      Promise.resolve(run(albums)).catch(showError);
      this.end();
    }, { kind: 'quiet' });
    const item = (albums) => ({ ids: albums.slice(0, mostIDs).map(({ id }) => id), title: albums.length === 1
      ? albums[0].title : count(albums.length, 'album') });
    const queue = (mode) => (albums) => enqueue(item(albums), mode, { ids: item(albums).ids });
    this.words = h('b', { role: 'status' });
    this.bar = h('div', { class: 'selection', role: 'toolbar', 'aria-label': 'Selected albums' }, this.words,
      act('Play', 'play', queue('now')), act('Play next', 'queueNext', queue('next')),
        act('Play later', 'queueLater', queue('later')),
      textButton('Add to playlist', 'playlists', () => {
        const albums = this.#inOrder();
        if (albums.length) addToPlaylist(item(albums), () => this.end()).catch(showError);
      }, { kind: 'quiet' }),
      act('Like', 'likes', like), act('Keep offline', 'down', keepAll),
      textButton('All', 'check', () => this.#choose(0, this.source.count() - 1), { kind: 'quiet' }),
      textButton('Done', null, () => this.end()));
    this.keys = (event) => {
      if (event.key !== 'Escape' || document.querySelector('.menu, dialog[open]')) return;
      event.preventDefault();
      this.end();
    };
    this.left = () => this.end(false);
  }

  /** Returns the place of a card in the grid. */
  #indexOf(element) {
    return this.isLong ? Number(element.dataset.key) : [...this.list.children].indexOf(element);
  }

  #inOrder() {
    return [...this.#chosen].sort(([one], [other]) => one - other).map(([, album]) => album);
  }

  begin(element) {
    document.querySelector('#main').append(this.bar);
    addEventListener('keydown', this.keys);
    addEventListener('hashchange', this.left);
    setCardSelection(this);
    this.list.classList.add('selecting');
    this.press(element, false);
    element.querySelector('a').focus({ preventScroll: true });
  }

  end(givesBack = true) {
    this.bar.remove();
    removeEventListener('keydown', this.keys);
    removeEventListener('hashchange', this.left);
    setCardSelection(null);
    this.list.classList.remove('selecting');
    for (const card of this.list.children) this.#show(card, null);
    if (givesBack && this.list.isConnected) this.list.querySelector(`[data-key="${this.lastKey}"] a`)?.focus(
      { preventScroll: true });
    current = null;
  }

  /** Chooses a card, or no longer; with `isRange` all from the last one to it. */
  press(element, isRange) {
    const at = this.#indexOf(element);
    this.lastKey = element.dataset.key;
    if (isRange) return this.#choose(Math.min(at, this.#last), Math.max(at, this.#last))
      .then(() => { this.#last = at; });
    const album = this.source.itemAt(at);
    if (this.#chosen.has(at)) this.#chosen.delete(at);
    else if (album) this.#chosen.set(at, album);
    this.#last = at;
    return this.#showAll();
  }

  async #choose(first, last) {
    try {
      (await this.source.between(first, last))
        .forEach((album, offset) => album && this.#chosen.set(first + offset, album));
      this.#showAll();
    } catch (error) {
      showError(error);
    }
  }

  #showAll() {
    setText(this.words, `${this.#chosen.size} selected`);
    for (const card of this.list.children) this.mark(card);
  }

  #show(card, isChosen) {
    const link = card.querySelector('.record-link');
    setAttribute(link, 'role', isChosen === null ? null : 'checkbox');
    setAttribute(link, 'aria-checked', isChosen === null ? null : String(isChosen));
  }

  /** Shows on a card if it is chosen. */
  mark(card) {
    if (card.parentElement === this.list) this.#show(card, this.#chosen.has(this.#indexOf(card)));
  }
}

let current = null;

/** Begins to choose albums of the grid of a card, which is the first one. */
export async function startAlbumSelection(element) {
  await styled;
  current?.end(false);
  current = new AlbumSelection(element.parentElement);
  current.begin(element);
}
