// Scrobbling: the accounts, what waits in the outbox and what failed, a private while, and what is never sent.
import { change, read } from '../core/api.js';
import { h, reconcile, setAttribute, setText } from '../core/dom.js';
import { follow, store } from '../core/store.js';
import { ago, count, serviceNames, timeOfDay } from '../core/words.js';
import { complain, say } from '../parts/banners.js';
import { choices, field, pill, toggleRow } from '../parts/buttons.js';
import { makeTrack, updateTrack } from '../parts/lines.js';
import { form } from './adding.js';
import { signIn } from './signin.js';

const states = { ready: 'All is well.', off: 'Switched off.', waiting: 'Tries again by itself.', 'signed-out': 'Waits for you to sign in.', refused: 'Waits for you.' };

function accountCard(account, reload) {
  const patch = (on, box) => change('scrobbles/accounts', { on, service: account.service, account: account.account }, 'PATCH').then(reload).catch((error) => {
    box.checked = !on;
    complain(error);
  });
  const leave = pill('Sign out', null, () => change('sign-outs', { service: account.service, account: account.account }).then(reload).catch(complain), { kind: 'quiet' });
  const isOut = account.state === 'signed-out';
  const until = account.waitsUntil && new Date(account.waitsUntil) > new Date() ? `Tries again at ${timeOfDay(account.waitsUntil)}.` : null;
  const line = [account.error?.message ?? (until ? null : states[account.state] ?? account.state), until].filter(Boolean).join(' ');
  return h('li', { class: 'card source', 'data-health': account.error ? 'trouble' : null }, h('h3', { text: serviceNames[account.service] ?? account.service }),
    h('p', { class: 'soft', text: [account.account, `${account.pending.toLocaleString('en')} waiting`, account.failed && `${count(account.failed, 'listen')} failed`].filter(Boolean).join(' · ') }),
    h('p', { class: 'source-line', text: line }), isOut ? null : toggleRow('Send what is heard', account.isOn, patch), isOut || account.isFromSettings ? null : leave);
}

function privacy() {
  const times = [['', 'off'], [3600, '1 hour'], [3 * 3600, '3 hours'], [12 * 3600, '12 hours']];
  return choices('Private listening', times, '', (value) => change('scrobbles/private', { seconds: value ? Number(value) : null }, 'PUT')
    .then(() => say(value ? 'Nothing is sent for a while.' : 'What is heard is sent again.')).catch(complain));
}

function outbox() {
  const list = h('ol', { class: 'lines card', 'aria-label': 'Listens' });
  const none = h('p', { class: 'soft', text: 'Nothing.' });
  let filter = 'all';
  const sorter = choices('Show', [['all', 'all'], ['pending', 'waiting'], ['failed', 'failed']], filter, (value) => {
    filter = value;
    element.load();
  }, 'sort');
  const again = (path, words) => () => change(path, {}).then(({ count: many }) => {
    say(`${words}: ${many}.`);
    element.load();
  }).catch(complain);
  const retry = pill('Try failed ones again', 'sync', again('scrobbles/retry', 'Tried again'));
  const drop = pill('Give up failed ones', 'trash', again('scrobbles/drop', 'Given up'), { kind: 'quiet' });
  const element = h('section', {}, h('div', { class: 'row between' }, h('h2', { text: 'Outbox' }), sorter), h('div', { class: 'row wrap' }, retry, drop), none, list);
  element.load = async () => {
    const { items } = await read('scrobbles', { filter, limit: 40 });
    none.hidden = items.length > 0;
    list.hidden = !items.length;
    reconcile(list, items, ({ listen }) => listen, () => makeTrack({ cover: true }), (one, item) => {
      const sent = item.withheld ?? item.destinations.map(({ service, state, answer }) => `${serviceNames[service] ?? service}: ${state}${state === 'failed' && answer ? ` (${answer})` : ''}`).join(', ');
      updateTrack(one, { ...item, title: item.track }, { under: [item.artist, ago(item.startedAt), sent].filter(Boolean).join(' · '), isCurrent: false });
    });
  };
  element.tell = () => {
    for (const one of [retry, drop]) one.hidden = !(store.scrobbles?.failed || store.scrobbles?.failedLoves);
  };
  return element;
}

/** Where a key for Last.fm is to be had, and where it goes. */
export function lastfmKey() {
  return ['It wants a key of your own first. ', h('a', { class: 'link', href: 'https://www.last.fm/api/account/create', target: '_blank', rel: 'noopener noreferrer', text: 'Get one at Last.fm' }),
    ', then give it to ', h('code', { text: 'lunara login lastfm' }), ' once.'];
}

function addAccounts(reload) {
  return h('div', { class: 'cards' },
    h('div', { class: 'card add' }, h('h3', { text: 'Last.fm' }),
      h('p', { class: 'soft' }, ...lastfmKey()),
      signIn('Sign in to Last.fm', () => ({ service: 'lastfm' }), reload)),
    form('ListenBrainz', 'The token is on your profile’s page there.', [field('Token', { name: 'secret', type: 'password', autocomplete: 'off', required: true })], 'Add account',
      ({ secret }) => change('scrobbles/accounts', { service: 'listenbrainz', secret }).then(reload)));
}

/** The part of the settings. */
export async function part(signal) {
  const list = h('ul', { class: 'cards' });
  const said = h('p', { class: 'soft', role: 'status' });
  const alone = h('p', { class: 'soft', role: 'status' });
  const box = outbox();
  const load = async () => {
    const { items } = await read('scrobbles/accounts', {}, signal);
    list.replaceChildren(...items.map((account) => accountCard(account, reload)));
    await box.load();
  };
  const reload = () => load().catch(complain);
  await load();
  const element = h('div', {}, h('h2', { text: 'Accounts' }), said, list, h('h2', { text: 'Add an account' }), addAccounts(reload), h('h2', { text: 'Privacy' }), h('div', { class: 'fields' }, privacy()), alone, box);
  let stop = () => {};
  let waiting = null;
  let standing = null;
  return {
    element,
    show() {
      stop = follow(() => {
        const all = store.scrobbles;
        const loves = all?.failedLoves ? ` ${count(all.failedLoves, 'love')} not taken.` : '';
        setText(said, all ? `${count(all.counted, 'listen')} counted, ${all.pending.toLocaleString('en')} waiting, ${all.failed.toLocaleString('en')} failed.${loves}` : '');
        setAttribute(said, 'data-failed', all?.failed || loves ? 'yes' : null);
        const until = all?.privateUntil && new Date(all.privateUntil);
        setText(alone, until > Date.now() ? `Nothing is sent until ${until.toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })}.` : '');
        box.tell();
        const now = all && `${all.counted} ${all.pending} ${all.failed}`;
        const stand = all?.accounts.map(({ service, account, state }) => `${service} ${account} ${state}`).join();
        if (standing !== null && stand !== standing) load().catch(() => {});
        else if (waiting !== null && now !== waiting) box.load().catch(() => {});
        [waiting, standing] = [now, stand];
      });
    },
    hide: () => stop(),
  };
}
