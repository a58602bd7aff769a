// What a room is called, and whether it can be heard: for the rooms and for the first run.
import { change } from '../core/api.js';
import { setText } from '../core/dom.js';
import { roomNamed } from '../core/store.js';
import { roomTitle } from '../core/words.js';
import { complain, say } from './banners.js';
import { field, pill } from './buttons.js';

const path = (name) => `rooms/${encodeURIComponent(name)}`;

/** The field with a room's name; `nameOf()` answers which room. What is left empty goes by its first name again. */
export function nameField(nameOf) {
  const send = () => {
    const name = nameOf();
    const title = input.value.trim();
    if (!name || title === roomTitle(name)) return;
    change(path(name), { title: title || null }, 'PATCH').then(() => say(title ? `The room is called ${title} now.` : 'The room goes by its first name again.', { key: 'named' })).catch((error) => {
      input.value = roomTitle(name);
      complain(error);
    });
  };
  const element = field('Name', { maxlength: 64, onchange: send, onkeydown: (event) => event.key === 'Enter' && input.blur() });
  const input = element.querySelector('input');
  element.show = () => {
    const name = nameOf();
    element.hidden = !name;
    input.disabled = !name || roomNamed(name)?.away;
    if (name && document.activeElement !== input) input.value = roomTitle(name);
  };
  return element;
}

/** The pill that has a room sound for two seconds. */
export function testPill(nameOf) {
  const element = pill('Hear a test sound', 'volume', async () => {
    const name = nameOf();
    element.disabled = true;
    setText(words, 'Listen …');
    try {
      await change(`${path(name)}/test-sound`);
      say(`That was the test sound, in ${roomTitle(name)}. Heard nothing? Choose another output, or turn it up.`, { key: 'test' });
    } catch (error) {
      complain(error);
    } finally {
      element.disabled = false;
      setText(words, 'Hear a test sound');
    }
  });
  const words = element.querySelector('span');
  return element;
}
