// The list of artists, or of people in a role, and the screen of one person: picture, text, genres, albums, works, and
// the tracks in each role.
import { artistPath, read, readAllPages } from '../core/api.js';
import { h, reconcile, setText } from '../core/dom.js';
import { count } from '../core/format.js';
import { CursorList } from '../core/lists.js';
import { preference, setPreference } from '../core/preferences.js';
import { address, discardScreensOf, navigate } from '../core/router.js';
import { setAlbumList, store, subscribe } from '../core/store.js';
import { placeAddress, tagAddress, tagParameters, tagsOf } from '../core/tags.js';
import { VirtualList, wireArrows } from '../core/virtuallist.js';
import { pictureOf } from '../find/artistpictures.js';
import { styled } from '../find/style.js';
import { artistMenu, enqueue, keepOffline, notesPart } from '../parts/actions.js';
import { showError } from '../parts/banners.js';
import { gridShape, makeAlbumCard, makeArtistCard, shownInCard, updateAlbumCard,
  updateArtistCard } from '../parts/cards.js';
import { choices, iconButton, linkButton, moreButton, textButton } from '../parts/controls.js';
import { roles, roleTitle } from '../parts/credits.js';
import { filterButton, filterChips, lastFilterChip } from '../find/filter.js';
import { coverHeader, emptyMessage, pageHeader, summary, tagLinks } from '../parts/headers.js';
import { offerMenu, openMenuOf } from '../parts/menu.js';
import { makeLetterBar } from '../find/jumpbar.js';
import { makeLinkRow, updateLinkRow } from '../parts/linkrow.js';
import { makeTrackRow, updateTrackRow } from '../parts/trackrow.js';

const taggedRoles = ['artist', 'albumArtist', 'composer', 'conductor', 'lyricist', 'remixer', 'performer'];
const sorts = [['name', 'name'], ['albums', 'number of albums']];

/**
 * Returns the list of people: of those in a role, or of the artists who have albums. With tags, or the most albums
 * first, they are counted among the albums with the tags.
 */
