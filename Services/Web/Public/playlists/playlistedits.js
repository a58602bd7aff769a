// Edits of the household's own playlists: adding to them from any menu, and moving, removing and renaming in them.
import { change, playlistPath, read, readQueue } from '../core/api.js';
import { address, navigate } from '../core/router.js';
import { descriptionOf } from '../parts/actions.js';
import { hideBanner, showBanner, showError } from '../parts/banners.js';
import { openMenu } from '../parts/menu.js';

const key = 'playlist-undo';

/** Reads the playlists that can be edited. */
export async function editablePlaylists() {
  const lists = [];
  let after = null;
  do {
    const page = await read('playlists', { after, limit: 200 });
    lists.push(...page.items.filter((one) => one.editable && !one.isSmart));
    after = page.next;
  } while (after);
  return lists;
}

/** Takes the last change of a playlist back. */
export const undoEdit = (id) => change(`${playlistPath(id)}/undo`);

/** Shows a message with the action Undo, which takes the last change of a playlist back and then calls `after`. */
export function offerUndoOf(playlist, message, after = () => {}) {
  showBanner(message, { key, action: { name: 'Undo', run: () => undoEdit(playlist.id).then(after).catch(showError) } });
}

// The most entries of a queue that one request reads, and the most ids and descriptions that one adds.
const [queuePart, mostIDs, mostDescribed] = [100, 2000, 200];

const describedTracks = (item) => (item.ids || !item.described ? [] : item.tracks ?? [item]);
const idsOf = (item) => item.ids ?? (describedTracks(item).length ? [] : [item.id]);
const describedOf = (item) =>
  (describedTracks(item).length ? { described: describedTracks(item).map(descriptionOf) } : {});

/**
 * Adds an item to a playlist: `{ id, title }`, several as `{ ids, title }`, or described ones as `{ tracks, title }`.
 */
export async function addTo(playlist, item) {
  try {
    const ids = idsOf(item);
    let changed = null;
    for (let first = 0; first === 0 || first < ids.length; first += mostIDs) {
      changed = await change(`${playlistPath(playlist.id)}/entries`, {
        ids: ids.slice(first, first + mostIDs), ...(first ? {} : describedOf(item)),
      });
    }
    const many = ids.length + describedTracks(item).length;
    offerUndoOf(changed, `${many > 1 ? `${many} added` : 'Added'} to ${changed.title}.`);
  } catch (error) {
    showError(error);
  }
}

/** Makes a playlist of an item, or of several. */
export async function addToNew(item) {
  try {
    const ids = idsOf(item);
    const made = await change('playlists', {
      title: item.title ?? item.name ?? 'New playlist', ids: ids.slice(0, mostIDs), ...describedOf(item),
    });
    for (let first = mostIDs; first < ids.length; first += mostIDs) {
      await change(`${playlistPath(made.id)}/entries`, { ids: ids.slice(first, first + mostIDs) });
    }
    showBanner(`Made the playlist ${made.title}.`, {
      key, action: { name: 'Open', run: () => navigate(address('playlist', made.id)) },
    });
  } catch (error) {
    showError(error);
  }
}

/** Opens a menu of the playlists to which an item, or several, can be added; then calls `done`. */
export async function choosePlaylist(item, done = () => {}) {
  const from = document.activeElement;
  const { left = 80, top = 80 } = from?.getBoundingClientRect?.() ?? {};
  try {
    const lists = await editablePlaylists();
    openMenu('Add to playlist', [
      { name: 'New playlist', icon: 'plus', run: () => addToNew(item).then(done) },
      ...lists.filter(({ id }) => id !== item.id)
        .map((list) => ({ name: list.title, icon: 'playlists', run: () => addTo(list, item).then(done) })),
    ], left, top, from);
  } catch (error) {
    showError(error);
  }
}

/**
 * Returns the bodies of requests that add tracks in their order. Tracks of the library are added by their ids, others
 * by their descriptions, and one request adds the former before the latter.
 */
