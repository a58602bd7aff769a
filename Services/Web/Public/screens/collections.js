// The list of collections: the pinned ones first, in an order that this browser keeps.
import { h } from '../core/dom.js';
import { count } from '../core/format.js';
import { CursorList } from '../core/lists.js';
import { preference, setPreference } from '../core/preferences.js';
import { reopenScreen } from '../core/router.js';
import { VirtualList, wireArrows } from '../core/virtuallist.js';
import { listFailure } from '../find/listfailure.js';
import { showError } from '../parts/banners.js';
import { gridShape, makeListCard, underOfCollection, updateListCard } from '../parts/cards.js';
import { choices } from '../parts/controls.js';
import { emptyMessage, pageHeader } from '../parts/headers.js';

const orders = [['name', 'title'], ['items', 'number of items']];

/** Returns the order that this browser keeps. */
function keptOrder() {
  const kept = preference('order.collections', 'name');
  return orders.some(([order]) => order === kept) ? kept : 'name';
}

/** Opens the list. */
export async function open() {
  const none = h('div', { hidden: true },
    emptyMessage('No collections', 'The collections of your Plex servers appear here.'));
  const failure = listFailure('The collections could not be read');
  const counted = h('p', { class: 'count', role: 'status' });
  const sort = keptOrder();
  const source = new CursorList('collections', sort === 'name' ? {} : { sort }, () => {
    const isEmpty = source.isComplete && !source.items.length;
    counted.textContent = source.isComplete ? count(source.items.length, 'collection') : '';
    none.hidden = !isEmpty;
    grid.element.hidden = failure.show(source) || isEmpty;
    grid.refresh();
  });
  const grid = new VirtualList({
    kind: 'album-grid', label: 'Collections', measure: (width) => gridShape(width), make: makeListCard,
    update: (one, item) => updateListCard(one, item, 'collection', item && underOfCollection(item)),
  });
  wireArrows(grid, () => source.items.length);
  const sorter = choices('Sorted by', orders, sort, (chosen) => {
    setPreference('order.collections', chosen);
    reopenScreen().catch(showError);
  }, 'sort');
  return {
    title: 'Collections',
    element: h('section', { class: 'screen', 'aria-label': 'Collections' },
      pageHeader('Collections', counted, h('div', { class: 'order' }, sorter)), none, failure, grid.element),
    show: () => grid.show(source), shown: () => grid.start(), hide: () => grid.stop(),
  };
}
