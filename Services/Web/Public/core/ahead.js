// What a place needs, asked for at once. Otherwise its modules ask for each other one after the other, then for the
// style sheets, and then for what is shown.
import { readAhead } from './api.js';
import { h } from './dom.js';
import { loadStyles } from './stylesheets.js';

/** Asks for modules and style sheets by their paths from the page, and for an answer of the API by its path. */
export function askAhead({ modules, styles, answer }) {
  document.head.append(...modules.map((path) => h('link', { rel: 'modulepreload', href: path })));
  styles.forEach(loadStyles);
  if (answer) readAhead(answer);
}
