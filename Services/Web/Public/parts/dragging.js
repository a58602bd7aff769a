// Moving the rows of a list by a handle: by its arrow keys, and by dragging. A dragged row follows the pointer, the
// other rows make room, and near the edges of the window the page scrolls.
import { setVars } from '../core/dom.js';

/**
 * Lets the arrow keys move a row by its handle. `rowOf(element)` returns its `{ index, count }`, null if it is empty.
 */
export function wireKeys(handle, element, rowOf, moved) {
  handle.addEventListener('keydown', (event) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const row = rowOf(element);
    if (!step || !row || event.altKey || event.ctrlKey) return;
    event.preventDefault();
    event.stopPropagation();
    const to = row.index + step;
    if (to < 0 || to >= row.count) return;
    moved(row, to);
  });
}

const edge = 90;

/**
 * Returns the function that makes a row draggable by its handle; `rowOf(element)` returns its `{ index, count }`, null
 * if it is empty, and `moved(row, to)` is called after a drop at another place. `scroller` is the element that scrolls,
 * if that is not the window.
 */
export function makeDragWiring(rowOf, moved, scroller = document.scrollingElement) {
  const scrolled = () => scroller.scrollTop;
  const inside = () => {
    if (scroller === document.scrollingElement) return [edge, innerHeight - edge - 80];
    const { top, bottom } = scroller.getBoundingClientRect();
    return [top + edge / 2, bottom - edge / 2];
  };
  return (handle, element) => {
    let drag = null;
    const step = () => {
      if (!drag) return;
      // The row may vanish while it is dragged, as when its track is over.
      if (!element.isConnected) return end(false);
      const [top, bottom] = inside();
      const speed = drag.y < top ? drag.y - top : drag.y > bottom ? drag.y - bottom : 0;
      if (speed) scroller.scrollBy(0, speed / 6);
      place();
      return requestAnimationFrame(step);
    };
    const place = () => {
      const by = drag.y + scrolled() - drag.from;
      const to = Math.max(0, Math.min(drag.row.count - 1, drag.row.index + Math.round(by / drag.height)));
      drag.to = to;
      setVars(element, { '--by': `${by}px` });
      for (const other of element.parentElement.children) {
        const index = rowOf(other)?.index ?? Number(other.dataset.key);
        const away = index > drag.row.index && index <= to ? -1 : index < drag.row.index && index >= to ? 1 : 0;
        if (other !== element) setVars(other, { '--by': away ? `${away * drag.height}px` : null });
      }
    };
    const end = (isDone) => {
      if (!drag) return;
      const { row, to, list } = drag;
      drag = null;
      element.classList.remove('dragged');
      list.classList.remove('dragging');
      for (const other of [element, ...list.children]) setVars(other, { '--by': null });
      if (isDone && to !== row.index) moved(row, to);
    };
    handle.addEventListener('pointerdown', (event) => {
      const row = rowOf(element);
      if (!row || event.button !== 0) return;
      event.preventDefault();
      handle.focus({ preventScroll: true });
      handle.setPointerCapture(event.pointerId);
      drag = {
        row, list: element.parentElement, to: row.index, y: event.clientY, from: event.clientY + scrolled(),
        height: element.offsetHeight,
      };
      element.classList.add('dragged');
      element.parentElement.classList.add('dragging');
      requestAnimationFrame(step);
    });
    handle.addEventListener('pointermove', (event) => {
      if (drag) drag.y = event.clientY;
    });
    handle.addEventListener('pointerup', (event) => {
      if (drag && element.isConnected) {
        drag.y = event.clientY;
        place();
      }
      end(element.isConnected);
    });
    handle.addEventListener('pointercancel', () => end(false));
  };
}
