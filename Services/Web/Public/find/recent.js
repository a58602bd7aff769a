// The searches that this browser remembers, the latest first.
import { preference, setPreference } from '../core/preferences.js';

const name = 'searches';
const most = 8;

/** Returns the words of the searches. */
export const recentSearches = () => preference(name, []);

/** Remembers the words of a search that a person has used. */
export function rememberSearch(words) {
  if (!words) return;
  const others = recentSearches().filter((one) => one.toLowerCase() !== words.toLowerCase());
  setPreference(name, [words, ...others].slice(0, most));
}

/** Keeps these searches in place of all others, as after Undo. */
export const keepSearches = (all) => setPreference(name, all);

/** Forgets all searches. */
export const forgetSearches = () => setPreference(name, []);
