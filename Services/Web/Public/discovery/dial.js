// The dial: how much of a wall is familiar, and how much is unknown.
import { change, read } from '../core/api.js';
import { h, setAttribute, setText } from '../core/dom.js';
import { showError } from '../parts/banners.js';
import { textButton } from '../parts/controls.js';
import { showDialog } from '../parts/dialogs.js';
import { forgetFeeds } from './feeds.js';
import { positions } from './words.js';

const listeners = new Set();
let stored = null;

/** Calls `listener(dial)` after the dial was set in this page. Returns the function that ends this. */
export function onDial(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the stored position, which is read once. */
export async function readDial(signal) {
  stored ??= (await read('discovery', {}, signal)).shelf.dial;
  return stored;
}

/** Notes the position that a wall has. */
export function noteDial(dial) {
  stored = dial ?? stored;
}

/** Stores a position. The next wall is a new one. */
async function setDial(dial) {
  await change('discovery/dial', { dial }, 'PUT');
  stored = dial;
  forgetFeeds();
  for (const listener of listeners) listener(dial);
}

let groups = 0;

/** Returns the five rows of the dial, as a group of radio buttons; `chosen()` is called after a choice by a click. */
export function dialRows(chosen = () => {}) {
  groups += 1;
  const rows = positions.map(({ dial, name, line }) => h('label', { class: 'dial-row' },
    h('input', {
      type: 'radio', name: `dial-${groups}`, value: String(dial), onchange: () => choose(dial),
      onclick: ({ detail }) => detail && chosen(),
    }),
    h('span', { class: 'dial-circle', 'aria-hidden': 'true' }),
    h('span', { class: 'switch-words' }, h('span', { text: name }), h('small', { text: line }))));
  const element = h('fieldset', { class: 'dial-rows' },
    h('legend', { class: 'unseen', text: 'Dial' }),
    h('p', { class: 'soft', text: 'My Personal Taste' }),
    rows,
    h('p', { class: 'soft', text: 'Mystery Selections' }));
  element.show = (dial) => rows.forEach((row, at) => {
    row.firstChild.checked = positions[at].dial === dial;
  });
  async function choose(dial) {
    const before = stored;
    try {
      await setDial(dial);
    } catch (error) {
      element.show(before);
      showError(error);
    }
  }
  if (stored) element.show(stored);
  return element;
}

/** Returns the button on the wall that shows the dial; `renew()` makes a new wall at the same position. */
export function dialButton(renew) {
  const element = textButton('Dial', 'dial', () => {
    const dialog = h('dialog', { class: 'keys dial', 'aria-labelledby': 'dial-title' },
      h('h2', { id: 'dial-title', text: 'What the wall is made of' }),
      dialRows(() => dialog.close()), h('div', { class: 'row wrap' }, textButton('New wall', 'sync', () => {
        dialog.close();
        renew();
      }), h('a', {
        class: 'pill quiet', href: '#/discovery', text: 'How walls are made', onclick: () => dialog.close(),
      }), textButton('Close', null, () => dialog.close(), { kind: 'quiet' })));
    showDialog(dialog);
    dialog.querySelector('input:checked')?.focus();
  }, { kind: 'dial-button' });
  setAttribute(element, 'aria-haspopup', 'dialog');
  element.show = (dial) => {
    const name = positions.find((one) => one.dial === dial)?.name ?? 'Dial';
    setText(element.querySelector('span'), name);
    setAttribute(element, 'aria-label', `Dial: ${name}`);
    setAttribute(element, 'title', 'What the wall is made of');
  };
  return element;
}
