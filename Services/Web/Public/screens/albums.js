// The grid of all albums, or of those that tags narrow it to; the places of a genre and of a decade are such grids.
import { h, reconcile, setText } from '../core/dom.js';
import { count } from '../core/format.js';
import { address, navigate, reopenScreen } from '../core/router.js';
import { setAlbumList, store } from '../core/store.js';
import { loadStyles } from '../core/stylesheets.js';
import { placeAddress, tagParameters, tagsOf, tagWords } from '../core/tags.js';
import { VirtualList } from '../core/virtuallist.js';
import { listFailure } from '../find/listfailure.js';
import { askForLongList, makeLongList } from '../find/longlist.js';
import { keepOrder, orderControls, orderOf, orderParameters } from '../find/orders.js';
import { enqueue } from '../parts/actions.js';
import { showError } from '../parts/banners.js';
import { gridShape, makeAlbumCard, offerSelection, updateAlbumCard } from '../parts/cards.js';
import { linkButton, textButton } from '../parts/controls.js';
import { filterButton, filterChips, lastFilterChip } from '../find/filter.js';
import { emptyMessage, pageHeader } from '../parts/headers.js';
import { emptyLibraryMessage } from '../parts/sources.js';

const styled = loadStyles('find/find.css');

/**
 * Returns the second line of a card: the artist, and the year unless the albums are sorted by artist. There it has the
 * year only if an album beside it has the same title.
 */
function underOf(album, sort, neighbours) {
  const hasYear = album?.year && (
    sort !== 'name' || neighbours.some((other) => other?.title === album.title && other.artist === album.artist));
  return hasYear ? `${album.year} · ${album.artist}` : album?.artist;
}

// The orders that change while music plays.
const changing = new Set(['played', 'plays']);

/**
 * Returns a function that returns the list to play after an album. For an order that changes while music plays, the
 * list has the ids of the next albums.
 */
function following(source, { sort, isReversed, seed }, tags) {
  const list = {
    sort, ...(isReversed ? { reversed: true } : {}), ...(seed === undefined ? {} : { seed }),
    ...(tags.length ? { tags } : {}),
  };
  return (id) => {
    if (!changing.has(sort)) return list;
    const all = Array.from({ length: Math.min(source.total, 2000) }, (_, index) => source.get(index)?.id)
      .filter(Boolean);
    const at = Math.max(0, all.indexOf(id));
    return { albums: all.slice(at, at + 200) };
  };
}

// The largest number of tags that the title names.
const titleTags = 3;

function titleOf(tags) {
  if (!tags.length) return 'All albums';
  const named = tags.filter(({ isExcluded }) => !isExcluded);
  const words = named.map((tag) => (tag.kind === 'folder' ? tag.name.split('/').at(-1) : tagWords(tag)));
  return named.length && named.length <= titleTags ? words.join(', ') : 'Albums';
}

const emptyFilterMessage = (more) => ({
  title: 'No albums', words: 'No album has all of this. Remove a filter.',
  more: () => [linkButton('Show all albums', placeAddress('albums', [], more), null, 'first')],
});

const parametersOf = (order, tags) => ({ ...orderParameters(order), ...tagParameters(tags) });

/** Asks for the first albums of the grid that is opened afterwards with the same query. */
export function ask({ query }) {
  askForLongList('albums', parametersOf(orderOf('albums', query), tagsOf(query)));
}

/**
 * Opens the grid; the query may contain tags (`tag=genre:Jazz`), excluded ones (`without=type:live`) and the order
 * (`sort=year`, `reversed=true`).
 */
export async function open({ query }) {
  await styled;
  const tags = tagsOf(query);
  const addressOf = (more) => placeAddress('albums', tags, more);
  return openShelf({ tags, title: titleOf(tags), order: orderOf('albums', query), addressOf });
}

/** Opens the place of a genre or a decade. */
async function openTagPlace(kind, { parts: [name], query, signal }) {
  const [{ makePlaceHead }] = await Promise.all([import('../find/placehead.js'), styled]);
  const tag = { kind, name, isExcluded: false };
  const addressOf = (more) => {
    const words = String(new URLSearchParams(more));
    return address(kind, name) + (words && `?${words}`);
  };
  return openShelf({ tags: [tag], title: tagWords(tag), order: orderOf('albums', query), addressOf,
    head: makePlaceHead(tag, signal) });
}

export const openGenre = (place) => openTagPlace('genre', place);
export const openDecade = (place) => openTagPlace('decade', place);

/**
 * Opens the albums with tags in an order. `addressOf(parameters)` returns the address of this grid in another order,
 * and `head` stands above the grid of a genre or a decade, whose own tag has no chip.
 */
function openShelf({ tags, title, order, addressOf, head = null }) {
  const { sort } = order;
  const more = order.isOwn ? orderParameters(order, true) : {};
  const shelf = { name: 'albums', word: 'album', more };
  const parameters = parametersOf(order, tags);
  const failure = listFailure('The albums could not be read');
  const counted = h('p', { class: 'count', role: 'status' });
  const empty = h('div', { hidden: true });
  const list = makeLongList({
    path: 'albums', parameters, expected: tags.length ? 1 : store.catalogue?.albums || 60, changed: () => show(),
    makeView: (source) => new VirtualList({
      kind: 'album-grid', label: title, measure: (width) => gridShape(width), make: makeAlbumCard,
      update: (element, album, index) => updateAlbumCard(
        element, album, underOf(album, sort, [source.get(index - 1), source.get(index + 1)])),
    }),
  });
  const { source, view, jumpBar } = list;
  offerSelection(view.list, { itemAt: (index) => source.get(index), count: () => source.total,
    between: list.itemsBetween });
  const change = (next) => {
    keepOrder('albums', next, tags.length > 0);
    const to = addressOf(orderParameters({ ...next, seed: undefined }, true));
    // The same order is drawn anew: its address has no seed.
    const isSame = to === location.hash || (!order.isOwn && next.sort === 'random' && sort === 'random');
    if (isSame) reopenScreen().catch(showError);
    else navigate(to, true);
  };
  const shuffle = textButton('Shuffle all', 'shuffle', () => enqueue({ id: 'library:all', title: 'All albums' },
    'now', { shuffle: true }));
  const tools = [tags.length ? null : shuffle, filterButton(tags, shelf), orderControls('albums', order, change)];
  const chips = head ? null : tags.length ? filterChips(tags, shelf) : lastFilterChip(shelf);
  const element = h('section', { class: 'screen albums', 'aria-label': title },
    pageHeader(title, counted, ...tools), chips, head?.element, empty, failure, view.element, jumpBar);

  function show() {
    const isEmpty = !source.get(0) && (tags.length ? source.total === 0 : store.catalogue?.albums === 0);
    setText(counted, source.get(0) || !tags.length
      ? count(source.get(0) ? source.total : store.catalogue?.albums ?? 0, 'album') : '');
    empty.hidden = !isEmpty;
    view.element.hidden = failure.show(source) || isEmpty;
    const message = isEmpty && (tags.length && store.catalogue?.albums ? emptyFilterMessage(more)
      : emptyLibraryMessage());
    if (isEmpty) reconcile(empty, [message], ({ words }) => words, ({ title: one, words, more: links }) =>
      emptyMessage(one, words, ...links()));
  }

  return {
    title, element, isLive: true, reload: list.reload,
    show() {
      setAlbumList(following(source, order, tags));
      view.show(source);
    },
    shown: list.start,
    hide: list.stop,
  };
}
