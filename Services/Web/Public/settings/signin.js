// Signing in by a link: a page of the service opens, and here one waits until it was done there.
import { change, read } from '../core/api.js';
import { h, setText } from '../core/dom.js';
import { complain, say } from '../parts/banners.js';
import { pill } from '../parts/buttons.js';

const pause = 1000;

async function wait({ service, id }, isOver) {
  while (!isOver()) {
    await new Promise((done) => setTimeout(done, pause));
    if (isOver()) return null;
    const state = await read(`sign-ins/${encodeURIComponent(service)}/${encodeURIComponent(id)}`);
    if (state.state !== 'waiting') return state;
  }
  return null;
}

/** A button that begins a sign-in with `body`, and what is to be done for it; `done` is called when it went well. */
export function signIn(name, body, done, kind = '') {
  const words = h('p', { class: 'sign-in', role: 'status', hidden: true });
  let turn = 0;
  const begin = async () => {
    const mine = turn += 1;
    try {
      const started = await change('sign-ins', body());
      words.hidden = false;
      words.replaceChildren(
        h('a', { class: 'pill first', href: started.link, target: '_blank', rel: 'noopener noreferrer', text: `Open ${started.page ?? 'the page'}` }),
        ...(started.code ? [' and enter ', h('b', { class: 'code', text: started.code })] : []), ' …');
      const state = await wait(started, () => mine !== turn || !element.isConnected);
      if (!state) return;
      words.hidden = true;
      if (state.state === 'done') {
        say(`Signed in${state.account ? ` as ${state.account}` : ''}.`);
        done();
      } else {
        complain(state.error ?? { code: 'page.signIn', message: state.state === 'expired' ? 'Nobody signed in in time. Try once more.' : 'The sign-in failed. Try once more.' });
      }
    } catch (error) {
      words.hidden = true;
      complain(error);
    }
  };
  const button = pill(name, null, begin, { kind });
  setText(button.querySelector('span'), name);
  const element = h('div', { class: 'sign' }, button, words);
  return element;
}

/** Signing in to Plex. */
export function plexSignIn(name, done, kind = '') {
  return signIn(name, () => ({ service: 'plex' }), done, kind);
}
