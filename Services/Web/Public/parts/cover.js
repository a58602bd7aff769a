// Covers: the picture, or else a drawing made from the title, always the same one.
import { artPath } from '../core/api.js';
import { mix, readable } from '../core/colours.js';
import { h, setVars, svg } from '../core/dom.js';
import { onNavigate } from '../core/router.js';
import { store, subscribe } from '../core/store.js';

const palettes = [
  ['#2f4858', '#e9c46a', '#d9643f', '#f4e9d8'], ['#5b2a1e', '#c8553d', '#f2a65a', '#ffe3bd'],
  ['#2f463a', '#87995f', '#a9462c', '#e6d8ad'], ['#3d2c4e', '#8d6a9f', '#e0a58d', '#f5e6cf'],
  ['#1f3b4d', '#4d8a8f', '#e2a76f', '#dde3c6'], ['#6b3f2a', '#40695c', '#c98f4f', '#f0dfb8'],
  ['#412722', '#9c3d3a', '#d8a24a', '#efe0cc'], ['#27374a', '#6d86a0', '#d0735a', '#eee4d3'],
];

/** Returns a hash of a text (FNV-1a, 32 bit). */
function hash(text) {
  let value = 0x811c9dc5;
  for (const unit of new TextEncoder().encode(text)) value = Math.imul(value ^ unit, 0x01000193) >>> 0;
  return value;
}

// Each motif fills a square of 100 by 100; `pick(bound)` returns pseudorandom numbers made from the hash.
const motifs = [
  function rings([, a, b, c], pick) {
    const x = 30 + pick(40), y = 22 + pick(30);
    return [44, 35, 26, 17, 8].map((r, index) => svg('circle', { cx: x, cy: y, r, fill: [a, b, c][index % 3] }));
  },
  function hills([, a, b, c], pick) {
    const sun = svg('circle', { cx: 25 + pick(50), cy: 26 + pick(10), r: 13, fill: c });
    return [sun, ...[a, b, a].map((fill, index) => {
      const y = 42 + index * 11, lift = 8 + pick(12);
      return svg('path', { fill, opacity: 1 - index * .12, d: `M0 ${y}Q25 ${y - lift} 50 ${y}T100 ${y - 4}V100H0Z` });
    })];
  },
  function quilt([, a, b, c], pick) {
    const turns = [
      'M0 0h20A20 20 0 0 1 0 20Z', 'M20 0v20A20 20 0 0 1 0 0Z', 'M20 20H0A20 20 0 0 1 20 0Z',
      'M0 20V0A20 20 0 0 1 20 20Z',
    ];
    return Array.from({ length: 15 }, (_, index) => svg('path', {
      d: turns[pick(4)], fill: [a, b, c][pick(3)],
      transform: `translate(${index % 5 * 20} ${Math.floor(index / 5) * 20})`,
    }));
  },
  function rays([, a, b, c], pick) {
    const x = 20 + pick(60), rays = [];
    for (let turn = 0; turn < 12; turn += 1) {
      const from = turn * Math.PI / 12 + Math.PI, to = from + Math.PI / 24;
      const at = (angle) => `${(x + 140 * Math.cos(angle)).toFixed(1)} ${(62 + 140 * Math.sin(angle)).toFixed(1)}`;
      rays.push(svg('path', { fill: turn % 2 ? a : b, d: `M${x} 62L${at(from)}L${at(to)}Z` }));
    }
    return [...rays, svg('path', { fill: c, d: `M${x - 17} 62a17 17 0 0 1 34 0Z` })];
  },
  function bars([, a, b, c], pick) {
    return Array.from({ length: 9 }, (_, index) => {
      const height = 12 + pick(46);
      return svg('rect', { x: 6 + index * 10, y: 62 - height, width: 7, height, rx: 3.5, fill: [a, b, c][pick(3)] });
    });
  },
];

/** Returns a title as at most three short lines. */
function lines(title) {
  const result = [''];
  for (const word of title.split(/\s+/)) {
    const line = result.at(-1);
    if (line && line.length + word.length > 15) result.push(word);
    else result[result.length - 1] = line ? `${line} ${word}` : word;
  }
  const shown = result.slice(0, 3).map((line) => (line.length > 17 ? `${line.slice(0, 16)}…` : line));
  if (result.length > 3 && !shown[2].endsWith('…')) shown[2] += ' …';
  return shown;
}

