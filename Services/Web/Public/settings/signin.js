// Signing in: to this page with its password, and to a service by a link that opens the service's own page.
import { change, read } from '../core/api.js';
import { h } from '../core/dom.js';
import { showBanner, showError } from '../parts/banners.js';
import { field, form, textButton } from '../parts/controls.js';

const pause = 1000;

/** Waits until a sign-in has ended, and returns its state; returns null when `isCancelled()` returns true. */
async function waitForEnd({ service, id }, isCancelled) {
  while (!isCancelled()) {
    await new Promise((done) => setTimeout(done, pause));
    if (isCancelled()) return null;
    try {
      const state = await read(`sign-ins/${encodeURIComponent(service)}/${encodeURIComponent(id)}`);
      if (state.state !== 'waiting') return state;
    } catch (error) {
      // A refusal is final, such as that of an unknown sign-in. Otherwise the service may answer again in a moment.
      if (error.status >= 400 && error.status < 500) throw error;
    }
  }
  return null;
}

/**
 * Returns a button that starts a sign-in at a service and shows the link to open; calls `done` when the sign-in has
 * succeeded.
 */
export function signInButton(name, service, done, kind = '') {
  const words = h('p', { class: 'sign-in', role: 'status', hidden: true });
  let turn = 0;
  const begin = async () => {
    const mine = turn += 1;
    try {
      const started = await change('sign-ins', { service });
      words.hidden = false;
      words.replaceChildren(
        h('a', {
          class: 'pill first', href: started.link, target: '_blank', rel: 'noopener noreferrer',
          text: `Open ${started.page ?? 'the page'}`,
        }),
        ...(started.code ? [' and enter ', h('b', { class: 'code', text: started.code })] : []), ' …');
      const state = await waitForEnd(started, () => mine !== turn || !element.isConnected);
      if (!state) return;
      words.hidden = true;
      if (state.state === 'done') {
        showBanner(`Signed in${state.account ? ` as ${state.account}` : ''}.`);
        done();
      } else {
        showError(state.error
          ?? {
            code: 'page.signIn',
            message: state.state === 'expired'
              ? 'The time to sign in is over. Try again.'
              : 'The sign-in failed. Try again.',
          });
      }
    } catch (error) {
      words.hidden = true;
      showError(error);
    }
  };
  const element = h('div', { class: 'sign' }, textButton(name, null, begin, { kind }), words);
  return element;
}

/** Opens the screen for signing in to this page. */
export async function openLogin() {
  const box = form('Lunara', 'Enter the password of this page.',
    [field('Password', { name: 'password', type: 'password', autocomplete: 'current-password', required: true })],
    'Sign in',
    ({ password }) => change('session', { password }).then(() => {
      location.replace('#/');
      location.reload();
    }));
  return {
    title: 'Sign in',
    element: h('section', { class: 'screen narrow', 'aria-label': 'Sign in' },
      h('h1', { class: 'unseen', text: 'Sign in', tabindex: '-1' }),
      box),
    shown: () => box.querySelector('input').focus(),
  };
}
