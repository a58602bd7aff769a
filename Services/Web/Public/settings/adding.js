// Adding music: a folder of the library's machine, a Plex account, a Subsonic server.
import { change } from '../core/api.js';
import { h } from '../core/dom.js';
import { complain, say } from '../parts/banners.js';
import { field } from '../parts/buttons.js';
import { plexSignIn } from './signin.js';

/** A form whose fields are sent by its button; `values` are the fields by name. */
export function form(title, hint, fields, button, send) {
  const submit = h('button', { type: 'submit', class: 'pill first', text: button });
  const element = h('form', { class: 'card add', onsubmit: async (event) => {
    event.preventDefault();
    submit.disabled = true;
    try {
      await send(Object.fromEntries([...new FormData(element)].map(([name, value]) => [name, String(value).trim()])));
      element.reset();
    } catch (error) {
      complain(error);
    } finally {
      submit.disabled = false;
    }
  } }, h('h3', { text: title }), hint && h('p', { class: 'soft', text: hint }), h('div', { class: 'fields' }, fields), submit);
  return element;
}

/** The forms; `done` is called when something was added. */
export function addForms(done) {
  const add = (body, words) => change('sources', body).then(() => {
    say(words);
    done();
  });
  return h('div', { class: 'cards' },
    form('A folder', 'On the machine of the library, by its whole path.', [field('Folder', { name: 'address', placeholder: '/srv/music', required: true })], 'Add folder',
      ({ address }) => add({ type: 'files', address }, `${address} is being read.`)),
    h('div', { class: 'card add' }, h('h3', { text: 'Plex' }), h('p', { class: 'soft', text: 'You sign in at plex.tv; no password comes here.' }), plexSignIn('Sign in to Plex', done, 'first')),
    form('A Subsonic server', 'Navidrome, Gonic, Airsonic and their like.', [
      field('Address', { name: 'address', placeholder: 'music.example:4533', required: true }), field('Name', { name: 'user', autocomplete: 'username', required: true }),
      field('Password', { name: 'secret', type: 'password', autocomplete: 'current-password', required: true })], 'Add server',
    ({ address, user, secret }) => add({ type: 'subsonic', address, user, secret }, `${address} is being read.`)));
}
