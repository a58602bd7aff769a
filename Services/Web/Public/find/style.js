// Loads the look of finding: results of a search, the command palette, genres, several albums, and the queue beside
// the page.
import { h } from '../core/dom.js';
import { addIcons } from '../parts/icons.js';

addIcons({
  clock: 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM12 7v5.3l3.4 2',
});

const sheet = h('link', { rel: 'stylesheet', href: 'find/find.css' });

/** Resolves when the look is there, so that nothing is shown without it. */
export const styled = new Promise((done) => {
  sheet.onload = sheet.onerror = done;
});

document.head.append(sheet);
