// Pulling the player down to close it.
import { calm, setVars } from '../core/dom.js';
import { axisOf } from '../core/gestures.js';

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
      start = { x: event.clientX, y: event.clientY, at: event.timeStamp, last: event.clientY, moved: 0, speed: 0 };
      grip.setPointerCapture(event.pointerId);
    });
    grip.addEventListener('pointermove', (event) => {
      if (!start) return;
      // A pull that begins sideways is a swipe.
      start.axis ??= axisOf(event.clientX - start.x, event.clientY - start.y);
      if (start.axis !== 'y') return;
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
