// The heads of places: a plain one with a title and tools, and one with a cover, its blurred light and its colours.
import { tint } from '../core/colour.js';
import { h } from '../core/dom.js';
import { setCover } from './cover.js';

/** A title, how many there are, and tools beside them. */
export function plainHead(title, count = null, ...tools) {
  return h('header', { class: 'head' }, h('h1', { text: title, tabindex: '-1' }), count, h('div', { class: 'head-tools' }, tools));
}

/** A large cover with words beside it, in the cover's colours. */
export function coverHead(thing, { round = false, disc = false } = {}, ...words) {
  const cover = h('span', { class: 'cover' });
  setCover(cover, thing, 1024);
  const blur = h('span', { class: 'blur', 'aria-hidden': 'true' });
  if (thing.art) setCover(blur, { art: thing.art });
  const record = disc ? h('span', { class: 'disc' }, h('span', { class: 'disc-turn' })) : null;
  const head = h('header', { class: 'cover-head' }, blur,
    h('div', { class: `cover-stand${round ? ' round' : ''}${disc ? ' with-disc' : ''}`, 'aria-hidden': 'true' }, record, cover),
    h('div', { class: 'cover-words' }, h('h1', { text: thing.title, tabindex: '-1' }), words));
  tint(head, thing.palette);
  return head;
}

/** Words in small pills, each leading to what has it where `hrefOf` says so. */
export function wordPills(name, words, hrefOf = null) {
  if (!words?.length) return null;
  return h('ul', { class: 'words', 'aria-label': name },
    words.slice(0, 8).map((word) => h('li', {}, hrefOf ? h('a', { href: hrefOf(word), text: word }) : h('span', { text: word }))));
}

/** What stands where there is nothing. */
export function emptyCard(title, words, ...more) {
  return h('div', { class: 'card empty' }, h('h2', { text: title }), h('p', { text: words }), more.length ? h('p', { class: 'row' }, more) : null);
}
