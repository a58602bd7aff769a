// The words of discovery: signals, evidence, the positions of the dial.
import { ago, count } from '../core/format.js';

/** The five positions of the dial with the line that says what each does. */
export const positions = [
  { dial: 1, name: 'My Crate', line: 'Nearly all what you play' },
  { dial: 2, name: 'Curated', line: 'Mostly familiar' },
  { dial: 3, name: 'Mixed Crate', line: 'Balanced' }, { dial: 4, name: 'Deep Dig', line: 'Towards the unknown' },
  { dial: 5, name: 'Mystery Crate', line: 'Almost random' },
];

const signals = {
  history: 'From what you play', recommended: 'Near what you like', charts: 'Played most', new: 'New',
  wild: 'Wild card',
  rotation: 'From a subcategory', seeds: 'Near a favourite',
};

/** Returns the name of a signal. */
export const signalName = (signal) => signals[signal] ?? 'Other';

/** Returns the name of a tile's signal. Where a chart has more places than albums that were played, others fill it. */
export function signalOf({ signal, evidence = {} }) {
  const isCounted = ['plays', 'place', 'listens', 'listeners'].some((name) => evidence?.[name]);
  return signal === 'charts' && !isCounted ? 'From your genres' : signalName(signal);
}

const facts = {
  genre: (value) => ['Genre', value],
  lastPlayedAt: (value) => ['Last played', ago(value)],
  plays: (value) => ['Plays', value.toLocaleString('en')],
  rating: (value) => ['Your rating', count(value, 'star')],
  addedAt: (value) => ['Added', ago(value)],
  place: (value) => ['Place in the chart', value.toLocaleString('en')],
  favouritesOfArtist: (value) => ['Favourites of the artist', value.toLocaleString('en')],
  likedArtists: (value) => ['Artists you like nearby', value.toLocaleString('en')],
  favourite: (value) => ['Near', value],
  source: (value) => ['Named by', value],
  listens: (value) => ['Listens in the world', value.toLocaleString('en')],
  listeners: (value) => ['Listeners at Last.fm of its best known track', value.toLocaleString('en')],
  notedAt: (value) => ['You wrote about it', ago(value)],
};

/** Returns the evidence of a tile as pairs of a name and a value. */
export function evidenceOf(evidence = {}) {
  return Object.entries(facts).filter(([name]) => evidence[name] !== undefined && evidence[name] !== null)
    .map(([name, words]) => words(evidence[name]));
}

/** Returns a flag of an answer. Answers name some flags with `is` before them and some without. */
export function flag(thing, name) {
  return thing[`is${name}`] ?? thing[name[0].toLowerCase() + name.slice(1)] ?? false;
}

/** Returns true if the album of a tile is in the library. */
export const isOnShelf = (tile) => Boolean(tile.id) && (tile.onShelf ?? tile.isOnShelf ?? true);

/** Returns true if the household runs the service that makes walls. */
export const hasDiscovery = ({ nodes }) => nodes.some(({ role }) => role === 'discovery');

/** Returns true for an error that says that the service for this does not run in the household. */
export const isNotRunning = ({ code }) => code === 'discovery.notRunning';

/** Returns an address of the wall, or of the feed of a genre with chosen subcategories. */
export function wallAddress(genre = null, subs = []) {
  if (!genre) return '#/wall';
  const query = subs.map((sub) => `sub=${encodeURIComponent(sub)}`).join('&');
  return `#/wall/${encodeURIComponent(genre)}${query ? `?${query}` : ''}`;
}
