// The rows of the history: a heading for each day, and the listens of that day, the newest first.
import { h, setAttribute, setText } from '../core/dom.js';
import { CursorList } from '../core/lists.js';
import { roomTitle, timeOfDay } from '../core/format.js';
import { address } from '../core/router.js';
import { enqueue, trackMenu } from '../parts/actions.js';
import { iconButton } from '../parts/controls.js';
import { clearCover, setCover } from '../parts/cover.js';
import { offerMenu, openMenuOf } from '../parts/menu.js';
import { dayOf, dayWords, heardWords } from './days.js';

/** A list of the rows `{ day }` and `{ play }`, read page after page as a `CursorList`, for a `VirtualList`. */
export class ListenRows {
  #plays;
  #rows = [];
  #taken = 0;

  constructor(parameters, onChange) {
    this.#plays = new CursorList('plays', parameters, () => {
      this.#take();
      onChange();
    });
  }

  get error() { return this.#plays.error; }

  get isComplete() { return this.#plays.isComplete; }

  get isEmpty() { return this.isComplete && !this.#rows.length; }

  /** The listens that were read. */
  get items() { return this.#plays.items; }

  /** The number of rows that were read, plus some as long as there are more. */
  get total() { return this.#rows.length + (this.isComplete ? 0 : 24); }

  get(index) { return this.#rows[index]; }

  // There are more rows than listens, so the listens with these numbers are enough.
  ensure(first, last) { return this.#plays.ensure(first, last); }

  #take() {
    const { items } = this.#plays;
    for (; this.#taken < items.length; this.#taken += 1) {
      const play = items[this.#taken];
      const day = dayOf(play.startedAt);
      const before = this.#rows.at(-1)?.play;
      if (!before || dayOf(before.startedAt) !== day) this.#rows.push({ day });
      this.#rows.push({ play });
    }
  }
}

const current = new WeakMap();

/** Returns the track of a listen, as the player takes it. */
const trackOf = ({ id, albumID, track, artist, album, art }) => (
  { id, albumID, title: track, artist, album, albumArtist: artist, art });

/** Returns an empty row; `updateListen` fills it. */
export function makeListen() {
  const of = () => current.get(element);
  const element = h('li', { class: 'listen' },
    h('h2', { class: 'listen-day', hidden: true }),
    h('span', { class: 'cover', 'aria-hidden': 'true' }),
    h('span', { class: 'listen-words' }, h('a', { class: 'listen-title' }),
      h('span', { class: 'soft' }, h('span'), h('a', { class: 'listen-album' }))),
    h('span', { class: 'listen-when soft' }),
    iconButton('play', '', () => of() && enqueue(trackOf(of())), 'small'),
    iconButton('more', 'More', ({ currentTarget }) => openMenuOf(element, null, null, currentTarget), 'small'));
  offerMenu(element, () => of()?.track ?? '', () => of() && trackMenu(trackOf(of())),
    () => (of() ? trackOf(of()) : null));
  return element;
}

/** Fills a row with a day or a listen; an undefined row shows as loading. */
export function updateListen(element, row) {
  const [heading, cover, words, when, play, more] = element.children;
  const listen = row?.play;
  element.classList.toggle('shimmering', !row);
  element.classList.toggle('with-day', Boolean(row?.day));
  heading.hidden = !row?.day;
  setText(heading, row?.day ? dayWords(row.day) : '');
  for (const part of [cover, words, when]) part.hidden = Boolean(row?.day);
  for (const part of [play, more]) part.hidden = !listen;
  if (!listen) {
    current.delete(element);
    clearCover(cover);
    for (const part of [words.firstChild, ...words.lastChild.children, when]) setText(part, '');
    return;
  }
  current.set(element, listen);
  setCover(cover, { ...listen, title: listen.album });
  const [title, [artist, album]] = [words.firstChild, words.lastChild.children];
  setText(title, listen.track);
  setAttribute(title, 'href', listen.albumID ? address('track', listen.id) : null);
  setText(artist, listen.album ? `${listen.artist} · ` : listen.artist);
  setText(album, listen.album);
  setAttribute(album, 'href', listen.albumID ? address('album', listen.albumID) : null);
  const state = listen.skipped ? 'skipped' : listen.counted ? '' : 'not counted';
  setText(when, [timeOfDay(listen.startedAt), roomTitle(listen.room), state].filter(Boolean).join(' · '));
  setAttribute(when, 'title', `Heard for ${heardWords(listen.heardSeconds)}`);
  setAttribute(play, 'aria-label', `Play ${listen.track}`);
  setAttribute(play, 'title', `Play ${listen.track}`);
  setAttribute(more, 'aria-label', `More for ${listen.track}`);
}
