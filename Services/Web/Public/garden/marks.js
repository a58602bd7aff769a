// The place of the marks for deletion, `#/marks`: what is marked, what speaks for and against it, and the export.
import { change, read } from '../core/api.js';
import { h, setAttribute, setText } from '../core/dom.js';
import { ago, count, size } from '../core/format.js';
import { address } from '../core/router.js';
import { loadStyles } from '../core/stylesheets.js';
import { showBanner, showError } from '../parts/banners.js';
import { textButton } from '../parts/controls.js';
import { emptyMessage, pageHeader } from '../parts/headers.js';
import { saveFile } from './file.js';
import { makeList } from './lists.js';
import { coverOf, nameOf } from './subjects.js';
import { dayOf } from './words.js';

const styled = loadStyles('garden/garden.css');

const states = {
  marked: {
    title: 'To decide',
    empty: [
      'Nothing to decide',
      'Mark an album, a track or an artist by its menu if you may want to delete it. Lunara itself never deletes '
        + 'music.',
    ],
  },
  confirmed: {
    title: 'To be deleted',
    empty: ['Nothing to be deleted', 'What you confirm is listed here, and written to a file for you.'],
  },
  kept: { title: 'Kept', empty: ['Nothing kept', 'What you have looked at and kept is listed here.'] },
};
const done = { marked: 'is to be decided again.', confirmed: 'is to be deleted, by you.', kept: 'is kept.' };

async function decide({ mark, on, state }, next) {
  try {
    await change(`marks/${mark}`, { state: next }, 'PUT');
    showBanner(`“${on.title}” ${done[next]}`, {
      key: 'mark', action: { name: 'Undo', run: () => change(`marks/${mark}`, { state }, 'PUT').catch(showError) },
    });
  } catch (error) {
    showError(error);
  }
}

/** Returns the other albums with the same music. */
function duplicatesOf({ duplicates }) {
  if (!duplicates.length) return null;
  return h('p', { class: 'mark-twins' },
    'The same music: ',
    duplicates.flatMap(({ id, title, formats, isLossless }, index) => [index ? ', ' : '',
      h('a', { class: 'link', href: address('album', id), text: title }),
      ` (${[...formats.map((one) => one.toUpperCase()), isLossless ? 'lossless' : 'lossy'].join(', ')})`]));
}

function makeMark() {
  const element = h('li', { class: 'note card named marked' });
  let text = null;
  element.show = (mark) => {
    const now = JSON.stringify(mark);
    if (now === text) return;
    const hadFocus = element.contains(document.activeElement);
    text = now;
    const { on, state } = mark;
    const facts = [mark.bytes === undefined ? 'size unknown' : size(mark.bytes), count(mark.tracks, 'track'),
      mark.quality,
      mark.plays
        ? `heard ${count(mark.plays, 'time')}, last ${ago(mark.lastHeard)}`
        : 'never heard'].filter(Boolean).join(' · ');
    const button = (name, next, kind = '') =>
      textButton(name, null, () => decide(mark, next), { kind, label: `${name}: ${on.title}` });
    element.replaceChildren(coverOf(on), h('div', { class: 'note-body' },
      nameOf(on),
      mark.text ? h('p', { class: 'mark-reason', dir: 'auto', text: mark.text }) : null,
      h('p', { class: 'facts', text: facts }), duplicatesOf(mark),
      h('p', { class: 'soft', text: `Marked ${dayOf(mark.at)}` }),
      h('div', { class: 'row wrap' },
        state === 'marked'
          ? [button('Keep', 'kept', 'first'), button('Confirm', 'confirmed')]
          : button('Decide again', 'marked'))));
    if (hadFocus) element.querySelector('.pill').focus({ preventScroll: true });
  };
  return element;
}

const forms = [
  ['paths', 'Paths of the files', 'to-delete.txt'], ['script', 'Script to read first', 'to-delete.sh'],
  ['ids', 'Ids at servers', 'to-delete-ids.txt'],
];

/** Has the browser store the text of an export. */
async function download(form, name) {
  let [text, items, leftOut, next] = ['', 0, 0, null];
  do {
    const part = await read('marks/export', { form, after: next });
    text += part.text;
    items += part.items;
    leftOut += part.leftOut;
    next = part.next ?? null;
  } while (next);
  saveFile(name, text, 'text/plain');
  const rest = leftOut ? ` ${count(leftOut, 'file')} could not be named and must be looked at by hand.` : '';
  showBanner(`${name} has ${count(items, form === 'ids' ? 'id' : 'file')}.${rest}`, { key: 'export' });
}

function exportBox() {
  const buttons = forms.map(([form, title, name]) => textButton(title, 'down', async ({ currentTarget: button }) => {
    button.disabled = true;
    await download(form, name).catch(showError);
    button.disabled = false;
  }));
  return h('section', { class: 'group card garden-export' }, h('h2', { text: 'Take the list along' }),
    h('p', {
      class: 'soft',
      text: 'These files name what you have confirmed. In the script every deletion is commented out, so that you '
        + 'read it first.',
    }),
    h('div', { class: 'row wrap' }, buttons));
}

/** Opens the screen; one screen serves the three states. */
export async function open() {
  await styled;
  let state = 'marked';
  const said = h('p', { class: 'count', role: 'status' });
  const links = Object.entries(states).map(([name, { title }]) => h('a', {
    class: 'pill', href: name === 'marked' ? '#/marks' : `#/marks?state=${name}`, text: title,
  }));
  const box = exportBox();
  let list = null;
  const listBox = h('div', {});
  const makeStateList = (name) => makeList({
    label: states[name].title, fact: 'library.mark-changed', keyOf: ({ mark }) => mark, make: makeMark,
    empty: () => emptyMessage(...states[name].empty),
    page: (after, limit) => read('marks', { state: name, after, limit }),
    read: (items, isWhole) => {
      const bytes = items.reduce((sum, one) => sum + (one.bytes ?? 0), 0);
      setText(said,
        items.length
          ? [`${count(items.length, 'mark')}${isWhole ? '' : ' and more'}`, bytes && size(bytes)]
            .filter(Boolean).join(', ')
          : '');
      box.hidden = name !== 'confirmed' || !items.length;
    },
  });
  const element = h('section', { class: 'screen garden', 'aria-label': 'Marks for deletion' },
    pageHeader('Marks for deletion', said),
    h('nav', { class: 'row wrap garden-choice', 'aria-label': 'State' }, links), box, listBox);
  let isShown = false;
  return {
    title: 'Marks for deletion', element, isLive: true,
    async enter({ query }) {
      state = states[query.get('state')] ? query.get('state') : 'marked';
      Object.keys(states)
        .forEach((name, index) => setAttribute(links[index], 'aria-current', name === state ? 'page' : null));
      list?.stop();
      list = makeStateList(state);
      box.hidden = true;
      await list.load();
      listBox.replaceChildren(list);
      if (isShown) list.start();
    },
    show() {
      isShown = true;
      list?.start();
    },
    hide() {
      isShown = false;
      list?.stop();
    },
  };
}
