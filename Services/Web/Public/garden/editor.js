// The editor of a note. If another device has changed the note meanwhile, it shows both texts, and nothing is lost.
import { change, read } from '../core/api.js';
import { h, setText } from '../core/dom.js';
import { textButton } from '../parts/controls.js';
import { sendByKey, textArea } from './forms.js';
import { paragraphs } from './markup.js';

/**
 * Returns the editor of a note. `close(note)` is called with the stored note, or with nothing after Cancel. Its
 * function `notice(note)` takes what was read about the note meanwhile.
 */
export function makeEditor(note, close) {
  let base = note;
  const area = textArea('Text', note.text, { required: true, rows: 7 });
  const box = area.querySelector('textarea');
  const problem = h('p', { class: 'problem-line', role: 'alert' });
  const both = h('div', {});
  const submit = h('button', { type: 'submit', class: 'pill first', text: 'Save' });
  const more = h('span', { class: 'row wrap' });

  /** Shows what is stored now beside what was typed, and puts both into the field. */
  function showBoth(now, mine) {
    base = now;
    const text = (title, words) => h('section', { 'aria-label': title },
      h('p', { class: 'both-title', text: title }),
      h('div', { class: 'note-text' }, paragraphs(words)));
    both.replaceChildren(h('p', {
      role: 'alert',
      text:
        'Another device has changed this note meanwhile. Both texts are kept. Put them together as you like, and save.',
    }),
      h('div', { class: 'both' }, text('The other text', now.text), text('Your text', mine)));
    box.value = `${now.text}\n\n${mine}`;
    setText(problem, '');
    more.replaceChildren(textButton('Use only yours', null, () => fill(mine), { kind: 'quiet' }),
      textButton('Use only the other', null, () => fill(now.text), { kind: 'quiet' }));
    box.focus();
  }
  const fill = (text) => {
    box.value = text;
    box.focus();
  };

  async function save() {
    const text = box.value;
    try {
      close(await change(`notes/${base.note}`, { text, version: base.version }, 'PUT'));
    } catch (error) {
      if (error.code === 'library.noteChanged') {
        const { note: now } = await read(`notes/${base.note}`);
        showBoth(now, text);
        return;
      }
      if (error.code === 'library.unknownNote') {
        setText(problem, 'Another device has deleted this note meanwhile.');
        more.replaceChildren(textButton('Bring it back and save', null, async () => {
          try {
            await change(`notes/${base.note}/restore`);
            more.replaceChildren();
            await save();
          } catch (failure) {
            setText(problem, failure.message);
          }
        }));
        return;
      }
      throw error;
    }
  }

  const element = h('form', { class: 'note-editor', onsubmit: async (event) => {
    event.preventDefault();
    submit.disabled = true;
    setText(problem, '');
    try {
      await save();
    } catch (error) {
      setText(problem, error.message);
    } finally {
      submit.disabled = false;
    }
  }, onkeydown: (event) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    // Escape ends an editor only while there is nothing to lose.
    if (box.value === base.text) close();
  } }, both, area, problem,
    h('div', { class: 'row wrap' }, submit, textButton('Cancel', null, () => close(), { kind: 'quiet' }), more));
  sendByKey(element);
  element.notice = (now) => {
    if (now.version === base.version) return;
    if (box.value === base.text) {
      base = now;
      box.value = now.text;
    } else if (now.text !== box.value) {
      showBoth(now, box.value);
    }
  };
  return element;
}
