// Banners: short messages about errors and finished actions. They never block, and vanish after a few seconds; a
// lasting one stays until its cause is over.
import { isLoadFailure, messageOf, reloadPage } from '../core/api.js';
import { h, setMessage, setVars } from '../core/dom.js';
import { icon } from './icons.js';

const limit = 3;
const shown = new Map();
// The keys of lasting banners that a person has closed. They are not shown again until their cause has been over.
const closed = new Set();

function remove(key) {
  const banner = shown.get(key);
  if (!banner) return;
  shown.delete(key);
  clearTimeout(banner.timer);
  banner.element.remove();
}

/**
 * Removes banners that are too many, the oldest ones first: mere words before those with an action, such as Undo. One
 * that lasts makes room only for another one that lasts, as nothing would show it again.
 */
function makeRoom(newest) {
  const others = () => [...shown].filter(([key]) => key !== newest);
  while (shown.size > limit) {
    const [key] = others().find(([, one]) => !one.lasting && !one.hasAction) ?? others().find(([, one]) => !one.lasting)
      ?? (shown.get(newest).lasting ? others()[0] : [null]);
    if (key === null) return;
    remove(key);
  }
}

/** Tells the style how high the banners are, so that nothing stays below them. */
const measure = new ResizeObserver(([{ contentRect }]) => {
  setVars(document.documentElement, { '--banners': `${Math.ceil(contentRect.height)}px` });
});

/** Removes a lasting banner, as its cause is over. */
export function hideBanner(key) {
  closed.delete(key);
  remove(key);
}

/** Moves the banners into the dialog that is open, as a dialog hides what stands outside of it; afterwards back. */
function showOverDialog() {
  const banners = document.getElementById('banners').parentElement;
  const topmost = () => [...document.querySelectorAll('dialog[open]')].at(-1);
  const host = topmost();
  if (!host || host.contains(banners)) return;
  host.append(banners);
  host.addEventListener('close', () => {
    const below = topmost();
    if (below) below.append(banners);
    else document.getElementById('skip').after(banners);
  }, { once: true });
}

/**
 * Shows a banner, which a tap or its button closes. `kind` is `word` (information), `wait` or `error`. It replaces a
 * banner with the same key. A `lasting` one stays until a person closes it or `hideBanner` removes it. `action` is
 * `{ name, run }` or `{ name, href }`.
 */
export function showBanner(message, { key = message, kind = 'word', lasting = false, action = null } = {}) {
  if (lasting && closed.has(key)) return;
  const old = shown.get(key);
  if (old && old.message === message && lasting) return;
  // An event that is told twice, by its fact and by a state, has one banner: the one that lasts.
  const [twinKey, twin] = [...shown].find(([other, one]) => other !== key && one.message === message) ?? [];
  // Two of the same words with an action, such as Undo for two notes, are of two events.
  const isOwn = Boolean(action?.run) && !lasting;
  if (twin && (twin.lasting || !lasting) && !isOwn) return;
  if (twin && !isOwn) remove(twinKey);
  remove(key);
  const words = h('span', { class: 'banner-words' });
  setMessage(words, message);
  const leave = () => remove(key);
  const act = action && (action.href
    ? h('a', { class: 'banner-act', href: action.href, text: action.name, onclick: leave })
    : h('button', { type: 'button', class: 'banner-act', text: action.name, onclick: () => {
      leave();
      action.run();
    } }));
  const dismiss = () => {
    if (lasting) closed.add(key);
    remove(key);
  };
  const close = h('button', {
    type: 'button', class: 'banner-close', 'aria-label': 'Close', onclick: dismiss,
  }, icon('close'));
  const element = h('div', {
    class: `banner ${kind}`, 'data-key': key, onclick: (event) => event.target.closest('a, button') || dismiss(),
  }, words, act, close);
  showOverDialog();
  const banners = document.getElementById('banners');
  banners.append(element);
  measure.observe(banners);
  const banner = { element, timer: 0, message, lasting, hasAction: Boolean(action) };
  const wait = () => {
    clearTimeout(banner.timer);
    // One that was removed while it had the focus loses it only then.
    if (lasting || shown.get(key) !== banner) return;
    banner.timer = setTimeout(leave, kind === 'word' && !action ? 4000 : 10000);
  };
  // A banner does not vanish while somebody is about to press its button.
  for (const kindOf of ['pointerenter', 'focusin']) element.addEventListener(kindOf, () => clearTimeout(banner.timer));
  for (const kindOf of ['pointerleave', 'focusout']) element.addEventListener(kindOf, wait);
  shown.set(key, banner);
  wait();
  makeRoom(key);
}

/** Shows an error, except that of a request that was cancelled on purpose. */
export function showError(error) {
  if (error.name === 'AbortError') return;
  const message = messageOf(error);
  const action = isLoadFailure(error) ? { name: 'Load again', run: reloadPage } : actionFor(error);
  showBanner(message, { key: error.code ?? message, kind: 'error', action });
}

/** Returns the action that may solve an error; null if there is none. */
export function actionFor({ code = '' }) {
  if (code === 'web.signInNeeded' || code === 'web.passwordNeeded') return { name: 'Sign in', href: '#/login' };
  if (code === 'scrobble.signedOut') return { name: 'Sign in', href: '#/settings/scrobbling' };
  if (code.startsWith('scrobble.')) return { name: 'Scrobbling', href: '#/settings/scrobbling' };
  if (/signedOut|signInNeeded|badToken/.test(code)) return { name: 'Sign in', href: '#/settings/sources' };
  if (/noEnabledSource|noSource|noPlugins|pluginDisabled|consentNeeded/.test(code)) {
    return { name: 'Plugins', href: '#/settings/plugins' };
  }
  if (/device|output/i.test(code)) return { name: 'Choose output', href: '#/rooms' };
  return null;
}
