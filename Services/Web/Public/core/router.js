// The places of the page and their addresses. Each place is a screen that is made once and kept for a while, so that
// back and forward find it as it was left. The sheet of what plays is a place that lies over the one before.
import { h, setAttribute } from './dom.js';

const keep = 8;
const main = () => document.getElementById('main');
const screens = new Map();
const scrolled = new Map();
const listeners = new Set();
const patience = 130;

let routes = [];
let overlay = () => {};
let current = { address: null, screen: null };
let opening = null;
let steps = 0;

/** The address that the page shows, without what lies over it. */
export function here() {
  return current.address;
}

/** Calls `listener` with each place that is shown. */
export function onPlace(listener) {
  listeners.add(listener);
}

/** The screen that is shown. */
export function screenHere() {
  return current.screen;
}

/** Writes an address: `address('album', id)` is `#/album/files%3Aa12`. */
export function address(...parts) {
  return `#/${parts.map(encodeURIComponent).join('/')}`;
}

function parse(text) {
  const [path, query = ''] = text.replace(/^#\/?/, '').split('?');
  try {
    return { parts: path.split('/').filter(Boolean).map(decodeURIComponent), query: new URLSearchParams(query) };
  } catch {
    return { parts: [], query: new URLSearchParams() }; // What is not well-formed leads home.
  }
}

function find(parts) {
  return routes.find(({ name }) => name === (parts[0] ?? '')) ?? routes.find(({ name }) => name === 'lost');
}

function waiting() {
  return h('div', { class: 'waiting', 'aria-busy': 'true', 'aria-label': 'Loading' },
    h('div', { class: 'shimmer wide' }), Array.from({ length: 6 }, () => h('div', { class: 'shimmer' })));
}

function failed(error, again) {
  return h('div', { class: 'card empty' }, h('h1', { text: 'This page could not be opened', tabindex: '-1' }), h('p', { text: error.message }),
    h('p', { class: 'row' }, h('button', { type: 'button', class: 'pill first', text: 'Try again', onclick: again }),
      h('a', { class: 'pill', href: '#/albums', text: 'All albums' })));
}

function swap(element, top, focus) {
  // What is there already stays as it is, with the field that a person writes in.
  if (main().firstElementChild === element && main().childElementCount === 1) return;
  main().replaceChildren(element);
  scrollTo({ top, behavior: 'instant' });
  if (focus) (element.querySelector('h1') ?? main()).focus({ preventScroll: true });
}

/** The screen of an address; one of a route that has but one screen is told where it is. */
async function screenOf(text, signal) {
  const { parts, query } = parse(text);
  const route = find(parts);
  const key = route.isOne ? `#/${route.name}` : text;
  const place = { parts: parts.slice(1), query, address: text, signal };
  const screen = screens.get(key) ?? await (await route.load()).open(place);
  screens.delete(key);
  screens.set(key, screen);
  if (route.isOne) await screen.enter(place);
  for (const old of screens.keys()) if (screens.size > keep) screens.delete(old);
  return screen;
}

function announce(text, screen) {
  document.title = screen?.title ? `${screen.title} – Lunara` : 'Lunara';
  setAttribute(document.body, 'data-here', text);
  for (const listener of listeners) listener(text, screen);
}

async function show(text, back, first) {
  opening?.abort();
  const control = new AbortController();
  opening = control;
  const top = back ? scrolled.get(history.state?.step) ?? 0 : 0;
  const focus = !first && !document.activeElement?.matches('input[type=search]');
  const leave = () => {
    current.screen?.hide?.();
    current = { address: text, screen: null };
  };
  const late = setTimeout(() => {
    leave();
    swap(waiting(), 0, false);
  }, patience);
  try {
    const screen = await screenOf(text, control.signal);
    if (control.signal.aborted) return;
    clearTimeout(late);
    leave();
    current.screen = screen;
    screen.show?.({ back });
    swap(screen.element, top, focus);
    screen.shown?.();
    announce(text, screen);
  } catch (error) {
    if (error.name === 'AbortError' || control.signal.aborted) return;
    leave();
    swap(failed(error, () => show(text, false, false)), 0, focus);
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
  if (isOver && current.address) return;
  const under = isOver ? history.state.under ?? '#/' : text;
  if (under !== current.address) show(under, back, first);
}

/** Goes to a place; never twice to the same. `instead` replaces the address, so that typing leaves no trail. */
export function go(text, instead = false) {
  if ((location.hash || '#/') === text) return;
  if (!instead) {
    location.hash = text;
    return;
  }
  history.replaceState({ ...history.state, under: current.address }, '', text);
  visit();
}

/** Leaves what lies over the page. */
export function leaveOverlay() {
  if (parse(location.hash).parts[0] !== 'playing') return;
  if (history.state?.under) history.back();
  else go(current.address ?? '#/', true);
}

/** Forgets screens that were left, so that they are made anew; those that keep themselves up to date only where asked. */
export function forgetScreens(all = false) {
  for (const [text, screen] of screens) if (screen !== current.screen && (all || !screen.lasting)) screens.delete(text);
}

/** Makes the screen that is shown anew, where it stands. */
export async function remake() {
  const { address: text } = current;
  for (const [key, screen] of screens) if (screen === current.screen) screens.delete(key);
  const control = new AbortController();
  const screen = await screenOf(text, control.signal);
  if (current.address !== text) return;
  const top = scrollY;
  current.screen?.hide?.();
  current.screen = screen;
  screen.show?.({ back: true });
  swap(screen.element, top, false);
  screen.shown?.();
  announce(text, screen);
}

/** Opens the place of the address and follows it from then on. `onOverlay` is told whether the sheet is open. */
export function startRouter(table, onOverlay) {
  routes = table;
  overlay = onOverlay;
  history.scrollRestoration = 'manual';
  let last = 0;
  addEventListener('scroll', () => {
    last = scrollY;
    const { step } = history.state ?? {};
    if (step && current.screen) scrolled.set(step, last);
  }, { passive: true });
  addEventListener('popstate', () => visit());
  steps = history.state?.step ?? 0;
  visit(true);
}
