// Signing in to the page with its password, where one is needed.
import { change } from '../core/api.js';
import { h } from '../core/dom.js';
import { field } from '../parts/buttons.js';
import { form } from '../settings/adding.js';

/** Opens it. */
export async function open() {
  const box = form('Lunara', 'This page wants its password.', [field('Password', { name: 'password', type: 'password', autocomplete: 'current-password', required: true })], 'Sign in',
    ({ password }) => change('session', { password }).then(() => {
      location.replace('#/');
      location.reload();
    }));
  return { title: 'Sign in', element: h('section', { class: 'place narrow', 'aria-label': 'Sign in' }, h('h1', { class: 'unseen', text: 'Sign in', tabindex: '-1' }), box), shown: () => box.querySelector('input').focus() };
}
