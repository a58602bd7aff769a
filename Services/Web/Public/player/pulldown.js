// The sheet follows a finger that pulls it down, and leaves when it was pulled far or fast enough.
import { calm, setVars } from '../core/dom.js';

const far = 130;
const fast = 0.55;

/** Lets `sheet` be pulled down by `grips`; `leave` is called once it was. */
export function wirePullDown(sheet, grips, leave) {
  let start = null;
  const end = () => {
    if (!start) return;
    const { moved, speed } = start;
    start = null;
    sheet.classList.remove('pulled');
    setVars(sheet, { '--pull': null });
    if (moved > far || (moved > 24 && speed > fast)) leave();
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
