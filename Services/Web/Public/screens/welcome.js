// The first run, step by step: music, sound, scrobbling. Each step can be left out, and comes again in the settings.
import { change } from '../core/api.js';
import { h, reconcile, setText } from '../core/dom.js';
import { currentRoom, follow, store } from '../core/store.js';
import { count } from '../core/words.js';
import { complain, say } from '../parts/banners.js';
import { choices, pillLink } from '../parts/buttons.js';
import { nameField, testPill } from '../parts/roomsettings.js';
import { sourceLine, sourceName } from '../parts/sourcewords.js';
import { addForms } from '../settings/adding.js';
import { lastfmKey } from '../settings/scrobbling.js';

function step(number, title, words, ...inside) {
  return h('li', { class: 'step' }, h('span', { class: 'step-number', 'aria-hidden': 'true', text: number }),
    h('div', { class: 'step-body' }, h('h2', { text: title }), h('p', { class: 'soft', text: words }), inside));
}

function soundStep() {
  const outputs = choices('Output', [['', 'the first that works']], '', (device) => change(`rooms/${encodeURIComponent(currentRoom()?.name)}/output`, { device }, 'PATCH').catch(complain));
  const room = () => currentRoom()?.name ?? null;
  const title = h('p', { class: 'soft', text: 'No room is here yet.' });
  const called = nameField(room);
  const test = testPill(room);
  const element = step('2', 'Where it sounds', 'This is the room on this machine. Other machines bring their own.', title, h('div', { class: 'fields' }, called, outputs), h('div', { class: 'row wrap' }, test));
  let known = '';
  element.show = () => {
    const output = store.outputs.get(room());
    title.hidden = Boolean(room());
    test.hidden = !room();
    called.show();
    outputs.hidden = !output;
    const list = JSON.stringify(output?.devices ?? []);
    if (list === known || !output) return;
    known = list;
    const select = outputs.querySelector('select');
    select.replaceChildren(...[{ name: '', title: 'the first that works' }, ...output.devices].map((one) => h('option', { value: one.name, text: one.title })));
    select.value = output.chosen ?? '';
  };
  return element;
}

/** Opens the first run. */
export async function open() {
  const progress = h('ul', { class: 'soft', 'aria-live': 'polite' });
  const found = h('p', { class: 'found' });
  const sound = soundStep();
  const steps = h('ol', { class: 'steps' },
    step('1', 'Your music', 'A folder, or a server that has it. There may be several.', addForms(() => say('It is being read.')), progress, found), sound,
    step('3', 'What you heard, elsewhere', 'Lunara can tell Last.fm and ListenBrainz what was heard.',
      h('p', { class: 'soft' }, 'For Last.fm: ', ...lastfmKey()), h('div', { class: 'row wrap' }, pillLink('Set up scrobbling', '#/settings/scrobbling'))));
  const element = h('section', { class: 'place narrow', 'aria-label': 'Welcome' },
    h('header', { class: 'welcome' }, h('span', { class: 'moon', 'aria-hidden': 'true' }), h('h1', { text: 'Welcome to Lunara', tabindex: '-1' }), h('p', { text: 'Three steps, then the shelf is yours.' })), steps,
    h('p', { class: 'row' }, pillLink('To the shelf', '#/', null, 'first')));
  const show = () => {
    sound.show();
    reconcile(progress, (store.catalogue?.sources ?? []).filter(({ health }) => health === 'scanning'), ({ name }) => name, () => h('li'),
      (line, source) => setText(line, `${sourceName(source)}: ${sourceLine(source)}`));
    setText(found, store.catalogue?.albums ? `${count(store.catalogue.albums, 'album')} so far.` : '');
  };
  let stop = () => {};
  return {
    title: 'Welcome', element, lasting: true,
    show() {
      stop = follow(show);
    },
    hide: () => stop(),
  };
}
