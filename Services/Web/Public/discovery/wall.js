// The wall: covers without gaps, page after page, and the feeds of genres at the same place. All addresses below
// `#/wall` are served by this screen.
import { read } from '../core/api.js';
import { calm, h, setAttribute, setText } from '../core/dom.js';
import { currentRoom, setAlbumList, store, subscribe } from '../core/store.js';
import { againButton, linkButton } from '../parts/controls.js';
import { emptyMessage } from '../parts/headers.js';
import { emptyLibraryMessage } from '../parts/sources.js';
import { makeBar } from './bar.js';
import { dialButton, noteDial, onDial } from './dial.js';
import { feedOf, forgetFeeds } from './feeds.js';
import { firstView } from './firstview.js';
import { Motion } from './motion.js';
import { onOpinion, startOpinions } from './opinions.js';
import { styled } from './style.js';
import { makeGrids } from './wallgrids.js';
import { arrivalWords, footOf, hasArrived, mayReadOn, overOf } from './wallstate.js';
import { isNotRunning, wallAddress } from './words.js';

// The distance in pixels from the end at which the next page is read.
const ahead = 1600;
// The pauses in milliseconds: between leaving and arriving tiles, before the controls rise, until they rise in any
// case, before a library that is still being read is asked for again, and after a change of the library.
const pauses = { grid: 40, rise: 400, latest: 2000, again: 2000, changed: 5000 };

function spinner(words) {
  return h('p', { class: 'wall-wait', role: 'status' },
    h('span', { class: 'moon', 'aria-hidden': 'true' }),
    h('span', { text: words }));
}

function emptyWall({ genre }) {
  if (genre) {
    return emptyMessage('No albums', 'None of your albums has this. Choose something else, or go back to the wall.',
      linkButton('Wall', wallAddress(), 'wall', 'first'));
  }
  if (store.catalogue?.albums) {
    return emptyMessage('No album is left for the wall',
      'Albums that you dislike are in no wall. Take a dislike back, or add music.',
      linkButton('Likes and dislikes', '#/likes', 'likes', 'first'), linkButton('Add music', '#/welcome', 'plus'));
  }
  const { title, words, more } = emptyLibraryMessage();
  return emptyMessage(title, words, ...more());
}

/** Returns what the marks of tiles depend on. */
function markNow() {
  const room = currentRoom();
  return [room?.track?.albumID, room?.state, room?.away, store.link].join(' ');
}

/** Fills an element with `contents()`, unless it has those of `key`. */
function fillOnce(element, key, contents) {
  if (element.dataset.shown === key) return;
  element.dataset.shown = key;
  element.replaceChildren(...contents());
}

