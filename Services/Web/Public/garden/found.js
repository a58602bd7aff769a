// The notes that a search finds, below the music that it finds.
import { h, reconcile, setAttribute } from '../core/dom.js';
import { makeNote } from './notes.js';
import { styled } from './style.js';

/** Shows the found notes in the element `box`. */
export async function showFound(box, notes) {
  await styled;
  if (!box.childElementCount) {
    box.append(h('h2', { text: 'In notes' }), h('ul', { class: 'garden-list notes', 'aria-label': 'In notes' }));
  }
  reconcile(box.lastElementChild, notes,
    ({ note }) => note,
    () => makeNote({ isFixed: true }),
    (one, note) => one.show(note));
  setAttribute(box, 'hidden', notes.length ? null : '');
}
