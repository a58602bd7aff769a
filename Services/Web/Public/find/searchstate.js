// The results of a search, and the part of them that is shown.
import { isAddress } from '../core/format.js';

/** What is shown without words. */
export const nothing = { artists: [], albums: [], tracks: [], collections: [], playlists: [], tags: [], people: [] };

/** The number of results of a kind that are shown before a person asks for all. */
export const atFirst = { artists: 10, albums: 14, tracks: 6, collections: 14, playlists: 14 };

/** Returns the results of a kind that are shown; `opened` has the kinds of which a person wants all. */
export function shownOf(found, kind, opened) {
  return opened.has(kind) ? found[kind] : found[kind].slice(0, atFirst[kind]);
}

/** Returns true if more results of a kind can be shown. */
export const hasMore = (found, kind, opened) => found[kind].length > atFirst[kind] && !opened.has(kind);

/** Returns the parameters of the request for some words; null for an address, which only plugins open, or no words. */
export function requestFor(text) {
  return text && !isAddress(text) ? { q: text, limit: 40, in: 'notes' } : null;
}

/** Returns what is said about the results of some words. */
export function resultWords(found, text) {
  const kinds = /** @type {(keyof typeof nothing)[]} */ (Object.keys(nothing));
  const isAny = found.notes?.length > 0 || kinds.some((kind) => found[kind].length);
  if (isAny && found.searchedWords) return `Searched for “${found.searchedWords}” instead of “${text}”.`;
  return isAny || !requestFor(text) ? '' : `Nothing was found for “${text}”.`;
}
