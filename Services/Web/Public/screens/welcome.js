// The welcome screen of the first run, with three steps: music, sound, scrobbling. The settings offer all of them as
// well. It ends with the shelf, which fills while the music is read for the first time.
import { change, read } from '../core/api.js';
import { h, reconcile, setAttribute, setText } from '../core/dom.js';
import { count, roomTitle } from '../core/format.js';
import { currentRoom, store, subscribe } from '../core/store.js';
import { showError } from '../parts/banners.js';
import { choices, linkButton } from '../parts/controls.js';
import { roomNameField, testSoundButton } from '../parts/roomcontrols.js';
import { readServices, serviceHint, serviceTitle } from '../parts/services.js';
import { makeShelf } from '../parts/shelf.js';
import { readSources, sourceName, sourceStatus } from '../parts/sources.js';
import { addSourceForms } from '../settings/sources.js';

// The look is loaded with the screen, as most visits of the page do without.
const sheet = h('link', { rel: 'stylesheet', href: 'screens/welcome.css' });
const styled = new Promise((done) => {
  sheet.onload = sheet.onerror = done;
});
document.head.append(sheet);

// The largest number of albums on the shelf at the end.
const mostOnShelf = 24;

/** Returns a step. `setDone(words)` marks it as done and says what is done; an empty text marks it as open. */
function step(number, title, words, ...inside) {
  const circle = h('span', { class: 'step-number', 'aria-hidden': 'true', text: number });
  const done = h('p', { class: 'step-done', role: 'status' });
  const element = h('li', { class: 'step' }, circle,
    h('div', { class: 'step-body' }, h('h2', { text: title }), h('p', { class: 'soft', text: words }), inside, done));
  element.setDone = (text) => {
    setText(circle, text ? '✓' : number);
    setText(done, text);
    setAttribute(element, 'data-done', text ? '' : null);
  };
  return element;
}

function soundStep() {
  const outputs = choices('Output', [['', 'automatic']], '',
    (device) => change(`rooms/${encodeURIComponent(currentRoom()?.name)}/output`, { device }, 'PATCH')
      .catch(showError));
  const room = () => currentRoom()?.name ?? null;
  const title = h('p', { class: 'soft',
    text: 'There is no room yet. It appears here as soon as the player of this machine has started.' });
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
    const isReady = room() && !currentRoom().away;
    element.setDone(isReady ? `${roomTitle(room())} is ready to play.` : '');
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
  const element = step('3', 'Scrobbling',
    'Lunara can tell scrobble services what you listen to. You can also do this later.', hints,
    h('div', { class: 'row wrap' }, linkButton('Set up scrobbling', '#/settings/scrobbling')));
  element.show = () => {
    reconcile(hints, store.services, ({ kind }) => kind, (service) =>
      h('li', {}, h('b', { text: service.title }), service.hint && ': ', serviceHint(service)));
    const names = [...new Set((store.scrobbles?.accounts ?? []).map(({ service }) => serviceTitle(service)))];
    element.setDone(names.length ? `Lunara tells ${names.join(' and ')}.` : '');
  };
  return element;
}

function musicStep() {
  // The step itself says which source was added, so no banner says it again.
  const forms = addSourceForms(() => {});
  const progress = h('ul', { class: 'soft reading' });
  const element = step('1', 'Your music', 'Add a folder or a server with your music. You can add several.', forms,
    progress);
  const line = () => h('li', {}, h('span'), h('progress', { 'aria-label': 'Progress of reading' }));
  element.show = () => {
    forms.update();
    const scanning = (store.catalogue?.sources ?? []).filter(({ health }) => health === 'scanning');
    reconcile(progress, scanning, ({ name }) => name, line, (one, source) => {
      const { done = 0, total = null } = source.progress ?? {};
      setText(one.firstChild, `${sourceName(source)}: ${sourceStatus(source)}`);
      setAttribute(one.lastChild, 'max', total);
      setAttribute(one.lastChild, 'value', total ? done : null);
    });
    const albums = store.catalogue?.albums ?? 0;
    const found = `${count(albums, 'album')} ${scanning.length ? 'so far' : 'found'}.`;
    element.setDone(albums ? found : '');
  };
  return element;
}

/** Returns the end of the screen: a shelf with the albums that were found so far, and the way to all of them. */
function makeEnd() {
  let albums = [];
  const shelf = makeShelf({
    label: 'Your shelf', total: () => mostOnShelf, albumsFor: ({ rows, columns }) => albums.slice(0, rows * columns),
  });
  const words = h('p', { class: 'soft' });
  const element = h('section', { class: 'welcome-end' }, h('h2', { text: 'Your shelf' }), words, shelf.element,
    h('p', { class: 'row' }, linkButton('Show my music', '#/', null, 'first')));
  let generation = null;
  const load = async () => {
    albums = (await read('albums', { sort: 'added', first: 0, limit: mostOnShelf })).items;
    shelf.element.hidden = !albums.length;
    shelf.fit();
  };
  return {
    element, shelf,
    show() {
      const { albums: total = 0, generation: now = null, sources = [] } = store.catalogue ?? {};
      const isReading = sources.some(({ health }) => health === 'scanning');
      const filling = 'It fills while your music is read. You can listen already.';
      const full = isReading ? filling : 'Here is your music.';
      setText(words, total ? full : 'Your albums appear here as they are found.');
      shelf.element.hidden = !albums.length;
      if (now === generation || !total) return;
      generation = now;
      load().catch(() => { generation = null; }); // The next change of the state tries again.
    },
  };
}

/** Opens the welcome screen. */
export async function open() {
  await styled;
  const parts = [musicStep(), soundStep(), scrobblingStep()];
  const end = makeEnd();
  const element = h('section', { class: 'screen narrow', 'aria-label': 'Welcome' },
    h('header', { class: 'welcome' }, h('span', { class: 'moon', 'aria-hidden': 'true' }),
      h('h1', { text: 'Welcome to Lunara', tabindex: '-1' }),
      h('p', { text: 'Your music in every room. It takes three steps.' })),
    h('ol', { class: 'steps' }, parts), end.element);
  const show = () => {
    for (const one of [...parts, end]) one.show();
  };
  let stop = () => {};
  return {
    title: 'Welcome', element, isLive: true,
    show() {
      stop = subscribe(show);
      end.shelf.start();
      // A service that does not answer is asked again at the next visit of the screen.
      for (const reading of [readSources(), readServices()]) reading.catch(() => {});
    },
    hide() {
      stop();
      end.shelf.stop();
    },
  };
}
