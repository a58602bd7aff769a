// The actions on albums, tracks and lists (play, play next, play later, shuffle, rate), and the menus that offer them.
import { albumOf, forgetAlbums } from '../core/albumcache.js';
import { editQueue, play, rate, read, sendCommand } from '../core/api.js';
import { roomTitle } from '../core/format.js';
import { address, isAt, navigate } from '../core/router.js';
import { continuationAfter, currentRoom, expectTrack } from '../core/store.js';
import { showBanner, showError } from './banners.js';
import { entriesAt, features } from './features.js';
import { offerUndo, rememberQueue } from './queueundo.js';

/** Sends a transport command to the shown room. */
export function command(body) {
  const room = currentRoom();
  if (room) sendCommand(room.name, body).catch(showError);
}

/** Changes the queue of the shown room. */
export function changeQueue(body) {
  const room = currentRoom();
  return room ? editQueue(room.name, body).catch(showError) : Promise.resolve();
}

/** Returns the track to show for an album, an artist or a list until the room reports the actual one. */
function placeholderTrack(item) {
  if (item.albumID) return item;
  const { title, artist = '', art = null, palette = null } = item;
  return {
    title,
    artist,
    album: title,
    albumArtist: artist,
    albumID: item.trackCount === undefined ? null : item.id,
    art,
    palette,
  };
}

/**
 * Returns the description of a track that is not in the library, with the source that a person chose, as the service
 * takes it.
 */
export function descriptionOf({ title, artist, album, durationSeconds, isrc, recordingID, cover, art, choice }) {
  const picture = cover ?? (art?.startsWith('cover:') ? art.slice(6) : null);
  return { title, artist, ...(album ? { album } : {}), ...(durationSeconds ? { durationSeconds } : {}),
    ...(isrc ? { isrc } : {}), ...(recordingID ? { recordingID } : {}),
    ...(picture ? { cover: picture } : {}), ...(choice ? { choice } : {}) };
}

// The most described tracks that one request plays or queues.
const mostDescribed = 200;

/** Plays or queues many described tracks, in as many requests as are needed. Returns the answer to the last one. */
export async function playDescribed(tracks, { mode, ...options }) {
  const parts = [];
  for (let first = 0; first < tracks.length; first += mostDescribed) {
    parts.push(tracks.slice(first, first + mostDescribed).map(descriptionOf));
  }
  // Each part that plays next goes before the one that was loaded before it.
  if (mode === 'next') parts.reverse();
  let done = null;
  for (const described of parts) {
    done = await play([], { ...options, mode: done && mode === 'now' ? 'later' : mode, described });
  }
  return done;
}

/**
 * Plays an item with an `id` and a `title`, or adds it to the queue: `mode` is `now`, `next` or `later`. After an album
 * that is played from a wall, the wall goes on; after another album the music ends, and the queue keeps the list of
 * albums on screen for its switch. `first` is the first track, if it is known. A described item with `tracks` stands
 * for these described tracks.
 */
export async function enqueue(item, mode = 'now', {
  startAt = 0, shuffle = false, ids = [item.id], first = null,
} = {}) {
  const former = mode === 'now' ? rememberQueue(currentRoom()) : null;
  const continues = item.trackCount !== undefined && item.artist !== undefined && ids.length === 1
    ? continuationAfter(item.id)
    : null;
  const endsAfter = !(continues?.wall && isAt('wall'));
  const undo = mode === 'now' && currentRoom()
    ? expectTrack(currentRoom().name, first ?? placeholderTrack(item))
    : () => {};
  try {
    const room = currentRoom()?.name ?? null;
    const described = item.described ? item.tracks ?? [item] : null;
    const done = described
      ? await playDescribed(described, { room, mode })
      : await play(ids, { room, mode, startAt, shuffle, continues, endsAfter });
    if (mode === 'now') {
      offerUndo(done.room, former, `The queue was replaced by “${item.title}”.`, done.queue.revision);
      return;
    }
    const where = roomTitle(done.room);
    const message = mode === 'next'
      ? `“${item.title}” plays next in ${where}.`
      : `“${item.title}” was added to the queue in ${where}.`;
    // Without the code of Undo the item is in the queue all the same.
    await features.offerTakingBack(done, mode, message).catch(() => showBanner(message, { key: 'queued' }));
  } catch (error) {
    undo();
    showError(error);
  }
}

