// Settings: one place with parts of its own, each at its address.
import { h, setAttribute } from '../core/dom.js';
import { plainHead } from '../parts/heads.js';

const sections = [
  ['sources', 'Music', () => import('../settings/sources.js')],
  ['scrobbling', 'Scrobbling', () => import('../settings/scrobbling.js')],
  ['health', 'Health', () => import('../settings/health.js')],
  ['browser', 'This browser', () => import('../settings/browser.js')],
];

/** Opens the settings; there is but one place for all parts. */
export async function open() {
  const links = sections.map(([name, title]) => h('a', { class: 'pill', href: `#/settings/${name}`, text: title }));
  const room = h('a', { class: 'pill', href: '#/rooms', text: 'Rooms and sound' });
  const body = h('div', { class: 'settings' });
  const element = h('section', { class: 'place', 'aria-label': 'Settings' }, plainHead('Settings'),
    h('nav', { class: 'row wrap', 'aria-label': 'Settings' }, links.slice(0, 1), room, links.slice(1)), body);
  let part = null;
  let shown = null;
  return {
    title: 'Settings', element, lasting: true,
    async enter({ parts: [name], signal }) {
      const at = Math.max(0, sections.findIndex(([one]) => one === name));
      const next = await (await sections[at][2]()).part(signal);
      part?.hide?.();
      part = next;
      links.forEach((link, index) => setAttribute(link, 'aria-current', index === at ? 'page' : null));
      body.replaceChildren(part.element);
      if (shown) part.show?.();
    },
    show() {
      shown = true;
      part?.show?.();
    },
    hide() {
      shown = false;
      part?.hide?.();
    },
  };
}
