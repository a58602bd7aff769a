// The dialogs of the garden: a form that keeps what was typed until it is stored.
import { h, setText } from '../core/dom.js';
import { loadStyles } from '../core/stylesheets.js';
import { textButton } from '../parts/controls.js';

loadStyles('garden/garden.css');

/** Returns a field for a text of several lines. */
export function textArea(name, value = '', properties = {}) {
  const box = h('textarea', { name: 'text', rows: 6, dir: 'auto', ...properties });
  box.value = value;
  return h('label', { class: 'field' }, h('span', { text: name }), box);
}

/** Makes Ctrl and Enter in a form the same as its first button. */
export function sendByKey(form) {
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
}

// The text that was typed into a dialog that was closed before it was stored.
const drafts = new Map();

/**
 * Opens a dialog with a text. `fields` stand above it. `send(values)` stores it; an error is shown in the dialog, which
 * then stays open. A text that was not stored is there again when the dialog is opened for the same `key`.
 */
export function askForText({
  key, title, about, fields = [], label = 'Text', button = 'Save', isNeeded = true, rows = 6,
}, send) {
  const from = document.activeElement;
  const area = textArea(label, drafts.get(key) ?? '', { required: isNeeded, rows });
  const box = area.querySelector('textarea');
  const problem = h('p', { class: 'problem-line', role: 'alert' });
  const submit = h('button', { type: 'submit', class: 'pill first', text: button });
  const form = h('form', { onsubmit: async (event) => {
    event.preventDefault();
    submit.disabled = true;
    setText(problem, '');
    try {
      await send(Object.fromEntries(new FormData(form)));
      box.value = '';
      dialog.close();
    } catch (error) {
      setText(problem, error.message);
    } finally {
      submit.disabled = false;
    }
  } }, fields, area, problem,
    h('div', { class: 'row wrap' }, submit, textButton('Cancel', null, () => dialog.close(), { kind: 'quiet' })));
  const dialog = h('dialog', { class: 'keys garden-form', 'aria-label': title },
    h('h2', { text: title }),
    about && h('p', { class: 'soft', dir: 'auto', text: about }),
    form);
  dialog.addEventListener('close', () => {
    if (box.value.trim()) drafts.set(key, box.value);
    else drafts.delete(key);
    dialog.remove();
    if (from?.isConnected) from.focus({ preventScroll: true });
  });
  sendByKey(form);
  document.body.append(dialog);
  dialog.showModal();
  box.focus();
}
