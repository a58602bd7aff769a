// Loads the look and the icons of discovery; a page that shows nothing of it does without.
import { h } from '../core/dom.js';
import { addIcons } from '../parts/icons.js';

addIcons({
  dial: 'M5.6 18.4a9 9 0 1 1 12.8 0M12 12l4-4.5M12 13.2a1.2 1.2 0 1 0 0-2.4 1.2 1.2 0 0 0 0 2.4z',
  wish: 'M6.5 3.5h11v17L12 16l-5.5 4.5z',
  link: 'M10 5H5v14h14v-5M13.5 4.5H19.5v6M19 5l-8.5 8.5',
  less: 'M4 7h16M7 12h10M10 17h4',
});

const names = ['wall', 'places'];
const sheets = names.map((name) => h('link', { rel: 'stylesheet', href: `discovery/${name}.css` }));

/** Resolves when the look is there, so that nothing is shown or measured without it. */
export const styled = Promise.all(sheets.map((sheet) => new Promise((done) => {
  sheet.onload = sheet.onerror = done;
})));

document.head.append(...sheets);