/** Rates an item; null removes the rating. Returns true if that has succeeded. */
export async function rateItem(id, stars) {
  try {
    await rate(id, stars);
    forgetAlbums();
    return true;
  } catch (error) {
    showError(error);
    return false;
  }
}

/** Plays or pauses the shown room. Without a current track the room starts with the next one that is left to play. */
export function toggle() {
  const room = currentRoom();
  if (room) command({ action: room.state === 'playing' || room.state === 'buffering' ? 'pause' : 'resume' });
}

const playItems = (item) => [
  { name: 'Play', icon: 'play', run: () => enqueue(item) },
  { name: 'Play next', icon: 'queueNext', run: () => enqueue(item, 'next') },
  { name: 'Play later', icon: 'queueLater', run: () => enqueue(item, 'later') },
];

/** Returns the menu of an album; `isHere` is true on the album's own screen. */
export function albumMenu(album, isHere = false) {
  return [
    ...playItems(album),
    { name: 'Shuffle', icon: 'shuffle', run: () => enqueue(album, 'now', { shuffle: true }) },
    ...entriesAt('collect', album, 'album'), ...entriesAt('remember', album, 'album'),
    album.artistID && { name: 'Go to artist', icon: 'artists', href: address('artist', album.artistID) },
    !isHere && { name: 'Go to album', icon: 'albums', href: address('album', album.id) },
  ].filter(Boolean);
}

/**
 * Opens the artist of a track whose id is not known: that of its album if the names are the same, else the one that the
 * album names for the track, else that of the name.
 */
export async function openArtist(track) {
  const { artist } = track;
  const album = await albumOf(track);
  const isSame = ({ name }) => name?.toLowerCase() === artist.toLowerCase();
  const named = album?.tracks?.find(({ id }) => id === track.id)?.artists?.find((one) => one.id)?.id;
  const own = album && isSame({ name: album.artist }) ? album.artistID : named;
  const id = own ?? (await read('search', { q: artist, limit: 20 }).catch(() => null))?.artists.find(isSame)?.id;
  navigate(id ? address('artist', id) : `${address('search')}?q=${encodeURIComponent(artist)}`);
}

function goToArtist(track, id) {
  const item = { name: 'Go to artist', icon: 'artists' };
  return id ? { ...item, href: address('artist', id) } : { ...item, run: () => openArtist(track) };
}

/**
 * Returns the menu of a track. `start` plays the track as a part of its list, such as its album. `artistID` is the
 * artist's id, if known, `albumHere` the album whose screen this is, and `edits` are entries of the list that it is in.
 */
export function trackMenu(track, { start = null, artistID = null, albumHere = null, edits = [] } = {}) {
  return [
    { name: 'Play', icon: 'play', run: start ?? (() => enqueue(track)) },
    ...playItems(track).slice(1),
    ...entriesAt('collect', track, 'track'),
    ...edits, ...track.id && !track.described ? entriesAt('remember', track, 'track') : [],
    goToArtist(track, artistID ?? track.artists?.find(({ id }) => id)?.id),
    track.albumID && track.albumID !== albumHere
      && { name: 'Go to album', icon: 'albums', href: address('album', track.albumID) },
    ...track.described ? entriesAt('find', track, 'track') : [],
    track.id && !track.described && { name: 'Details', icon: 'info', href: address('track', track.id) },
  ].filter(Boolean);
}

/** Returns the menu of an artist. */
export const artistMenu = (artist) => [...playMenu(artist), ...entriesAt('remember', artist, 'artist')];

/** Returns the menu of a collection or a playlist. */
export function playMenu(item) {
  return [
    ...playItems(item),
    { name: 'Shuffle', icon: 'shuffle', run: () => enqueue(item, 'now', { shuffle: true }) },
    ...entriesAt('collect', item, 'list'),
  ];
}
