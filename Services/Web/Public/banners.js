// Banners: what went wrong, or that something was done. They never block and go away by themselves.
import { h, setMessage } from './dom.js';
import { icon } from './icons.js';

const most = 4;
const shown = new Map();

/** Takes a banner away. */
export function dismiss(key) {
  const banner = shown.get(key);
  if (!banner) return;
  shown.delete(key);
  clearTimeout(banner.timer);
  banner.element.remove();
}

/** Shows a banner. The same key replaces the one before; `lasting` ones stay until dismissed. */
export function say(message, { key = message, kind = 'word', lasting = false, action = null } = {}) {
  const old = shown.get(key);
  if (old && old.message === message && lasting) return;
  dismiss(key);
  const words = h('span', { class: 'banner-words' });
  setMessage(words, message);
  const act = action && h('button', { type: 'button', class: 'banner-act', text: action.name, onclick: () => {
    dismiss(key);
    action.run();
  } });
  const close = h('button', { type: 'button', class: 'banner-close', 'aria-label': 'Dismiss', onclick: () => dismiss(key) }, icon('close'));
  const element = h('div', { class: `banner ${kind}` }, words, act, close);
  document.getElementById('banners').append(element);
  const timer = lasting ? 0 : setTimeout(() => dismiss(key), kind === 'word' ? 4000 : 10000);
  shown.set(key, { element, timer, message });
  while (shown.size > most) dismiss(shown.keys().next().value);
}

/** Shows a refusal; a request that was given up on purpose says nothing. */
export function complain(error) {
  if (error.name === 'AbortError') return;
  say(error.message, { key: error.code, kind: 'error' });
}
