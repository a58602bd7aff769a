// The first place: collections, the pinned ones first, and what was heard and came last.
import { read } from '../core/api.js';
import { h, reconcile } from '../core/dom.js';
import { Trail } from '../core/pages.js';
import { follow, look, store } from '../core/store.js';
import { count } from '../core/words.js';
import { put } from '../parts/actions.js';
import { pill, pillLink } from '../parts/buttons.js';
import { makeBundle, makeRecord, updateBundle, updateRecord } from '../parts/cards.js';
import { emptyCard, plainHead } from '../parts/heads.js';
import { emptyWords } from '../parts/sourcewords.js';

const rowLength = 12;

/** A row of records that is scrolled sideways. */
function reel(title, sort) {
  const list = h('ul', { class: 'reel', 'aria-label': title, tabindex: '0' });
  const element = h('section', { class: 'reel-box', hidden: true },
    h('div', { class: 'row between' }, h('h2', { text: title }), pillLink('All', `#/albums?sort=${sort}`, null, 'quiet')), list);
  let albums = [];
  const show = () => reconcile(list, albums, ({ id }) => id, makeRecord, (one, album) => updateRecord(one, album));
  return {
    element, show,
    async load() {
      const page = await read('albums', { sort, limit: rowLength });
      albums = sort === 'played' ? page.items.filter(({ lastPlayedAt }) => lastPlayedAt) : page.items;
      element.hidden = !albums.length;
      show();
    },
  };
}

function underOf({ isPinned, itemCount }) {
  return [isPinned && 'Pinned', count(itemCount, 'item')].filter(Boolean).join(' · ');
}

/** Opens the first place. */
export async function open() {
  const list = h('ul', { class: 'shelf loose', 'aria-label': 'Collections' });
  const box = h('section', { hidden: true }, h('h2', { text: 'Collections' }), list);
  const empty = h('div', { hidden: true });
  const reels = [reel('Heard last', 'played'), reel('New here', 'added')];
  const shuffle = pill('Shuffle all', 'shuffle', () => put({ id: 'library:all', title: 'everything' }, 'now', { shuffle: true }));
  const element = h('section', { class: 'place home', 'aria-label': 'Home' }, plainHead('Your records', null, shuffle), empty, box, ...reels.map(({ element: one }) => one));
  let source;
  let generation = null;
  const load = () => {
    // A read that fails leaves what is there; the next change of the household tries again.
    source = new Trail('collections', {}, () => {
      if (source.error) return;
      box.hidden = !source.items.length;
      reconcile(list, source.items, ({ id }) => id, makeBundle, (one, item) => updateBundle(one, item, 'collection', underOf(item)));
    });
    source.want(0, 60);
    for (const one of reels) one.load().catch(() => {});
  };
  const show = () => {
    const isEmpty = store.catalogue?.albums === 0;
    empty.hidden = !isEmpty;
    shuffle.hidden = isEmpty;
    if (isEmpty) reconcile(empty, [emptyWords()], ({ words }) => words, ({ title, words, more }) => emptyCard(title, words, ...more()));
    for (const one of reels) one.show();
    const now = store.catalogue?.generation ?? null;
    if (now !== null && now !== generation) load();
    generation = now;
  };
  let stop = () => {};
  return {
    title: 'Your records', element, lasting: true, reload: load,
    show() {
      look(() => ({ sort: 'added' }));
      if (generation !== null) reels[0].load().catch(() => {});
      stop = follow(show);
    },
    hide: () => stop(),
  };
}
