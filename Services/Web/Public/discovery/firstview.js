// The view of a household that has no walls yet: it says what they are, and has the button that begins with them.
import { change } from '../core/api.js';
import { h } from '../core/dom.js';
import { showError } from '../parts/banners.js';
import { textButton } from '../parts/controls.js';
import { positions } from './words.js';

/** Returns the first view; `done()` is called when the service runs. */
export function firstView(done) {
  const start = textButton('Make my wall', 'wall', async () => {
    start.disabled = true;
    try {
      await change('discovery', {}, 'PUT');
      done();
    } catch (error) {
      showError(error);
    }
    start.disabled = false;
  }, { kind: 'first' });
  return h('div', { class: 'first-view card' }, h('h2', { text: 'What shall I hear?' }),
    h('p', {
      text: 'A wall of covers from your own music answers that. It blends what you love with what you forgot, and '
        + 'every cover says why it is there.',
    }),
    h('p', {
      text: `One dial goes from ${positions[0].name}, nearly all what you play, to ${positions.at(-1).name}, almost `
        + 'random. Each genre has a wall of its own.',
    }),
    h('p', {
      class: 'soft', text: 'It is made on your machine from your albums, plays and ratings. Nobody outside is asked.',
    }),
    h('div', { class: 'row wrap' }, start));
}