/** The screen of the wall. */
class Wall {
  #motion = new Motion();
  #dial = dialButton(() => this.#restart());
  #bar = makeBar(this.#motion, this.#dial);
  #grids = makeGrids();
  #over = h('div', { class: 'wall-over', 'aria-live': 'polite' });
  #foot = h('div', { class: 'wall-foot' });
  #said = h('p', { class: 'unseen', role: 'status' });
  #end = h('div', { class: 'wall-end', 'aria-hidden': 'true' });
  #heading = h('h1', { class: 'unseen', tabindex: '-1', text: 'Wall' });
  #nearEnd = new IntersectionObserver(([entry]) => entry.isIntersecting && this.#loadMore(),
    { rootMargin: `0px 0px ${ahead}px` });
  element = h('section', { class: 'screen wall', 'aria-label': 'Wall' },
    this.#heading, this.#bar.element, this.#over, this.#grids.element, this.#foot, this.#end, this.#said);
  isLive = true;
  #feed = null;
  #genres = null;
  #isShown = false;
  // Another address of the wall is opened, for which the router hides and shows this screen.
  #isMoving = false;
  #hasRisen = false;
  // The number of the wall or feed that was opened last, by which an earlier one knows that it is over.
  #turn = 0;
  // The number of albums that a screen reader was told.
  #announced = 0;
  #marked = null;
  // The generation of the catalogue, and the timer after a change of it.
  #generation = undefined;
  #soon = 0;
  #wasOpened = false;
  #noteOpened = () => {};
  /** @type {Promise<void>} */
  #opened = new Promise((done) => { this.#noteOpened = done; });
  #stops = [];

  constructor() {
    if (!calm.matches) {
      setAttribute(this.element, 'data-launch', 'yes');
      setTimeout(() => this.#rise(), pauses.latest);
    }
    this.#bar.show({ genre: null, subs: [] }, false);
  }

  get title() {
    return this.#heading.textContent;
  }

  enter({ parts: [genre = null], query, signal }) {
    this.#isMoving = this.#isShown;
    signal.addEventListener('abort', () => { this.#isMoving = false; });
    this.#go(feedOf(genre, query.getAll('sub')));
  }

  show() {
    setAlbumList(() => (this.#feed.name ? { wall: this.#feed.name } : { sort: 'name' }));
  }

  shown() {
    if (this.#isMoving) {
      this.#isMoving = false;
      return;
    }
    this.#isShown = true;
    startOpinions();
    if (!this.#genres) this.#readGenres();
    this.#grids.start();
    scrollTo({ top: this.#feed.top, behavior: 'instant' });
    if (this.#wasOpened && this.#feed.error && !this.#feed.isLoading) this.#feed.load();
    this.#wasOpened = true;
    // Its tiles were just filled.
    this.#marked = markNow();
    this.#stops = [
      subscribe(() => this.#update()), onOpinion(() => this.#grids.refresh()), onDial(() => this.#restart()),
    ];
    this.#draw();
    this.#noteOpened();
  }

  hide() {
    if (this.#isMoving) return;
    if (!this.#phase) this.#feed.top = scrollY;
    this.#isShown = false;
    this.#turn += 1;
    this.#motion.settle();
    this.#bar.setDimmed(false);
    this.#phase = null;
    this.#nearEnd.unobserve(this.#end);
    this.#grids.stop();
    this.#stops.forEach((stop) => stop());
  }

  /** Where the change to another feed is: `exiting`, `waiting` or `entering`; null between changes. */
  get #phase() {
    return this.element.dataset.phase ?? null;
  }

  set #phase(name) {
    setAttribute(this.element, 'data-phase', name);
  }

  #loadMore() {
    if (this.#isShown && this.#feed && !this.#phase && mayReadOn(this.#feed)) this.#feed.load();
  }

  /** Looks again at whether the end is near, which an observer tells only when it changes. */
  #watchEnd() {
    const feed = this.#feed;
    this.#nearEnd.unobserve(this.#end);
    if (this.#isShown && feed && !feed.isLoading && !feed.error && !feed.isOver) this.#nearEnd.observe(this.#end);
  }

  #rise() {
    if (this.#hasRisen) return;
    this.#hasRisen = true;
    setAttribute(this.element, 'data-launch', null);
    this.#motion.rise(this.#bar.element);
  }

  #again() {
    return againButton(() => this.#feed.load(), { kind: 'first' });
  }

  #failure(error) {
    if (isNotRunning(error)) return firstView(() => this.#restart());
    if (error.code === 'discovery.notReady') return spinner('Your albums are being read for the first time …');
    return emptyMessage('The wall could not be made', error.message, this.#again());
  }

  /** Shows what lies over the grid, and what stands below it. */
  #showOver() {
    const feed = this.#feed;
    const { error } = feed;
    const over = overOf(feed);
    const key = feed.count ? '' : [over, error?.code, store.catalogue?.albums].join(' ');
    fillOnce(this.#over, key, () => {
      if (error?.code === 'discovery.notReady') {
        setTimeout(() => this.#isShown && this.#feed.error && this.#feed.load(), pauses.again);
      }
      return over === 'error' ? [this.#failure(error)]
        : over === 'loading' ? [spinner('Loading …')]
        : over === 'empty' ? [emptyWall(feed)]
        : [];
    });
    this.#bar.element.hidden = over === 'error' && isNotRunning(error);
    const foot = footOf(feed);
    fillOnce(this.#foot, foot ?? '', () => (foot === 'error' ? [h('p', { text: error.message }), this.#again()]
      : foot === 'loading' ? [spinner('Loading more albums …')] : []));
  }

  #draw() {
    // While the former tiles leave, they stay as they are.
    if (this.#phase === 'exiting') return;
    const feed = this.#feed;
    this.#grids.show(feed, () => this.#feed.load());
    this.#showOver();
    if (feed.count && feed.count !== this.#announced) {
      setText(this.#said, arrivalWords(feed.count, this.#announced));
      this.#announced = feed.count;
    }
    if (feed.name) {
      noteDial(feed.name.dial);
      this.#dial.show(feed.name.dial);
    }
    if (feed.count && !this.#hasRisen) this.#motion.wait(pauses.rise).then(() => this.#rise());
    this.#watchEnd();
  }

  /** Shows another wall or feed: the tiles leave, wait for the others if need be, and these arrive. */
  async #go(next) {
    if (next === this.#feed) return;
    const mine = this.#turn += 1;
    const isSeen = this.#isShown && Boolean(this.#feed);
    const isThere = this.#follow(next, isSeen);
    if (isSeen) {
      this.#phase = 'exiting';
      await this.#motion.exit(this.#grids.inView());
      if (mine !== this.#turn) return;
    }
    this.#phase = 'waiting';
    this.#draw();
    if (this.#isShown) scrollTo({ top: next.top, behavior: 'instant' });
    this.#motion.settle();
    if (!hasArrived(next)) {
      await isThere;
      // An answer that was asked for at the tap may come before the screen is in the document.
      await this.#opened;
      // The tiles are made in two tasks, and begin to move in another one.
      await new Promise((done) => { setTimeout(done); });
    } else if (isSeen) {
      await this.#motion.wait(pauses.grid);
      if (mine === this.#turn) this.#grids.refresh();
    }
    if (mine !== this.#turn) return;
    this.#bar.setDimmed(false);
    this.#phase = 'entering';
    if (this.#isShown) await this.#motion.enter(this.#grids.inView());
    if (mine !== this.#turn) return;
    this.#phase = null;
    this.#watchEnd();
  }

  /** Follows another wall or feed in place of the one before. Resolves when that has something to show. */
  #follow(next, isSeen) {
    const former = this.#feed;
    this.#motion.settle();
    if (former) {
      if (isSeen && !this.#phase) former.top = scrollY;
      former.changed = () => {};
    }
    this.#feed = next;
    this.#announced = 0;
    // It is read from the tap on.
    if (!next.count) next.load();
    const isSameGenre = former?.genre === next.genre;
    this.#bar.show(next, isSeen && !isSameGenre);
    this.#bar.setDimmed(isSeen && isSameGenre && !next.count);
    this.#showName();
    setAttribute(this.element, 'aria-label', this.title);
    /** @type {Promise<void>} */
    const isThere = new Promise((done) => {
      next.changed = () => {
        this.#draw();
        if (hasArrived(next)) done();
      };
    });
    return isThere;
  }

  #showName() {
    const genre = this.#feed?.genre;
    setText(this.#heading, (genre && (this.#genres?.find(({ id }) => id === genre)?.name ?? genre)) ?? 'Wall');
  }

  async #readGenres() {
    try {
      ({ genres: this.#genres } = await read('genres'));
      this.#bar.setGenres(this.#genres);
      this.#showName();
    } catch {
      this.#genres = null; // The wall works without the pills; the next visit reads them again.
    }
  }

  /** Makes everything new: the service has started, the dial has changed, or a person wants another wall. */
  #restart() {
    forgetFeeds();
    if (!this.#genres) this.#readGenres();
    this.#go(feedOf(this.#feed?.genre ?? null, this.#feed?.subs ?? []));
  }

  /** Looks at tiles of albums that are not in the library again, once the library has changed. */
  #noteCatalogue() {
    const now = store.catalogue?.generation;
    if (this.#generation !== undefined && this.#generation !== now) {
      clearTimeout(this.#soon);
      // The service of walls reads what has changed two seconds after it has.
      this.#soon = setTimeout(() => this.#isShown && this.#feed?.refresh(), pauses.changed);
    }
    this.#generation = now;
  }

  #update() {
    const mark = markNow();
    if (mark !== this.#marked) this.#grids.refresh();
    this.#marked = mark;
    if (this.#feed && !this.#feed.count) this.#showOver();
    this.#noteCatalogue();
  }
}

/** Opens the screen. */
export async function open() {
  await styled;
  return new Wall();
}
