// The queue beside the page on wide windows: what plays and what follows, with the time that is left. Its switch is
// kept in this browser.
import { h, reconcile, setText } from '../core/dom.js';
import { count, roomTitle } from '../core/format.js';
import { preference, setPreference } from '../core/preferences.js';
import { navigate } from '../core/router.js';
import { currentRoom, queueOf, subscribe } from '../core/store.js';
import { loadStyles } from '../core/stylesheets.js';
import { showError } from '../parts/banners.js';
import { iconButton, linkButton, textButton } from '../parts/controls.js';
import { makeDragWiring } from '../parts/dragging.js';
import { clearQueue } from '../parts/queueundo.js';
import { makeFollowing } from '../player/following.js';
import { makeQueueRow, moveEntry, queueRowOf, updateQueueRow } from '../player/queuerows.js';
import { followingFrom, stayAfterCurrent } from '../player/queuerules.js';
import { leftWords } from '../player/queuetotals.js';

const styled = loadStyles('find/find.css');

const name = 'queuePanel';
// The window that is wide enough for a page with a queue beside it; the style has the same number.
const wide = matchMedia('(min-width: 72rem)');
// The number of rows; the others are on the screen of the queue.
const most = 60;

let panel = null;

function make() {
  const [room, left, rest] = [h('b'), h('p', { class: 'soft', role: 'status' }), h('p', { class: 'soft panel-rest' })];
  const rows = h('ol', { class: 'lines', 'aria-label': 'What follows' });
  const none = h('p', { class: 'soft panel-none',
    text: 'The queue is empty. Play an album, or add one with its menu.' });
  const save = textButton('Save as playlist', 'playlists', () => import('../playlists/playlistedits.js')
    .then(({ saveQueue }) => saveQueue(currentRoom().name)).catch(showError), { kind: 'quiet' });
  const clear = textButton('Clear', 'trash', clearQueue, { kind: 'quiet' });
  const foot = h('div', { class: 'panel-foot' }, save, clear);
  const later = h('ol', { class: 'lines', 'aria-label': 'Then more albums' });
  const following = makeFollowing(later);
  const body = h('div', { class: 'panel-body' }, none, rows, following, rest);
  const element = h('aside', { class: 'queue-panel', 'aria-label': 'Queue' },
    h('div', { class: 'panel-head' }, h('div', {}, h('h2', { text: 'Queue' }), room),
      linkButton('All', '#/queue', null, 'quiet'),
      iconButton('close', 'Hide the queue', () => setQueuePanel(false), 'small')),
    left, body, foot);
  // The rows have their indices as keys: while an entry is moved by keys, the focus moves with it.
  const moved = (row, wanted) => {
    const to = stayAfterCurrent(row, wanted);
    if (to === row.index) return undefined;
    body.querySelector(`[data-key="${to}"] .handle`)?.focus({ preventScroll: true });
    return moveEntry(row, to);
  };
  const wireDrag = makeDragWiring(queueRowOf, moved, body);
  const show = () => {
    const current = currentRoom();
    const queue = queueOf(current);
    const first = queue ? Math.max(queue.current ?? 0, queue.first) : 0;
    const items = queue ? queue.items.slice(first - queue.first, first - queue.first + most) : [];
    const byIndex = (index) => queue?.items[index - queue.first];
    setText(room, current ? roomTitle(current.name) : '');
    setText(left, leftWords(current, queue, show));
    const split = queue ? followingFrom(queue, byIndex) : 0;
    for (const [list, isLater] of [[rows, false], [later, true]]) {
      reconcile(list, items.map((item, offset) => (
        { item, index: first + offset, current: queue.current, count: queue.count, itemAt: byIndex }))
        .filter(({ index }) => (index >= split) === isLater),
        ({ index }) => index, () => makeQueueRow({ moved, wireDrag }), updateQueueRow);
    }
    following.show(queue, later.childElementCount > 0);
    none.hidden = items.length > 0;
    foot.hidden = !queue?.count;
    const more = queue ? queue.count - first - items.length : 0;
    setText(rest, more > 0 ? `${count(more, 'track')} more in the whole queue.` : '');
  };
  // The time that is left passes while nothing else changes.
  const timer = setInterval(() => !document.hidden && setText(
    left, leftWords(currentRoom(), queueOf(currentRoom()), show)), 15_000);
  const stop = subscribe(show);
  return { element, end: () => {
    clearInterval(timer);
    stop();
    element.remove();
  } };
}

/** Shows or hides the panel as the switch and the width of the window say. */
async function fit() {
  await styled;
  const isWanted = wide.matches && preference(name, false);
  if (isWanted === Boolean(panel)) return;
  document.body.classList.toggle('has-queue', isWanted);
  if (isWanted) {
    panel = make();
    document.querySelector('.layout').append(panel.element);
  } else {
    panel.end();
    panel = null;
  }
}

function setQueuePanel(isOn) {
  setPreference(name, isOn);
  return fit();
}

/**
 * Shows the queue beside the page, or hides it. On a window that is too narrow the screen of the queue opens instead.
 */
export async function toggleQueuePanel() {
  if (!wide.matches) return navigate('#/queue');
  await setQueuePanel(!preference(name, false));
  if (panel) panel.element.querySelector('.panel-head .knob').focus({ preventScroll: true });
  return undefined;
}

/** Shows the panel if it was left open, and follows the width of the window. */
export function startQueuePanel() {
  wide.addEventListener('change', fit);
  fit().catch(showError);
}
