// The places on which a person can drop an album, a track or a list: the queue, a new playlist, and playlists. With keys
// and on touch screens the menu "Add to playlist" does the same.
import { h } from '../core/dom.js';
import { enqueue } from '../parts/actions.js';
import { showError } from '../parts/banners.js';
import { icon } from '../parts/icons.js';
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

/** Shows the places until the drag ends. */
export async function showDropTargets(item) {
  hide();
  const list = h('ul', { class: 'drop-targets', 'aria-hidden': 'true' }, target('Queue', 'queueLater', () => enqueue(item, 'later')), target('New playlist', 'plus', () => addToNew(item)));
  shown = list;
  document.body.append(list);
  addEventListener('dragend', hide, { once: true });
  try {
    const lists = await editablePlaylists();
    list.append(...lists.filter(({ id }) => id !== item.id).map((one) => target(one.title, 'playlists', () => addTo(one, item))));
  } catch (error) {
    hide();
    showError(error);
  }
}
