// Gestures by touch: pulling the page down to refresh, and pulling the sheet down to close it.
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
    const isTop = scrollY <= 0 && event.touches.length === 1 && !document.querySelector('dialog[open], .menu');
    start = isTop && !event.target.closest('input, .jump-bar, .bar, .handle') ? event.touches[0].clientY : null;
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

const closeDistance = 130;
// The speed in pixels per millisecond.
const closeSpeed = 0.55;

/** Lets a person pull `sheet` down by the elements `grips`; calls `close` after a pull that was long or fast enough. */
export function wirePullToClose(sheet, grips, close) {
  let start = null;
  const end = () => {
    if (!start) return;
    const { moved, speed } = start;
    start = null;
    sheet.classList.remove('pulled');
    setVars(sheet, { '--pull': null });
    if (moved > closeDistance || (moved > 24 && speed > closeSpeed)) close();
  };
  for (const grip of grips) {
    grip.addEventListener('pointerdown', (event) => {
      if (event.pointerType === 'mouse' && event.button !== 0) return;
      if (event.target.closest('button, a, input')) return;
      event.preventDefault();
      start = { y: event.clientY, at: event.timeStamp, last: event.clientY, moved: 0, speed: 0 };
      grip.setPointerCapture(event.pointerId);
    });
    grip.addEventListener('pointermove', (event) => {
      if (!start) return;
      const passed = Math.max(1, event.timeStamp - start.at);
      start.speed = (event.clientY - start.last) / passed;
      start.at = event.timeStamp;
      start.last = event.clientY;
      start.moved = Math.max(0, event.clientY - start.y);
      sheet.classList.add('pulled');
      setVars(sheet, { '--pull': `${calm.matches ? 0 : start.moved}px` });
    });
    grip.addEventListener('pointerup', end);
    grip.addEventListener('pointercancel', end);
  }
}
