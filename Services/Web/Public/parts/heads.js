// The heads of places: a plain one with a title and tools, and one with a cover, its blurred light and its colours.
import { tint } from '../core/colour.js';
import { h } from '../core/dom.js';
import { address } from '../core/router.js';
import { makeGlow, setCover } from './cover.js';

/** The address of the albums that have a word. */
function taggedAlbums(kind, word) {
  return `${address('albums')}?tag=${encodeURIComponent(`${kind}:${word}`)}`;
}

/** A title, how many there are, and tools beside them. */
export function plainHead(title, count = null, ...tools) {
  return h('header', { class: 'head' }, h('h1', { text: title, tabindex: '-1' }), count, h('div', { class: 'head-tools' }, tools));
}

const longTitle = 48;

/** A large cover with words beside it, in the cover's colours. */
export function coverHead(thing, { round = false, disc = false } = {}, ...words) {
  const cover = h('span', { class: 'cover' });
  setCover(cover, thing, 1024);
  const blur = makeGlow('blur');
  blur.show(thing.art);
  const record = disc ? h('span', { class: 'disc' }, h('span', { class: 'disc-turn' })) : null;
  const head = h('header', { class: 'cover-head' }, blur,
    h('div', { class: `cover-stand${round ? ' round' : ''}${disc ? ' with-disc' : ''}`, 'aria-hidden': 'true' }, record, cover),
    h('div', { class: 'cover-words' }, h('h1', { text: thing.title, tabindex: '-1', class: thing.title.length > longTitle ? 'long' : null }), words));
  tint(head, thing.palette);
  return head;
}

const most = 12;

/** The genres, styles and moods of a thing as small pills, each leading to the albums that have it; null without any. */
export function tagPills({ genres = [], styles = [], moods = [] }) {
  const seen = new Set();
  const tags = [['genre', genres], ['style', styles], ['mood', moods]]
    .flatMap(([kind, words]) => words.map((word) => ({ kind, word })))
    .filter(({ word }) => !seen.has(word.toLowerCase()) && seen.add(word.toLowerCase())).slice(0, most);
  if (!tags.length) return null;
  return h('ul', { class: 'words', 'aria-label': 'Genres, styles and moods' },
    tags.map(({ kind, word }) => h('li', {}, h('a', { href: taggedAlbums(kind, word), class: kind, text: word }))));
}

/** What stands where there is nothing. */
export function emptyCard(title, words, ...more) {
  return h('div', { class: 'card empty' }, h('h2', { text: title }), h('p', { text: words }), more.length ? h('p', { class: 'row' }, more) : null);
}
