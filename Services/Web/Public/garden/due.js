// Notes that come back: on the home screen when their day returns, and in the player when their album plays again.
import { change, read } from '../core/api.js';
import { h, reconcile, setAttribute } from '../core/dom.js';
import { loadStyles } from '../core/stylesheets.js';

const mostAtHome = 3;
// Notes that were read once stay on screen for the day: the library does not name a note again after it was shown.
const known = new Map();

let today = null;

async function dueNotes(album) {
  const day = new Date().toDateString();
  if (day !== today) known.clear();
  today = day;
  const key = `${day} ${album ?? ''}`;
  if (!known.has(key)) known.set(key, (await read('notes/due', { album, limit: mostAtHome })).items);
  return known.get(key);
}

const told = new Set();

/** Tells the library which notes a person has seen, so that they rest for a fortnight. */
export function tellShown(items) {
  const notes = items.map(({ note: { note } }) => note).filter((note) => !told.has(note));
  if (!notes.length || document.hidden) return;
  notes.forEach((note) => told.add(note));
  change('notes/shown', { notes }).catch(() => notes.forEach((note) => told.delete(note)));
}

/** Reads the notes of an album that come back, for the player. */
export const dueNotesOf = (album) => dueNotes(album);

/** Shows the notes whose day returns, in the element `box` of the home screen. */
export async function showDue(box) {
  const items = await dueNotes(null);
  setAttribute(box, 'hidden', items.length ? null : '');
  if (!items.length) return;
  // On most days no note comes back, so the code and the look of notes are loaded only here.
  const [{ makeNote }] = await Promise.all([import('./notes.js'), loadStyles('garden/garden.css')]);
  const label = 'Your notes that come back';
  if (!box.childElementCount) {
    box.append(h('h2', { text: 'You wrote' }), h('ul', { class: 'garden-list notes due', 'aria-label': label }));
  }
  reconcile(box.lastElementChild, items, ({ note }) => note.note, ({ reason }) => makeNote({ isFixed: true, reason }),
    (one, { note }) => one.show(note));
  if (box.isConnected) tellShown(items);
}
