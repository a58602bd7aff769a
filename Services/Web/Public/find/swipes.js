// Swipes over rows of tracks on a touch screen: to the right the track is added to the queue, to the left its menu
// opens. The menu has both as well.
import { calm, h, setVars } from '../core/dom.js';
import { loadStyles } from '../core/stylesheets.js';
import { enqueue } from '../parts/actions.js';
import { icon } from '../parts/icons.js';
import { openMenuOf } from '../parts/menu.js';
import { shownIn } from '../parts/trackrow.js';

const styled = loadStyles('find/find.css');

// The distances in pixels after which a touch is a swipe, and after which a swipe does something.
const [begin, enough] = [14, 84];

let swipe = null;

function hint(isRight) {
  return h('span', { class: `swipe-hint ${isRight ? 'right' : 'left'}`, 'aria-hidden': 'true' },
    icon(isRight ? 'queueLater' : 'more'), h('span', { text: isRight ? 'Add to the queue' : 'Menu' }));
}

function end(isDone) {
  const { row, by, hintElement } = swipe;
  swipe = null;
  row.classList.remove('swiped');
  setVars(row, { '--swipe': null });
  hintElement?.remove();
  if (!isDone || Math.abs(by) < enough) return;
  navigator.vibrate?.(10);
  const track = shownIn(row)?.track;
  if (!track) return;
  if (by > 0) enqueue(track, 'later');
  else openMenuOf(row, null, null, row.querySelector('button'));
}

function follow(event) {
  const [{ clientX, clientY }] = event.touches;
  const [x, y] = [clientX - swipe.x, clientY - swipe.y];
  if (!swipe.isOn) {
    if (Math.abs(y) > begin || event.touches.length > 1) {
      swipe = null;
      return;
    }
    if (Math.abs(x) < begin) return;
    swipe.isOn = true;
    swipe.row.classList.add('swiped');
  }
  event.preventDefault(); // The page is not scrolled sideways, and the touch is no tap.
  swipe.by = Math.max(-120, Math.min(120, x));
  if (swipe.hintElement?.classList.contains('right') !== x > 0) {
    swipe.hintElement?.remove();
    swipe.hintElement = hint(x > 0);
    swipe.row.append(swipe.hintElement);
  }
  swipe.hintElement.classList.toggle('enough', Math.abs(swipe.by) >= enough);
  setVars(swipe.row, { '--swipe': `${calm.matches ? 0 : swipe.by}px` });
}

/** Starts to follow swipes. */
export async function startSwipes() {
  await styled;
  addEventListener('touchstart', (event) => {
    const target = /** @type {Element} */ (event.target);
    const row = target.closest?.('main .track');
    if (!row || event.touches.length > 1 || target.closest('.handle, .selecting') || !shownIn(row)?.track) return;
    const [{ clientX, clientY }] = event.touches;
    swipe = { row, x: clientX, y: clientY, by: 0, isOn: false };
  }, { passive: true });
  addEventListener('touchmove', (event) => swipe && follow(event), { passive: false });
  addEventListener('touchend', (event) => {
    if (!swipe) return;
    if (swipe.isOn) event.preventDefault();
    end(true);
  }, { passive: false });
  addEventListener('touchcancel', () => swipe && end(false), { passive: true });
}
