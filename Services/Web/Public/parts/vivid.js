// Two vivid colours of a cover, and its glow. A cover is given as the bytes of its pixels, four each, as a canvas has
// them. The colours come from clusters of pixels that look alike; a mean of the whole cover would be brown or grey.
import { contrast, readable } from '../core/colours.js';
import { bytesOf, colourOf, fromPolar, luminanceOf, toBytes, toLab, toPolar } from '../core/oklab.js';

// The colours of covers that have none, such as black and white ones.
const plain = { first: '#f0c582', second: '#f4e9d8' };
const clusterCount = 8;
const rounds = 8;
// A chroma below this looks grey.
const grey = 0.035;
// Clusters nearer than this look alike.
const near = 0.09;

/** The luminance of the brightest point of a glow. Everything on it is chosen for this. */
export const brightest = 0.075;
/** The grey of this luminance. */
export const brightestGrey = '#4e4e4e';

// Lightness counts half, as light and shadow on one thing are one colour.
const apart = (one, other) => Math.hypot((one[0] - other[0]) * 0.5, one[1] - other[1], one[2] - other[2]);
const chromaOf = (lab) => Math.hypot(lab[1], lab[2]);

/** Returns the colours of pixels with the numbers of pixels that have them, similar ones together. */
function samples(pixels) {
  const boxes = new Map();
  for (let at = 0; at < pixels.length; at += 4) {
    if (pixels[at + 3] < 128) continue;
    const key = pixels[at] >> 4 << 8 | pixels[at + 1] >> 4 << 4 | pixels[at + 2] >> 4;
    const box = boxes.get(key) ?? [0, 0, 0, 0];
    for (let channel = 0; channel < 3; channel += 1) box[channel] += pixels[at + channel];
    box[3] += 1;
    boxes.set(key, box);
  }
  return [...boxes.values()].map(([red, green, blue, count]) => ({
    lab: toLab([red, green, blue].map((sum) => Math.round(sum / count))), count,
  }));
}

/** Returns the first centres: the most vivid sample, then always the one that is farthest from all centres. */
function seeds(all) {
  const worth = ({ lab, count }) => (chromaOf(lab) + 0.02) * Math.sqrt(count);
  const centres = [all.reduce((best, one) => (worth(one) > worth(best) ? one : best)).lab];
  while (centres.length < Math.min(clusterCount, all.length)) {
    const far = ({ lab, count }) => Math.min(...centres.map((centre) => apart(centre, lab))) * count ** 0.25;
    centres.push(all.reduce((best, one) => (far(one) > far(best) ? one : best)).lab);
  }
  return centres;
}

/** Returns the clusters of samples by k-means: each its colour, in which vivid samples count more, and its share. */
function clusters(all) {
  let centres = seeds(all);
  let groups = [];
  for (let round = 0; round < rounds; round += 1) {
    groups = centres.map(() => []);
    for (const one of all) {
      let best = 0;
      for (let index = 1; index < centres.length; index += 1) {
        if (apart(centres[index], one.lab) < apart(centres[best], one.lab)) best = index;
      }
      groups[best].push(one);
    }
    centres = groups.map((group, index) => (group.length ? meanOf(group, ({ count }) => count) : centres[index]));
  }
  const total = all.reduce((sum, { count }) => sum + count, 0);
  return groups.filter(({ length }) => length).map((group) => ({
    lab: meanOf(group, ({ lab, count }) => count * (chromaOf(lab) ** 2 + 0.0004)),
    share: group.reduce((sum, { count }) => sum + count, 0) / total,
  }));
}

function meanOf(group, weightOf) {
  const sum = [0, 0, 0];
  let whole = 0;
  for (const one of group) {
    const weight = weightOf(one);
    whole += weight;
    for (let part = 0; part < 3; part += 1) sum[part] += one.lab[part] * weight;
  }
  return sum.map((one) => one / whole);
}

// Near black and near white no colour is seen, whatever its chroma.
const window = (light) => Math.max(0.05, Math.min(1, (light - 0.12) * 5, (1.02 - light) * 7));
const score = ({ lab, share }) => Math.sqrt(share) * Math.max(0, chromaOf(lab) - grey * 0.6) * window(lab[0]);

