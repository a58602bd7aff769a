// The artists, albums and tracks that were heard most, as bars with covers. Those in the library are links.
import { h, setVars } from '../core/dom.js';
import { count } from '../core/format.js';
import { address } from '../core/router.js';
import { setCover } from '../parts/cover.js';
import { heardWords } from './days.js';

/**
 * Returns a list of the rows `{ key, title, artist, art, plays, heardSeconds, isHere }` with a title. `kind` is the
 * name of their screen; `wordsOf(row)` are the words at the end of a row. Returns null without rows.
 * @param {string} title
 * @param {string} kind
 * @param {any[]} rows
 * @param {(row: { plays: number, lastBefore: string }) => string} [wordsOf]
 */
export function topList(title, kind, rows, wordsOf = ({ plays }) => count(plays, 'play')) {
  if (!rows.length) return null;
  const most = Math.max(...rows.map(({ plays }) => plays));
  const item = (row) => {
    const cover = h('span', { class: kind === 'artist' ? 'cover round' : 'cover', 'aria-hidden': 'true' });
    setCover(cover, { ...row, artist: row.artist ?? row.title });
    const facts = [wordsOf(row), heardWords(row.heardSeconds), !row.isHere && 'no longer here'];
    const words = h('span', { class: 'top-words' }, h('b', { text: row.title || 'Without a name' }),
      row.artist && h('span', { class: 'top-artist', text: row.artist }),
      h('span', { class: 'top-bar', 'aria-hidden': 'true' }, h('i')),
      h('small', { text: facts.filter(Boolean).join(' · ') }));
    setVars(words, { '--share': `${Math.round((row.plays / most) * 1000) / 10}%` });
    return h('li', {}, row.isHere ? h('a', { class: 'top-row', href: address(kind, row.key) }, cover, words)
      : h('div', { class: 'top-row' }, cover, words));
  };
  return h('section', { class: 'plot card' }, h('h2', { text: title }),
    h('ol', { class: 'top-list', 'aria-label': title }, rows.map(item)));
}