function partsOf(tracks) {
  const parts = [];
  for (const track of tracks) {
    const [name, value, most] = track.described ? ['described', descriptionOf(track), mostDescribed]
      : ['ids', track.id, mostIDs];
    if (parts.at(-1)?.name === name && parts.at(-1).values.length < most) parts.at(-1).values.push(value);
    else parts.push({ name, values: [value] });
  }
  return parts.map(({ name, values }) => ({ ids: [], [name]: values }));
}

/** Makes a playlist of all that is queued in a room. */
export async function saveQueue(room) {
  try {
    const tracks = [];
    let total = 1;
    while (tracks.length < total) {
      const part = await readQueue(room, tracks.length, queuePart);
      total = part.items.length ? part.count : 0;
      tracks.push(...part.items);
    }
    const title = `Queue of ${new Date().toLocaleDateString('en', { dateStyle: 'long' })}`;
    const [first = { ids: [] }, ...rest] = partsOf(tracks);
    const made = await change('playlists', { title, ...first });
    for (const part of rest) await change(`${playlistPath(made.id)}/entries`, part);
    navigate(address('playlist', made.id));
  } catch (error) {
    showError(error);
  }
}

/** Makes an empty playlist, and opens it. */
export async function makePlaylist() {
  try {
    const made = await change('playlists', { title: 'New playlist' });
    navigate(address('playlist', made.id));
  } catch (error) {
    showError(error);
  }
}

const newRules = { all: [{ is: { genre: '' } }], sort: '-dateadded' };

/** Lets a person write the rules of a new smart playlist, and opens it. */
export async function makeSmartPlaylist() {
  const { editRules } = await import('./ruleeditor.js');
  editRules(newRules, 'New smart playlist', async (rules, title) => {
    const made = await change('playlists', { title: title || 'New smart playlist', rules });
    navigate(address('playlist', made.id));
  });
}

/** Lets a person change the rules of a smart playlist; `after` is called when they are saved. */
export async function changeRules(id, after) {
  try {
    const [{ editRules }, { rules, revision }] = await Promise.all([
      import('./ruleeditor.js'), read(playlistPath(id), {}),
    ]);
    editRules(JSON.parse(rules), null, async (text) => {
      await change(playlistPath(id), { rules: text, revision }, 'PUT');
      Promise.resolve(after()).catch(showError);
    });
  } catch (error) {
    showError(error);
  }
}

/** Gives a playlist another title. */
export const rename = (playlist, title) => change(playlistPath(playlist.id), { title }, 'PUT');

/** Removes entries from a playlist; `after` is called when the playlist changed. */
export async function removeEntries(playlist, entries, after) {
  try {
    await change(`${playlistPath(playlist.id)}/remove`, { entries });
    await Promise.resolve(after()).catch(showError);
    offerUndoOf(playlist, entries.length === 1 ? 'Removed.' : `Removed ${entries.length} entries.`, after);
  } catch (error) {
    showError(error);
  }
}

/** Moves an entry behind another one, 0 for the beginning; `after` is called when the playlist changed. */
export const moveEntry = (playlist, entry, behind, after) => moveEntries(playlist, [entry], behind, after);

/** Moves entries, in this order, behind another one. */
export async function moveEntries(playlist, entries, behind, after) {
  try {
    await change(`${playlistPath(playlist.id)}/move`, { entries, after: behind });
    hideBanner(key);
  } catch (error) {
    showError(error);
  }
  // After a failure, too: the list may show the entries at their new places already.
  await Promise.resolve(after()).catch(showError);
}

/** Deletes a playlist, and goes to the list of playlists. */
export async function deletePlaylist(playlist) {
  try {
    await change(playlistPath(playlist.id), {}, 'DELETE');
    navigate(address('playlists'));
    offerUndoOf(playlist, `Deleted ${playlist.title}.`, () => navigate(address('playlist', playlist.id)));
  } catch (error) {
    showError(error);
  }
}
