// Loading ahead: the modules, style sheets and first answer of a screen are asked for before its code runs.
import { read } from './api.js';
import { h } from './dom.js';
import { loadStyles } from './stylesheets.js';

const asked = new Set();
const answers = new Map();

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

/** Sends the first request of a screen whose code is being loaded. `takeAhead` of the same path returns its answer. */
export function readAhead(path) {
  if (answers.has(path)) return;
  const answer = read(path);
  answer.catch(() => {}); // The screen that takes the answer shows the error.
  answers.set(path, answer);
}

/** Returns the promise of the answer that was asked for ahead, once; null if there is none. */
export function takeAhead(path) {
  const answer = answers.get(path) ?? null;
  answers.delete(path);
  return answer;
}
