// The tops of screens: a header with a title and buttons, a header with a cover and its colours, and texts for them.
import { applyPalette } from '../core/colours.js';
import { h, setText } from '../core/dom.js';
import { address } from '../core/router.js';
import { tagAddress, tagWords } from '../core/tags.js';
import { againButton } from './controls.js';
import { makeCoverGlow, setCover } from './cover.js';

/** Returns a header with a title, a count, and controls. */
export function pageHeader(title, count = null, ...tools) {
  return h('header', { class: 'head' },
    h('h1', { text: title, tabindex: '-1' }),
    count,
    h('div', { class: 'head-tools' }, tools));
}

/** Returns the line with the artist of an album, as a link if there is a page of them. */
export function byLine({ artist, artistID }) {
  return h('p', { class: 'by' },
    h(artistID ? 'a' : 'span', { href: artistID ? address('artist', artistID) : null, text: artist }));
}

const longTitle = 48;

/** Returns a header with a large cover and text beside it, in the cover's colours. */
export function coverHeader(item, { round = false, disc = false } = {}, ...words) {
  const cover = h('span', { class: 'cover' });
  setCover(cover, item, 1024);
  const blur = makeCoverGlow('blur');
  blur.show(item.art);
  const record = disc ? h('span', { class: 'disc' }, h('span', { class: 'disc-turn' })) : null;
  const header = h('header', { class: 'cover-head' }, blur,
    h('div', {
      class: `cover-stand${round ? ' round' : ''}${disc ? ' with-disc' : ''}`, 'aria-hidden': 'true',
    }, record, cover),
    h('div', { class: 'cover-words' },
      h('h1', { text: item.title, tabindex: '-1', class: item.title.length > longTitle ? 'long' : null }),
      words));
  applyPalette(header, item.palette);
  return header;
}

const tagLimit = 12;

/** Returns links to the albums with the types, genres, styles and moods of an item; null if it has none. */
export function tagLinks({ types = [], genres = [], styles = [], moods = [] }) {
  const seen = new Set();
  const tags = Object.entries({ type: types, genre: genres, style: styles, mood: moods })
    .flatMap(([kind, words]) => words.map((word) => ({ kind, word })))
    .filter(({ word }) => !seen.has(word.toLowerCase()) && seen.add(word.toLowerCase())).slice(0, tagLimit);
  if (!tags.length) return null;
  return h('ul', { class: 'words', 'aria-label': 'Types, genres, styles and moods' },
    tags.map(({ kind, word }) => h('li', {},
      h('a', { href: tagAddress(kind, word), class: kind, text: tagWords({ kind, name: word }) }))));
}

/** Returns the message for an empty screen. */
export function emptyMessage(title, words, ...more) {
  return h('div', { class: 'card empty' },
    h('h2', { text: title }),
    h('p', { text: words }),
    more.length ? h('p', { class: 'row' }, more) : null);
}

/** Returns the message that a screen could not be read, with a way to try again. */
export function failureMessage(title, error, again, ...more) {
  const element = emptyMessage(title, error.message, againButton(again, { kind: 'first' }), ...more);
  element.setAttribute('role', 'alert');
  return element;
}

const summaryLength = 260;

/**
 * Returns the text about an artist or a collection; a long one is shortened, with a button that shows the rest. Returns
 * null without a text.
 */
export function summary(text) {
  if (!text) return null;
  const words = h('p', { text });
  if (text.length <= summaryLength) return h('div', { class: 'summary' }, words);
  const more = h('button', { type: 'button', class: 'link', 'aria-expanded': 'false', text: 'More', onclick: () => {
    const isOpen = box.classList.toggle('open');
    more.setAttribute('aria-expanded', isOpen);
    setText(more, isOpen ? 'Less' : 'More');
  } });
  const box = h('div', { class: 'summary long' }, words, more);
  return box;
}
