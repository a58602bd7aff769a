// Colours by lightness, chroma and hue as the eye sees them: OKLab by Björn Ottosson, and its polar form OKLCH.
// Colours are written as `#rrggbb`; lightness is 0 to 1, chroma 0 to about 0.33, and the hue an angle in radians.

const toLinear = Array.from({ length: 256 }, (_, value) => {
  const share = value / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
});

const toByte = (linear) => {
  const share = linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055;
  return Math.round(Math.max(0, Math.min(1, share)) * 255);
};

/** Returns the red, green and blue bytes of a colour. */
export function bytesOf(colour) {
  const value = Number.parseInt(colour.slice(1), 16);
  return [value >> 16 & 255, value >> 8 & 255, value & 255];
}

/** Returns the colour of red, green and blue bytes. */
export function colourOf(bytes) {
  return `#${bytes.map((one) => Math.round(one).toString(16).padStart(2, '0')).join('')}`;
}

/**
 * Returns the relative luminance of bytes, 0 to 1 (WCAG 2.2).
 * @param {number[]} bytes
 */
export function luminanceOf([red, green, blue]) {
  return 0.2126 * toLinear[red] + 0.7152 * toLinear[green] + 0.0722 * toLinear[blue];
}

/**
 * Returns `[lightness, a, b]` of red, green and blue bytes.
 * @param {number[]} bytes
 */
export function toLab([red, green, blue]) {
  const [r, g, b] = [toLinear[red], toLinear[green], toLinear[blue]];
  const long = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const medium = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const short = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short,
    0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short,
  ];
}

/** @param {number[]} lab */
function toLinearRGB([light, a, b]) {
  const long = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (light - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ];
}

const isShowable = (linear) => linear.every((one) => one > -0.0005 && one < 1.0005);

/**
 * Returns the bytes of a colour. Of one that no screen shows, such as a bright blue of full chroma, lightness and hue
 * are kept, and as much of the chroma as the screen has.
 * @param {number[]} lab
 */
export function toBytes(lab) {
  let linear = toLinearRGB(lab);
  if (!isShowable(linear)) {
    const [light, a, b] = lab;
    let [low, high] = [0, 1];
    for (let step = 0; step < 9; step += 1) {
      const share = (low + high) / 2;
      if (isShowable(toLinearRGB([light, a * share, b * share]))) low = share;
      else high = share;
    }
    linear = toLinearRGB([light, a * low, b * low]);
  }
  return linear.map(toByte);
}

/**
 * Returns `[lightness, chroma, hue]` of `[lightness, a, b]`.
 * @param {number[]} lab
 */
export const toPolar = ([light, a, b]) => [light, Math.hypot(a, b), Math.atan2(b, a)];

/**
 * Returns `[lightness, a, b]` of `[lightness, chroma, hue]`.
 * @param {number[]} polar
 */
export const fromPolar = ([light, chroma, hue]) => [light, chroma * Math.cos(hue), chroma * Math.sin(hue)];
