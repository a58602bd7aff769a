// Rows that lead to another screen: a picture, a link with one or two lines, and buttons behind it.
import { h, setAttribute, setText } from '../core/dom.js';
import { clearCover, setCover } from './cover.js';
import { enqueue, playMenu } from './actions.js';
import { iconButton } from './controls.js';
import { icon } from './icons.js';
import { offerMenu, openMenuOf } from './menu.js';

const items = new WeakMap();

/** Returns an empty row with an icon, or with a cover if `picture` is `cover`. */
export function makeLinkRow(picture) {
  const element = h('li', { class: 'track' },
    h('a', { class: 'track-play' },
      h('span', { class: 'track-sign', 'aria-hidden': 'true' },
        picture === 'cover' ? h('span', { class: 'cover' }) : icon(picture)),
      h('span', { class: 'track-words' }, h('b'), h('span'))),
    iconButton('play', 'Play', () => items.has(element) && enqueue(items.get(element)), 'small'),
    iconButton('more', 'More', ({ currentTarget }) => openMenuOf(element, null, null, currentTarget), 'small'));
  const of = () => items.get(element) ?? null;
  // Rooms keep albums, not folders and works.
  const menuOf = (item) => playMenu(item).filter(({ name }) => name !== 'Keep offline');
  offerMenu(element, () => of()?.title ?? '', () => of() && menuOf(of()), of);
  return element;
}

/** Fills a row with an item, which can be played; an undefined one shows as loading. */
export function updateLinkRow(element, item, { href = null, under = '', title = item?.title } = {}) {
  const [link, start, more] = element.children;
  const [sign, words] = link.children;
  element.classList.toggle('shimmering', !item);
  start.hidden = more.hidden = !item;
  setAttribute(link, 'href', item ? href : null);
  setText(words.children[0], item ? title : '');
  setText(words.children[1], item ? under : '');
  if (sign.firstChild.matches('.cover')) item ? setCover(sign.firstChild, item) : clearCover(sign.firstChild);
  if (!item) {
    items.delete(element);
    return;
  }
  items.set(element, item);
  setAttribute(start, 'aria-label', `Play ${title}`);
  setAttribute(more, 'aria-label', `More for ${title}`);
}
