// The keys of the page, and the list of them.
import { h } from '../core/dom.js';
import { recall } from '../core/prefs.js';
import { address, go, leaveOverlay } from '../core/router.js';
import { currentRoom, queueOf } from '../core/store.js';
import { command, toggle } from './actions.js';
import { closeMenu, openMenuOf } from './menu.js';

const list = [
  ['Space', 'Play or pause'], ['← →', 'Back or forward 15 seconds; in a grid, to the next record'], ['↑ ↓', 'To the next line or row'],
  ['Shift ← →', 'Previous or next track'], ['/', 'Search'], ['N', 'What plays now'], ['Q', 'Queue'], ['M', 'Mute'],
  ['.', 'The menu of a record or track'], ['Esc', 'Close what is open'], ['?', 'This list'],
];

/** Shows the list of keys. */
export function showKeys() {
  const dialog = h('dialog', { class: 'keys', 'aria-labelledby': 'keys-title' }, h('h2', { id: 'keys-title', text: 'Keys' }),
    h('dl', {}, list.map(([key, what]) => h('div', {}, h('dt', {}, key.split(' ').map((one) => h('kbd', { text: one }))), h('dd', { text: what })))),
    h('button', { type: 'button', class: 'pill first', text: 'Close', onclick: () => dialog.close() }));
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
}

const isWritten = (target) => Boolean(target.closest?.('input:not([type=range]):not([type=checkbox]), select, textarea, [contenteditable]'));
const isPressed = (target) => Boolean(target.closest?.('button, a, summary, input'));

const does = {
  '/': () => go(address('search')),
  '?': showKeys,
  n: () => (location.hash === '#/playing' ? leaveOverlay() : go('#/playing')),
  q: () => go('#/queue'),
  m: () => command({ action: 'mute', on: !currentRoom()?.modes?.muted }),
};

function press(event) {
  const { key, target, shiftKey } = event;
  const lower = key.toLowerCase();
  if (key === ' ' && !isPressed(target)) return () => toggle(queueOf(currentRoom()));
  if (key === '.' && target.closest?.('[data-menu]')) return () => openMenuOf(target.closest('[data-menu]'));
  const step = { ArrowLeft: -15, ArrowRight: 15 }[key];
  const isFree = !target.closest?.('input, [role=menu], .reel, .shelf, .faces');
  if (step && isFree) return () => command(shiftKey ? { action: step < 0 ? 'previous' : 'next' } : { action: 'skip', seconds: step });
  return does[lower] ?? null;
}

/** Wires the keys. */
export function startKeys() {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isWritten(event.target)) return;
    if (event.key === 'Escape') {
      closeMenu();
      return;
    }
    if (document.querySelector('dialog.keys[open], .menu') || !recall('keys', true)) return;
    const run = press(event);
    if (!run) return;
    event.preventDefault();
    run();
  });
}
