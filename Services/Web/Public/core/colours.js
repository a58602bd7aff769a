// The colours of covers, adjusted so that text is readable: WCAG 2.2 demands a contrast of 4.5 between text and
// background, and of 3 between a control and what is around it.
import { setVars } from './dom.js';
import { bytesOf, colourOf, luminanceOf, toBytes, toLab } from './oklab.js';

const luminance = (colour) => luminanceOf(bytesOf(colour));

/** Returns the contrast of two colours, from 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrast(one, other) {
  const [dark, light] = [luminance(one), luminance(other)].sort((left, right) => left - right);
  return (light + 0.05) / (dark + 0.05);
}

/** Returns the mixture of two colours, with a `share` from 0 to 1 of the second. */
export function mix(one, other, share) {
  const to = bytesOf(other);
  return colourOf(bytesOf(one).map((channel, index) => channel + (to[index] - channel) * share));
}

/**
 * Returns a colour made lighter or darker until its contrast with the background `ground` is at least `ratio`. It keeps
 * its hue, and its chroma as far as screens can show it: a red becomes another red, never a grey.
 */
export function readable(colour, ground, ratio = 4.6) {
  if (contrast(colour, ground) >= ratio) return colour;
  const end = luminance(ground) > 0.2 ? 0 : 1;
  const [light, a, b] = toLab(bytesOf(colour));
  for (let share = 0.03; share < 1; share += 0.03) {
    const tried = colourOf(toBytes([light + (end - light) * share, a, b]));
    if (contrast(tried, ground) >= ratio) return tried;
  }
  return end ? '#ffffff' : '#000000';
}

const dark = matchMedia('(prefers-color-scheme: dark)');

/** The page's own backgrounds by its colour scheme; see style/base.css. */
export const grounds = {
  light: { wall: '#efe6d8', paper: '#fbf6ec' },
  dark: { wall: '#1b1411', paper: '#271d17' },
};
// The wall of the theme that plays; null for the page's own.
let themeWall = null;

const isColour = (text) => /^#[0-9a-f]{6}$/i.test(text ?? '');

// The palettes by element. Removed elements and their palettes are not kept in memory.
const palettes = new WeakMap();
const coloured = new Set();
const gone = new FinalizationRegistry((element) => coloured.delete(element));

/**
 * Sets the colours of a cover as the style variables `--tint…` of an element; removes them if there is no palette. They
 * follow the colour scheme when it changes.
 */
export function applyPalette(element, palette) {
  if (!palettes.has(element)) {
    const held = new WeakRef(element);
    coloured.add(held);
    gone.register(element, held);
  }
  palettes.set(element, palette);
  paint(element, palette);
}

function paint(element, palette) {
  if (!palette || !['first', 'second'].every((name) => isColour(palette[name]))) {
    setVars(element, { '--tint': null, '--tint-words': null, '--tint-two': null });
    return;
  }
  // They stand on paper and on the wall.
  const { paper, wall } = grounds[dark.matches ? 'dark' : 'light'];
  const onGrounds = (colour, ratio) => readable(readable(colour, paper, ratio), themeWall ?? wall, ratio);
  const fill = onGrounds(palette.first, 4.6);
  setVars(element, {
    '--tint': fill,
    '--tint-words': contrast(fill, '#fff7ec') >= 4.5 ? '#fff7ec' : '#1d120b',
    '--tint-two': onGrounds(palette.second, 3.1),
  });
}

function repaint() {
  for (const held of coloured) {
    const element = held.deref();
    if (element) paint(element, palettes.get(element));
  }
}

dark.addEventListener('change', repaint);

/** Adjusts the colours of covers to the wall of a theme; null for the page's own wall. */
export function setWall(colour) {
  if (colour === themeWall) return;
  themeWall = colour;
  repaint();
}
