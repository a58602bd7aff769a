// Loading ahead: the modules and style sheets of a screen are asked for before its code runs.
import { h } from './dom.js';
import { loadStyles } from './stylesheets.js';

const asked = new Set();

/**
 * Loads the modules and style sheets of a screen beside each other, once. A module that imports others would otherwise
 * be read before these are known. `modules` and `styles` are paths from the page, without endings.
 */
export function loadAhead({ modules, styles }) {
  for (const path of modules) {
    if (asked.has(path)) continue;
    asked.add(path);
    document.head.append(h('link', { rel: 'modulepreload', href: `${path}.js` }));
  }
  for (const path of styles) loadStyles(`${path}.css`);
}
