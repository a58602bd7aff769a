// Addresses and screens. A screen is made at its first visit and kept for a while, so that going back shows it
// unchanged. The sheet with the player also has an address, and covers the former screen.
import { isLoadFailure, isOtherVersion, messageOf, reloadPage } from './api.js';
import { h, setAttribute, setText } from './dom.js';
import { goToPlace, keepPlace, placeOf } from './places.js';

const screenLimit = 8;
const main = () => document.getElementById('main');
const screens = new Map();
const listeners = new Set();
// The time in milliseconds after which a placeholder is shown.
const placeholderDelay = 130;

let routes = [];
/** @type {(isOpen: boolean) => void} */
let overlay = () => {};
// `step` is the history entry that the screen belongs to, by which its scroll position is stored.
let current = { address: null, screen: null, step: null };
let opening = null;
// The address of the screen that was asked for last, which may still be opening.
let wanted = null;
let opened = Promise.resolve();
let steps = 0;

/** Calls `listener(address, screen)` after each change of the screen. */
export function onNavigate(listener) {
  listeners.add(listener);
}

/** Returns the current screen. */
export function currentScreen() {
  return current.screen;
}

/** Waits until the screen of the present address is shown. */
export function screenIsShown() {
  return opened;
}

/** Returns an address: `address('album', id)` is `#/album/files%3Aa12`. */
export function address(...parts) {
  return `#/${parts.map(encodeURIComponent).join('/')}`;
}

