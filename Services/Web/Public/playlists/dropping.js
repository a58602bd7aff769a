// The places on which a person can drop an album, a track or a list: the queue, a new playlist, other rooms, and
// playlists. With keys and on touch screens the menu "Add to playlist" does the same.
import { play } from '../core/api.js';
import { h } from '../core/dom.js';
import { roomTitle } from '../core/format.js';
import { currentRoom, roomNamed, store } from '../core/store.js';
import { enqueue, playDescribed } from '../parts/actions.js';
import { showBanner, showError } from '../parts/banners.js';
import { icon } from '../parts/icons.js';
import { offerUndo, rememberQueue } from '../parts/queueundo.js';
import { addTo, addToNew, editablePlaylists } from './playlistedits.js';

let shown = null;

function hide() {
  shown?.remove();
  shown = null;
}

function target(name, picture, run) {
  const element = h('li', { class: 'drop-target' }, icon(picture), h('span', { text: name }));
  const mark = (isOver) => element.classList.toggle('over', isOver);
  element.addEventListener('dragenter', (event) => event.preventDefault());
  element.addEventListener('dragover', (event) => {
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
    mark(true);
  });
  element.addEventListener('dragleave', (event) => element.contains(event.relatedTarget) || mark(false));
  element.addEventListener('drop', (event) => {
    event.preventDefault();
    hide();
    run();
  });
  return element;
}

const otherRooms = () => store.rooms.filter(({ name, away }) => !away && name !== currentRoom()?.name);

/** Plays an item in another room. Its queue, which is replaced, can be restored. */
async function playIn(room, item) {
  const former = rememberQueue(roomNamed(room));
  try {
    const done = item.described ? await playDescribed(item.tracks ?? [item], { room, mode: 'now' })
      : await play(item.ids ?? [item.id], { room });
    const message = `“${item.title ?? item.name}” plays in ${roomTitle(room)}.`;
    if (former?.wasCurrent) offerUndo(room, former, message, done.queue.revision);
    else showBanner(message, { key: 'queued' });
  } catch (error) {
    showError(error);
  }
}

/** Shows the places until the drag ends. */
export async function showDropTargets(item) {
  hide();
  const list = h('ul', { class: 'drop-targets', 'aria-hidden': 'true' },
    target('Queue', 'queueLater', () => enqueue(item, 'later')),
    target('New playlist', 'plus', () => addToNew(item)),
    otherRooms().map(({ name }) => target(`Play in ${roomTitle(name)}`, 'rooms', () => playIn(name, item))));
  shown = list;
  // The player covers the page, and its queue has rows to drag as well.
  (document.querySelector('dialog[open]') ?? document.body).append(list);
  addEventListener('dragend', hide, { once: true });
  // A row that was scrolled out of the list meanwhile tells nobody that its drag has ended.
  addEventListener('pointerdown', hide, { once: true });
  try {
    const lists = await editablePlaylists();
    list.append(...lists.filter(({ id }) => id !== item.id)
      .map((one) => target(one.title, 'playlists', () => addTo(one, item))));
  } catch (error) {
    hide();
    showError(error);
  }
}
