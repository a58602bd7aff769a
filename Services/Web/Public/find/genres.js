// The genres and decades of the library, each with the number of its albums and covers of some of them.
import { read } from '../core/api.js';
import { h, reconcile, setText } from '../core/dom.js';
import { count } from '../core/format.js';
import { CursorList } from '../core/lists.js';
import { preference, setPreference } from '../core/preferences.js';
import { address, reopenScreen } from '../core/router.js';
import { loadStyles } from '../core/stylesheets.js';
import { tagWords } from '../core/tags.js';
import { VirtualList, wireArrows } from '../core/virtuallist.js';
import { showError } from '../parts/banners.js';
import { choices } from '../parts/controls.js';
import { clearCover, setCover } from '../parts/cover.js';
import { emptyMessage, pageHeader } from '../parts/headers.js';
import { listFailure } from './listfailure.js';

const styled = loadStyles('find/find.css');

const covers = 4;
// The covers of each tag that was shown since the page was opened.
const known = new Map();

function coversOf(kind, name) {
  const key = `${kind}:${name}`;
  if (!known.has(key)) {
    const reading = read('albums', { tag: key, first: 0, limit: covers }).then(({ items }) => items);
    known.set(key, reading);
    reading.catch(() => known.delete(key)); // The next time it is shown tries again.
  }
  return known.get(key);
}

function makeTile() {
  return h('li', { class: 'genre-tile' }, h('a', { class: 'genre-link' },
    h('span', { class: 'genre-covers', 'aria-hidden': 'true' },
      Array.from({ length: covers }, () => h('span', { class: 'cover' }))),
    h('span', { class: 'genre-words' }, h('b'), h('span'))));
}

function updateTile(element, kind, tag) {
  const [link] = element.children;
  const [pictures, words] = link.children;
  element.classList.toggle('shimmering', !tag);
  setText(words.firstChild, tag ? tagWords({ kind, name: tag.name }) : '');
  setText(words.lastChild, tag ? count(tag.albums, 'album') : '');
  if (!tag) {
    link.removeAttribute('href');
    for (const cover of pictures.children) clearCover(cover);
    delete element.dataset.tag;
    return;
  }
  link.href = address(kind, tag.name);
  if (element.dataset.tag === `${kind}:${tag.name}`) return;
  element.dataset.tag = `${kind}:${tag.name}`;
  for (const cover of pictures.children) clearCover(cover);
  coversOf(kind, tag.name).then((albums) => {
    if (element.dataset.tag !== `${kind}:${tag.name}`) return;
    pictures.dataset.count = albums.length;
    [...pictures.children].forEach(
      (cover, index) => (albums[index] ? setCover(cover, albums[index]) : clearCover(cover)));
  }, () => {}); // The tile is of use without covers.
}

/** Returns the shape of the grid of genres; see virtuallist.js. */
function tileShape(width) {
  const columns = Math.max(1, Math.floor((width + 16) / 272));
  const row = 116;
  return { columns, row, vars: { '--columns': columns, '--row': `${row}px` } };
}

/** Opens the place. */
export async function openGenres() {
  await styled;
  const sort = preference('order.genres', 'albums');
  const text = h('p', { class: 'count', role: 'status' });
  const none = h('div', { hidden: true }, emptyMessage('No genres', 'The tags of your music name no genre yet.'));
  const decades = h('ul', { class: 'genre-grid loose-tiles', 'aria-label': 'Decades' });
  const ofTime = h('section', { class: 'group', hidden: true }, h('h2', { text: 'Decades' }), decades);
  const failure = listFailure('The genres could not be read');
  const source = new CursorList('tags/genre', { sort }, () => {
    grid.element.hidden = failure.show(source);
    none.hidden = !(source.isComplete && !source.items.length);
    setText(text, source.isComplete ? count(source.items.length, 'genre') : '');
    grid.refresh();
  });
  const grid = new VirtualList({
    kind: 'genre-grid', label: 'Genres', measure: tileShape, make: makeTile, update: (element, tag) => updateTile(
      element, 'genre', tag),
  });
  wireArrows(grid, () => source.items.length);
  const sorter = choices('Sorted by', [['albums', 'number of albums'], ['name', 'name']], sort, (value) => {
    setPreference('order.genres', value);
    reopenScreen().catch(showError);
  }, 'sort');
  read('tags/decade', { limit: 50 }).then(({ items }) => {
    ofTime.hidden = !items.length;
    reconcile(decades, items, ({ name }) => name, makeTile, (element, tag) => updateTile(element, 'decade', tag));
  }).catch(showError);
  return {
    title: 'Genres', element: h('section', { class: 'screen genres', 'aria-label': 'Genres' },
      pageHeader('Genres and decades', text, sorter), ofTime, h('h2', { class: 'genres-title', text: 'Genres' }),
      none, failure, grid.element),
    show: () => grid.show(source), shown: () => grid.start(), hide: () => grid.stop(),
  };
}
