// The home screen: the shelves of the day, collections, the pinned ones first, the albums that were played or added
// last, and playlists.
import { read } from '../core/api.js';
import { h, reconcile } from '../core/dom.js';
import { count } from '../core/format.js';
import { CursorList } from '../core/lists.js';
import { setAlbumList, store, subscribe } from '../core/store.js';
import { enqueue } from '../parts/actions.js';
import { showError } from '../parts/banners.js';
import { makeAlbumCard, makeListCard, updateAlbumCard, updateListCard } from '../parts/cards.js';
import { linkButton, textButton } from '../parts/controls.js';
import { emptyMessage, pageHeader } from '../parts/headers.js';
import { emptyLibraryMessage } from '../parts/sources.js';

const rowLength = 12;
// A row of what was played is left out until it is worth its place.
const fewestPlayed = 5;

/** Returns a row of albums that scrolls sideways. */
function albumRow(title, sort) {
  const list = h('ul', { class: 'carousel', 'aria-label': title, tabindex: '0' });
  const element = h('section', { class: 'carousel-box', hidden: true },
    h('div', { class: 'row between' },
      h('h2', { text: title }),
      linkButton('All', `#/albums?sort=${sort}`, null, 'quiet')), list);
  let albums = [];
  const show = () =>
    reconcile(list, albums, ({ id }) => id, makeAlbumCard, (one, album) => updateAlbumCard(one, album));
  return {
    element, show,
    async load() {
      const page = await read('albums', { sort, limit: rowLength });
      albums = sort === 'played' ? page.items.filter(({ lastPlayedAt }) => lastPlayedAt) : page.items;
      element.hidden = albums.length < (sort === 'played' ? fewestPlayed : 1);
      show();
    },
  };
}

/** Returns a row of playlists that scrolls sideways. */
function playlistRow() {
  const list = h('ul', { class: 'carousel', 'aria-label': 'Playlists', tabindex: '0' });
  const element = h('section', { class: 'carousel-box', hidden: true },
    h('div', { class: 'row between' }, h('h2', { text: 'Playlists' }), linkButton('All', '#/playlists', null, 'quiet')),
    list);
  return {
    element, show: () => {},
    async load() {
      const { items } = await read('playlists', { limit: rowLength });
      element.hidden = !items.length;
      reconcile(list, items,
        ({ id }) => id, makeListCard,
        (one, item) => updateListCard(one, item, 'playlist', count(item.trackCount, 'track')));
    },
  };
}

function underOf({ isPinned, itemCount }) {
  return [isPinned && 'Pinned', count(itemCount, 'item')].filter(Boolean).join(' · ');
}

/** Opens the home screen. */
export async function open() {
  const list = h('ul', { class: 'album-grid loose', 'aria-label': 'Collections' });
  const box = h('section', { hidden: true }, h('h2', { text: 'Collections' }), list);
  const empty = h('div', { hidden: true });
  const rows = [albumRow('Last played', 'played'), albumRow('Recently added', 'added'), playlistRow()];
  const shuffle = textButton('Shuffle all', 'shuffle',
    () => enqueue({ id: 'library:all', title: 'All albums' }, 'now', { shuffle: true }));
  const random = textButton('Random album', 'random',
    () => import('../rediscovery/random.js').then(({ playRandom }) => playRandom(), showError));
  const dayBox = h('div', { class: 'rediscovery' });
  const dueBox = h('section', { class: 'group', hidden: true });
  const element = h('section', { class: 'screen home', 'aria-label': 'Home' },
    pageHeader('Your music', null, linkButton('Wall', '#/wall', 'wall', 'first'), random, shuffle),
    empty, dueBox, dayBox, box,
    ...rows.map(({ element: one }) => one));
  // The code of the shelves comes after that of the screen, which shows its rows meanwhile.
  let day = null;
  const loadDay = async () => {
    import('../garden/due.js').then(({ showDue }) => showDue(dueBox)).catch(() => {});
    try {
      day ??= (await import('../rediscovery/shelves.js')).makeShelves(dayBox);
      await day.load();
    } catch {
      dayBox.hidden = !dayBox.childElementCount; // The next visit tries again.
    }
  };
  let source;
  let generation = null;
  const load = () => {
    // After an error the screen stays as it is; the next change of the catalogue tries again.
    source = new CursorList('collections', {}, () => {
      if (source.error) return;
      box.hidden = !source.items.length;
      reconcile(list, source.items,
        ({ id }) => id, makeListCard,
        (one, item) => updateListCard(one, item, 'collection', underOf(item)));
    });
    source.ensure(0, 60);
    for (const one of rows) one.load().catch(() => {});
    loadDay();
  };
  const show = () => {
    const isEmpty = store.catalogue?.albums === 0;
    empty.hidden = !isEmpty;
    shuffle.hidden = isEmpty;
    random.hidden = isEmpty;
    if (isEmpty) dayBox.hidden = true;
    if (isEmpty) {
      reconcile(empty, [emptyLibraryMessage()],
        ({ words }) => words,
        ({ title, words, more }) => emptyMessage(title, words, ...more()));
    }
    for (const one of rows) one.show();
    day?.show();
    const now = store.catalogue?.generation ?? null;
    if (now !== null && now !== generation) load();
    generation = now;
  };
  let stop = () => {};
  return {
    title: 'Your music', element, isLive: true, reload: load,
    show() {
      setAlbumList(() => ({ sort: 'added' }));
      if (generation !== null) {
        rows[0].load().catch(() => {});
        loadDay();
      }
      stop = subscribe(show);
    },
    hide: () => stop(),
  };
}
