// The albums, tracks and artists that notes, marks and todos are about.
import { albumPath, artistPath, read, trackPath } from '../core/api.js';
import { h } from '../core/dom.js';
import { address } from '../core/router.js';
import { setCover } from '../parts/cover.js';

// The most pictures that are kept; each is looked up once.
const limit = 300;
const pictures = new Map();
const paths = { album: albumPath, session: albumPath, track: trackPath, artist: artistPath };

/** Returns true if the thing is in the library. */
export const isHere = (on) => on.isHere !== false;

/** Returns the address of the screen of a thing; null while it is not in the library. */
export function placeOf(on) {
  if (!isHere(on) || !paths[on.kind]) return null;
  return address(on.kind === 'session' ? 'album' : on.kind, on.id);
}

/** Returns the name of a thing, as a link where it has a screen. */
export function nameOf(on) {
  const place = placeOf(on);
  const title = place ? h('a', { class: 'link-plain', href: place, text: on.title }) : h('span', { text: on.title });
  const by = on.kind === 'artist' ? null : h('span', { class: 'soft', text: on.artist });
  return h('p', { class: 'subject', dir: 'auto' },
    h('b', {}, title),
    by && ' ',
    by,
    isHere(on) ? null : h('small', { class: 'soft', text: ' Not in the library now.' }));
}

function pictureOf(on) {
  const key = `${on.kind} ${on.id}`;
  if (!pictures.has(key)) {
    pictures.set(key, read(paths[on.kind](on.id)).then(({ art, palette }) => ({ art, palette }), () => {
      pictures.delete(key);
      return {};
    }));
    if (pictures.size > limit) pictures.delete(pictures.keys().next().value);
  }
  return pictures.get(key);
}

const shown = new WeakMap();
const near = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    near.unobserve(target);
    const on = shown.get(target);
    pictureOf(on).then(({ art, palette }) => art && setCover(target, { ...on, art, palette }));
  }
}, { rootMargin: '200px' });

/** Returns the cover of a thing, which is drawn first and looked up once it comes into view. */
export function coverOf(on) {
  const element = h('span', { class: `cover${on.kind === 'artist' ? ' round' : ''}`, 'aria-hidden': 'true' });
  setCover(element, { title: on.title, artist: on.artist });
  if (placeOf(on)) {
    shown.set(element, on);
    near.observe(element);
  }
  return element;
}
