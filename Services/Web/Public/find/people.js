// The list of artists, or of people in a role, which tags narrow, by name or number of albums, in both directions.
import { h, setText } from '../core/dom.js';
import { count } from '../core/format.js';
import { CursorList } from '../core/lists.js';
import { address, navigate } from '../core/router.js';
import { loadStyles } from '../core/stylesheets.js';
import { placeAddress, taggedRoles, tagParameters, tagsOf } from '../core/tags.js';
import { VirtualList, wireArrows } from '../core/virtuallist.js';
import { gridShape, makeArtistCard, shownInCard, updateArtistCard } from '../parts/cards.js';
import { choices, linkButton } from '../parts/controls.js';
import { roles, roleTitle } from '../parts/credits.js';
import { emptyMessage, pageHeader } from '../parts/headers.js';
import { pictureOf } from './artistpictures.js';
import { filterButton, filterChips, lastFilterChip } from './filter.js';
import { makeLetterBar } from './jumpbar.js';
import { listFailure } from './listfailure.js';
import { keepOrder, orderControls, orderOf, orderParameters, orders } from './orders.js';

const styled = loadStyles('find/find.css');

/**
 * Returns the list of people: of those in a role, or of the artists who have albums. With tags, or by the number of
 * albums, they are counted among the albums with the tags.
 */
function peopleList({ role, from, order, tags }, changed) {
  const startingAt = order.sort === 'name' ? from : null;
  if (!tags.length && order.sort === 'name') {
    return new CursorList('artists', { role, ...orderParameters(order), startingAt }, changed);
  }
  const { tag, without } = tagParameters(tags);
  const parameters = { among: tag, without, ...orderParameters(order), startingAt };
  const people = (page) => page.items.filter(({ id }) => id)
    .map(({ id, name, albums }) => ({ id, name, albumCount: albums, isCounted: true }));
  return new CursorList(`tags/${role ?? 'albumArtist'}`, parameters, changed, people);
}

/** Fills the card of a person; the picture of one that was counted is read when the card is shown. */
function showPerson(element, artist) {
  updateArtistCard(element, artist);
  if (!artist?.isCounted) return;
  const show = (picture) => updateArtistCard(element, { ...artist, ...picture });
  const isShown = () => element.isConnected && shownInCard(element)?.id === artist.id;
  const picture = pictureOf(artist.id, isShown, show);
  if (picture.art) show(picture);
}

/**
 * Opens the list; the query may contain a role (`role=composer`), the letter at which it starts (`from=m`), tags
 * (`tag=genre:Jazz`) and the order (`sort=albums`, `reversed=true`).
 */
export async function open({ query }) {
  await styled;
  const [from, role, tags] = [query.get('from'), query.get('role'), tagsOf(query)];
  const canFilter = !role || taggedRoles.includes(role);
  const offered = canFilter ? orders.artists : orders.artists.slice(0, 1);
  const asked = orderOf('artists', query);
  const isOffered = offered.some(([sort]) => sort === asked.sort);
  const order = isOffered ? asked : { sort: 'name', isReversed: false, isOwn: false };
  const { sort } = order;
  const title = role ? roleTitle(role, 2) : 'Artists';
  const text = h('p', { class: 'count', role: 'status' });
  const noneWords = role ? `The tags of your music name no ${roleTitle(role, 2).toLowerCase()}.`
    : 'There are no artists in your library yet.';
  const none = h('div', { hidden: true },
    emptyMessage('Nobody', tags.length ? 'Nobody has albums with all of this. Remove a filter.' : noneWords));
  const more = { ...(role ? { role } : {}), ...(order.isOwn ? orderParameters(order, true) : {}) };
  const failure = listFailure(`The ${title.toLowerCase()} could not be read`);
  const source = peopleList({ role, from, order, tags }, () => {
    grid.element.hidden = failure.show(source);
    none.hidden = !(source.isComplete && !source.items.length);
    setText(text, from && sort === 'name' ? `from ${from.toUpperCase()}` : tags.length && source.isComplete
      ? count(source.items.length, 'person', 'people') : '');
    jumpBar.hidden = sort !== 'name' || (!from && source.isComplete && source.items.length < 30);
    grid.refresh();
  });
  const grid = new VirtualList({
    kind: 'artist-grid', label: title, measure: (width) => gridShape(width, { widest: 10, words: 3.6 }),
      make: makeArtistCard, update: showPerson,
  });
  wireArrows(grid, () => source.items.length);
  const jumpBar = makeLetterBar((letter) => navigate(
    placeAddress('artists', tags, { ...more, ...(letter ? { from: letter } : {}) }), true), order.isReversed);
  jumpBar.hidden = sort !== 'name';
  const options = [['', 'with albums'], ...Object.keys(roles).map((name) => [name, roleTitle(name, 2).toLowerCase()])];
  const chooser = choices('People', options, role ?? '',
    (value) => navigate(placeAddress('artists', [], value ? { role: value } : {})), 'sort');
  const sorter = orderControls('artists', order, (next) => {
    keepOrder('artists', next, tags.length > 0);
    navigate(placeAddress('artists', tags, { ...(role ? { role } : {}), ...orderParameters(next, true) }), true);
  }, offered);
  const shelf = { name: 'artists', word: 'artist', more, isCounted: false };
  const works = role === 'composer' ? linkButton('Works', address('works'), 'works') : null;
  return {
    title, element: h('section', { class: 'screen artists', 'aria-label': title },
      pageHeader(title, text, works, canFilter ? filterButton(tags, shelf) : null, chooser, sorter),
      tags.length ? filterChips(tags, shelf) : canFilter ? lastFilterChip(shelf) : null, none,
      failure, grid.element, jumpBar),
    show: () => grid.show(source), shown: () => grid.start(), hide: () => grid.stop(),
  };
}
