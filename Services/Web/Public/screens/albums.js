// The grid of all albums, or of those that tags narrow it to.
import { read } from '../core/api.js';
import { h, reconcile, setText } from '../core/dom.js';
import { count } from '../core/format.js';
import { IndexedList } from '../core/lists.js';
import { preference, setPreference } from '../core/preferences.js';
import { navigate } from '../core/router.js';
import { currentRoom, setAlbumList, store, subscribe } from '../core/store.js';
import { shelfAddress, tagParameters, tagsOf, tagWords } from '../core/tags.js';
import { VirtualList, wireArrows } from '../core/virtuallist.js';
import { enqueue } from '../parts/actions.js';
import { showError } from '../parts/banners.js';
import { gridShape, makeAlbumCard, updateAlbumCard } from '../parts/cards.js';
import { choices, linkButton, textButton } from '../parts/controls.js';
import { filterChips, openFilter } from '../parts/filter.js';
import { emptyMessage, pageHeader } from '../parts/headers.js';
import { makeJumpBar } from '../parts/jumpbar.js';
import { emptyLibraryMessage } from '../parts/sources.js';

const sorts = [['name', 'artist'], ['added', 'date added'], ['year', 'release year'], ['played', 'last played'], ['random', 'random']];

/** Returns the seed of the random order, which is stored until `isNew` draws another. */
function seed(isNew = false) {
  if (isNew || preference('seed') === null) setPreference('seed', Math.floor(Math.random() * 2 ** 31));
  return preference('seed');
}

/**
 * Returns the second line of a card: the artist, and the year unless the albums are sorted by artist. There it has the
 * year only if an album beside it has the same title.
 */
function underOf(album, sort, neighbours) {
  const hasYear = album?.year && (sort !== 'name' || neighbours.some((other) => other?.title === album.title && other.artist === album.artist));
  return hasYear ? `${album.year} · ${album.artist}` : album?.artist;
}

/**
 * Returns a function that returns the list to play after an album. The orders by last play and by plays change while
 * music plays, so for these the list has the ids of the next albums.
 */
function following(source, { sort, seed: drawn }, tags) {
  return (id) => {
    if (!['played', 'plays'].includes(sort)) return { sort, ...(drawn ? { seed: drawn } : {}), ...(tags.length ? { tags } : {}) };
    const all = Array.from({ length: Math.min(source.total, 2000) }, (_, index) => source.get(index)?.id).filter(Boolean);
    const at = Math.max(0, all.indexOf(id));
    return { albums: all.slice(at, at + 200) };
  };
}

// The largest number of tags that the title names.
const titleTags = 3;

const emptyFilterMessage = (sort) => ({
  title: 'No albums', words: 'No album has all of this. Remove a filter.', more: () => [linkButton('Show all albums', shelfAddress([], sort), null, 'first')],
});

function tools(sort, tags, ownSort) {
  const sorter = choices('Sorted by', sorts, sort, (value) => {
    if (!tags.length) setPreference('sort', value);
    if (value === 'random') seed(true);
    navigate(shelfAddress(tags, value), true);
  }, 'sort');
  const filter = textButton(tags.length ? `Filter (${tags.length})` : 'Filter', 'filter', () => openFilter(tags, ownSort), { kind: 'filter-button' });
  filter.setAttribute('aria-haspopup', 'dialog');
  const shuffle = textButton('Shuffle all', 'shuffle', () => enqueue({ id: 'library:all', title: 'All albums' }, 'now', { shuffle: true }));
  return [tags.length ? null : shuffle, filter, sorter];
}

/**
 * Opens the grid; the query may contain tags (`tag=genre:Jazz`), excluded ones (`without=type:live`) and the order
 * (`sort=year`).
 */
export async function open({ query }) {
  const tags = tagsOf(query);
  const ownSort = query.get('sort');
  const sort = ownSort ?? preference('sort', 'name');
  const named = tags.filter(({ isExcluded }) => !isExcluded);
  const title = !tags.length ? 'All albums' : named.length && named.length <= titleTags ? named.map((tag) => (tag.kind === 'folder' ? tag.name.split('/').at(-1) : tagWords(tag))).join(', ') : 'Albums';
  const tagged = tagParameters(tags);
  const parameters = { sort, ...tagged, seed: sort === 'random' ? seed() : null };
  const counted = h('p', { class: 'count', role: 'status' });
  const empty = h('div', { hidden: true });
  let generation = store.catalogue?.generation ?? null;
  let isReloading = false;
  const source = new IndexedList('albums', parameters, tags.length ? 1 : store.catalogue?.albums || 60, () => {
    if (source.error) showError(source.error);
    grid.refresh();
    show();
  });
  const grid = new VirtualList({
    kind: 'album-grid', label: title, measure: (width) => gridShape(width), make: makeAlbumCard,
    update: (element, album, index) => updateAlbumCard(element, album, underOf(album, sort, [source.get(index - 1), source.get(index + 1)])),
  });
  wireArrows(grid, () => source.total);
  const jumpBar = makeJumpBar((index) => grid.scrollToItem(index));
  const element = h('section', { class: 'screen albums', 'aria-label': title },
    pageHeader(title, counted, ...tools(sort, tags, ownSort)),
    tags.length ? filterChips(tags, ownSort) : null, empty, grid.element, jumpBar);

  function show() {
    const isEmpty = !source.get(0) && (tags.length ? source.total === 0 : store.catalogue?.albums === 0);
    setText(counted, source.get(0) || !tags.length ? count(source.get(0) ? source.total : store.catalogue?.albums ?? 0, 'album') : '');
    empty.hidden = !isEmpty;
    grid.element.hidden = isEmpty;
    if (isEmpty) reconcile(empty, [tags.length && store.catalogue?.albums ? emptyFilterMessage(ownSort) : emptyLibraryMessage()], ({ words }) => words, ({ title: one, words, more }) => emptyMessage(one, words, ...more()));
  }

  async function readIndex() {
    if (sort === 'random') return;
    try {
      jumpBar.set(await read('albums/index', { sort, ...tagged }), sort);
    } catch {
      jumpBar.set(null); // The list works without the jump bar.
    }
  }

  /** Reads the albums in view again, and keeps them at the same place on screen. */
  async function reload() {
    if (isReloading) return;
    isReloading = true;
    try {
      grid.shift(await source.reload(grid.first));
      await readIndex();
    } catch {
      generation = null; // The next change of the state tries again.
    } finally {
      isReloading = false;
    }
    show();
  }

  let marked = null;
  const update = () => {
    const now = store.catalogue?.generation ?? null;
    const isStale = now !== null && now !== generation && store.link === 'open';
    if (isStale) {
      generation = now;
      reload();
    }
    const room = currentRoom();
    const mark = [room?.track?.albumID, room?.state, room?.away, store.link].join(' ');
    if (mark !== marked) grid.refresh();
    marked = mark;
    show();
  };
  readIndex();
  let stop = () => {};
  return {
    title, element, isLive: true, reload,
    show() {
      setAlbumList(following(source, parameters, tags));
      grid.show(source);
    },
    shown() {
      grid.start();
      stop = subscribe(update);
    },
    hide() {
      stop();
      grid.stop();
    },
  };
}
