// The garden, `#/garden`: the way to notes, marks for deletion, todos and themes.
import { read } from '../core/api.js';
import { h, setText } from '../core/dom.js';
import { onFact } from '../core/events.js';
import { count } from '../core/format.js';
import { loadStyles } from '../core/stylesheets.js';
import { icon } from '../parts/icons.js';
import { againButton } from '../parts/controls.js';
import { pageHeader } from '../parts/headers.js';
import { showDue } from './due.js';
import { fileBox } from './file.js';

const styled = loadStyles('garden/garden.css');

const most = 200;
const places = [
  {
    name: 'notes',
    picture: 'ask',
    title: 'Notes',
    words: 'What you wrote about albums, tracks, artists and listenings',
    path: 'notes',
    one: 'note',
  },
  {
    name: 'todos',
    picture: 'check',
    title: 'Todos',
    words: 'What is to be mended, by you or as the library suggests',
    path: 'todos',
    one: 'open todo',
  },
  {
    name: 'marks',
    picture: 'trash',
    title: 'Marks for deletion',
    words: 'What may go, with its size, its plays and its duplicates',
    path: 'marks',
    parameters: { state: 'marked' },
    one: 'mark to decide',
    many: 'marks to decide',
  },
  {
    name: 'themes',
    picture: 'themes',
    title: 'Themes',
    words: 'Albums that belong together for you, with a look of their own',
    path: 'themes',
    one: 'theme',
  },
];

/** Opens the screen. */
export async function open() {
  await styled;
  const counts = places.map(() => h('b', {}));
  const cards = places.map(({ name, picture, title, words }, index) => h('li', {},
    h('a', { class: 'card garden-card', href: `#/${name}` },
      icon(picture), h('span', {},
        h('span', { class: 'garden-title', text: title }),
        h('span', { class: 'soft', text: words }),
        counts[index]))));
  const said = h('p', { class: 'count', role: 'status' });
  const failure = h('div', {});
  const due = h('section', { class: 'group', hidden: true });
  const element = h('section', { class: 'screen garden', 'aria-label': 'Garden' }, pageHeader('Garden', said), failure,
    h('ul', { class: 'garden-cards' }, cards), due,
    fileBox(() => load()));
  let reading = 0;
  const showCount = async ({ path, parameters = {}, one, many = undefined }, index) => {
    const { items, next } = await read(path, { ...parameters, ...(path === 'themes' ? {} : { limit: most }) });
    setText(counts[index], `${count(items.length, one, many)}${next ? ' and more' : ''}`);
  };
  const load = async () => {
    const mine = reading += 1;
    if (!counts.every(({ textContent }) => textContent)) setText(said, 'Loading …');
    showDue(due).catch(() => {}); // The notes are in their place as well.
    const all = await Promise.allSettled(places.map(showCount));
    if (mine !== reading) return;
    const failed = (/** @type {PromiseRejectedResult} */ (all.find(({ status }) => status === 'rejected')))?.reason;
    if (failure.contains(document.activeElement)) element.querySelector('h1').focus({ preventScroll: true });
    setText(said, '');
    failure.replaceChildren(failed ? h('div', { class: 'row wrap', role: 'alert' },
      h('p', { class: 'problem-line', text: `It could not be read how much there is. ${failed.message}` }),
      againButton(load)) : '');
  };
  let stop = () => {};
  return {
    title: 'Garden', element, isLive: true,
    shown: load,
    show() {
      stop = onFact(({ kind }) => {
        if (/^library\.(note|mark|todo|theme)-changed$/.test(kind)) load();
      });
    },
    hide: () => stop(),
  };
}
