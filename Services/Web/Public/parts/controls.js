// Buttons, switches, fields and forms.
import { h, setAttribute } from '../core/dom.js';
import { showError } from './banners.js';
import { icon, setIcon } from './icons.js';

/** Returns a button with text. `kind` is empty, `first` for the main action, or `quiet`. */
export function textButton(name, picture, run, { kind = '', label = null } = {}) {
  return h('button', { type: 'button', class: `pill ${kind}`, 'aria-label': label, onclick: run },
    picture && icon(picture),
    h('span', { text: name }));
}

/**
 * Returns the retry button of an error message. The page presses it when the connection is back (recovery.js).
 */
export function againButton(run, { kind = '' } = {}) {
  return textButton('Try again', 'sync', run, { kind: `again ${kind}` });
}

/** Returns a button that calls `load()` for further items, and is hidden when it returns that there are no more. */
export function moreButton(load) {
  const element = textButton('More', 'down', async () => {
    element.disabled = true;
    try {
      element.hidden = !await load();
    } catch (error) {
      showError(error);
    }
    element.disabled = false;
  });
  return element;
}

/** Returns a link that looks like a button with text. */
export function linkButton(name, href, picture = null, kind = '') {
  return h('a', { class: `pill ${kind}`, href }, picture && icon(picture), h('span', { text: name }));
}

/** Returns a round button with an icon. */
export function iconButton(picture, label, run, kind = '') {
  const element = h('button', {
    type: 'button', class: `knob ${kind}`, 'aria-label': label, title: label, onclick: run,
  });
  setIcon(element, picture);
  return element;
}

/** Sets the icon and label of an icon button. */
export function setIconButton(element, picture, label) {
  setIcon(element, picture);
  setAttribute(element, 'aria-label', label);
  setAttribute(element, 'title', label);
}

/**
 * Returns a switch with its name beside it; `run(isOn, box)` is called when a person switches it. If it fails, the
 * switch turns back, and the error is shown.
 */
export function switchRow(name, isOn, run, hint = null) {
  const words = h('span', { class: 'switch-words' }, h('span', { text: name }), hint && h('small', { text: hint }));
  const box = h('input', { type: 'checkbox', role: 'switch', class: 'switch', onchange: async () => {
    const isNow = box.checked;
    try {
      await run(isNow, box);
    } catch (error) {
      box.checked = !isNow;
      showError(error);
    }
  } });
  box.checked = isOn;
  return h('label', { class: 'switch-row' }, words, box);
}

/** Returns a text field with its name above, and a hint below if there is one. */
export function field(name, properties = {}, hint = null) {
  const box = h('input', { type: 'text', autocomplete: 'off', spellcheck: 'false', ...properties });
  return h('label', { class: 'field' }, h('span', { text: name }), box, hint && h('small', { text: hint }));
}

/** Returns a field with the choices `[[value, name]]`; `run(value, box)` is called when a person chooses one. */
export function choices(name, options, value, run, kind = 'field') {
  const box = h('select', { onchange: (event) => run(event.target.value, event.target) },
    options.map(([one, words]) => h('option', { value: one, text: words })));
  box.value = value;
  return h('label', { class: kind }, h('span', { text: name }), box);
}

/**
 * Returns a form. Its button calls `send` with the values of the fields by name, and shows the error that `send`
 * throws. The hint is text, or a list of texts and elements.
 */
export function form(title, hint, fields, button, send) {
  const submit = h('button', { type: 'submit', class: 'pill first', text: button });
  const element = h('form', { class: 'card add', onsubmit: async (event) => {
    event.preventDefault();
    submit.disabled = true;
    try {
      await send(Object.fromEntries([...new FormData(element)].map(([name, value]) => [name, String(value).trim()])));
      element.reset();
    } catch (error) {
      showError(error);
    } finally {
      submit.disabled = false;
    }
  } }, h('h3', { text: title }), hint && h('p', { class: 'soft' }, hint), h('div', { class: 'fields' },
    fields), submit);
  return element;
}
