// The context menu of albums, tracks and lists, opened by a long press, a right click or the menu key.
import { h } from '../core/dom.js';
import { features } from './features.js';
import { icon } from './icons.js';

const menus = new WeakMap();
const longPress = 480;
const hasMouse = matchMedia('(pointer: fine)');
let open = null;

/**
 * Sets the menu of an element: `label()` returns its title, and `itemsOf()` returns `[{ name, icon, run | href }]`, or
 * null for no menu, or true if it has shown something itself. `itemOf()` returns the album, track or list that it
 * stands for, which can then be dragged; null for none.
 */
export function offerMenu(element, label, itemsOf, itemOf = null) {
  menus.set(element, { label, itemsOf, itemOf });
  element.setAttribute('data-menu', '');
  // On a touch screen a long press opens the menu instead.
  if (itemOf && hasMouse.matches) element.draggable = true;
}

/** Closes the menu, and unless `giveBack` is false returns the focus to the element that had it. */
export function closeMenu(giveBack = true) {
  if (!open) return;
  const { element, backdrop, from } = open;
  open = null;
  element.remove();
  backdrop.remove();
  if (giveBack && from?.isConnected) from.focus({ preventScroll: true });
}

function place(element, x, y) {
  const { width, height } = element.getBoundingClientRect();
  element.style.left = `${Math.max(8, Math.min(x, innerWidth - width - 8))}px`;
  element.style.top = `${Math.max(8, Math.min(y, innerHeight - height - 8))}px`;
}

function make({ name, icon: picture, run, href, isOn }) {
  const choose = () => {
    closeMenu();
    run?.();
  };
  const inside = [picture && icon(picture), h('span', { text: name }), isOn && icon('check')];
  return href
    ? h('a', { role: 'menuitem', tabindex: '-1', href, onclick: () => closeMenu(false) }, inside)
    : h('button', { role: 'menuitem', type: 'button', tabindex: '-1', onclick: choose }, inside);
}

/** Opens a menu at a point on screen; `from` gets the focus after the menu. */
export function openMenu(label, items, x, y, from = document.activeElement) {
  closeMenu(false);
  const element = h('div', { class: 'menu', role: 'menu', 'aria-label': label },
    h('p', { class: 'menu-title', 'aria-hidden': 'true', text: label }),
    items.map(make));
  const backdrop = h('div', { class: 'menu-backdrop', onpointerdown: (event) => {
    event.preventDefault();
    closeMenu();
  }, oncontextmenu: (event) => event.preventDefault() });
  // While a dialog is open, only elements inside it can be used.
  const host = document.querySelector('dialog[open]') ?? document.body;
  host.append(backdrop, element);
  open = { element, backdrop, from };
  if (matchMedia('(min-width: 40rem)').matches) place(element, x, y);
  const all = [...element.querySelectorAll('[role=menuitem]')];
  all[0]?.focus({ preventScroll: true });
  element.addEventListener('keydown', (event) => {
    const at = all.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (to !== undefined) all[(to + all.length) % all.length].focus();
    else if (event.key === 'Escape' || event.key === 'Tab') closeMenu();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}

/** Opens the menu of an element, at a point or below the element. Returns false if it has none. */
export function openMenuOf(element, x = null, y = null, from = document.activeElement) {
  const thing = menus.get(element);
  const items = thing?.itemsOf();
  if (items === true) return true;
  if (!items?.length) return false;
  const box = (from && element.contains(from) ? from : element).getBoundingClientRect();
  openMenu(thing.label(), items, x ?? box.left, y ?? box.bottom + 4, from);
  return true;
}

function menuTarget(event) {
  return event.target.closest?.('[data-menu]') ?? null;
}

function wirePress() {
  let timer = 0;
  let start = null;
  const stop = () => clearTimeout(timer);
  addEventListener('touchstart', (event) => {
    const target = menuTarget(event);
    if (!target || event.touches.length > 1) return;
    const [{ clientX, clientY }] = event.touches;
    start = { x: clientX, y: clientY };
    stop();
    timer = setTimeout(() => {
      if (!openMenuOf(target, clientX, clientY, target.querySelector('a, button'))) return;
      navigator.vibrate?.(12);
      // Lifting the finger after a long press must not count as a tap.
      const prevent = (click) => click.preventDefault();
      addEventListener('click', prevent, { capture: true, once: true });
      addEventListener('touchend', (end) => {
        end.preventDefault();
        // The click of this touch follows at once or not at all; later clicks are intended.
        setTimeout(() => removeEventListener('click', prevent, { capture: true }), 50);
      }, { passive: false, once: true });
    }, longPress);
  }, { passive: true });
  addEventListener('touchmove', (event) => {
    const [{ clientX, clientY }] = event.touches;
    if (start && Math.hypot(clientX - start.x, clientY - start.y) > 9) stop();
  }, { passive: true });
  addEventListener('touchend', stop, { passive: true });
  addEventListener('touchcancel', stop, { passive: true });
}

/** Shows where an item can be dropped while a person drags it. */
function wireDragging() {
  addEventListener('dragstart', (event) => {
    const target = menuTarget(event);
    const item = menus.get(target)?.itemOf?.();
    // A row that is moved within its list is not dragged elsewhere.
    if (target?.classList.contains('dragged')) return event.preventDefault();
    if (!item || !event.dataTransfer) return;
    event.dataTransfer.effectAllowed = 'copy';
    event.dataTransfer.setData('text/plain', item.title ?? '');
    features.showDropTargets(item);
  });
}

/** Starts to open menus by clicks, touches and keys. */
export function startMenus() {
  addEventListener('contextmenu', (event) => {
    const target = menuTarget(event);
    if (!target || (/** @type {Element} */ (event.target)).matches('input')) return;
    // The menu key has no position.
    const byKey = event.button !== 2 && event.clientX === 0 && event.clientY === 0;
    if (openMenuOf(target, byKey ? null : event.clientX, byKey ? null : event.clientY)) event.preventDefault();
  });
  wirePress();
  wireDragging();
  addEventListener('popstate', () => closeMenu(false));
  addEventListener('blur', () => closeMenu(false));
}
