// Lines that are dragged by their handle. The line follows the pointer, the others make room, and at the window's edges
// the page rolls on.
import { setVars } from '../core/dom.js';
import { lineOf } from './queuelines.js';

const edge = 90;

/** Answers what wires a handle and its line; `moved(line, to)` is called where one was put down elsewhere. */
export function wireDragging(moved) {
  return (handle, element) => {
    let drag = null;
    const step = () => {
      if (!drag) return;
      const speed = drag.y < edge ? drag.y - edge : drag.y > innerHeight - edge - 80 ? drag.y - (innerHeight - edge - 80) : 0;
      if (speed) scrollBy(0, speed / 6);
      place();
      requestAnimationFrame(step);
    };
    const place = () => {
      const by = drag.y + scrollY - drag.from;
      const to = Math.max(0, Math.min(drag.line.count - 1, drag.line.index + Math.round(by / drag.height)));
      drag.to = to;
      setVars(element, { '--by': `${by}px` });
      for (const other of element.parentElement.children) {
        const index = Number(other.dataset.key);
        const away = index > drag.line.index && index <= to ? -1 : index < drag.line.index && index >= to ? 1 : 0;
        if (other !== element) setVars(other, { '--by': away ? `${away * drag.height}px` : null });
      }
    };
    const end = (isDone) => {
      if (!drag) return;
      const { line, to } = drag;
      drag = null;
      element.classList.remove('dragged');
      element.parentElement?.classList.remove('dragging');
      for (const other of element.parentElement?.children ?? []) setVars(other, { '--by': null });
      if (isDone && to !== line.index) moved(line, to);
    };
    handle.addEventListener('pointerdown', (event) => {
      const line = lineOf(element);
      if (!line || event.button !== 0) return;
      event.preventDefault();
      handle.focus({ preventScroll: true });
      handle.setPointerCapture(event.pointerId);
      drag = { line, to: line.index, y: event.clientY, from: event.clientY + scrollY, height: element.offsetHeight };
      element.classList.add('dragged');
      element.parentElement.classList.add('dragging');
      requestAnimationFrame(step);
    });
    handle.addEventListener('pointermove', (event) => {
      if (drag) drag.y = event.clientY;
    });
    handle.addEventListener('pointerup', (event) => {
      if (drag) {
        drag.y = event.clientY;
        place();
      }
      end(true);
    });
    handle.addEventListener('pointercancel', () => end(false));
  };
}
