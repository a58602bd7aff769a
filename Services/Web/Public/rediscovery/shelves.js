// The shelves of the day: albums that one may have lost sight of, each with the reason why it is there.
import { read } from '../core/api.js';
import { applyPalette } from '../core/colours.js';
import { h, setAttribute } from '../core/dom.js';
import { address } from '../core/router.js';
import { loadStyles } from '../core/stylesheets.js';
import { enqueue } from '../parts/actions.js';
import { makeAlbumCard, updateAlbumCard } from '../parts/cards.js';
import { linkButton, textButton } from '../parts/controls.js';
import { byLine } from '../parts/headers.js';
import { setCover } from '../parts/cover.js';
import { makeReel } from '../parts/reels.js';

loadStyles('rediscovery/rediscovery.css');

// The most albums of this day, whose list may be shorter.
const mostOnThisDay = 4;

/** Returns the album of the day, with a large cover. */
function chance({ title, items: [album] }) {
  const cover = h('span', { class: 'cover' });
  setCover(cover, album, 1024);
  const element = h('section', { class: 'chance', 'aria-label': title },
    h('a', {
      class: 'chance-cover', href: address('album', album.id), 'aria-label': `${album.title}, ${album.artist}`,
    }, cover),
    h('div', { class: 'chance-words' }, h('p', { class: 'kind', text: title }),
      h('h2', {}, h('a', { href: address('album', album.id), text: album.title })), byLine(album),
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

/** Returns a reel of explained albums. */
function explainedReel({ title, reason, items }) {
  const update = (card, album) => updateAlbumCard(card, album, album.artist, album.reason);
  const reel = makeReel(title, { reason, make: makeAlbumCard, update });
  reel.set(items);
  return reel;
}

/**
 * Returns the shelves, which fill the element `box`: `load` reads them, `show` marks the album that plays, and `fit`
 * shows the reels that fill so many columns.
 */
export function makeShelves(box) {
  let reels = [];
  let columns = 0;
  let shown = null;
  return {
    show: () => reels.forEach(({ show }) => show()),
    fit(now) {
      columns = now;
      reels.forEach(({ fit }) => fit(now));
    },
    async load() {
      const { shelves } = await read('rediscovery');
      const text = JSON.stringify(shelves);
      if (text === shown) return;
      shown = text;
      const named = (kind) => shelves.find(({ shelf, items }) => shelf === kind && items.length);
      const [first, today] = [named('chance'), named('on-this-day')];
      reels = shelves.filter(({ shelf }) => !['chance', 'on-this-day'].includes(shelf)).map(explainedReel);
      reels.forEach(({ fit }) => fit(columns));
      const day = first || today ? h('div', { class: 'day-shelf' }, first && chance(first), today && onThisDay(today))
        : null;
      box.replaceChildren(...[day, ...reels.map(({ element }) => element)].filter(Boolean));
      setAttribute(box, 'hidden', box.childElementCount ? null : '');
    },
  };
}
