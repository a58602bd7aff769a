// Features add to the parts of the page: entries of menus, and actions whose code is loaded when they are first
// used. featurelist.js registers all of them, so that no part imports what stands below it.

/**
 * The entries by their places in a menu: `collect` follows the entries that play, `remember` those of the list that a
 * track is in, and `find` is for tracks that are not in the library.
 * @type {Record<'collect' | 'remember' | 'find', ((item: any, kind: string) => object[])[]>}
 */
const entries = { collect: [], remember: [], find: [] };

/**
 * Adds entries at a place of the menus: `make(item, kind)` returns them for an item of the kind `album`, `track`,
 * `artist` or `list`.
 */
export function addEntries(place, make) {
  entries[place].push(make);
}

/** Returns the entries at a place of the menu of an item. */
export const entriesAt = (place, item, kind) => entries[place].flatMap((make) => make(item, kind));

/**
 * The actions of features.
 * @typedef {object} Features
 * @property {(item: any, done?: () => void) => Promise<void>} addToPlaylist lets a person choose a playlist, adds an
 *   item to it, and calls `done`
 * @property {(item: any) => Promise<void>} keepOffline has the shown room keep the albums of an item on its disk
 * @property {(done: any, mode: string, message: string) => Promise<void>} offerTakingBack says that tracks were added
 *   to a queue, and offers to take that back
 * @property {(item: any) => Promise<void>} showDropTargets shows where a dragged item can be dropped
 * @property {(list: Element, card: Element, source: object) => Promise<void>} selectAlbums begins to choose albums of a
 *   grid
 * @property {(list: Element, row: Element) => Promise<void>} selectTracks begins to choose tracks of a list
 */

/** @type {Features} */
export const features = Object.create(null);
