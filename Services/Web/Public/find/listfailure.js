// The message in place of a list of which nothing could be read, with a way to try again. The list also tries by
// itself.
import { h, setText } from '../core/dom.js';
import { showError } from '../parts/banners.js';
import { againButton } from '../parts/controls.js';

/**
 * Returns the message for a list; `title` says what could not be read. `show(source)` shows it while the source (see
 * lists.js) has an error and no items, and returns true then. Where there are items, the error gets a banner.
 */
export function listFailure(title) {
  let source = null;
  const words = h('p');
  const again = againButton(() => source.retry(), { kind: 'first' });
  const element = h('div', { class: 'card empty', role: 'alert', hidden: true },
    h('h2', { text: title }), words, h('p', { class: 'row' }, again));
  let told = null;
  element.show = (now) => {
    source = now;
    const { error } = source;
    const isFailed = Boolean(error) && source.get(0) === undefined;
    if (isFailed) setText(words, error.message);
    else if (error && error !== told) showError(error);
    told = error;
    // The button goes with the message, so that the title gets the focus.
    if (!isFailed && element.contains(document.activeElement)) {
      element.closest('.screen')?.querySelector('h1')?.focus({ preventScroll: true });
    }
    element.hidden = !isFailed;
    return isFailed;
  };
  return element;
}
