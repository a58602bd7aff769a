// The settings section for scrobbling: the accounts, private listening, and the outbox with listens that are waiting or
// have failed.
import { change, read } from '../core/api.js';
import { h, reconcile, setAttribute, setText } from '../core/dom.js';
import { ago, count, timeOfDay } from '../core/format.js';
import { store, subscribe } from '../core/store.js';
import { showBanner, showError } from '../parts/banners.js';
import { choices, field, form, switchRow, textButton } from '../parts/controls.js';
import { readServices, serviceHint, serviceTitle } from '../parts/services.js';
import { makeTrackRow, updateTrackRow } from '../parts/trackrow.js';
import { signInButton } from './signin.js';

const stateWords = {
  ready: 'No problems.',
  off: 'Switched off.',
  waiting: 'Lunara will try again by itself.',
  'signed-out': 'You are signed out. Sign in again.',
  refused: 'The service refused a listen. Send it again or discard it.',
};

function accountCard(account, reload) {
  const patch = (isOn) =>
    change('scrobbles/accounts', { isOn, service: account.service, account: account.account }, 'PATCH').then(reload);
  const leave = textButton('Sign out', null,
    () => change('sign-outs', { service: account.service, account: account.account }).then(reload).catch(showError),
    { kind: 'quiet' });
  const isOut = account.state === 'signed-out';
  const until = account.waitsUntil && new Date(account.waitsUntil) > new Date()
    ? `Lunara will try again at ${timeOfDay(account.waitsUntil)}.`
    : null;
  const line = [account.error?.message ?? (until ? null : stateWords[account.state] ?? account.state), until]
    .filter(Boolean).join(' ');
  return h('li', { class: 'card source', 'data-health': account.error ? 'problem' : null },
    h('h3', { text: serviceTitle(account.service) }),
    h('p', {
      class: 'soft',
      text: [
        account.account,
        `${account.pending.toLocaleString('en')} waiting`,
        account.failed && `${count(account.failed, 'listen')} failed`,
      ].filter(Boolean).join(' · '),
    }),
    h('p', { class: 'source-line', text: line }), isOut ? null : switchRow('Send listens', account.isOn, patch),
    isOut || account.isFromSettings ? null : leave);
}

/** Returns the choice for private listening; `show(until)` shows whether it is on, and until when. */
function privacy() {
  const times = [['', 'off'], [3600, '1 hour'], [3 * 3600, '3 hours'], [12 * 3600, '12 hours']];
  const on = h('option', { value: 'on' });
  let shown = null;
  const element = choices('Private listening', times, '', async (value) => {
    if (value === 'on') return;
    try {
      await change('scrobbles/private', { seconds: value ? Number(value) : null }, 'PUT');
      showBanner(value
        ? 'Private listening is on. Your listens are not sent.'
        : 'Private listening is off. Your listens are sent again.');
    } catch (error) {
      element.show(shown);
      showError(error);
    }
  });
  const box = element.querySelector('select');
  element.show = (until) => {
    shown = until;
    if (until) {
      setText(on, `on until ${timeOfDay(until)}`);
      if (!on.isConnected) box.prepend(on);
    } else {
      on.remove();
    }
    box.value = until ? 'on' : '';
  };
  return element;
}

