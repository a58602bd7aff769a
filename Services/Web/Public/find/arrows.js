// The arrow keys among the results of a search, which are in lists and grids of several kinds: the focus moves to the
// nearest result in the direction of the key.

const isSeen = (element) => element.getClientRects().length > 0 && !element.disabled;

/** Moves the focus from an element to the nearest of the elements of `selector` in `container`, by an arrow key. */
export function moveFocus(container, selector, from, key) {
  const to = nearest(from, [...container.querySelectorAll(selector)].filter(isSeen), key);
  if (to) show(to);
}

function show(element) {
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: 'nearest', behavior: 'instant' });
}

function middle(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2, left, top, height };
}

/** Returns the nearest of the elements in the direction of a key from another one; null if there is none. */
function nearest(from, elements, key) {
  const start = middle(from);
  let best = null;
  let least = Infinity;
  for (const element of elements) {
    if (element === from) continue;
    const { x, y } = middle(element);
    const [across, along] = key === 'ArrowUp' || key === 'ArrowDown' ? [x - start.x, y - start.y]
      : [y - start.y, x - start.x];
    const ahead = key === 'ArrowUp' || key === 'ArrowLeft' ? -along : along;
    if (ahead < 8 || ((key === 'ArrowLeft' || key === 'ArrowRight') && Math.abs(across) > start.height / 2)) continue;
    const distance = ahead * 3 + Math.abs(across);
    if (distance < least) [best, least] = [element, distance];
  }
  return best;
}

/**
 * Lets the arrow keys move the focus among the elements of `selector` in `container`. Up from the first ones goes to
 * `box`, and Down in `box` to the first one. Escape returns to `box`.
 */
export function wireResultArrows(container, selector, box) {
  const all = () => [...container.querySelectorAll(selector)].filter(isSeen);
  box.addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowDown') return;
    const [first] = all();
    if (!first) return;
    event.preventDefault();
    show(first);
  });
  container.addEventListener('keydown', (event) => {
    const from = event.target.closest(selector);
    if (!from || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.key === 'Escape' && !document.querySelector('.menu, .selection')) {
      event.preventDefault();
      show(box);
      return;
    }
    if (!event.key.startsWith('Arrow')) return;
    const to = nearest(from, all(), event.key) ?? (event.key === 'ArrowUp' ? box : null);
    event.preventDefault();
    event.stopPropagation();
    if (to) show(to);
  });
}
