// The list of keyboard shortcuts, in a dialog.
import { h } from '../core/dom.js';
import { showDialog } from '../parts/dialogs.js';

const list = [
  ['Space', 'Play or pause'], ['← →', 'Back or forward 15 seconds; in a grid, to the next card'],
  ['↑ ↓', 'To the next row'],
  ['Shift ← →', 'Previous or next track'], ['/', 'Search'], ['Ctrl K', 'Commands: places, rooms, actions and music'],
  ['N', 'Open or close the player'], ['Q', 'Queue'], ['Shift Q', 'Queue beside the page, on wide windows'],
  ['S', 'Stop'], ['M', 'Mute'],
  ['F', 'Full screen of what plays'], ['Del', 'Remove a row of the queue'], ['I', 'Why an album is on the wall'],
  ['.', 'The menu of an album or track'], ['Esc', 'Close a menu or the player'], ['?', 'This list'],
];

/** Shows the list, unless it is shown already. */
export function showShortcutList() {
  if (document.querySelector('dialog.keys[open]')) return;
  const row = (/** @type {string[]} */ [key, what]) => h('div', {},
    h('dt', {}, key.split(' ').map((one) => h('kbd', { text: one }))), h('dd', { text: what }));
  const dialog = h('dialog', { class: 'keys', 'aria-labelledby': 'keys-title' },
    h('h2', { id: 'keys-title', text: 'Keyboard shortcuts' }), h('dl', {}, list.map(row)),
    h('button', { type: 'button', class: 'pill first', text: 'Close', onclick: () => dialog.close() }));
  showDialog(dialog);
}
