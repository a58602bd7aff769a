// The welcome screen of the first run, with three steps: music, sound, scrobbling. The settings offer all of them as
// well.
import { change } from '../core/api.js';
import { h, reconcile, setText } from '../core/dom.js';
import { count } from '../core/format.js';
import { currentRoom, store, subscribe } from '../core/store.js';
import { showBanner, showError } from '../parts/banners.js';
import { choices, linkButton } from '../parts/controls.js';
import { roomNameField, testSoundButton } from '../parts/roomcontrols.js';
import { readServices, serviceHint } from '../parts/services.js';
import { readSources, sourceName, sourceStatus } from '../parts/sources.js';
import { addSourceForms } from '../settings/sources.js';

function step(number, title, words, ...inside) {
  return h('li', { class: 'step' }, h('span', { class: 'step-number', 'aria-hidden': 'true', text: number }),
    h('div', { class: 'step-body' }, h('h2', { text: title }), h('p', { class: 'soft', text: words }), inside));
}

function soundStep() {
  const outputs = choices('Output', [['', 'automatic']], '',
    (device) => change(`rooms/${encodeURIComponent(currentRoom()?.name)}/output`, { device }, 'PATCH')
      .catch(showError));
  const room = () => currentRoom()?.name ?? null;
  const title = h('p', { class: 'soft', text: 'There is no room yet.' });
  const called = roomNameField(room);
  const test = testSoundButton(room);
  const element = step('2', 'Sound', 'This is the room on this machine. Other machines add rooms of their own.', title,
    h('div', { class: 'fields' }, called, outputs), h('div', { class: 'row wrap' }, test));
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
    select.replaceChildren(...[{ name: '', title: 'automatic' }, ...output.devices]
      .map((one) => h('option', { value: one.name, text: one.title })));
    select.value = output.chosen ?? '';
  };
  return element;
}

function scrobblingStep() {
  const hints = h('ul', { class: 'soft' });
  const element = step('3', 'Scrobbling', 'Lunara can tell scrobble services what you listen to.', hints,
    h('div', { class: 'row wrap' }, linkButton('Set up scrobbling', '#/settings/scrobbling')));
  element.show = () => reconcile(hints, store.services, ({ kind }) => kind, (service) => h('li', {},
    h('b', { text: service.title }),
    service.hint && ': ',
    serviceHint(service)));
  return element;
}

/** Opens the welcome screen. */
export async function open() {
  const progress = h('ul', { class: 'soft', 'aria-live': 'polite' });
  const found = h('p', { class: 'found' });
  const sound = soundStep();
  const scrobbling = scrobblingStep();
  const forms = addSourceForms(() => showBanner('Lunara is reading your music.'));
  const steps = h('ol', { class: 'steps' },
    step('1', 'Your music', 'Add a folder or a server with your music. You can add several.', forms, progress, found),
    sound,
    scrobbling);
  const element = h('section', { class: 'screen narrow', 'aria-label': 'Welcome' },
    h('header', { class: 'welcome' },
      h('span', { class: 'moon', 'aria-hidden': 'true' }),
      h('h1', { text: 'Welcome to Lunara', tabindex: '-1' }),
      h('p', { text: 'Set up your music in three steps.' })), steps,
    h('p', { class: 'row' }, linkButton('Show my music', '#/', null, 'first')));
  const show = () => {
    sound.show();
    scrobbling.show();
    forms.update();
    reconcile(progress, (store.catalogue?.sources ?? []).filter(({ health }) => health === 'scanning'),
      ({ name }) => name,
      () => h('li'),
      (line, source) => setText(line, `${sourceName(source)}: ${sourceStatus(source)}`));
    setText(found, store.catalogue?.albums ? `${count(store.catalogue.albums, 'album')} so far.` : '');
  };
  let stop = () => {};
  return {
    title: 'Welcome', element, isLive: true,
    show() {
      stop = subscribe(show);
      // A service that does not answer is asked again at the next visit of the screen.
      for (const reading of [readSources(), readServices()]) reading.catch(() => {});
    },
    hide: () => stop(),
  };
}
