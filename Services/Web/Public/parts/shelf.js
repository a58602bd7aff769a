// A shelf: covers on planks over the whole width of the window, in rows that are all full.
import { h, reconcile, rem, setVars } from '../core/dom.js';
import { makeAlbumCard, updateAlbumCard } from './cards.js';

const fewestRows = 2;
const mostRows = 3;
// The greatest width of a cover, in rem, if there are few albums.
const largest = 34;
// The width in pixels from which a cover has a third line of words, and that from which it needs the large picture.
const wordy = 150;
const sharp = 330;

/** Returns the shape of rows with `columns` whole covers. */
function rowsOf(width, columns) {
  const gap = Math.round(Math.max(14, Math.min(34, width * 0.026)));
  const cover = Math.floor((width - (columns - 1) * gap) / columns);
  return { columns, gap, cover, row: Math.round(cover + (cover < wordy ? 3.1 : 4.7) * rem() + 22) };
}

/** Returns the shape of rows that are `width` pixels wide, for a shelf or a reel with enough albums. */
export function rowShape(width) {
  const unit = rem();
  const widest = Math.min(17, Math.max(8.5, 7 + width / unit * 0.09)) * unit;
  const gap = Math.max(14, Math.min(34, width * 0.026));
  return rowsOf(width, Math.max(unit > 22 && width < 420 ? 1 : 2, Math.ceil((width + gap) / (widest + gap))));
}

/**
 * Returns the shape of a shelf for `total` albums in `width` by about `height` pixels. Enough albums fill two or three
 * rows. Few stand in the largest covers of which all fit; then the last row may have free places.
 */
function shelfShape(width, height, total) {
  const usual = rowShape(width);
  const rows = Math.min(mostRows, Math.max(fewestRows, Math.floor(height / usual.row)));
  if (total >= usual.columns * rows) return { ...usual, rows };
  for (let columns = 1; columns < usual.columns; columns += 1) {
    const shape = rowsOf(width, columns);
    const needed = Math.ceil(total / columns);
    if (shape.cover <= largest * rem() && needed * shape.row <= height) return { ...shape, rows: needed };
  }
  return { ...usual, rows: Math.ceil(total / usual.columns) };
}

/** Returns the height in pixels that the window has for a shelf, whether the bar of the player is there or not. */
function heightForShelf() {
  return innerHeight - (innerWidth < 768 ? 13 : 11) * rem();
}

// The change of the window's height, in pixels, from which the rows are counted anew: on phones the browser's own bars
// come and go while a person scrolls.
const greatChange = 160;

/**
 * Returns a shelf. `albumsFor(shape)` returns the albums in their order, at most those that the shape has room for;
 * undefined ones are loading. `total()` returns the number of albums that there are, and `whyOf(album)` the third line
 * of a card, or null. `fitted(shape, usual)` is called when the shape may have changed; `usual` is that of a reel.
 * `invitation`, an element, stands in the free places of the last row while `invites()` is true.
 */
export function makeShelf({ label, total, albumsFor, whyOf = null, fitted = null, invitation = null,
  invites = () => true }) {
  const list = h('ul', { class: 'album-grid shelf', 'aria-label': label });
  const place = invitation && h('li', { class: 'invitation' }, invitation);
  let shape = null;
  let height = 0;

  function show() {
    if (!shape) return;
    const albums = albumsFor(shape);
    const size = shape.cover * devicePixelRatio > sharp && shape.cover > wordy ? 1024 : 300;
    const items = albums.map((album, at) => ({ key: album?.id ?? `place ${at}`, album }));
    const free = shape.columns * shape.rows - items.length;
    if (place && free > 0 && invites() && items.every(({ album }) => album)) items.push({ key: 'invitation' });
    setVars(list, { '--free': free });
    reconcile(list, items, ({ key }) => key, ({ key }) => (key === 'invitation' ? place : makeAlbumCard()),
      (card, { key, album }) => key !== 'invitation'
        && updateAlbumCard(card, album, album?.artist, album && shape.cover >= wordy ? whyOf?.(album) : null, size));
  }

  function fit() {
    const width = list.clientWidth;
    if (!width) return;
    if (Math.abs(heightForShelf() - height) > greatChange) height = heightForShelf();
    shape = shelfShape(width, height, total());
    setVars(list, { '--columns': shape.columns, '--gap': `${shape.gap}px`, '--cover': `${shape.cover}px`,
      '--row': `${shape.row}px` });
    fitted?.(shape, rowShape(width));
    show();
  }

  const size = new ResizeObserver(fit);
  return {
    element: list, show, fit,
    start() {
      size.observe(list);
      addEventListener('resize', fit);
    },
    stop() {
      size.disconnect();
      removeEventListener('resize', fit);
    },
  };
}
