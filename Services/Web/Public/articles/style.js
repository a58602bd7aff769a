// Loads the look of articles.
import { h } from '../core/dom.js';

const sheet = h('link', { rel: 'stylesheet', href: 'articles/articles.css' });

/** Resolves when the look is there, so that nothing is shown without it. */
export const styled = new Promise((done) => {
  sheet.onload = sheet.onerror = done;
});

document.head.append(sheet);
