// Words for screen readers about what has just changed on screen, such as the new place of a row that was moved.
import { h } from './dom.js';

let region = null;

/** Has screen readers say `words`. */
export function announce(words) {
  if (!region?.isConnected) {
    region = h('div', { class: 'unseen', id: 'announcer', role: 'status' });
    document.querySelector('aside[aria-label="Messages"]').append(region);
  }
  // The same words are said again only if the text has changed in between.
  region.textContent = '';
  requestAnimationFrame(() => { region.textContent = words; });
}