function drawn(title, artist, colours) {
  let seed = hash(`${title}\n${artist}`);
  const pick = (bound) => {
    seed = Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d) >>> 0;
    seed = (seed ^ (seed >>> 12)) >>> 0;
    return seed % bound;
  };
  const own = palettes[pick(palettes.length)];
  const palette = colours ?? own;
  const shapes = motifs[pick(motifs.length)](palette, pick);
  const words = lines(title);
  const start = 95 - (words.length - 1) * 10;
  const band = svg('path', { d: `M0 ${start - 14}h100v100H0Z`, fill: palette[0] });
  const text = words.map((line, index) => {
    const row = svg('text', { x: 7, y: start - 4 + index * 10, fill: palette[3], class: 'drawn-title' });
    row.textContent = line;
    return row;
  });
  const ground = svg('path', { d: 'M0 0h100v100H0Z', fill: palette[0] });
  return svg('svg', {
    viewBox: '0 0 100 100', class: 'drawn', 'aria-hidden': 'true',
  }, ground, ...shapes, band, ...text);
}

/** Returns the colours of the cover that is drawn for a title and an artist. */
export function drawnColours(title, artist) {
  let seed = hash(`${title}\n${artist}`);
  seed = Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d) >>> 0;
  return palettes[((seed ^ (seed >>> 12)) >>> 0) % palettes.length];
}

/** Returns the colours for the drawing from the cover's palette; null if there is none. */
function coverPalette(palette) {
  if (!palette?.dark) return null;
  const ground = mix(palette.dark, '#140d09', 0.2);
  return [ground, palette.first, palette.second, readable(palette.second, ground, 5)];
}

// The pictures that are being loaded, and those that wait for the connection: each with its address and a function that
// returns true while it is wanted.
const [loading, waiting] = [new Map(), new Map()];
// The pictures that failed although the page is connected, with the timers of their next tries, and the pauses before
// these in milliseconds.
const failing = new Map();
const pauses = [2000, 8000, 30_000, 120_000];

// The pictures of covers on screens in the background that would have been loaded again. They are loaded when a person
// comes back to them; the oldest of too many is given up.
const later = new Map();
const mostLater = 400;

/** Loads a picture once more, if it is still wanted: at once, or when its screen is shown again. */
function loadOrWait(image, picture) {
  if (picture.isWanted()) load(image, picture.source, picture.isWanted);
  else if (picture.isWanted.later?.()) {
    later.set(image, picture);
    if (later.size > mostLater) later.delete(later.keys().next().value);
  }
}

function loadThoseShownAgain() {
  const pictures = [...later];
  later.clear();
  for (const [image, picture] of pictures) loadOrWait(image, picture);
}

function load(image, source, isWanted) {
  const isLost = store.link === 'lost';
  (isLost ? waiting : loading).set(image, { source, isWanted });
  if (!isLost) image.src = source;
}

/** Loads a picture that has failed once more, if it is still wanted. */
function loadAgain(image) {
  const picture = failing.get(image);
  failing.delete(image);
  clearTimeout(picture?.timer);
  if (picture) loadOrWait(image, picture);
}

/**
 * Returns a new picture. `failed` is called if it cannot be loaded although the page is connected; it is tried again
 * some times, after longer and longer pauses, and at once when the page is connected again.
 */
function makeImage(failed) {
  const image = new Image();
  let tries = 0;
  image.onload = () => loading.delete(image);
  image.onerror = () => {
    const picture = loading.get(image);
    loading.delete(image);
    if (picture && store.link !== 'open' && store.link !== 'opening') {
      waiting.set(image, picture);
      return;
    }
    failed();
    if (!picture) return;
    // After the last pause the picture waits until the page is connected again.
    failing.set(image, { ...picture, timer: tries < pauses.length && setTimeout(loadAgain, pauses[tries], image) });
    tries += 1;
    if (failing.size > mostLater) failing.delete(failing.keys().next().value);
  };
  return image;
}

/**
 * Loads a picture, and calls `done(image)`, with null if it cannot be read; `isWanted()` is true while it is needed.
 */
export function loadPicture(source, done, isWanted) {
  const image = makeImage(() => done(null));
  image.addEventListener('load', () => done(image));
  load(image, source, isWanted);
}

/**
 * Cancels the loading of pictures when the connection is lost: they would hold the few connections that a browser makes
 * to a host. They are loaded when the page is connected again.
 */
