// The places on screens that a person has left: how far the page was scrolled, and what had the focus. Going back and
// loading the page again lead to them.

const name = 'lunara.places';
const most = 40;
// The time in milliseconds for which a screen may still grow until a place on it is given up.
const patience = 4000;
const focusable = 'a[href], button:not([disabled]), input, select';

let places = null;

function all() {
  if (places) return places;
  try {
    places = new Map(JSON.parse(sessionStorage.getItem(name)) ?? []);
  } catch {
    places = new Map(); // Without storage the places last until the page is loaded again.
  }
  return places;
}

/** Reads the places before they are needed, as a browser takes some time for the first reading. */
export function readPlaces() {
  all();
}

/** Returns what finds an element of the screen again: its list and its place in it, its address, or its id. */
function described(element) {
  if (!element?.closest('main') || element.matches('main, h1')) return null;
  const item = element.closest('[data-key]');
  const href = element.getAttribute('href');
  if (item?.parentElement) {
    const at = [...item.querySelectorAll(focusable)].indexOf(element);
    return { list: item.parentElement.getAttribute('aria-label'), key: item.dataset.key, at: Math.max(0, at), href };
  }
  return href || element.id ? { href, id: element.id || null } : null;
}

function found(screen, { list, key, at, href, id }) {
  if (id) return screen.querySelector(`#${CSS.escape(id)}`);
  const lists = list ? [...screen.querySelectorAll('[aria-label]')].filter(
    (one) => one.getAttribute('aria-label') === list) : [];
  for (const one of lists) {
    const item = one.querySelector(`:scope > [data-key="${CSS.escape(key)}"]`);
    const target = item?.querySelectorAll(focusable)[at];
    if (target && (!href || target.getAttribute('href') === href)) return target;
  }
  return href ? screen.querySelector(`a[href="${CSS.escape(href)}"]`) : null;
}

/** Keeps the place that a person leaves, for the history entry `step` with an address. */
export function keepPlace(step, address) {
  all().delete(step);
  all().set(step, { address, top: scrollY, focus: described(document.activeElement) });
  while (all().size > most) all().delete(all().keys().next().value);
  try {
    sessionStorage.setItem(name, JSON.stringify([...all()]));
  } catch {
    // The places last until the page is loaded again.
  }
}

/** Returns the place that was kept for a history entry; undefined if there is none for this address. */
export function placeOf(step, address) {
  const place = all().get(step);
  return place?.address === address ? place : undefined;
}

let end = () => {};

/**
 * Scrolls to a place on a screen and moves the focus to what had it, as soon as the screen has both. It ends when the
 * person does something else. `otherwise()` is called if what had the focus does not come back.
 */
export function goToPlace({ top, focus }, screen, otherwise) {
  end();
  const began = performance.now();
  let isThere = false;
  let isOver = false;
  const cancel = () => {
    isOver = true;
    for (const kind of ['wheel', 'touchstart', 'keydown', 'pointerdown', 'popstate']) removeEventListener(
      kind, cancel, true);
  };
  for (const kind of ['wheel', 'touchstart', 'keydown', 'pointerdown', 'popstate']) addEventListener(
    kind, cancel, { capture: true, passive: true });
  end = cancel;
  const step = () => {
    if (isOver) return;
    if (!screen.isConnected) return cancel();
    if (!isThere) {
      scrollTo({ top, behavior: 'instant' });
      isThere = Math.abs(scrollY - top) < 2;
    }
    const target = isThere && focus ? found(screen, focus) : null;
    target?.focus({ preventScroll: true });
    const isLate = performance.now() - began > patience;
    if (isThere && (!focus || target)) return cancel();
    if (isLate) {
      cancel();
      return otherwise();
    }
    return requestAnimationFrame(step);
  };
  step();
}