function parse(text) {
  const [path, query = ''] = text.replace(/^#\/?/, '').split('?');
  try {
    return { parts: path.split('/').filter(Boolean).map(decodeURIComponent), query: new URLSearchParams(query) };
  } catch {
    return { parts: [], query: new URLSearchParams() }; // A malformed address opens the home screen.
  }
}

/**
 * Returns true while the address names a place, such as `search`. It is false from the moment when a person goes
 * elsewhere, before the next screen is there.
 */
export function isAt(place) {
  return parse(location.hash).parts[0] === place;
}

function find(parts) {
  return routes.find(({ name }) => name === (parts[0] ?? '')) ?? { load: async () => ({ open: openNotFound }) };
}

function waiting() {
  return h('div', { class: 'waiting', 'aria-busy': 'true', 'aria-label': 'Loading' },
    h('div', { class: 'shimmer wide' }), Array.from({ length: 6 }, () => h('div', { class: 'shimmer' })));
}

async function openNotFound() {
  return {
    title: 'Not found',
    element: h('section', { class: 'screen', 'aria-label': 'Not found' }, h('div', { class: 'card empty' },
      h('h1', { text: 'Not found', tabindex: '-1' }),
      h('p', { text: 'There is no screen at this address.' }),
      h('p', { class: 'row' }, h('a', { class: 'pill first', href: '#/albums', text: 'All albums' })))),
  };
}

function failed(error, again) {
  const words = h('p', { role: 'status', text: messageOf(error) });
  const reload = async () => {
    setText(words, 'Asking …');
    if (!await reloadPage()) setText(words, 'Lunara still does not answer. Try again in a moment.');
  };
  const retry = isLoadFailure(error) ? reload : again;
  // A person decides when a new version of the page replaces this one.
  const kind = isOtherVersion(error) ? 'pill first' : 'pill first again';
  return h('div', { class: 'card empty' }, h('h1', { text: 'This screen could not be opened', tabindex: '-1' }), words,
    h('p', { class: 'row' },
      h('button', { type: 'button', class: kind, text: 'Try again', onclick: retry }),
      h('a', { class: 'pill', href: '#/albums', text: 'All albums' })));
}

/** Shows an element as the screen. With `place` the person comes back to it; else `focus` says if its title gets it. */
function swap(element, focus, place = null) {
  // A screen that is already shown is not replaced, so that the field in which a person types keeps the focus.
  if (main().firstElementChild === element && main().childElementCount === 1) return;
  main().replaceChildren(element);
  scrollTo({ top: place?.top ?? 0, behavior: 'instant' });
  if (focus && !place?.focus) focusTitle(element);
}

function focusTitle(element) {
  (element.querySelector('h1') ?? main()).focus({ preventScroll: true });
}

/**
 * Returns the screen of an address, which is made if it is not kept. A screen that serves several addresses gets the
 * address by `enter`.
 */
async function screenOf(text, signal) {
  const { parts, query } = parse(text);
  const route = find(parts);
  const key = route.isSingle ? `#/${route.name}` : text;
  const place = { parts: parts.slice(1), query, address: text, signal };
  if (!screens.has(key)) route.ask?.(place);
  const screen = screens.get(key) ?? await (await route.load())[route.open ?? 'open'](place);
  screens.delete(key);
  screens.set(key, screen);
  if (route.isSingle) await screen.enter(place);
  for (const old of screens.keys()) if (screens.size > screenLimit) screens.delete(old);
  return screen;
}

function announce(text, screen) {
  document.title = screen?.title ? `${screen.title} – Lunara` : 'Lunara';
  setAttribute(document.body, 'data-here', text);
  for (const listener of listeners) listener(text, screen);
}

async function show(text, back, first) {
  opening?.abort();
  wanted = text;
  const control = new AbortController();
  opening = control;
  const step = history.state?.step;
  const place = back ? placeOf(step, text) : undefined;
  const focus = !first && !document.activeElement?.matches('input[type=search]');
  const leave = () => {
    // The event of scrolling may come later, when another screen is shown.
    if (current.screen) keepPlace(current.step, current.address);
    current.screen?.hide?.();
    current = { address: text, screen: null, step };
  };
  const late = setTimeout(() => {
    // A screen that a person has left again must not cover the one that is shown instead.
    if (control.signal.aborted) return;
    leave();
    swap(waiting(), false);
  }, placeholderDelay);
  try {
    const screen = await screenOf(text, control.signal);
    if (control.signal.aborted) return;
    clearTimeout(late);
    leave();
    current.screen = screen;
    screen.show?.({ back });
    swap(screen.element, focus, place);
    screen.shown?.({ back });
    if (place) goToPlace(place, screen.element, () => focus && focusTitle(screen.element));
    announce(text, screen);
  } catch (error) {
    if (error.name === 'AbortError' || control.signal.aborted) return;
    leave();
    swap(failed(error, () => show(text, false, false)), focus);
    announce(text, null);
  } finally {
    clearTimeout(late);
  }
}

function visit(first = false) {
  const back = Number.isInteger(history.state?.step);
  if (!back) history.replaceState({ step: steps += 1, under: current.address }, '');
  const text = location.hash || '#/';
  const isOver = parse(text).parts[0] === 'playing';
  overlay(isOver);
  // Going back to the sheet may leave another screen than the one below it.
  if (isOver && current.address && (history.state.under ?? current.address) === current.address) return;
  const under = isOver ? history.state.under ?? '#/' : text;
  if (under === wanted) return;
  // A person who goes back before the next screen is there stays here. A screen of several addresses may have changed.
  if (current.screen && under === current.address && !find(parse(under).parts).isSingle) {
    opening.abort();
    wanted = under;
    return;
  }
  opened = show(under, back, first);
}

/**
 * Goes to an address, unless it is the current one. `instead` replaces the current history entry, for example while a
 * person types.
 */
export function navigate(text, instead = false) {
  if ((location.hash || '#/') === text) return;
  if (!instead) {
    location.hash = text;
    return;
  }
  // Replacing an entry sends no event, and a choice of several items ends by it.
  dispatchEvent(new Event('hashchange'));
  history.replaceState({ ...history.state, under: current.address }, '', text);
  visit();
}

/** Closes the sheet. */
export function closeOverlay() {
  if (parse(location.hash).parts[0] !== 'playing') return;
  if (history.state?.under) history.back();
  else navigate(current.address ?? '#/', true);
}

/**
 * Discards the screens in the background, so that they are made again; discards those that update themselves (`isLive`)
 * only if `all` is true.
 */
export function discardScreens(all = false) {
  for (const [text, screen] of screens) if (screen !== current.screen && (all || !screen.isLive)) screens.delete(text);
}

/** Discards the screens of these places in the background; home is the place `''`. */
export function discardScreensBehind(places) {
  for (const [text, screen] of screens) {
    if (screen !== current.screen && places.includes(parse(text).parts[0] ?? '')) screens.delete(text);
  }
}

/** Discards the screens of a place, such as `albums`, so that the next visit of each makes it again. */
export function discardScreensOf(place) {
  for (const text of screens.keys()) if (parse(text).parts[0] === place) screens.delete(text);
}

/** Replaces the current screen with a new one for the same address, at the same scroll position. */
export async function reopenScreen() {
  const { address: text } = current;
  for (const [key, screen] of screens) if (screen === current.screen) screens.delete(key);
  const control = new AbortController();
  const screen = await screenOf(text, control.signal);
  if (current.address !== text) return;
  const top = scrollY;
  // The element with the focus goes with the former screen, so that the new title gets the focus.
  const { activeElement } = document;
  const focus = main().contains(activeElement) && !activeElement.matches('input[type=search]');
  current.screen?.hide?.();
  current.screen = screen;
  screen.show?.({ back: true });
  swap(screen.element, focus, { top });
  screen.shown?.({ back: true });
  announce(text, screen);
}

/**
 * Sends the first requests of the screen of the address, before the page knows if it may be shown. `table` is that of
 * the screens.
 */
export function askAhead(table) {
  const { parts: [name = '', ...parts], query } = parse(location.hash);
  table.find((one) => one.name === name)?.ask?.({ parts, query });
}

/** Opens the screen of the address, and follows changes of the address. Calls `onOverlay(isOpen)` for the sheet. */
export function startRouter(table, onOverlay) {
  routes = table;
  overlay = onOverlay;
  history.scrollRestoration = 'manual';
  addEventListener('popstate', () => visit());
  addEventListener('pagehide', () => current.screen && keepPlace(current.step, current.address));
  steps = history.state?.step ?? 0;
  visit(true);
}