export function startCovers() {
  let former = store.link;
  subscribe(({ link }) => {
    if (link === 'open' && former !== 'open') for (const image of [...failing.keys()]) loadAgain(image);
    former = link;
    if (link === 'lost') {
      for (const [image, picture] of loading) {
        waiting.set(image, picture);
        image.removeAttribute('src');
      }
      loading.clear();
    } else if (link === 'open' && waiting.size) {
      const pictures = [...waiting];
      waiting.clear();
      for (const [image, picture] of pictures) loadOrWait(image, picture);
    }
  });
  onNavigate(() => later.size && loadThoseShownAgain());
}

/** Shows the small picture of a cover, which is mostly there already, below the large one while that is loaded. */
function addPreview(frame, image, art) {
  const preview = makeImage(() => {});
  preview.alt = '';
  preview.className = 'preview';
  preview.addEventListener('load', () => image.isConnected && !image.complete && frame.prepend(preview));
  image.addEventListener('load', () => setTimeout(() => preview.remove(), 400));
  load(preview, artPath(art, 300), () => image.isConnected);
}

// A picture that comes later than this, in milliseconds, fades in. One that comes at once does not: the fades of a row
// of covers cost more than all else that is drawn for it.
const soon = 250;

/**
 * Shows the cover of an item (`art`, `title`, `artist`, `palette`) in `frame`, if it differs from the shown one. `size`
 * is the width in pixels. While the picture loads, the frame has the cover's dark colour.
 */
export function setCover(frame, { art = null, title = '', artist = '', palette = null } = {}, size = 300) {
  const key = art ? `${art} ${size}` : `drawn ${title}\n${artist}`;
  if (frame.dataset.cover === key) return;
  frame.dataset.cover = key;
  setVars(frame, { '--ground': palette?.dark ?? null });
  if (!art) {
    frame.replaceChildren(drawn(title, artist, coverPalette(palette)));
    return;
  }
  const image = makeImage(() => {
    if (frame.dataset.cover === key) frame.replaceChildren(drawn(title, artist, coverPalette(palette)));
  });
  image.alt = '';
  image.decoding = 'async';
  image.draggable = false;
  const wanted = performance.now();
  image.addEventListener('load', () => {
    image.classList.add('there');
    image.classList.toggle('late', performance.now() - wanted > soon);
    // A picture that failed at first replaces the drawing.
    if (!image.isConnected && frame.dataset.cover === key) frame.replaceChildren(image);
  });
  frame.replaceChildren(image);
  const isWanted = () => frame.dataset.cover === key && frame.isConnected;
  // A card that was scrolled away is not shown again, other than a screen that a person has left.
  isWanted.later = () => frame.dataset.cover === key && Boolean(frame.closest('.screen'));
  if (size > 300) addPreview(frame, image, art);
  // The picture is not loaded for a card that is scrolled out of view at once.
  setTimeout(() => {
    if (!image.isConnected) delete frame.dataset.cover;
    else load(image, artPath(art, size), isWanted);
    if (image.complete && image.naturalWidth) image.classList.add('there');
  }, size > 300 ? 0 : 40);
}

/** Empties a frame, as its item is not loaded yet. */
export function clearCover(frame) {
  delete frame.dataset.cover;
  frame.replaceChildren();
}

// The width in pixels of the light of a cover, which the style scales.
const soft = 24;

/**
 * Returns the soft light of a cover, for light and for dark colours of the page. It is drawn once; a CSS filter would
 * be drawn with every motion. `show(art)` shows that of a picture.
 */
export function makeCoverGlow(kind) {
  const lights = ['bright', 'dark'].map((name) => h('canvas', { class: name, width: soft, height: soft }));
  const element = h('span', { class: kind, 'aria-hidden': 'true' }, lights);
  element.show = (art) => {
    if (art === element.dataset.art) return;
    element.classList.remove('there');
    delete element.dataset.art;
    if (!art) return;
    element.dataset.art = art;
    const image = makeImage(() => {});
    image.addEventListener('load', async () => {
      const light = await import('./light.js').catch(() => null); // The header is of use without its light.
      if (!light || art !== element.dataset.art) return;
      light.paintLight(image, lights);
      element.classList.add('there');
    });
    load(image, artPath(art, 300), () => art === element.dataset.art);
  };
  return element;
}
