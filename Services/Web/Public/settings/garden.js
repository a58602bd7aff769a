// The settings section of the garden: the webhook to which todos are sent.
import { change, read } from '../core/api.js';
import { h, setText } from '../core/dom.js';
import { onFact } from '../core/events.js';
import { count } from '../core/format.js';
import { showBanner, showError } from '../parts/banners.js';
import { field, form, linkButton, textButton } from '../parts/controls.js';

/** Returns this section of the settings. */
export async function makeSection(signal) {
  const state = h('li', { class: 'card source' });
  const load = async (stop) => {
    const { address, hasToken, waiting, failed, problem } = await read('todos/webhook', {}, stop);
    const facts = [
      hasToken ? 'with a token' : 'without a token',
      waiting && `${count(waiting, 'todo')} waiting`,
      failed && `${count(failed, 'todo')} refused`,
    ].filter(Boolean).join(' · ');
    const off = textButton('Send todos nowhere', null,
      () => change('todos/webhook', { address: null }, 'PUT').then(() => load()).catch(showError),
      { kind: 'quiet' });
    const again = textButton('Send again', 'sync',
      () => change('todos/webhook/retry').then(() => load()).catch(showError));
    state.dataset.health = problem ? 'problem' : '';
    state.replaceChildren(h('h3', { text: address ?? 'Todos are sent nowhere' }),
      ...(address
        ? [h('p', { class: 'soft', text: facts }),
          ...(problem ? [h('p', { class: 'source-line', text: problem.message })] : []),
          h('div', { class: 'row wrap' },
            waiting || failed ? again : null,
            off)] : [h('p', { class: 'soft', text: 'They stay in this library.' })]));
    setText(said, address ? 'New todos are sent to it from then on.' : '');
  };
  const said = h('p', { class: 'soft', role: 'status' });
  const fields = [
    field('Address', { name: 'address', type: 'url', required: true, inputmode: 'url' }),
    field('Token', {
      name: 'token', type: 'password', autocomplete: 'off',
    }, 'It is sent as a bearer, if you give one.'),
  ];
  const add = form('Send todos to an address',
    'Each new todo is sent there as JSON, with the artist, the album, its id and the text. Nothing else leaves the '
      + 'house.',
    fields, 'Send todos there', async ({ address, token }) => {
      await change('todos/webhook', { address, ...(token ? { token } : {}) }, 'PUT');
      showBanner('New todos are sent there.');
      await load();
    });
  await load(signal);
  let stop = () => {};
  return {
    element: h('div', {},
      h('h2', { text: 'Webhook of todos' }),
      said,
      h('ul', { class: 'cards' }, state),
      h('div', { class: 'cards' }, add),
      h('div', { class: 'row wrap' }, linkButton('Todos', '#/todos', 'check'))),
    show() {
      stop = onFact(({ kind }) => kind === 'library.todo-changed' && load().catch(() => {}));
    },
    hide: () => stop(),
  };
}
