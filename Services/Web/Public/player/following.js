// The end of a queue: the switch for continuing, and the albums that follow, under their own heading.
import { editQueue } from '../core/api.js';
import { h, setText } from '../core/dom.js';
import { currentRoom } from '../core/store.js';
import { showError } from '../parts/banners.js';
import { switchRow } from '../parts/controls.js';

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

/** Returns the end of a queue around `rows`, the element of the items with which it continues. */
export function makeFollowing(rows) {
  let isSending = false;
  const heading = h('h2', { text: 'Then more albums' });
  const turn = (isOn, box) => {
    isSending = true;
    editQueue(currentRoom().name, { action: 'continue', on: isOn }).catch((error) => {
      box.checked = !isOn;
      showError(error);
    }).finally(() => {
      isSending = false;
    });
  };
  const line = switchRow('Continue with more albums', false, turn, ' ');
  const [box, hint] = [line.querySelector('input'), line.querySelector('small')];
  const element = h('section', { class: 'following', 'aria-label': 'After the queue' }, heading, line, rows);
  /** Shows the end of a queue; `hasRows` says if there are items with which it has continued. */
  element.show = (queue, hasRows) => {
    element.hidden = !queue?.count;
    if (element.hidden) return;
    const isOn = queue.continues || hasRows;
    heading.hidden = !isOn;
    rows.hidden = !hasRows;
    if (!isSending) box.checked = isOn;
    const from = listName(queue.continuation);
    setText(hint, !isOn ? `Off: the music ends here. On: ${from} follow.`
      : hasRows ? `From ${from}.` : `From ${from}. They are added when the last album plays.`);
  };
  return element;
}
