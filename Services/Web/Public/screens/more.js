// The places that find no room in the tabs of a small screen.
import { h } from '../core/dom.js';
import { plainHead } from '../parts/heads.js';
import { icon } from '../parts/icons.js';
import { showKeys } from '../parts/keys.js';

const places = [
  ['tracks', 'Tracks'], ['playlists', 'Playlists'], ['queue', 'Queue'], ['rooms', 'Rooms'], ['settings', 'Settings'],
];

/** Opens the list. */
export async function open() {
  const links = places.map(([name, title]) => h('li', {}, h('a', { class: 'more-link', href: `#/${name}` }, icon(name), h('span', { text: title }))));
  const keys = h('li', {}, h('button', { type: 'button', class: 'more-link', onclick: showKeys }, icon('keys'), h('span', { text: 'Keys' })));
  return { title: 'More', element: h('section', { class: 'place', 'aria-label': 'More' }, plainHead('More'), h('ul', { class: 'card more' }, links, keys)), lasting: true };
}
