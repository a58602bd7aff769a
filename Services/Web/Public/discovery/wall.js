// The wall: covers without gaps, page after page, and the feeds of genres at the same place. All addresses below
// `#/wall` are served by this screen.
import { read } from '../core/api.js';
import { calm, h, rem, setAttribute, setText } from '../core/dom.js';
import { count } from '../core/format.js';
import { currentRoom, setAlbumList, store, subscribe } from '../core/store.js';
import { VirtualList, wireArrows } from '../core/virtuallist.js';
import { againButton, linkButton, textButton } from '../parts/controls.js';
import { emptyMessage } from '../parts/headers.js';
import { emptyLibraryMessage } from '../parts/sources.js';
import { makeBar } from './bar.js';
import { dialButton, noteDial, onDial } from './dial.js';
import { feedOf, forgetFeeds } from './feeds.js';
import { firstView } from './firstview.js';
import { Motion } from './motion.js';
import { onOpinion, startOpinions } from './opinions.js';
import { styled } from './style.js';
import { makeTile, updateTile } from './tile.js';
import { isNotRunning, wallAddress } from './words.js';

// A shelf with fewer albums begins a new round only when a person asks for it; it would fill the screen with repeats.
const smallShelf = 40;
// The distance in pixels from the end at which the next page is read.
const ahead = 1600;
// The pauses in milliseconds: between leaving and arriving tiles, before the controls rise, until they rise in any
// case, before a shelf that is still being read is asked for again, and after a change of the library.
const pauses = { grid: 40, rise: 400, latest: 2000, again: 2000, changed: 5000 };

/**
 * Returns the columns and the row height of the grid: two columns on a phone. The tiles are squares of whole pixels,
 * because the page would show as hairlines between tiles that end within a pixel; the last column may lose a few pixels
 * at the edge.
 */
function wallShape(width) {
  const columns = Math.max(2, Math.round(width / (11.5 * rem())));
  const row = Math.ceil(width / columns);
  return { columns, row, vars: { '--columns': columns, '--row': `${row}px`, '--cover': `${row}px` } };
}

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

/** Returns the grids of a feed, one for each round, and the notes between them. */
function makeGrids() {
  const element = h('div', { class: 'wall-rounds' });
  const grids = [];
  let isRunning = false;
  return {
    element,
    /** Shows the rounds of a feed; `again` is called for another round of a small shelf. */
    show(feed, again) {
      while (grids.length > feed.rounds.length) grids.pop().box.remove();
      feed.rounds.forEach((round, at) => {
        let grid = grids[at];
        if (!grid) {
          const view = new VirtualList({
            kind: 'wall-grid', label: at ? `Round ${at + 1}` : 'Albums', measure: wallShape, make: makeTile,
            update: updateTile, isInSteps: true,
          });
          const note = h('div', { class: 'wall-note', hidden: true });
          grid = {
            view, note, round: null, box: h('section', { 'aria-label': `Round ${at + 1}` }, view.element, note),
          };
          wireArrows(view, () => grid.round.tiles.length);
          grids.push(grid);
          element.append(grid.box);
          if (isRunning) view.start();
        }
        if (grid.round !== round) {
          grid.round = round;
          grid.view.show({
            get total() { return round.tiles.length; }, get: (index) => round.tiles[index], ensure() {},
          });
        } else {
          grid.view.refresh();
        }
        const isLast = at === feed.rounds.length - 1;
        grid.note.hidden = !round.isDone;
        const words = 'That was every album. A new round begins.';
        const isAsked = isLast && round.tiles.length < smallShelf;
        const key = round.isDone ? `${isAsked} ${round.tiles.length}` : '';
        if (round.isDone && grid.note.dataset.shown !== key) {
          grid.note.dataset.shown = key;
          grid.note.replaceChildren(h('p', { text: isAsked ? 'That was every album.' : words }),
            ...isAsked ? [textButton('Begin a new round', 'sync', again, { kind: 'quiet' })] : []);
        }
      });
    },
    refresh: () => grids.forEach(({ view }) => view.refresh()),
    start() {
      isRunning = true;
      grids.forEach(({ view }) => view.start());
    },
    stop() {
      isRunning = false;
      grids.forEach(({ view }) => view.stop());
    },
    /** Returns the tiles in view. */
    inView: () => [...element.querySelectorAll('.tile')].filter((one) => {
      const { top, bottom } = one.getBoundingClientRect();
      return bottom > 0 && top < innerHeight;
    }),
  };
}

