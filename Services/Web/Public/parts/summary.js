// Words about an artist or a collection: a few lines, and all of them on demand.
import { h, setText } from '../core/dom.js';

const short = 260;

/** The words, or null where there are none. */
export function summary(text) {
  if (!text) return null;
  const words = h('p', { text });
  if (text.length <= short) return h('div', { class: 'summary' }, words);
  const more = h('button', { type: 'button', class: 'link', 'aria-expanded': 'false', text: 'More', onclick: () => {
    const isOpen = box.classList.toggle('open');
    more.setAttribute('aria-expanded', isOpen);
    setText(more, isOpen ? 'Less' : 'More');
  } });
  const box = h('div', { class: 'summary long' }, words, more);
  return box;
}
