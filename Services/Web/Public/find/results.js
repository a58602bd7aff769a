// The parts of a search besides its lists: the best result, genres and years as chips, people, and the searches of
// before.
import { h, reconcile, setAttribute, setText } from '../core/dom.js';
import { count } from '../core/format.js';
import { address } from '../core/router.js';
import { tagAddress, tagWords } from '../core/tags.js';
import { albumMenu, artistMenu, enqueue, playMenu, trackMenu } from '../parts/actions.js';
import { iconButton } from '../parts/controls.js';
import { setCover } from '../parts/cover.js';
import { roleTitle } from '../parts/credits.js';
import { addIcons, icon } from '../parts/icons.js';
import { offerMenu, openMenuOf } from '../parts/menu.js';
import { showBanner } from '../parts/banners.js';
import { forgetSearches, keepSearches, recentSearches } from './recent.js';

addIcons({ clock: 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM12 7v5.3l3.4 2' });

// The words for each kind of best result, and the place to which it leads.
const kinds = {
  artist: { list: 'artists', word: 'Artist', menu: artistMenu, under: (item) => count(item.albumCount, 'album') },
  album: { list: 'albums', word: 'Album', menu: albumMenu, under: (item) => [item.artist, item.year].filter(Boolean)
    .join(' · ') },
  track: { list: 'tracks', word: 'Song', menu: trackMenu, under: (item) => `${item.artist} · ${item.album}` },
  playlist: { list: 'playlists', word: 'Playlist', menu: playMenu, under: (item) => count(item.trackCount, 'track') },
};

/** Returns the best result of an answer with its kind; null if there is none. */
export function bestOf(found) {
  const kind = kinds[found.best?.kind];
  const item = kind && found[kind.list].find(({ id }) => id === found.best.id);
  return item ? { kind: found.best.kind, item: { ...item, title: item.title ?? item.name } } : null;
}

/** Returns the card of the best result; `show(best)` fills it, and hides it without one. */
export function makeBestCard() {
  let shown = null;
  const cover = h('span', { class: 'cover', 'aria-hidden': 'true' });
  const [kind, title, under] = [h('small'), h('b'), h('span')];
  const link = h('a', { class: 'best-link' }, cover, h('span', { class: 'best-words' }, kind, title, under));
  const play = iconButton('play', 'Play', () => shown && enqueue(shown.item), 'best-play');
  const more = iconButton('more', 'More', ({ currentTarget }) => openMenuOf(card, null, null, currentTarget), 'small');
  const card = h('div', { class: 'card best-card' }, link, play, more);
  const element = h('section', { class: 'group best', hidden: true }, h('h2', { text: 'Best result' }), card);
  offerMenu(card, () => shown?.item.title ?? '', () => shown && kinds[shown.kind].menu(shown.item),
    () => shown?.item ?? null);
  element.show = (best) => {
    shown = best;
    element.hidden = !best;
    if (!best) return;
    const { word, under: wordsOf } = kinds[best.kind];
    setAttribute(link, 'href', best.kind === 'track' ? address('album', best.item.albumID)
      : address(best.kind, best.item.id));
    card.classList.toggle('round', best.kind === 'artist');
    setCover(cover, { ...best.item, title: best.kind === 'track' ? best.item.album : best.item.title }, 300);
    setText(kind, word);
    setText(title, best.item.title);
    setText(under, wordsOf(best.item));
    setAttribute(play, 'aria-label', `Play ${best.item.title}`);
    setAttribute(more, 'aria-label', `More for ${best.item.title}`);
  };
  return element;
}

/** Returns the address of the albums with a tag; genres and decades have places of their own. */
function tagPlace({ kind = 'genre', name }) {
  return kind === 'genre' || kind === 'decade' ? address(kind, name) : tagAddress(kind, name);
}

/** Fills a list with chips for tags, each with the number of its albums if that is known. */
export function showTagChips(list, tags) {
  reconcile(list, tags, ({ kind = 'genre', name }) => `${kind} ${name}`,
    (tag) => h('li', {}, h('a', { class: 'chip', href: tagPlace(tag) },
    h('span', { text: tagWords({ kind: 'genre', ...tag }) }), h('span', { class: 'chip-kind' }))),
      (one, { albums }) => {
    setText(one.querySelector('.chip-kind'), albums ? count(albums, 'album') : '');
  });
}

/** Fills a list with chips for people and what they did otherwise than as artists, such as composing. */
export function showPeople(list, people) {
  const rolesOf = new Map();
  for (const { person, role } of people) {
    if (person.id) rolesOf.set(person.id, { ...person, roles: [...rolesOf.get(person.id)?.roles ?? [], role] });
  }
  list.parentElement.hidden = !rolesOf.size;
  reconcile(list, [...rolesOf.values()], ({ id, roles }) => `${id} ${roles}`, ({ id, name, roles }) => h('li', {},
    h('a', { class: 'chip', href: address('artist', id) }, h('span', { text: name }),
      h('span', { class: 'chip-kind', text: roles.map((role) => roleTitle(role)).join(', ') }))));
}

/** Returns the list of the searches of before, with which a person searches again. */
export function makeRecentSearches() {
  const list = h('ul', { class: 'chips', 'aria-label': 'Recent searches' });
  const clear = h('button', { type: 'button', class: 'pill quiet', text: 'Clear', onclick: () => {
    const former = recentSearches();
    const restore = () => {
      keepSearches(former);
      element.show(!(/** @type {HTMLInputElement} */ (document.getElementById('search-words'))?.value));
    };
    forgetSearches();
    element.show(true);
    showBanner('The recent searches are forgotten.', { key: 'searches', action: { name: 'Undo', run: restore } });
    document.getElementById('search-words')?.focus();
  } });
  const element = h('section', { class: 'group recent', hidden: true },
    h('div', { class: 'row between' }, h('h2', { text: 'Recent searches' }), clear), list);
  element.show = (isWanted) => {
    const words = isWanted ? recentSearches() : [];
    element.hidden = !words.length;
    reconcile(list, words, (one) => one, (one) => h('li', {},
      h('a', { class: 'chip', href: `${address('search')}?q=${encodeURIComponent(one)}` }, icon('clock'),
        h('span', { text: one }))));
  };
  return element;
}
