// What the menu offers for albums and tracks.
import { address } from '../core/router.js';
import { put } from './actions.js';

const wheres = (thing) => [
  { name: 'Play', icon: 'play', run: () => put(thing) },
  { name: 'Play next', icon: 'queueNext', run: () => put(thing, 'next') },
  { name: 'Play later', icon: 'queueLater', run: () => put(thing, 'later') },
];

/** The menu of an album; `isHere` where its own place is shown. */
export function albumMenu(album, isHere = false) {
  return [
    ...wheres(album),
    { name: 'Shuffle', icon: 'shuffle', run: () => put(album, 'now', { shuffle: true }) },
    album.artistID && { name: 'Go to artist', icon: 'artists', href: address('artist', album.artistID) },
    !isHere && { name: 'Go to album', icon: 'albums', href: address('album', album.id) },
  ].filter(Boolean);
}

/** The menu of a track; `start` plays it where it stands, such as in its album. */
export function trackMenu(track, { start = null, artistID = null, albumHere = null } = {}) {
  return [
    { name: 'Play', icon: 'play', run: start ?? (() => put(track)) },
    ...wheres(track).slice(1),
    artistID
      ? { name: 'Go to artist', icon: 'artists', href: address('artist', artistID) }
      : { name: 'Go to artist', icon: 'artists', href: `${address('search')}?q=${encodeURIComponent(track.albumArtist ?? track.artist)}` },
    track.albumID && track.albumID !== albumHere && { name: 'Go to album', icon: 'albums', href: address('album', track.albumID) },
  ].filter(Boolean);
}

/** The menu of what only can be played: an artist, a collection, a playlist. */
export function playMenu(thing) {
  return [...wheres(thing), { name: 'Shuffle', icon: 'shuffle', run: () => put(thing, 'now', { shuffle: true }) }];
}
