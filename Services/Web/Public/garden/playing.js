// The notes in the player: what was written about the album that plays, and the button that writes about the passage.
import { read } from '../core/api.js';
import { h, reconcile } from '../core/dom.js';
import { onFact } from '../core/events.js';
import { currentRoom } from '../core/store.js';
import { loadStyles } from '../core/stylesheets.js';
import { textButton } from '../parts/controls.js';
import { dueNotesOf, tellShown } from './due.js';
import { writeNote } from './edits.js';
import { makeNote } from './notes.js';

const styled = loadStyles('garden/garden.css');

const mostNotes = 4;

/** Fills the part of the player. Returns the function `show(track)`, which is called while the player is open. */
export async function makePlayingNotes(box) {
  await styled;
  const list = h('ul', { class: 'garden-list notes', 'aria-label': 'Your notes about this album' });
  const write = textButton('Write a note', 'garden', () => currentRoom()?.track && writeNote(currentRoom().track), {});
  box.append(h('div', { class: 'row' }, write), list);
  let shown = null;

  async function load(album) {
    const [due, page] = await Promise.all([dueNotesOf(album), read('notes', { on: album, limit: mostNotes })]);
    if (shown !== album) return;
    const back = new Set(due.map(({ note }) => note.note));
    const lines = [...due, ...page.items.filter(({ note }) => !back.has(note)).map((note) => ({ note, reason: null }))];
    reconcile(list, lines,
      ({ note, reason }) => `${note.note} ${Boolean(reason)}`,
      ({ reason }) => makeNote({ isFixed: true, reason, within: album }),
      (one, { note }) => one.show(note));
    if (box.closest('dialog')?.open) tellShown(due);
  }
  const again = (album) => load(album).catch(() => {
    if (shown === album) shown = null; // The next change of the room tries again.
  });
  onFact(({ kind }) => {
    if (kind === 'library.note-changed' && shown) again(shown);
  });
  return (track) => {
    const album = track?.albumID ?? null;
    box.hidden = !track?.id || !album;
    if (album === shown) return;
    shown = album;
    list.replaceChildren();
    if (album) again(album);
  };
}
