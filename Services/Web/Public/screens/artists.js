// The screen of one person: picture, text, genres, albums, works, and the tracks in each role.
import { artistPath, read, readAllPages } from '../core/api.js';
import { h, reconcile } from '../core/dom.js';
import { count } from '../core/format.js';
import { address } from '../core/router.js';
import { setAlbumList, store, subscribe } from '../core/store.js';
import { tagAddress, taggedRoles } from '../core/tags.js';
import { artistMenu, enqueue } from '../parts/actions.js';
import { makeAlbumCard, updateAlbumCard } from '../parts/cards.js';
import { iconButton, linkButton, moreButton, textButton } from '../parts/controls.js';
import { roleTitle } from '../parts/credits.js';
import { features } from '../parts/features.js';
import { coverHeader, summary, tagLinks } from '../parts/headers.js';
import { offerMenu, openMenuOf } from '../parts/menu.js';
import { makeLinkRow, updateLinkRow } from '../parts/linkrow.js';
import { makeTrackRow, updateTrackRow } from '../parts/trackrow.js';
import { notesPart } from './lateparts.js';

/** Returns what a person did in a role, which a person can open: the tracks, read when it is first opened. */
function appearances({ id, name }, { role, albums, tracks }) {
  const rows = h('ol', { class: 'lines card', 'aria-label': `${roleTitle(role)}: tracks` });
  let items = [];
  let next = null;
  const show = () => reconcile(rows, items,
    ({ id: track }, index) => `${track} ${index}`,
    () => makeTrackRow({ cover: true }),
    (one, track) => updateTrackRow(one, track, {
      under: [
        track.artist, track.album, track.credit.instrument, track.credit.name !== name && `as ${track.credit.name}`,
      ].filter(Boolean).join(' · '),
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
  const element = h('details', {
    class: 'appearances', 'data-role': role, ontoggle: () => element.open && !items.length && more.click(),
  },
    h('summary', {},
      h('b', { text: title }),
      h('span', { class: 'soft', text: ` ${count(tracks, 'track')} on ${count(albums, 'album')}` })),
    rows, h('div', { class: 'row wrap' }, more, shelf));
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
  return h('section', { class: 'group' },
    h('div', { class: 'row between' },
      h('h2', { text: 'Works' }),
      next ? linkButton('All', `${address('works')}?composer=${encodeURIComponent(id)}`, null, 'quiet') : null),
    list);
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
      panel.then((made) => isShown && made.open()).catch(() => {
        panel = null; // The next visit tries again.
      });
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
    h('p', {
      class: 'facts',
      text: [
        artist.albumCount && count(artist.albumCount, 'album'), ...(artist.roles ?? []).map((role) => roleTitle(role)),
      ].filter(Boolean).join(' · '),
    }),
    artist.aliases?.length ? h('p', { class: 'soft', text: `Also ${artist.aliases.join(', ')}` }) : null,
    tagLinks(artist), summary(artist.summary),
    h('div', { class: 'actions' }, textButton('Play', 'play', () => enqueue(item), { kind: 'first' }),
      textButton('Shuffle', 'shuffle', () => enqueue(item, 'now', { shuffle: true })),
      textButton('Keep offline', 'down', () => features.keepOffline(item)),
      iconButton('more', 'More', ({ currentTarget }) => openMenuOf(header, null, null, currentTarget))));
  offerMenu(header, () => item.title, () => artistMenu(item));
  offerMenu(header.querySelector('.cover-stand'), () => item.title, () => artistMenu(item), () => item);
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
