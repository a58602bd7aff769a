// The colours of covers, adjusted so that text is readable: WCAG 2.2 demands a contrast of 4.5 between text and
// background.
import { setVars } from './dom.js';

function parts(colour) {
  const value = Number.parseInt(colour.slice(1), 16);
  return [value >> 16 & 255, value >> 8 & 255, value & 255];
}

function written(channels) {
  return `#${channels.map((one) => Math.round(one).toString(16).padStart(2, '0')).join('')}`;
}

function luminance(colour) {
  const [red, green, blue] = parts(colour).map((one) => {
    const share = one / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the contrast of two colours, from 1 to 21 (WCAG 2.2, "contrast ratio"). */
function contrast(one, other) {
  const [dark, light] = [luminance(one), luminance(other)].sort((left, right) => left - right);
  return (light + 0.05) / (dark + 0.05);
}

/** Returns the mixture of two colours, with a `share` from 0 to 1 of the second. */
export function mix(one, other, share) {
  const to = parts(other);
  return written(parts(one).map((channel, index) => channel + (to[index] - channel) * share));
}

/**
 * Returns a colour that is moved towards black or white until its contrast with the background `ground` is at least
 * `ratio`.
 */
export function readable(colour, ground, ratio = 4.6) {
  const end = luminance(ground) > 0.2 ? '#000000' : '#ffffff';
  for (let share = 0; share < 1; share += 0.06) {
    const tried = mix(colour, end, share);
    if (contrast(tried, ground) >= ratio) return tried;
  }
  return end;
}

const dark = matchMedia('(prefers-color-scheme: dark)');

const isColour = (text) => /^#[0-9a-f]{6}$/i.test(text ?? '');

/** Sets the colours of a cover as the style variables `--tint…` of an element; removes them if there is no palette. */
export function applyPalette(element, palette) {
  if (!palette || !['first', 'second', 'dark'].every((name) => isColour(palette[name]))) {
    setVars(element, { '--tint': null, '--tint-words': null, '--tint-two': null, '--tint-ground': null, '--tint-on-dark': null });
    return;
  }
  const paper = dark.matches ? '#271d17' : '#fbf6ec';
  const fill = readable(palette.first, paper, 4.6);
  setVars(element, {
    '--tint': fill,
    '--tint-words': contrast(fill, '#fff7ec') >= 4.5 ? '#fff7ec' : '#1d120b',
    '--tint-two': readable(palette.second, paper, 3.1),
    '--tint-ground': mix(palette.dark, '#140d09', 0.45),
    '--tint-on-dark': readable(palette.first, mix(palette.dark, '#140d09', 0.45), 5),
  });
}
