// Keyboard shortcuts; the list of them is in find/shortcutlist.js.
import { preference } from '../core/preferences.js';
import { address, closeOverlay, navigate, screenIsShown } from '../core/router.js';
import { currentRoom } from '../core/store.js';
import { command, toggle } from './actions.js';
import { showError } from './banners.js';
import { closeMenu, openMenuOf } from './menu.js';

/** Shows the list of shortcuts, which is loaded when somebody asks for it. */
export const showShortcuts = () => import('../find/shortcutlist.js').then((keys) => keys.showShortcutList())
  .catch(showError);

const isTextField = (target) =>
  Boolean(target.closest?.('input:not([type=range]):not([type=checkbox]), select, textarea, [contenteditable]'));
const isControl = (target) => Boolean(target.closest?.('button, a, summary, input'));

/** Goes to the search, and puts the focus into its field. */
async function goToSearch() {
  if (!location.hash.startsWith(address('search'))) navigate(address('search'));
  await screenIsShown();
  const field = /** @type {HTMLInputElement} */ (document.getElementById('search-words'));
  field?.focus();
  field?.select();
}

const togglePalette = () => import('../find/palette.js').then((palette) => palette.togglePalette()).catch(showError);
const toggleQueuePanel = () =>
  import('../find/queuepanel.js').then((panel) => panel.toggleQueuePanel()).catch(showError);

const actions = {
  '/': goToSearch,
  '?': showShortcuts,
  n: () => (location.hash === '#/playing' ? closeOverlay() : navigate('#/playing')),
  f: () => navigate('#/ambient'),
  q: () => navigate('#/queue'),
  s: () => command({ action: 'stop' }),
  m: () => command({ action: 'mute', on: !currentRoom()?.modes?.muted }),
};

const lists = '.lines, .album-grid, .artist-grid, .genre-grid';
const rows = '.track-play, .record-link, .genre-link';
const rowButtons = '.track > .knob';

let moved = Promise.resolve();

/** Returns the action that moves the focus to the next row or card of a list; null outside of lists. */
function movingAction({ key, target, shiftKey }) {
  const list = target.closest?.(lists);
  // The button at the end of a row leads to that of the next row.
  const kind = target.matches?.(rowButtons) && /^Arrow(Up|Down)$/.test(key) ? rowButtons : rows;
  const rowOf = (element) => element.closest?.(kind) ?? element.closest?.('.track, .record')?.querySelector(kind);
  const from = rowOf(target);
  const isMove = key === 'ArrowUp' || key === 'ArrowDown' || (/^Arrow/.test(key) && !list?.matches('.lines'));
  if (!list || !from || !isMove || shiftKey) return null;
  // Keys pressed earlier move the focus first, even while the code for that is loading.
  const move = async () => {
    const { moveFocus } = await import('../find/arrows.js');
    const { activeElement } = document;
    moveFocus(list, kind, list.contains(activeElement) ? rowOf(activeElement) ?? from : from, key);
  };
  return () => { moved = moved.then(move).catch(showError); };
}

function actionOf(event) {
  const { key, target, shiftKey } = event;
  const lower = key.toLowerCase();
  if (lower === 'q' && shiftKey) return toggleQueuePanel;
  if (key === ' ' && !isControl(target)) return toggle;
  if (key === '.' && target.closest?.('[data-menu]')) return () => openMenuOf(target.closest('[data-menu]'));
  const step = { ArrowLeft: -15, ArrowRight: 15 }[key];
  const isFree = !target.closest?.('input, [role=menu], .carousel, .album-grid, .artist-grid, .wall-grid, .dial-rows');
  if (step && isFree) {
    return () => command(shiftKey ? { action: step < 0 ? 'previous' : 'next' } : { action: 'skip', seconds: step });
  }
  return actions[lower] ?? null;
}

/** Starts to handle shortcuts. */
export function startShortcuts() {
  addEventListener('keydown', (event) => {
    // The palette opens from everywhere, also from a field.
    if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k') {
      if (document.querySelector('dialog[open]:not(.palette)')) return;
      event.preventDefault();
      togglePalette();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTextField(event.target)) return;
    if (event.key === 'Escape') {
      closeMenu();
      return;
    }
    // Behind a dialog nothing is to be changed; the player is one that has the keys of the page.
    if (document.querySelector('dialog[open]:not(.sheet), .menu')) return;
    // The arrow keys move the focus also for those who have switched the shortcuts off.
    const run = movingAction(event) ?? (preference('keys', true) ? actionOf(event) : null);
    if (!run) return;
    event.preventDefault();
    run();
  });
}
