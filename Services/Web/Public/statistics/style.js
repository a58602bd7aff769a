// Loads the look of the history and of the statistics; nothing of it is shown without it.
import { h } from '../core/dom.js';

const sheet = h('link', { rel: 'stylesheet', href: 'statistics/statistics.css' });

/** Resolves when the look is there. */
export const styled = new Promise((done) => {
  sheet.onload = sheet.onerror = done;
});

document.head.append(sheet);
