// Banners: what went wrong, or that something was done. They never block and go away by themselves, unless they tell of
// something that lasts; then they go when it is over.
import { h, setMessage } from '../core/dom.js';
import { icon } from './icons.js';

const most = 3;
const shown = new Map();
// What lasts and was dismissed is not said again until it was over for once.
const waved = new Set();

function take(key) {
  const banner = shown.get(key);
  if (!banner) return;
  shown.delete(key);
  clearTimeout(banner.timer);
  banner.element.remove();
}

/** Takes a banner away, as what it told of is over. */
export function dismiss(key) {
  waved.delete(key);
  take(key);
}

/**
 * Shows a banner: `kind` is `word`, `wait` or `error`. The same key replaces the one before; `lasting` ones stay until
 * dismissed. `action` is `{ name, run }` or `{ name, href }`.
 */
export function say(message, { key = message, kind = 'word', lasting = false, action = null } = {}) {
  if (lasting && waved.has(key)) return;
  const old = shown.get(key);
  if (old && old.message === message && lasting) return;
  take(key);
  const words = h('span', { class: 'banner-words' });
  setMessage(words, message);
  const leave = () => take(key);
  const act = action && (action.href
    ? h('a', { class: 'banner-act', href: action.href, text: action.name, onclick: leave })
    : h('button', { type: 'button', class: 'banner-act', text: action.name, onclick: () => {
      leave();
      action.run();
    } }));
  const close = h('button', { type: 'button', class: 'banner-close', 'aria-label': 'Dismiss', onclick: () => {
    if (lasting) waved.add(key);
    take(key);
  } }, icon('close'));
  const element = h('div', { class: `banner ${kind}`, 'data-key': key }, words, act, close);
  document.getElementById('banners').append(element);
  const timer = lasting ? 0 : setTimeout(leave, kind === 'word' ? 4000 : 10000);
  shown.set(key, { element, timer, message });
  while (shown.size > most) take(shown.keys().next().value);
}

/** Shows a refusal; a request that was given up on purpose says nothing. */
export function complain(error) {
  if (error.name === 'AbortError') return;
  say(error.message, { key: error.code ?? error.message, kind: 'error', action: remedy(error) });
}

/** What can be done about an error, as an action of its banner. */
export function remedy({ code = '' }) {
  if (code === 'web.signInNeeded' || code === 'web.passwordNeeded') return { name: 'Sign in', href: '#/login' };
  if (code === 'scrobble.signedOut') return { name: 'Sign in', href: '#/settings/scrobbling' };
  if (code.startsWith('scrobble.')) return { name: 'Look', href: '#/settings/scrobbling' };
  if (/signedOut|signInNeeded|badToken/.test(code)) return { name: 'Sign in', href: '#/settings/sources' };
  if (/device|output/i.test(code)) return { name: 'Choose output', href: '#/rooms' };
  return null;
}
