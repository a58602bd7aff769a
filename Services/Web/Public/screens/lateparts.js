// Parts of a screen whose code comes after that of the screen, which is of use without them.
import { h } from '../core/dom.js';

/** Returns the functions `show` and `hide` of a part; `load()` resolves to those of its code. */
export function latePart(load) {
  let part = null;
  let isShown = false;
  load().then((loaded) => {
    part = loaded;
    if (isShown) part.show();
  }).catch(() => {});
  const set = (isNow) => () => {
    isShown = isNow;
    part?.[isNow ? 'show' : 'hide']();
  };
  return { show: set(true), hide: set(false) };
}

/** Returns the part with the notes of an item, with its element. */
export function notesPart(item) {
  const element = h('section', { class: 'group' });
  const load = () => import('../garden/notes.js').then(({ fillNotes }) => fillNotes(element, item));
  return { element, ...latePart(load) };
}