function outbox() {
  const list = h('ol', { class: 'lines card', 'aria-label': 'Listens' });
  const none = h('p', { class: 'soft', text: 'No listens.' });
  let filter = 'all';
  const sorter = choices('Show', [['all', 'all'], ['pending', 'waiting'], ['failed', 'failed']], filter, (value) => {
    filter = value;
    element.load().catch(showError);
  }, 'sort');
  const resolve = (path, words) => () => change(path, {}).then(({ count: many }) => {
    showBanner(`${words}: ${many}.`);
    return element.load();
  }).catch(showError);
  const retry = textButton('Send failed ones again', 'sync', resolve('scrobbles/retry', 'Sent again'));
  const discard = resolve('scrobbles/drop', 'Discarded');
  const drop = textButton('Discard failed ones', 'trash', () => {
    if (confirm('Discard the listens and loves that could not be sent? They are never sent then.')) discard();
  }, { kind: 'quiet' });
  const element = h('section', {},
    h('div', { class: 'row between' }, h('h2', { text: 'Outbox' }), sorter),
    h('div', { class: 'row wrap' }, retry, drop),
    none, list);
  let reading = 0;
  element.load = async () => {
    const mine = reading += 1;
    const { items } = await read('scrobbles', { filter, limit: 40 });
    if (mine !== reading) return; // Others were asked for meanwhile.
    none.hidden = items.length > 0;
    list.hidden = !items.length;
    reconcile(list, items, ({ listen }) => listen, () => makeTrackRow({ cover: true }), (one, item) => {
      const sent = item.withheld
        ?? item.destinations.map(({ service, state, answer }) =>
          `${serviceTitle(service)}: ${state}${state === 'failed' && answer ? ` (${answer})` : ''}`).join(', ');
      updateTrackRow(one, { ...item, title: item.track },
        { under: [item.artist, ago(item.startedAt), sent].filter(Boolean).join(' · '), isCurrent: false });
    });
  };
  element.update = () => {
    for (const one of [retry, drop]) one.hidden = !(store.scrobbles?.failed || store.scrobbles?.failedLoves);
  };
  return element;
}

/** Returns the card that adds an account at a service, by a link to the service, a token, or a user and a password. */
function addCard(service, reload) {
  const { kind, title, signIn } = service;
  const hint = serviceHint(service);
  if (signIn[0] === 'link') {
    return h('div', { class: 'card add' },
      h('h3', { text: title }),
      h('p', { class: 'soft' }, hint),
      signInButton(`Sign in to ${title}`, kind, reload));
  }
  const fields = signIn[0] === 'password' ? [
    field('User', { name: 'user', autocomplete: 'username', required: true }),
    field('Password', { name: 'secret', type: 'password', autocomplete: 'current-password', required: true })]
    : [field('Token', { name: 'secret', type: 'password', autocomplete: 'off', required: true })];
  return form(title, hint, fields, 'Add account',
    (values) => change('scrobbles/accounts', { service: kind, ...values }).then(reload));
}

/** Returns this section of the settings. */
export async function makeSection(signal) {
  const list = h('ul', { class: 'cards' });
  const said = h('p', { class: 'soft', role: 'status' });
  const privacyNote = h('p', { class: 'soft', role: 'status' });
  const privateChoice = privacy();
  const box = outbox();
  const load = async () => {
    const { items } = await read('scrobbles/accounts', {}, signal);
    list.replaceChildren(...items.map((account) => accountCard(account, reload)));
    await box.load();
  };
  const reload = () => load().catch(showError);
  const services = await readServices(signal);
  await load();
  const element = h('div', {},
    h('h2', { text: 'Accounts' }),
    said, list,
    h('h2', { text: 'Add an account' }),
    h('div', { class: 'cards' }, services.map((service) => addCard(service, reload))),
    h('h2', { text: 'Privacy' }),
    h('div', { class: 'fields' }, privateChoice),
    privacyNote, box);
  let stop = () => {};
  let waiting = null;
  let accountStates = null;
  return {
    element,
    show() {
      stop = subscribe(() => {
        const all = store.scrobbles;
        const loves = all?.failedLoves ? ` ${count(all.failedLoves, 'love')} not sent.` : '';
        setText(said,
          all
            ? `${count(all.counted, 'listen')} counted, ${all.pending.toLocaleString('en')} waiting, `
              + `${all.failed.toLocaleString('en')} failed.${loves}`
            : '');
        setAttribute(said, 'data-failed', all?.failed || loves ? 'yes' : null);
        const until = new Date(all?.privateUntil ?? 0);
        const isPrivate = until.getTime() > Date.now();
        privateChoice.show(isPrivate ? until : null);
        setText(privacyNote,
          isPrivate
            ? 'Your listens are not sent until '
              + `${until.toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })}.`
            : '');
        box.update();
        const now = all && `${all.counted} ${all.pending} ${all.failed}`;
        const states = all?.accounts.map(({ service, account, state }) => `${service} ${account} ${state}`).join();
        if (accountStates !== null && states !== accountStates) load().catch(() => {});
        else if (waiting !== null && now !== waiting) box.load().catch(() => {});
        [waiting, accountStates] = [now, states];
      });
    },
    hide: () => stop(),
  };
}
