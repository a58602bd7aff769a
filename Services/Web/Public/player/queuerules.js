// A queue decides where the albums that follow it begin, and where its rows can be moved.

const orders = {
  name: 'by artist and title', added: 'by the date they were added', year: 'by year', played: 'by last play',
  rating: 'by rating', random: 'at random',
};

/** Returns the name of the list in which a queue continues. */
function listName(continuation) {
  const { wall, artist, collection, albums, tag, tags, sort = 'name' } = continuation ?? {};
  if (wall) return wall.genre ? `the feed of ${wall.genre}` : 'the wall';
  if (artist) return 'the albums of this artist';
  if (collection) return 'the collection';
  if (albums) return 'the list that the album was played from';
  return [tag || tags?.length ? 'the filtered albums' : 'all albums', orders[sort]].filter(Boolean).join(' ');
}

/**
 * Returns the index of the first item that the queue added by itself, after the current album; the number of items if
 * there is none. `itemAt(index)` returns an item, undefined if it is not read yet.
 */
export function followingFrom(queue, itemAt) {
  const current = queue.current ?? (queue.nextIndex ?? queue.count) - 1;
  const playing = queue.current === null ? undefined : itemAt(current);
  let index = current + 1;
  if (playing?.continued) while (itemAt(index) && itemAt(index).albumID === playing.albumID) index += 1;
  while (index < queue.count && itemAt(index) && !itemAt(index).continued) index += 1;
  return index < queue.count && itemAt(index) ? index : queue.count;
}

/** Returns the hint below the switch for continuing; `hasRows` says if there are items with which it has continued. */
export function hintOf(continuation, isOn, hasRows) {
  const from = listName(continuation);
  if (!isOn) return `Off: the music ends here. On: ${from} follow.`;
  return hasRows ? `From ${from}.` : `From ${from}. They are added when the last album plays.`;
}

/**
 * Returns the index for a row that is to be moved to the index `to`, in a list that begins with the current track or
 * the next: a coming track stays after the current one, as it would vanish from the list before it.
 */
export function stayAfterCurrent({ index, current }, to) {
  const playing = current ?? -1;
  return index > playing ? Math.max(to, playing + 1) : to;
}
