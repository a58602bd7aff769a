// The shelves of the day: albums that one may have lost sight of, each with the reason why it is there.
import { read } from '../core/api.js';
import { applyPalette } from '../core/colours.js';
import { h, reconcile, setAttribute } from '../core/dom.js';
import { address } from '../core/router.js';
import { loadStyles } from '../core/stylesheets.js';
import { enqueue } from '../parts/actions.js';
import { makeAlbumCard, updateAlbumCard } from '../parts/cards.js';
import { linkButton, textButton } from '../parts/controls.js';
import { setCover } from '../parts/cover.js';

loadStyles('rediscovery/rediscovery.css');

// A reel with fewer albums looks empty, so it is left out. What happened on this day is a list, which may be short.
const fewest = 6;
const mostOnThisDay = 4;

/** Returns the album of the day, with a large cover. */
function chance({ title, items: [album] }) {
  const cover = h('span', { class: 'cover' });
  setCover(cover, album, 1024);
  const by = album.artistID
    ? h('a', { href: address('artist', album.artistID), text: album.artist })
    : h('span', { text: album.artist });
  const element = h('section', { class: 'chance', 'aria-label': title },
    h('a', {
      class: 'chance-cover', href: address('album', album.id), 'aria-label': `${album.title}, ${album.artist}`,
    }, cover),
    h('div', { class: 'chance-words' }, h('p', { class: 'kind', text: title }),
      h('h2', {}, h('a', { href: address('album', album.id), text: album.title })), h('p', { class: 'by' }, by),
      h('p', { class: 'why', text: album.reason }),
      h('div', { class: 'row' },
        textButton('Play', 'play', () => enqueue(album), { kind: 'first', label: `Play ${album.title}` }),
        linkButton('Another one', '#/random', 'random'))));
  applyPalette(element, album.palette);
  return element;
}

/** Returns the list of what happened on this day in former years. */
function onThisDay({ title, reason, items }) {
  const rows = items.slice(0, mostOnThisDay).map((album) => {
    const cover = h('span', { class: 'cover', 'aria-hidden': 'true' });
    setCover(cover, album);
    return h('li', {}, h('a', { href: address('album', album.id) }, cover,
      h('span', {},
        h('b', { text: album.title }),
        h('span', { text: album.artist }),
        h('small', { text: album.reason }))));
  });
  return h('section', { class: 'this-day card' },
    h('h2', { text: title }),
    h('p', { class: 'why', text: reason }),
    h('ul', {}, rows));
}

/** Returns a reel of explained albums, with a function `show` that marks the album that plays. */
function reel({ title, reason, items }) {
  const list = h('ul', { class: 'carousel', 'aria-label': title, tabindex: '0' });
  const element = h('section', { class: 'carousel-box explained' },
    h('h2', { text: title }),
    h('p', { class: 'why', text: reason }),
    list);
  const show = () => reconcile(list, items,
    ({ id }) => id, makeAlbumCard,
    (card, album) => updateAlbumCard(card, album, album.artist, album.reason));
  show();
  return { element, show };
}

/** Returns the shelves, which fill the element `box`: `load` reads them, and `show` marks the album that plays. */
export function makeShelves(box) {
  let reels = [];
  let shown = null;
  return {
    show: () => reels.forEach(({ show }) => show()),
    async load() {
      const { shelves } = await read('rediscovery');
      const text = JSON.stringify(shelves);
      if (text === shown) return;
      shown = text;
      const named = (kind) => shelves.find(({ shelf, items }) => shelf === kind && items.length);
      const [first, today] = [named('chance'), named('on-this-day')];
      reels = shelves.filter(({ shelf, items }) => !['chance', 'on-this-day'].includes(shelf) && items.length >= fewest)
        .map(reel);
      const day = first || today ? h('div', { class: 'day' }, first && chance(first), today && onThisDay(today)) : null;
      box.replaceChildren(...[day, ...reels.map(({ element }) => element)].filter(Boolean));
      setAttribute(box, 'hidden', box.childElementCount ? null : '');
    },
  };
}