/** Returns a colour with a little more chroma, as a small spot of it looks paler than a large one. */
function vivid(lab) {
  const [light, chroma, hue] = toPolar(lab);
  return fromPolar([Math.max(0.3, Math.min(0.9, light)), Math.min(0.24, chroma * 1.15 + 0.015), hue]);
}

/** Returns `{ first, second }`, the two vivid colours of a cover, which differ. */
export function vividPair(pixels) {
  const all = samples(pixels);
  if (!all.length) return plain;
  const found = clusters(all);
  const first = found.reduce((best, one) => (score(one) > score(best) ? one : best));
  if (chromaOf(first.lab) < grey) return plain;
  const worth = (one) => score(one) * Math.min(1, apart(one.lab, first.lab) / 0.22) ** 1.5;
  const second = found.reduce((best, one) => (worth(one) > worth(best) ? one : best));
  const isOther = apart(second.lab, first.lab) > near && chromaOf(second.lab) > grey;
  const other = isOther ? vivid(second.lab) : beside(first.lab);
  return { first: colourOf(toBytes(vivid(first.lab))), second: colourOf(toBytes(other)) };
}

/** Returns the second colour of a cover in one colour: its neighbour on the circle of hues, lighter or darker. */
function beside(lab) {
  const [light, chroma, hue] = toPolar(vivid(lab));
  return fromPolar([light > 0.6 ? light - 0.16 : light + 0.16, chroma, hue + 0.6]);
}

/** Returns both colours with a contrast of at least 3.1 to a background. */
export function fitPair({ first, second }, ground) {
  return { first: readable(first, ground, 3.1), second: readable(second, ground, 3.1) };
}

/** Returns the colour for small things on both colours of a pair: dark, or light where that is easier to read. */
export function onPair({ first, second }) {
  const least = (ink) => Math.min(contrast(ink, first), contrast(ink, second));
  return least('#0d0603') >= least('#fff7ec') ? '#0d0603' : '#fff7ec';
}

function blurred(values, side, radius) {
  const next = values.map((lab) => lab.slice());
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      const sum = [0, 0, 0];
      let count = 0;
      for (let by = -radius; by <= radius; by += 1) {
        const at = Math.max(0, Math.min(side - 1, x + by));
        for (let part = 0; part < 3; part += 1) sum[part] += values[y * side + at][part];
        count += 1;
      }
      // The result is transposed, so that the second pass goes along the other axis.
      next[x * side + y] = sum.map((one) => one / count);
    }
  }
  return next;
}

/**
 * Returns the pixels of the glow of a cover, `side` by `side`: the blurred cover, with its two colours in the corners,
 * dark enough for light text and with more chroma, as a dark colour looks paler.
 */
export function glowPixels(pixels, side, { first, second }) {
  let values = Array.from({ length: side * side }, (_, at) => toLab([...pixels.slice(at * 4, at * 4 + 3)]));
  for (let pass = 0; pass < 4; pass += 1) values = blurred(values, side, Math.round(side / 9));
  const corners = [{ lab: toLab(bytesOf(first)), x: 0.08, y: 0.12 }, { lab: toLab(bytesOf(second)), x: 0.95, y: 0.9 }];
  const result = new Uint8ClampedArray(side * side * 4);
  values.forEach((lab, at) => {
    const [x, y] = [at % side / side, Math.floor(at / side) / side];
    const mixed = corners.reduce((sum, corner) => {
      const share = 0.62 * Math.exp(-((x - corner.x) ** 2 + (y - corner.y) ** 2) / 0.24);
      return sum.map((one, part) => one + (corner.lab[part] - one) * share);
    }, lab);
    result.set([...dimmed(mixed), 255], at * 4);
  });
  return result;
}

function dimmed(lab) {
  const [light, chroma, hue] = toPolar(lab);
  let now = 0.2 + 0.27 * Math.max(0, Math.min(1, light));
  let bytes = [];
  do {
    bytes = toBytes(fromPolar([now, Math.min(0.17, chroma * 1.25), hue]));
    now -= 0.01;
  } while (luminanceOf(bytes) > brightest);
  return bytes;
}
