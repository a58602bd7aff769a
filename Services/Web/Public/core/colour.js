// Colours of covers, made fit to be read: WCAG 2.2 asks for a contrast of 4.5 between words and their ground.
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

/** The contrast of two colours, 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrast(one, other) {
  const [dark, light] = [luminance(one), luminance(other)].sort((left, right) => left - right);
  return (light + 0.05) / (dark + 0.05);
}

/** A mixture of two colours; `share` of the second. */
export function mix(one, other, share) {
  const to = parts(other);
  return written(parts(one).map((channel, index) => channel + (to[index] - channel) * share));
}

/** A colour moved towards black or white as far as it must be to stand out from `ground`. */
export function readable(colour, ground, ratio = 4.6) {
  const end = luminance(ground) > 0.2 ? '#000000' : '#ffffff';
  for (let share = 0; share < 1; share += 0.06) {
    const tried = mix(colour, end, share);
    if (contrast(tried, ground) >= ratio) return tried;
  }
  return end;
}

/** Whether the page is dark now. */
const dark = matchMedia('(prefers-color-scheme: dark)');

const isColour = (text) => /^#[0-9a-f]{6}$/i.test(text ?? '');

/** Gives an element the colours of a cover as `--tint…`; without a palette it keeps those of the page. */
export function tint(element, palette) {
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
