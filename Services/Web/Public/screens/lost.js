// An address at which there is nothing.
import { h } from '../core/dom.js';

/** Opens it. */
export async function open() {
  return {
    title: 'Nothing here',
    element: h('section', { class: 'place', 'aria-label': 'Nothing here' }, h('div', { class: 'card empty' }, h('h1', { text: 'Nothing stands here', tabindex: '-1' }),
      h('p', { text: 'The address leads to no record and no place.' }), h('p', { class: 'row' }, h('a', { class: 'pill first', href: '#/albums', text: 'All albums' })))),
  };
}
