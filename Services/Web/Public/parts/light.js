// The soft light of a cover behind the head of a screen: the blurred cover, on which the text of the page is readable.
import { h } from '../core/dom.js';
import { fromPolar, toBytes, toLab, toPolar } from '../core/oklab.js';

// The width in pixels of the picture that is blurred.
const few = 8;

/**
 * Returns the colour of a pixel of the light behind a header. It is pale in light colours and deep in dark ones, so
 * that text of the page has a contrast of 4.5 on it, and controls in the colour of the cover have 3.
 */
export function lightOf(bytes, isDark) {
  const [light, chroma, hue] = toPolar(toLab(bytes));
  // A dark colour looks muddy with the chroma that makes a pale one warm.
  const [now, most] = isDark ? [0.22 + 0.13 * light, 0.05] : [0.85 + 0.08 * light, 0.12];
  return toBytes(fromPolar([now, Math.min(most, chroma * 1.15), hue]));
}

/** Returns the pixels of a picture that was drawn small and then larger again, each time smoothly. */
function blurred(image, soft) {
  const [small, large] = [few, soft].map((size) => h('canvas', { width: size, height: size }));
  const [near, far] = [small, large].map((canvas) => canvas.getContext('2d', { willReadFrequently: true }));
  for (const pen of [near, far]) pen.imageSmoothingQuality = 'high';
  near.drawImage(image, 0, 0, few, few);
  // Without half a pixel of each edge the picture does not fade there.
  far.drawImage(small, 0.5, 0.5, few - 1, few - 1, 0, 0, soft, soft);
  // The grid of the few pixels is blurred away by copies beside it.
  far.globalAlpha = 0.5;
  for (const [x, y] of [[2, 0], [-2, 0], [0, 2], [0, -2], [1, 1], [-1, -1]]) far.drawImage(large, x, y);
  return far.getImageData(0, 0, soft, soft);
}

/** Paints the light of a picture on two square canvases, for light and for dark colours of the page. */
export function paintLight(image, [bright, dark]) {
  const soft = bright.width;
  const { data } = blurred(image, soft);
  const fill = (canvas) => {
    const picture = new ImageData(soft, soft);
    for (let at = 0; at < data.length; at += 4) {
      picture.data.set([...lightOf(data.subarray(at, at + 3), canvas === dark), 255], at);
    }
    canvas.getContext('2d').putImageData(picture, 0, 0);
  };
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
  fill(isDark ? dark : bright);
  // The one that is not shown waits, so that no task is long.
  (window.requestIdleCallback ?? setTimeout)(() => fill(isDark ? bright : dark));
}
