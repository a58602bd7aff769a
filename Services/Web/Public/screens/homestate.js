// The home screen decides which albums stand where, and what it reads again after a change.
import { ago } from '../core/format.js';

/** The albums of each order that are read: enough for the largest shelf, and a reel of those that are not on it. */
export const readAlbums = 60;

/** Returns the albums of the screen by the answers for those played last and those added last. */
export function albumsOf(heard, fresh) {
  return {
    played: heard.items.filter(({ lastPlayedAt }) => lastPlayedAt), added: fresh.items,
    total: Math.max(fresh.total ?? 0, fresh.items.length),
  };
}

/**
 * Returns the albums on a shelf of some rows and columns: in the upper half those that were played last, then those
 * that were added last, none twice.
 */
export function shelfOf({ played, added }, { rows, columns }) {
  const heard = played.slice(0, Math.ceil(rows / 2) * columns);
  const ids = new Set();
  return [...heard, ...added, ...played].filter(({ id }) => !ids.has(id) && ids.add(id)).slice(0, rows * columns);
}

/** Returns why an album stands on the shelf; null as long as nothing was played. */
export function reasonOf({ lastPlayedAt, addedAt }, { played }) {
  if (!played.length) return null;
  return lastPlayedAt ? `Played ${ago(lastPlayedAt)}` : addedAt ? `Added ${ago(addedAt)}` : null;
}

/** Returns true while the music is read for the first time: the shelf then fills, cover after cover. */
export function isFirstReading(catalogue) {
  return Boolean(catalogue?.sources.some(({ health, lastRefreshed }) => health === 'scanning' && !lastRefreshed));
}

/** What is known of the catalogue and its lists, and of the connection, before the first answer. */
export const nothingKnown = { generation: null, lists: null, link: null };

/** Returns what is known once a catalogue is read. */
export const knownOf = (known, catalogue) => ({
  ...known, generation: catalogue?.generation ?? known.generation, lists: catalogue?.lists ?? known.lists,
});

/**
 * Returns what is known after a change of the household, and what is to be read again for it: `all`, `lists` or null.
 * `hasFailed` is true if the albums could not be read, `isEmpty` if there were none.
 */
export function afterChange(known, { catalogue, link }, { hasFailed, isEmpty }) {
  const now = { ...knownOf(known, catalogue), link };
  const isChanged = now.generation !== known.generation && (known.generation !== null || isEmpty);
  const isBack = hasFailed && link === 'open' && known.link !== 'open';
  const areListsChanged = known.lists !== null && now.lists !== known.lists;
  return { known: now, outdated: isChanged || isBack ? 'all' : areListsChanged ? 'lists' : null };
}

/** Returns what stands in place of the shelf: `nothing` in the library, a `failure`, or null for the shelf itself. */
export function insteadOfShelf({ albums, error }, catalogue) {
  if (albums?.total) return null;
  if (catalogue?.albums === 0 || albums) return 'nothing';
  return error ? 'failure' : null;
}
