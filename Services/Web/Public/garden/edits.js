// The entries of menus of an album, a track or an artist: write a note, mark it for deletion, add a todo.
import { change } from '../core/api.js';
import { clock } from '../core/format.js';
import { currentRoom, positionOf } from '../core/store.js';
import { showBanner, showError } from '../parts/banners.js';
import { choices } from '../parts/controls.js';
import { askForText } from './forms.js';
import { kinds } from './words.js';

/** Returns a choice whose value is in the form by the name `name`. */
function choice(label, name, options) {
  const element = choices(label, options, options[0][0], () => {});
  element.querySelector('select').name = name;
  return element;
}

/** Returns what a note can be about: `[[value, words, body]]`, in which the body is that of the request. */
function subjectsOf(item) {
  const room = currentRoom();
  if (item.albumID) {
    const isPlaying = room?.track?.id === item.id;
    const at = isPlaying ? Math.floor(positionOf(room)) : 0;
    return [
      isPlaying && ['passage', `This passage, at ${clock(at)}`, { id: item.id, position: at * 1000 }],
      ['track', `The track “${item.title}”`, { id: item.id }],
      ['album', `The album${item.album ? ` “${item.album}”` : ''}`, { id: item.albumID }],
      [
        'session',
        'This listening of the album',
        { id: item.albumID, isOfSession: true, ...(isPlaying ? { room: room.name } : {}) },
      ],
    ].filter(Boolean);
  }
  if (item.trackCount !== undefined && item.artist !== undefined) {
    return [
      ['album', `The album “${item.title}”`, { id: item.id }],
      ['session', 'The last listening of it', { id: item.id, isOfSession: true }],
    ];
  }
  return [['artist', item.title, { id: item.id }]];
}

/** Opens the dialog in which a note is written. `done()` is called after it was stored. */
export function writeNote(item, done = () => {}) {
  const subjects = subjectsOf(item);
  const fields = subjects.length > 1 ? [choice('About', 'about', subjects)] : [];
  const about = fields.length ? null : item.title ?? item.name;
  askForText({
    key: `note ${item.id}`,
    title: 'Write a note',
    about,
    fields,
    label: 'Your note. *Words between stars* are emphasised.',
  }, async ({ about: chosen, text }) => {
    const [, , body] = subjects.find(([value]) => value === chosen) ?? subjects[0];
    await change('notes', { ...body, text });
    showBanner('The note is stored.', { key: 'note', action: { name: 'Notes', href: '#/notes' } });
    done();
  });
}

/** Opens the dialog in which an album, a track or an artist is marked for deletion. */
export function markForDeletion(item) {
  askForText({
    key: `mark ${item.id}`, title: 'Mark for deletion', label: 'Reason', button: 'Mark', isNeeded: false, rows: 3,
    about: `“${item.title}” is put on a list where you decide later. Lunara deletes nothing itself.`,
  }, async ({ text }) => {
    const { mark } = await change('marks', { id: item.id, reason: text.trim() || null });
    const undo = () => change(`marks/${mark}`, { state: 'kept' }, 'PUT').catch(showError);
    showBanner(`“${item.title}” is marked for deletion.`, { key: 'mark', action: { name: 'Undo', run: undo } });
  });
}

/** Opens the dialog in which a todo is added. */
export function addTodo(item) {
  const fields = [choice('What', 'about', Object.entries(kinds).reverse())];
  askForText({ key: `todo ${item.id}`, title: 'Add a todo', about: item.title, fields, isNeeded: false, rows: 3 },
    async ({ about, text }) => {
      await change('todos', { id: item.id, about, text: text.trim() });
      showBanner('The todo is added.', { key: 'todo', action: { name: 'Todos', href: '#/todos' } });
    });
}
