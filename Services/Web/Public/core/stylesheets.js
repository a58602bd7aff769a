// The style sheets of what is loaded only when it is shown. Those of the first screens are links of index.html, or in
// one sheet that the service has joined of them, whose link names them in `data-holds`.
import { h } from './dom.js';

const loading = new Map([...document.querySelectorAll('link[rel=stylesheet]')]
  .flatMap((link) => [link.getAttribute('href'), ...link.dataset.holds?.split(' ') ?? []])
  .map((path) => [path, Promise.resolve()]));

/**
 * Loads a style sheet, once. `path` is its path from the page. Resolves when the sheet is there or cannot be read, so
 * that what awaits it is neither shown nor measured without it.
 */
export function loadStyles(path) {
  if (!loading.has(path)) {
    const sheet = h('link', { rel: 'stylesheet', href: path });
    loading.set(path, new Promise((done) => {
      sheet.onload = sheet.onerror = done;
    }));
    document.head.append(sheet);
  }
  return loading.get(path);
}
