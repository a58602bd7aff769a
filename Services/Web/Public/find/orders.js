// The orders of long lists with their directions: in the address, and per place in the preferences of this browser.
import { h, setAttribute } from '../core/dom.js';
import { preference, setPreference } from '../core/preferences.js';
import { discardScreensOf } from '../core/router.js';
import { choices, iconButton, setIconButton } from '../parts/controls.js';

/** The orders of albums, of tracks and of artists, each with its name. */
export const orders = {
  albums: [['name', 'artist'], ['title', 'title'], ['added', 'date added'], ['year', 'release year'],
    ['played', 'last played'],
    ['rating', 'rating'], ['plays', 'number of plays'], ['random', 'random']],
  tracks: [['name', 'title'], ['added', 'date added'], ['year', 'release year'], ['played', 'last played'],
    ['rating', 'rating'],
    ['plays', 'number of plays'], ['random', 'random']],
  artists: [['name', 'name'], ['albums', 'number of albums']],
};

// The two directions of each order; the first is the usual one.
const directions = {
  name: ['A to Z', 'Z to A'], title: ['A to Z', 'Z to A'], added: ['newest first', 'oldest first'],
    year: ['newest first', 'oldest first'],
  played: ['latest first', 'longest ago first'], rating: ['best first', 'worst first'],
    plays: ['most played first', 'least played first'], albums: ['most albums first', 'fewest albums first'],
};

/** Returns a new seed for a random order. */
const drawSeed = () => Math.floor(Math.random() * 2 ** 31);

/**
 * Returns the order of a place, `{ sort, isReversed, seed }`: that of the address's query, else the one that this
 * browser remembers. `isOwn` is true for one of the address.
 */
export function orderOf(place, query) {
  const kept = preference(`order.${place}`, {});
  const known = orders[place].map(([sort]) => sort);
  const isOwn = known.includes(query.get('sort'));
  const sort = isOwn ? query.get('sort') : known.includes(kept.sort) ? kept.sort : 'name';
  const isReversed = sort !== 'random' && (isOwn ? query.get('reversed') === 'true' : Boolean(kept.isReversed));
  if (sort === 'random' && !Number.isInteger(kept.seed)) setPreference(
    `order.${place}`, { ...kept, seed: kept.seed = drawSeed() });
  return { sort, isReversed, isOwn, ...(sort === 'random' ? { seed: kept.seed } : {}) };
}

/**
 * Remembers the order of a place; a random order is drawn anew. The order of a list that is narrowed to a genre or by a
 * filter stands only in its address, so that the whole list keeps its own.
 */
export function keepOrder(place, { sort, isReversed }, isNarrowed = false) {
  const kept = preference(`order.${place}`, {});
  const order = isNarrowed ? kept : { sort, isReversed };
  setPreference(`order.${place}`, { ...order, seed: sort === 'random' ? drawSeed() : kept.seed });
  discardScreensOf(place);
}

/** Returns an order as the parameters of a request, or of an address if `isForAddress` is true. */
export function orderParameters({ sort, isReversed, seed = undefined }, isForAddress = false) {
  return { sort, ...(isReversed ? { reversed: 'true' } : {}),
    ...(seed !== undefined && !isForAddress ? { seed } : {}) };
}

/**
 * Returns the controls of an order; `change({ sort, isReversed })` is called when a person chooses another of the
 * place's orders, or of `offered`.
 */
export function orderControls(place, order, change, offered = orders[place]) {
  const sorter = choices('Sorted by', offered, order.sort, (sort) => change({ sort, isReversed: false }), 'sort');
  const turn = iconButton('down', '',
    () => change(order.sort === 'random' ? order : { ...order, isReversed: !order.isReversed }), 'direction');
  if (order.sort === 'random') setIconButton(turn, 'sync', 'Draw again');
  else {
    const [now, other] = order.isReversed ? directions[order.sort].toReversed() : directions[order.sort];
    setIconButton(turn, order.isReversed ? 'up' : 'down',
      `${now[0].toUpperCase()}${now.slice(1)}. Turn around: ${other}`);
    setAttribute(turn, 'aria-pressed', String(order.isReversed));
  }
  return h('div', { class: 'order' }, sorter, turn);
}
