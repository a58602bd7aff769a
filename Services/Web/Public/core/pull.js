// Pull to refresh: at the top of the page a finger draws the moon down, and the sources are read again.
import { h, setAttribute, setVars } from './dom.js';

const far = 84;

/** Wires it; `refresh()` is called once it was pulled far enough. */
export function startPull(refresh) {
  const moon = h('div', { class: 'pull', 'aria-hidden': 'true' }, h('span', { class: 'moon' }));
  document.body.append(moon);
  let start = null;
  let pulled = 0;
  const show = (by) => {
    pulled = by;
    setVars(moon, { '--pulled': Math.min(1.2, by / far) });
    setAttribute(moon, 'data-ready', by > far ? 'yes' : null);
  };
  addEventListener('touchstart', (event) => {
    const isTop = scrollY <= 0 && event.touches.length === 1 && !document.querySelector('dialog[open], .menu');
    start = isTop && !event.target.closest('input, .strip, .bar, .handle') ? event.touches[0].clientY : null;
  }, { passive: true });
  addEventListener('touchmove', (event) => {
    if (start === null) return;
    const by = (event.touches[0].clientY - start) * 0.5;
    show(scrollY > 0 ? 0 : Math.max(0, by));
  }, { passive: true });
  const end = () => {
    if (start !== null && pulled > far) refresh();
    start = null;
    show(0);
  };
  addEventListener('touchend', end, { passive: true });
  addEventListener('touchcancel', () => {
    start = null;
    show(0);
  }, { passive: true });
}
