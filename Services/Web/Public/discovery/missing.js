// Albums that are not in the library: their pages elsewhere, and the wish list.
import { change } from '../core/api.js';
import { h, setAttribute, setText } from '../core/dom.js';
import { showError } from '../parts/banners.js';
import { textButton } from '../parts/controls.js';
import { flag } from './words.js';

/** Puts an album on the wish list, or takes it off. */
const setWish = (releaseGroup, isWished) =>
  change(`discovery/wishes/${encodeURIComponent(releaseGroup)}`, { isWished }, 'PUT');

/** Returns the button that puts an album on the wish list, or takes it off. */
export function wishButton(missing) {
  let isWished = flag(missing, 'Wished');
  const element = textButton('Wish', 'wish', async () => {
    element.disabled = true;
    try {
      await setWish(missing.releaseGroup, !isWished);
      isWished = !isWished;
      missing.isWished = isWished;
      show();
    } catch (error) {
      showError(error);
    }
    element.disabled = false;
  }, { kind: 'wish' });
  const show = () => {
    setAttribute(element, 'aria-pressed', String(isWished));
    setText(element.querySelector('span'), isWished ? 'On the wish list' : 'Put on the wish list');
  };
  show();
  return element;
}

/** Returns the links to pages about an album. Only encrypted addresses become links, whatever a server has sent. */
export function links({ links: all = [] }) {
  const safe = all.filter(({ url }) => /^https:\/\/[^\s]+$/.test(url));
  if (!safe.length) return null;
  return h('ul', { class: 'missing-links row wrap', 'aria-label': 'Pages about it' },
    safe.map(({ name, url }) => h('li', {},
      h('a', {
        class: 'link', href: url, target: '_blank', rel: 'noopener noreferrer', text: name || new URL(url).host,
      }))));
}
