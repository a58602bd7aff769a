// Gestures by touch: pulling the page down to refresh, and swipes.
import { calm, h, setAttribute, setVars } from './dom.js';

const refreshDistance = 84;

/** Calls `refresh()` when a person at the top of the page has pulled it down far enough. */
export function startPullToRefresh(refresh) {
  const sign = h('div', { class: 'pull', 'aria-hidden': 'true' }, h('span', { class: 'moon' }));
  document.body.append(sign);
  let start = null;
  let pulled = 0;
  const show = (by) => {
    pulled = by;
    setVars(sign, { '--pulled': Math.min(1.2, by / refreshDistance) });
    setAttribute(sign, 'data-ready', by > refreshDistance ? 'yes' : null);
  };
  addEventListener('touchstart', (event) => {
    const target = /** @type {Element} */ (event.target);
    const isTop = scrollY <= 0 && event.touches.length === 1 && !document.querySelector('dialog[open], .menu');
    start = isTop && !target.closest('input, .jump-bar, .bar, .handle') ? event.touches[0].clientY : null;
  }, { passive: true });
  addEventListener('touchmove', (event) => {
    if (start === null) return;
    const by = (event.touches[0].clientY - start) * 0.5;
    show(scrollY > 0 ? 0 : Math.max(0, by));
  }, { passive: true });
  addEventListener('touchend', () => {
    if (start !== null && pulled > refreshDistance) refresh();
    start = null;
    show(0);
  }, { passive: true });
  addEventListener('touchcancel', () => {
    start = null;
    show(0);
  }, { passive: true });
}

/** Returns the axis along which a pointer has moved, `x` or `y`; null as long as it has hardly moved. */
export const axisOf = (x, y) => (Math.hypot(x, y) < 8 ? null : Math.abs(x) > Math.abs(y) ? 'x' : 'y');

const swipeDistance = 56;

/**
 * Calls `left`, `right` or `up` after a swipe over an element, which follows the pointer sideways by its variable
 * `--swipe`. Directions that are left out do nothing. A swipe is not a click.
 */
export function wireSwipes(element, { left = null, right = null, up = null }) {
  let start = null;
  const prevent = (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const end = (event) => {
    if (!start) return;
    const { axis, x, y } = start;
    const run = !axis || event.type !== 'pointerup' ? null
      : axis === 'y' ? (y < -swipeDistance ? up : null) : x < -swipeDistance ? left : x > swipeDistance ? right : null;
    start = null;
    element.classList.remove('swiped');
    setVars(element, { '--swipe': null });
    if (axis) {
      element.addEventListener('click', prevent, { capture: true });
      setTimeout(() => element.removeEventListener('click', prevent, { capture: true }), 60);
    }
    run?.();
  };
  element.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || event.target.closest('a, input')) return;
    start = { fromX: event.clientX, fromY: event.clientY, x: 0, y: 0, axis: null };
  });
  element.addEventListener('pointermove', (event) => {
    if (!start) return;
    // The button of the mouse was let go outside of the element.
    if (event.pointerType === 'mouse' && event.buttons === 0) {
      end(event);
      return;
    }
    [start.x, start.y] = [event.clientX - start.fromX, event.clientY - start.fromY];
    start.axis ??= axisOf(start.x, start.y);
    if (!start.axis) return;
    if (!element.hasPointerCapture(event.pointerId)) element.setPointerCapture(event.pointerId);
    if (start.axis !== 'x' || calm.matches) return;
    element.classList.add('swiped');
    setVars(element, { '--swipe': `${Math.sign(start.x) * Math.min(120, Math.abs(start.x) * 0.6)}px` });
  });
  element.addEventListener('pointerup', end);
  element.addEventListener('pointercancel', end);
}
