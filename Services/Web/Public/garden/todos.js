// The place of the todos, `#/todos`: open ones, what the library suggests with its evidence, and done ones.
import { change, read } from '../core/api.js';
import { h } from '../core/dom.js';
import { count } from '../core/format.js';
import { loadStyles } from '../core/stylesheets.js';
import { showBanner, showError } from '../parts/banners.js';
import { linkButton, textButton } from '../parts/controls.js';
import { emptyMessage, pageHeader } from '../parts/headers.js';
import { makeList, setCount } from './lists.js';
import { coverOf, nameOf } from './subjects.js';
import { dayOf, kinds } from './words.js';

const styled = loadStyles('garden/garden.css');

// A page of suggestions may be empty though others follow. So many are read for one press at most.
const mostPages = 20;
const deliveries = { waiting: 'Waits to be sent', sent: 'Sent', failed: 'Not sent' };

async function set({ todo, on, state }, next, words) {
  try {
    await change(`todos/${todo}`, { state: next }, 'PUT');
    showBanner(`“${on.title}” ${words}`, {
      key: 'todo', action: { name: 'Undo', run: () => change(`todos/${todo}`, { state }, 'PUT').catch(showError) },
    });
  } catch (error) {
    showError(error);
  }
}

function makeTodo() {
  const element = h('li', { class: 'note card named todo' });
  let text = null;
  element.show = (todo) => {
    const now = JSON.stringify(todo);
    if (now === text) return;
    text = now;
    const { on, about, evidence, state, delivery, problem } = todo;
    const button = (name, run, kind = '') => textButton(name, null, run, { kind, label: `${name}: ${on.title}` });
    const origin = [
      state === 'done'
        ? `Done ${dayOf(todo.doneAt ?? todo.at)}${todo.isNoticed ? ', as the library noticed' : ''}`
        : `Added ${dayOf(todo.at)}`,
      deliveries[delivery],
    ].filter(Boolean).join(' · ');
    element.replaceChildren(coverOf(on),
      h('div', { class: 'note-body' }, h('p', { class: 'kind', text: kinds[about] ?? 'Something else' }), nameOf(on),
        todo.text ? h('p', { class: 'todo-text', dir: 'auto', text: todo.text }) : null,
        evidence ? h('p', { class: 'why', text: evidence }) : null,
        h('p', { class: 'soft', text: origin }),
        problem ? h('p', { class: 'problem-line', text: problem.message }) : null,
        h('div', { class: 'row wrap' }, state === 'open'
          ? [
            button('Done', () => set(todo, 'done', 'is done.'), 'first'),
            button('Dismiss', () => set(todo, 'dismissed', 'is dismissed.'), 'quiet'),
          ]
          : button('Open again', () => set(todo, 'open', 'is open again.')))));
  };
  return element;
}

/** Returns the element of a suggestion; `decided()` is called after somebody has decided it. */
function makeSuggestion(decided) {
  const element = h('li', { class: 'note card named todo' });
  element.show = ({ on, about, evidence }) => {
    if (element.childElementCount) return;
    const decide = (isAccepted) => async () => {
      try {
        const { todo } = await change(`todos/suggested/${encodeURIComponent(on.id)}`, { about, isAccepted }, 'PUT');
        const words = isAccepted ? 'is a todo now.' : 'is not suggested again.';
        showBanner(`“${on.title}” ${words}`, {
          key: 'todo',
          action: isAccepted ? null : {
            name: 'Make it a todo',
            run: () => change(`todos/${todo}`, { state: 'open' }, 'PUT').then(decided, showError),
          },
        });
        decided();
      } catch (error) {
        showError(error);
      }
    };
    element.append(coverOf(on), h('div', { class: 'note-body' },
      h('p', { class: 'kind', text: kinds[about] ?? 'Something else' }),
      nameOf(on),
      h('p', { class: 'why', text: evidence }),
      h('div', { class: 'row wrap' },
        textButton('Accept', null, decide(true), { kind: 'first', label: `Accept: ${on.title}` }),
        textButton('Dismiss', null, decide(false), { kind: 'quiet', label: `Dismiss: ${on.title}` }))));
  };
  return element;
}

/** Reads suggestions until there are some. */
async function suggestions(after, limit) {
  let page = { next: after };
  for (let pages = 0; pages < mostPages; pages += 1) {
    page = await read('todos/suggested', { after: page.next, limit });
    if (page.items.length || !page.next) break;
  }
  return page;
}

/** Opens the screen. */
export async function open() {
  await styled;
  const said = h('p', { class: 'count', role: 'status' });
  const listOf = (state, label, empty, seen = () => {}) => makeList({
    label, fact: 'library.todo-changed', keyOf: ({ todo }) => todo, make: makeTodo, empty, read: seen,
    page: (after, limit) => read('todos', { state, after, limit }),
  });
  const opened = listOf('open', 'Open todos',
    () => emptyMessage('Nothing to do',
      'Add a todo by the menu of an album, a track or an artist: a wrong cover, a missing track. What the library '
        + 'sees itself is below.'),
    (items, isWhole) => setCount(said, items, isWhole, ({ length }) => count(length, 'todo')));
  const suggested = makeList({
    label: 'Suggested todos', fact: 'library.todo-changed', keyOf: ({ on, about }) => `${on.id} ${about}`,
    page: suggestions,
    make: () => makeSuggestion(() => suggested.load()),
    empty: () => h('p', { class: 'soft', text: 'The library sees nothing that is to be done.' }),
  });
  const lists = [opened, suggested];
  const later = [['done', 'Done'], ['dismissed', 'Dismissed']].map(([state, title]) => {
    const list = listOf(state, title, () => h('p', { class: 'soft', text: 'None.' }));
    return h('details', { class: 'group former-box', ontoggle: ({ currentTarget: box }) => {
      if (!box.open) list.stop();
      else list.start();
    } }, h('summary', {}, h('b', { text: title })), list);
  });
  const element = h('section', { class: 'screen garden', 'aria-label': 'Todos' },
    pageHeader('Todos', said, linkButton('Send them elsewhere', '#/settings/garden', 'settings')),
    opened,
    h('section', { class: 'group' }, h('h2', { text: 'Suggested by the library' }), suggested), later);
  return {
    title: 'Todos', element, isLive: true,
    show: () => lists.forEach((one) => one.start()),
    hide: () => lists.forEach((one) => one.stop()),
  };
}