/** Opens the screen. */
export async function open() {
  await styled;
  const motion = new Motion();
  const dial = dialButton(restart);
  const bar = makeBar(motion, dial);
  const grids = makeGrids();
  const [over, foot, said] = [
    h('div', { class: 'wall-over', 'aria-live': 'polite' }),
    h('div', { class: 'wall-foot' }),
    h('p', { class: 'unseen', role: 'status' }),
  ];
  const end = h('div', { class: 'wall-end', 'aria-hidden': 'true' });
  const heading = h('h1', { class: 'unseen', tabindex: '-1', text: 'Wall' });
  const element = h('section', { class: 'screen wall', 'aria-label': 'Wall' },
    heading, bar.element, over, grids.element, foot, end, said);
  let feed = null;
  let genres = null;
  let [isShown, isMoving, hasRisen] = [false, false, false];
  let turn = 0;
  let announced = 0;
  let marked = null;
  let [generation, soon] = [undefined, 0];
  let [noteOpened, wasOpened] = [() => {}, false];
  /** @type {Promise<void>} */
  const opened = new Promise((done) => { noteOpened = done; });

  const nearEnd = new IntersectionObserver(([entry]) => entry.isIntersecting && loadMore(),
    { rootMargin: `0px 0px ${ahead}px` });

  function loadMore() {
    const last = feed?.rounds.at(-1);
    if (!isShown || !last || feed.error || element.dataset.phase || (last.isDone && last.tiles.length < smallShelf)) {
      return;
    }
    feed.load();
  }

  /** Looks again at whether the end is near, which an observer tells only when it changes. */
  function watchEnd() {
    nearEnd.unobserve(end);
    if (isShown && feed && !feed.isLoading && !feed.error && !feed.isOver) nearEnd.observe(end);
  }

  function rise() {
    if (hasRisen) return;
    hasRisen = true;
    setAttribute(element, 'data-launch', null);
    motion.rise(bar.element);
  }

  function failure(error) {
    if (isNotRunning(error)) return firstView(restart);
    if (error.code === 'discovery.notReady') return spinner('Your albums are being read for the first time …');
    return emptyMessage('The wall could not be made', error.message,
      againButton(() => feed.load(), { kind: 'first' }));
  }

  /** Shows what lies over the grid: loading, an error, or that there is nothing. */
  function showOver() {
    const { error, isLoading, isOver } = feed;
    const isEmpty = !feed.count;
    const key = isEmpty
      ? [error?.code, !error && isLoading, !error && !isLoading && isOver, store.catalogue?.albums].join(' ')
      : '';
    if (over.dataset.shown !== key) {
      over.dataset.shown = key;
      over.replaceChildren(...!isEmpty ? []
        : error ? [failure(error)]
        : isLoading ? [spinner('Loading …')]
        : isOver ? [emptyWall(feed)]
        : []);
      if (error?.code === 'discovery.notReady') setTimeout(() => isShown && feed.error && feed.load(), pauses.again);
    }
    bar.element.hidden = isEmpty && Boolean(error) && isNotRunning(error);
    const footer = isEmpty ? '' : error ? 'error' : isLoading ? 'loading' : '';
    if (foot.dataset.shown !== footer) {
      foot.dataset.shown = footer;
      foot.replaceChildren(...footer === 'error' ? [
        h('p', { text: error.message }), againButton(() => feed.load(), { kind: 'first' }),
      ]
        : footer ? [spinner('Loading more albums …')]
        : []);
    }
  }

  function draw() {
    // While the former tiles leave, they stay as they are.
    if (element.dataset.phase === 'exiting') return;
    grids.show(feed, () => feed.load());
    showOver();
    if (feed.count && feed.count !== announced) {
      setText(said,
        announced && feed.count > announced
          ? `${count(feed.count - announced, 'more album')}, ${feed.count.toLocaleString('en')} in all.`
          : count(feed.count, 'album'));
      announced = feed.count;
    }
    if (feed.name) {
      noteDial(feed.name.dial);
      dial.show(feed.name.dial);
    }
    if (feed.count && !hasRisen) motion.wait(pauses.rise).then(rise);
    watchEnd();
  }

  const phase = (name) => setAttribute(element, 'data-phase', name);

  /** Shows another wall or feed: the tiles leave, wait for the others if need be, and these arrive. */
  async function go(next) {
    if (next === feed) return;
    const mine = turn += 1;
    const former = feed;
    const isSeen = isShown && Boolean(former);
    motion.settle();
    if (former) {
      if (isSeen && !element.dataset.phase) former.top = scrollY;
      former.changed = () => {};
    }
    feed = next;
    announced = 0;
    // It is read from the tap on.
    if (!next.count) next.load();
    const isSameGenre = former?.genre === next.genre;
    bar.show(next, isSeen && !isSameGenre);
    bar.setDimmed(isSeen && isSameGenre && !next.count);
    setText(heading, genreName() ?? 'Wall');
    setAttribute(element, 'aria-label', heading.textContent);
    let arrived = () => {};
    /** @type {Promise<void>} */
    const isThere = new Promise((done) => { arrived = done; });
    next.changed = () => {
      draw();
      if (next.count || next.error || next.isOver) arrived();
    };
    if (isSeen) {
      phase('exiting');
      await motion.exit(grids.inView());
      if (mine !== turn) return;
    }
    phase('waiting');
    draw();
    if (isShown) scrollTo({ top: next.top, behavior: 'instant' });
    motion.settle();
    if (!next.count && !next.error && !next.isOver) {
      await isThere;
      // An answer that was asked for at the tap may come before the screen is in the document.
      await opened;
      // The tiles are made in two tasks, and begin to move in another one.
      await new Promise((done) => { setTimeout(done); });
    } else if (isSeen) {
      await motion.wait(pauses.grid);
      if (mine === turn) grids.refresh();
    }
    if (mine !== turn) return;
    bar.setDimmed(false);
    phase('entering');
    if (isShown) await motion.enter(grids.inView());
    if (mine !== turn) return;
    phase(null);
    watchEnd();
  }

  const genreName = () => feed?.genre && (genres?.find(({ id }) => id === feed.genre)?.name ?? feed.genre);

  async function readGenres() {
    try {
      ({ genres } = await read('genres'));
      bar.setGenres(genres);
      setText(heading, genreName() ?? 'Wall');
    } catch {
      genres = null; // The wall works without the pills; the next visit reads them again.
    }
  }

  /** Makes everything new: the service has started, the dial has changed, or a person wants another wall. */
  function restart() {
    forgetFeeds();
    if (!genres) readGenres();
    go(feedOf(feed?.genre ?? null, feed?.subs ?? []));
  }

  /** Looks at tiles of albums that are not on the shelf again, once the library has changed. */
  function noteCatalogue() {
    const now = store.catalogue?.generation;
    if (generation !== undefined && generation !== now) {
      clearTimeout(soon);
      // The service of walls reads what has changed two seconds after it has.
      soon = setTimeout(() => isShown && feed?.refresh(), pauses.changed);
    }
    generation = now;
  }

  /** Returns what the marks of tiles depend on. */
  const markNow = () => {
    const room = currentRoom();
    return [room?.track?.albumID, room?.state, room?.away, store.link].join(' ');
  };

  const update = () => {
    const mark = markNow();
    if (mark !== marked) grids.refresh();
    marked = mark;
    if (feed && !feed.count) showOver();
    noteCatalogue();
  };

  if (!calm.matches) {
    setAttribute(element, 'data-launch', 'yes');
    setTimeout(rise, pauses.latest);
  }
  bar.show({ genre: null, subs: [] }, false);
  let stops = [];
  return {
    get title() {
      return heading.textContent;
    },
    element, isLive: true,
    enter({ parts: [genre = null], query, signal }) {
      isMoving = isShown;
      signal.addEventListener('abort', () => { isMoving = false; });
      go(feedOf(genre, query.getAll('sub')));
    },
    show() {
      setAlbumList(() => (feed.name ? { wall: feed.name } : { sort: 'name' }));
    },
    shown() {
      if (isMoving) {
        isMoving = false;
        return;
      }
      isShown = true;
      startOpinions();
      if (!genres) readGenres();
      grids.start();
      scrollTo({ top: feed.top, behavior: 'instant' });
      if (wasOpened && feed.error && !feed.isLoading) feed.load();
      wasOpened = true;
      // Its tiles were just filled.
      marked = markNow();
      stops = [subscribe(update), onOpinion(() => grids.refresh()), onDial(restart)];
      draw();
      noteOpened();
    },
    hide() {
      if (isMoving) return;
      if (!element.dataset.phase) feed.top = scrollY;
      isShown = false;
      turn += 1;
      motion.settle();
      bar.setDimmed(false);
      phase(null);
      nearEnd.unobserve(end);
      grids.stop();
      stops.forEach((stop) => stop());
    },
  };
}