function peopleList({ role, from, sort, tags }, changed) {
  if (!tags.length && sort === 'name') return new CursorList('artists', { role, startingAt: from }, changed);
  const { tag, without } = tagParameters(tags);
  const parameters = { among: tag, without, sort, startingAt: sort === 'name' ? from : null };
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
 * (`tag=genre:Jazz`) and the order (`sort=albums`).
 */
export async function openList({ query }) {
  await styled;
  const [from, role, tags] = [query.get('from'), query.get('role'), tagsOf(query)];
  const canFilter = !role || taggedRoles.includes(role);
  const asked = query.get('sort') ?? preference('order.artists', 'name');
  const sort = canFilter && asked === 'albums' ? 'albums' : 'name';
  const title = role ? roleTitle(role, 2) : 'Artists';
  const text = h('p', { class: 'count', role: 'status' });
  const noneWords = role ? `The tags of your music name no ${roleTitle(role, 2).toLowerCase()}.`
    : 'There are no artists in your library yet.';
  const none = h('div', { hidden: true },
    emptyMessage('Nobody', tags.length ? 'Nobody has albums with all of this. Remove a filter.' : noneWords));
  const more = { ...(role ? { role } : {}), ...(query.has('sort') ? { sort } : {}) };
  const source = peopleList({ role, from, sort, tags }, () => {
    if (source.error) showError(source.error);
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
    placeAddress('artists', tags, { ...more, ...(letter ? { from: letter } : {}) }), true));
  jumpBar.hidden = sort !== 'name';
  const options = [['', 'with albums'], ...Object.keys(roles).map((name) => [name, roleTitle(name, 2).toLowerCase()])];
  const chooser = choices('People', options, role ?? '',
    (value) => navigate(placeAddress('artists', [], value ? { role: value } : {})), 'sort');
  const sorter = canFilter ? choices('Sorted by', sorts, sort, (value) => {
    setPreference('order.artists', value);
    discardScreensOf('artists');
    navigate(placeAddress('artists', tags, { ...(role ? { role } : {}), sort: value }), true);
  }, 'sort') : null;
  const shelf = { name: 'artists', word: 'artist', more, isCounted: false };
  const works = role === 'composer' ? linkButton('Works', address('works'), 'works') : null;
  return {
    title, element: h('section', { class: 'screen artists', 'aria-label': title },
      pageHeader(title, text, works, canFilter ? filterButton(tags, shelf) : null, chooser, sorter),
      tags.length ? filterChips(tags, shelf) : canFilter ? lastFilterChip(shelf) : null, none, grid.element, jumpBar),
    show: () => grid.show(source), shown: () => grid.start(), hide: () => grid.stop(),
  };
}

/** Returns what a person did in a role, which a person can open: the tracks, read when it is first opened. */
function appearances({ id, name }, { role, albums, tracks }) {
  const rows = h('ol', { class: 'lines card', 'aria-label': `${roleTitle(role)}: tracks` });
  let items = [];
  let next = null;
  const show = () => reconcile(rows, items, ({ id: track }, index) => `${track} ${index}`,
    () => makeTrackRow({ cover: true }), (one, track) => updateTrackRow(one, track, {
    under: [track.artist, track.album, track.credit.instrument,
      track.credit.name !== name && `as ${track.credit.name}`].filter(Boolean).join(' · '),
  }));
  const load = async () => {
    const page = await read(`${artistPath(id)}/credits`, { role, after: next, limit: 50 });
    items = items.concat(page.items);
    next = page.next;
    show();
    return next;
  };
  const more = moreButton(load);
  const title = role === 'artist' ? 'On albums of others' : `As ${roleTitle(role).toLowerCase()}`;
  const shelf = taggedRoles.includes(role) ? linkButton('Show the albums', tagAddress(role, name), 'albums') : null;
  const element = h('details', { class: 'appearances', 'data-role': role, ontoggle: () => element.open
    && !items.length && more.click() },
    h('summary', {}, h('b', { text: title }),
      h('span', { class: 'soft', text: ` ${count(tracks, 'track')} on ${count(albums, 'album')}` })), rows,
      h('div', { class: 'row wrap' }, more, shelf));
  element.show = () => element.open && show();
  return element;
}

const worksAtFirst = 12;

/** Returns the first works of a composer, with a link to all; null if there are none. */
async function worksOf({ id, roles: all = [] }, signal) {
  if (!all.includes('composer')) return null;
  const { items, next } = await read('works', { composer: id, limit: worksAtFirst }, signal);
  if (!items.length) return null;
  const list = h('ul', { class: 'lines card', 'aria-label': 'Works' }, items.map((work) => {
    const row = makeLinkRow('works');
    updateLinkRow(row, work, { href: address('work', work.id), under: count(work.trackCount, 'track') });
    return row;
  }));
  return h('section', { class: 'group' }, h('div', { class: 'row between' }, h('h2', { text: 'Works' }),
    next ? linkButton('All', `${address('works')}?composer=${encodeURIComponent(id)}`, null, 'quiet') : null), list);
}

/** Returns the part with the concerts of an artist; null where no plugin finds any. */
async function concerts({ name }) {
  if (!store.plugins?.concerts) return null;
  return (await import('../plugins/concerts.js')).concertsOf(name);
}

/** Returns the part with the article about an artist, which is loaded where the household has the service for it. */
function aboutPart({ id, name }) {
  const element = h('section', { class: 'group', hidden: true }, h('h2', { text: 'About' }));
  let panel = null;
  let isShown = false;
  const load = async () => {
    const { articlePanel } = await import('../articles/article.js');
    const made = await articlePanel(artistPath(id), name);
    element.append(made.element);
    element.hidden = false;
    return made;
  };
  return {
    element,
    show({ nodes }) {
      if (isShown || !nodes.some(({ role }) => role === 'discovery')) return;
      isShown = true;
      panel ??= load();
      panel.then((made) => isShown && made.open()).catch(() => {});
    },
    hide() {
      isShown = false;
      panel?.then((made) => made.close()).catch(() => {});
    },
  };
}

/** Opens the screen of an artist. */
export async function openArtist({ parts: [id], signal }) {
  const artist = await readAllPages(artistPath(id), ['albums'], signal);
  const works = await worksOf(artist, signal);
  const shows = await concerts(artist);
  const withCover = artist.albums.find(({ art }) => art);
  const item = { id: artist.id, title: artist.name, art: artist.art ?? withCover?.art, palette: withCover?.palette };
  const list = h('ul', { class: 'album-grid loose', 'aria-label': 'Albums', hidden: !artist.albums.length });
  const groups = artist.appearances.map((group) => appearances(artist, group));
  if (groups.length === 1 && !artist.albums.length && !works) groups[0].open = true;
  const header = coverHeader(item, { round: true },
    h('p', { class: 'facts', text: [artist.albumCount && count(artist.albumCount, 'album'), ...(artist.roles ?? [])
      .map((role) => roleTitle(role))].filter(Boolean).join(' · ') }),
    artist.aliases?.length ? h('p', { class: 'soft', text: `Also ${artist.aliases.join(', ')}` }) : null,
    tagLinks(artist), summary(artist.summary),
    h('div', { class: 'actions' }, textButton('Play', 'play', () => enqueue(item), { kind: 'first' }),
      textButton('Shuffle', 'shuffle', () => enqueue(item, 'now', { shuffle: true })),
        textButton('Keep offline', 'down', () => keepOffline(item)),
      iconButton('more', 'More', ({ currentTarget }) => openMenuOf(header, null, null, currentTarget))));
  offerMenu(header, () => item.title, () => artistMenu(item));
  const notes = notesPart(item);
  const about = aboutPart(artist);
  const show = () => {
    about.show(store);
    reconcile(list, artist.albums, ({ id: one }) => one, makeAlbumCard,
      (one, album) => updateAlbumCard(one, album, album.year ? String(album.year) : count(album.trackCount, 'track')));
    for (const group of groups) group.show();
  };
  let stop = () => {};
  return {
    title: artist.name, element: h('section', { class: 'screen artist', 'aria-label': artist.name }, header, list,
      works, about.element,
      groups.length ? h('section', { class: 'group' }, h('h2', { text: 'Tracks' }), groups) : null, notes.element,
      shows),
    show() {
      notes.show();
      setAlbumList(() => ({ artist: artist.id }));
      stop = subscribe(show);
    },
    hide() {
      stop();
      about.hide();
      notes.hide();
    },
  };
}
