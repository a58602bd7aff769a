// The queue around the current track. A tap on a line plays it.
import { steer } from './api.js';
import { complain } from './banners.js';
import { setCover } from './cover.js';
import { h, reconcile, setAttribute, setText } from './dom.js';
import { currentRoom, follow, queueOf } from './store.js';
import { clock } from './words.js';

const part = (id) => document.getElementById(id);

function make() {
  const button = h('button', { type: 'button', class: 'queue-item' },
    h('span', { class: 'cover', 'aria-hidden': 'true' }),
    h('span', { class: 'queue-words' }, h('b'), h('span')),
    h('span', { class: 'bars', 'aria-hidden': 'true' }, h('i'), h('i'), h('i')),
    h('span', { class: 'queue-length' }));
  const line = h('li', {}, button);
  button.addEventListener('click', () => {
    const room = currentRoom();
    const { index, entry } = line.dataset;
    if (room) steer(room.name, { action: 'jump', index: Number(index), entry }).catch(complain);
  });
  return line;
}

function update(line, { item, index, current }) {
  const [cover, words, , length] = line.firstElementChild.children;
  setCover(cover, item.art, item.album, item.artist);
  setText(words.children[0], item.title);
  setText(words.children[1], item.artist);
  setText(length, item.durationSeconds ? clock(item.durationSeconds) : '');
  line.dataset.index = index;
  line.dataset.entry = item.entry;
  line.classList.toggle('past', current !== null && index < current);
  setAttribute(line.firstElementChild, 'aria-current', index === current ? 'true' : null);
}

let lastCurrent = null;

function show() {
  const queue = queueOf(currentRoom());
  part('queue').hidden = !queue?.count;
  if (!queue) return;
  const lines = queue.items.map((item, offset) => ({ item, index: queue.first + offset, current: queue.current }));
  reconcile(part('queue-list'), lines, ({ item }) => item.entry, make, update);
  const left = queue.current === null ? queue.count : queue.count - queue.current - 1;
  const end = queue.continues ? 'more follow' : left ? '' : 'the last one';
  setText(part('queue-count'), [left ? `${left} to come` : '', end].filter(Boolean).join(', '));
  // The list follows the music only when the music moved, so that it never scrolls away under a reading eye.
  const current = queue.items[(queue.current ?? -1) - queue.first]?.entry ?? null;
  if (current !== lastCurrent) {
    lastCurrent = current;
    const line = current && part('queue-list').querySelector('[aria-current]');
    if (line) part('queue-list').scrollTo({ top: line.parentElement.offsetTop - 4 });
  }
}

/** Wires the queue to the store. */
export function startQueue() {
  // Where there is room for it the queue is always open, and its title no button.
  const title = part('queue-title');
  const wide = matchMedia('(min-width: 56rem)');
  const fit = () => {
    title.disabled = wide.matches;
    setAttribute(title, 'aria-expanded', wide.matches ? null : part('queue').classList.contains('open'));
  };
  title.addEventListener('click', () => {
    part('queue').classList.toggle('open');
    fit();
  });
  wide.addEventListener('change', fit);
  fit();
  follow(show);
}
