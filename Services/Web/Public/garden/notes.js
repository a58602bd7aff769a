// Notes: one note, which can be read, changed and deleted, and the notes of an album, a track or an artist.
import { change, read } from '../core/api.js';
import { h, reconcile, setAttribute } from '../core/dom.js';
import { clock, roomTitle, timeOfDay } from '../core/format.js';
import { loadStyles } from '../core/stylesheets.js';
import { showBanner, showError } from '../parts/banners.js';
import { iconButton, textButton } from '../parts/controls.js';
import { writeNote } from './edits.js';
import { makeEditor } from './editor.js';
import { makeList } from './lists.js';
import { paragraphs } from './markup.js';
import { playPassage } from './passages.js';
import { coverOf, isHere, nameOf } from './subjects.js';
import { dayOf } from './words.js';

const styled = loadStyles('garden/garden.css');

const longText = 900;

/** Returns the name of a passage, as a button that plays it where its track is in the library. */
function passageOf({ on, position }) {
  const text = `At ${clock(position / 1000)}`;
  if (!isHere(on)) return text;
  return h('button', {
    type: 'button', class: 'link passage', 'aria-label': `${text}: play “${on.title}” from there`, text,
    onclick: () => playPassage({ on, position }).catch(showError),
  });
}

/** Returns the line that says when a note was written, and about which part. */
function originOf({ on, at, editedAt, session, position }) {
  const parts = [];
  if (position !== undefined) parts.push(passageOf({ on, position }));
  if (session) {
    parts.push(`A listening in ${roomTitle(session.room)}, ${dayOf(session.from)}, ${timeOfDay(session.from)}`);
  }
  parts.push(h('time', { datetime: at, text: dayOf(at) }));
  if (editedAt) parts.push(`changed ${dayOf(editedAt)}`);
  return h('p', { class: 'soft note-origin' }, parts.flatMap((part, index) => (index ? [' · ', part] : [part])));
}

/** Returns the text of a note; of a long one the beginning, with a button that shows the rest. */
function noteText(text) {
  const box = h('div', { class: 'note-text' }, paragraphs(text));
  if (text.length <= longText) return box;
  box.classList.add('shortened');
  const more = h('button', { type: 'button', class: 'link', 'aria-expanded': 'false', text: 'The whole note',
    onclick: () => {
      const isShort = box.classList.toggle('shortened');
      more.textContent = isShort ? 'The whole note' : 'Less';
      more.setAttribute('aria-expanded', String(!isShort));
    } });
  return h('div', {}, box, more);
}

/** Deletes a note, and offers to take that back. */
async function deleteNote({ note }, gone) {
  try {
    await change(`notes/${note}`, {}, 'DELETE');
    gone();
    showBanner('The note was deleted.', {
      key: `note ${note}`,
      action: { name: 'Undo', run: () => change(`notes/${note}/restore`).then(gone).catch(showError) },
    });
  } catch (error) {
    showError(error);
  }
}

/** Returns the former texts of a note, which are read when somebody opens them. */
function formerTexts({ note }) {
  const list = h('ol', { class: 'former' });
  const load = async () => {
    try {
      const { texts } = await read(`notes/${note}`);
      list.replaceChildren(...texts.map(({ text, at, isRefused }) => h('li', {},
        h('p', {
          class: 'soft',
          text: `${dayOf(at)}, ${timeOfDay(at)}${isRefused ? ', written at the same time on another device' : ''}`,
        }),
        noteText(text))));
    } catch (error) {
      showError(error);
    }
  };
  return h('details', { class: 'former-box', ontoggle: ({ currentTarget }) => currentTarget.open && load() },
    h('summary', { text: 'Former texts' }),
    list);
}

/**
 * Returns the element of a note, with the function `show(note)`. `within` is the id of the item on whose screen it is,
 * so that only other things are named; null elsewhere. `isFixed` is true where it cannot be changed, `reason` says why
 * it is shown. `changed()` is called after each change.
 */
export function makeNote({ within = null, isFixed = false, reason = null, changed = () => {} } = {}) {
  const element = h('li', { class: `note card${within ? '' : ' named'}` });
  let shown = null;
  let editor = null;

  const view = () => {
    const { on } = shown;
    const label = `the note of ${dayOf(shown.at)} about ${on.title}`;
    const tools = isFixed ? null : h('div', { class: 'row note-tools' },
      textButton('Edit', null, edit, { kind: 'quiet', label: `Edit ${label}` }),
      iconButton('trash', `Delete ${label}`, () => deleteNote(shown, changed), 'small'));
    element.replaceChildren(...[!within && coverOf(on), h('div', { class: 'note-body' },
      reason && h('p', { class: 'kind', text: reason }), within !== on.id && nameOf(on), noteText(shown.text),
      originOf(shown), tools,
      !isFixed && shown.version > 1 && formerTexts(shown))].filter(Boolean));
  };
  const close = (note) => {
    editor = null;
    shown = note ?? shown;
    view();
    element.querySelector('.note-tools .pill')?.focus({ preventScroll: true });
    if (note) changed();
  };
  function edit() {
    editor = makeEditor(shown, close);
    element.replaceChildren(h('div', { class: 'note-body' }, within !== shown.on.id && nameOf(shown.on), editor));
    editor.querySelector('textarea').focus();
  }
  element.isBusy = () => Boolean(editor);
  element.show = (note) => {
    if (editor) {
      editor.notice(note);
      return;
    }
    if (shown && JSON.stringify(shown) === JSON.stringify(note)) return;
    shown = note;
    view();
  };
  return element;
}

/** Returns a list of notes; `parameters()` are those of the request, `options` those of each note. */
export function noteList({ parameters, options = {}, empty, read: seen = null }) {
  const list = makeList({
    label: 'Notes', kind: 'garden-list notes', fact: 'library.note-changed', keyOf: ({ note }) => note, empty,
    read: seen,
    page: (after, limit) => read('notes', { ...parameters(), after, limit }),
    make: () => makeNote({ ...options, changed: () => list.load() }),
  });
  return list;
}

/**
 * Fills the part of a screen with the notes of an album, a track or an artist. Returns its functions `show` and `hide`.
 */
export async function fillNotes(box, item) {
  await styled;
  const list = noteList({
    parameters: () => ({ on: item.id }), options: { within: item.id },
    empty: () => h('p', { class: 'soft', text: 'You have written nothing about it yet.' }),
  });
  const write = textButton('Write a note', 'plus', () => writeNote(item, () => list.load()), { kind: 'quiet' });
  box.replaceChildren(h('div', { class: 'row between' }, h('h2', { text: 'Notes' }), write), list);
  return { show: () => list.start(), hide: () => list.stop() };
}

/** Shows the notes that a search finds in the element `box`, below the music that it finds. */
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
