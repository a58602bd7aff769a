// The colours and the glow of the cover that plays. Each cover is read once, from its small picture.
import { artPath } from '../core/api.js';
import { readable } from '../core/colours.js';
import { h, setVars } from '../core/dom.js';
import { drawnColours, loadPicture } from './cover.js';
import { brightestGrey, fitPair, glowPixels, onPair, vividPair } from './vivid.js';

const limit = 40;
const [sampled, side] = [64, 28];
const known = new Map();

function pixelsOf(source, size) {
  const canvas = h('canvas', { width: size, height: size });
  const pen = canvas.getContext('2d', { willReadFrequently: true });
  pen.imageSmoothingQuality = 'high';
  if (Array.isArray(source)) paintStripes(pen, source, size);
  else pen.drawImage(source, 0, 0, size, size);
  return pen.getImageData(0, 0, size, size).data;
}

/** Paints the colours of a drawn cover, which has no pixels. */
function paintStripes(pen, colours, size) {
  colours.forEach((colour, index) => {
    pen.fillStyle = colour;
    pen.fillRect(0, index * size / colours.length, size, size / colours.length + 1);
  });
}

function look(source) {
  const pair = vividPair(pixelsOf(source, sampled));
  return { pair, glow: glowPixels(pixelsOf(source, side), side, pair) };
}

/** Returns the colours of the cover of a track: `{ pair, glow }`, or null if its picture cannot be read. */
function lookOf({ art, album, albumArtist, artist }) {
  const key = art ?? `drawn ${album}\n${albumArtist ?? artist}`;
  if (!known.has(key)) {
    known.set(key, art
      ? new Promise((done) => loadPicture(artPath(art, 300), (image) => done(image && look(image)), () => true))
      : Promise.resolve(look(drawnColours(album, albumArtist ?? artist))));
    known.get(key).then((found) => found || known.delete(key));
    if (known.size > limit) known.delete(known.keys().next().value);
  }
  return known.get(key);
}

/** Returns the two vivid colours of an album's cover, `{ first, second }`; null if its picture cannot be read. */
export const pairOf = async ({ art, title, artist }) =>
  (await lookOf({ art, album: title, albumArtist: artist, artist }))?.pair ?? null;

const calls = new WeakMap();

/**
 * Sets the colours of a track's cover as the style variables `--one` and `--two` of an element, `--one-text` for text,
 * and `--on-pair` for what stands on the two. They are readable on `ground`, that of the glow if none is given.
 * Without a track it removes them. Returns the colours, null if there are none, and undefined if there was a later call
 * meanwhile.
 */
export async function showCoverColours(element, track, ground = brightestGrey) {
  const call = {};
  calls.set(element, call);
  const found = track ? await lookOf(track) : null;
  if (calls.get(element) !== call) return undefined;
  const pair = found && fitPair(found.pair, ground);
  setVars(element, {
    '--one': pair?.first ?? null, '--two': pair?.second ?? null, '--on-pair': pair && onPair(pair),
    '--one-text': found && readable(found.pair.first, ground, 4.6),
  });
  return found;
}

/**
 * Returns a canvas with the glow of a cover. It is painted once for each cover; a blur of the style would be painted
 * with every motion. `show(track)` shows that of a track.
 */
export function makeGlow(element) {
  const canvas = h('canvas', { class: 'glow', width: side, height: side, 'aria-hidden': 'true' });
  canvas.show = async (track) => {
    const found = await showCoverColours(element, track);
    if (found === undefined) return;
    canvas.classList.toggle('there', Boolean(found));
    if (found) canvas.getContext('2d').putImageData(new ImageData(found.glow, side, side), 0, 0);
  };
  return canvas;
}
