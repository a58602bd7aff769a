// Loads the look of the garden: notes, marks for deletion and todos.
import { h } from '../core/dom.js';

const sheet = h('link', { rel: 'stylesheet', href: 'garden/garden.css' });

/** Resolves when the look is there, so that nothing is shown without it. */
export const styled = new Promise((done) => {
  sheet.onload = sheet.onerror = done;
});

document.head.append(sheet);
