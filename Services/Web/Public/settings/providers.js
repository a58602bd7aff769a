// The settings for services with which playlists are kept in step: what goes which way, and what the runs did and
// ask.
import { change, read } from '../core/api.js';
import { h, setText } from '../core/dom.js';
import { ago, count } from '../core/format.js';
import { store, subscribe } from '../core/store.js';
import { showBanner, showError } from '../parts/banners.js';
import { choices, field, form, linkButton, switchRow, textButton } from '../parts/controls.js';

const partNames = {
  playlists: 'Playlists', liked: 'Liked tracks', albums: 'Saved albums', artists: 'Followed artists',
};
const wayNames = { off: 'off', pull: 'from there', push: 'to there', both: 'both ways' };
const states = {
  ready: 'In step.', syncing: 'Lunara is comparing now.', waiting: 'Lunara will try again by itself.',
  'signed-out': 'You are signed out. Sign in again.', off: 'Nothing is kept in step.',
};

const path = (provider, rest = '') => `providers/${encodeURIComponent(provider.name)}${rest}`;

/** Runs a request, then `done`. Shows its error, or the message `words`. Returns true if it has succeeded. */
async function attempt(run, done, words = null) {
  try {
    await run();
    if (words) showBanner(words);
    done();
    return true;
  } catch (error) {
    showError(error);
    return false;
  }
}

function question(provider, { id, title, removed, total }, reload) {
  const say = (removes) => () => attempt(() => change(path(provider, '/answers'), { question: id, removes }), reload,
    removes ? 'They are removed here as well.' : `They stay here, and ${provider.title} gets them again.`);
  return h('div', { class: 'card asking', role: 'group', 'aria-label': title },
    h('p', {
      text:
        `${provider.title} no longer has ${removed} of ${total} in ${title}. Nothing is removed here until you say so.`,
    }),
    h('div', { class: 'row wrap' },
      textButton('Keep them', null, say(false), { kind: 'first' }),
      textButton('Remove them here', 'trash', say(true), { kind: 'quiet' })));
}

function run({ startedAt, added, removed, lines, problem }) {
  const head = `${ago(startedAt)}: ${added + removed ? `${added} added, ${removed} removed` : 'nothing changed'}`;
  const rows = [...lines.map(({ title, text }) => `${title}: ${text}`), problem?.message].filter(Boolean);
  return h('li', {}, head, rows.length ? h('ul', {}, rows.map((text) => h('li', { text }))) : null);
}

function removal(provider, { id, title, artist, from, isHere, at }, reload) {
  const words = [artist, title].filter(Boolean).join(' – ');
  return h('li', { class: 'row between' },
    h('span', { text: `${words}, from ${from}${isHere ? '' : ` at ${provider.title}`}, ${ago(at)}` }),
    textButton('Bring back', null,
      () => attempt(() => change(path(provider, '/undo'), { removal: id }), reload, `${words} is here again.`),
      { label: `Bring ${words} back` }));
}

function listRow(provider, { id, native, title, isKept }) {
  return switchRow(title, isKept, async (on, box) => {
    const done = await attempt(() => change(path(provider), { [on ? 'take' : 'leave']: [id ?? native] }, 'PUT'),
      () => {});
    if (!done) box.checked = !on;
  });
}

function partChoice(provider, { part, way, ways }, reload) {
  const name = partNames[part] ?? part;
  return choices(name, ['off', ...ways].map((one) => [one, wayNames[one] ?? one]), way, async (value, box) => {
    const done = await attempt(() => change(path(provider), { parts: [{ part, way: value }] }, 'PUT'), reload,
      value === 'push' || value === 'both' ? `${name} of this library are sent to ${provider.title}.` : null);
    if (!done) box.value = way;
  });
}

/** Returns the card of a provider that is linked, with its report. */
async function card(provider, kind, reload, signal) {
  const { reports, questions, removals, lists } = await read(path(provider, '/reports'), { limit: 6 }, signal);
  const facts = [
    provider.account,
    provider.lastRun && `compared ${ago(provider.lastRun)}`,
    provider.lastRun && `${provider.added} added, ${provider.removed} removed`,
  ];
  const unlink = textButton('Unlink', null, () => {
    if (confirm(`Unlink ${provider.title}? Both sides keep what they have.`)) {
      attempt(() => change(path(provider), {}, 'DELETE'), reload, `${provider.title} is no longer linked.`);
    }
  }, { kind: 'quiet' });
  const isOut = provider.health === 'signed-out';
  return h('li', {
    class: 'card source', 'data-key': provider.name, 'data-health': provider.problem ? 'problem' : null,
  },
    h('h3', { text: provider.title }), h('p', { class: 'soft', text: facts.filter(Boolean).join(' · ') }),
    h('p', { class: 'source-line', text: provider.problem?.message ?? states[provider.health] ?? provider.health }),
    questions.map((one) => question(provider, one, reload)),
    isOut && kind
      ? addForm(kind, reload, provider)
      : h('div', { class: 'fields' }, provider.parts.map((part) => partChoice(provider, part, reload))),
    h('div', { class: 'row wrap' },
      isOut ? null : textButton('Compare now', 'sync',
        () => attempt(() =>
          change(path(provider, '/sync'), {}), reload, `Lunara is comparing with ${provider.title}.`)),
      unlink),
    lists.length ? h('details', {},
      h('summary', { text: 'Which playlists' }),
      h('div', { class: 'switches' }, lists.map((one) => listRow(provider, one)))) : null,
    reports.length
      ? h('details', {}, h('summary', { text: 'Last runs' }), h('ul', { class: 'soft runs' }, reports.map(run)))
      : null,
    removals.length ? h('details', {},
      h('summary', { text: 'What was removed' }),
      h('ul', { class: 'removals' }, removals.map((one) => removal(provider, one, reload)))) : null);
}

/** Returns the form that links a provider, or signs in there again if `provider` is given. */
function addForm({ kind, title, hint, page, signIn }, reload, provider = null) {
  const link = h('a', {
    href: page, target: '_blank', rel: 'noopener noreferrer', text: page.replace(/^\w+:\/\//, ''),
  });
  const name = provider?.name;
  const words = [hint, ' ', link];
  const linked = () => {
    showBanner(`${title} is linked. What is there comes here first; nothing is sent until you choose so.`);
    reload();
  };
  if (signIn !== 'link') {
    return form(title, words, [field('Token', { name: 'token', type: 'password' })], provider ? 'Sign in' : 'Link',
      async ({ token }) => {
        await change('providers', { type: kind, name, token: token || undefined });
        linked();
      });
  }
  const second = h('div', { class: 'sign-in', role: 'status', hidden: true });
  const first = form(title, words, provider ? [] : [field('Client id', { name: 'clientID', required: true })],
    'Sign in', async ({ clientID }) => {
      const { open } = await change('providers', { type: kind, name, clientID });
      second.hidden = false;
      second.replaceChildren(h('a', {
        class: 'pill first', href: open, target: '_blank', rel: 'noopener noreferrer', text: `Open ${title}`,
      }),
        form('Then come back',
          'After you allowed access, the browser ends at an address that shows nothing. Copy that address to here.',
          [field('Address', { name: 'redirect', required: true, inputmode: 'url' })], 'Link', async ({ redirect }) => {
            await change('providers', { type: kind, name, redirect });
            second.hidden = true;
            linked();
          }));
    });
  return h('div', {}, first, second);
}

/** Returns the way to the wish list, which has what a service has and the library lacks. */
function wishes() {
  const words = 'Albums and artists that a service has and your library lacks are on the wish list.';
  return h('section', {}, h('h2', { text: 'Wishes' }), h('p', { class: 'soft', text: words }),
    h('div', { class: 'row wrap' }, linkButton('Wish list', '#/wishes', 'likes')));
}

/** Returns the line of a server that is a source: its playlists need no link. */
function sourceLine({ title, name, problem }) {
  return h('li', { class: 'card source' },
    h('h3', { text: title }),
    h('p', { class: 'soft', text: `Playlists of ${name} are edited in Playlists, and the server gets each change.` }),
    problem ? h('p', { class: 'source-line', text: problem.message }) : null);
}

/** Returns this section of the settings. */
export async function makeSection(signal) {
  const list = h('ul', { class: 'cards' });
  const forms = h('div', { class: 'cards' });
  const said = h('p', { class: 'soft', role: 'status' });
  const addHead = h('h2', { text: 'Link a service' });
  let stop = () => {};
  const revision = () => `${store.catalogue?.generation} ${store.catalogue?.lists}`;
  let seen = revision();
  let timer = 0;
  let isShown = true;
  const element = h('div', {}, h('h2', { text: 'Playlists in step' }), said, list, addHead, forms, wishes());
  const load = async (stop) => {
    const { items, kinds } = await read('providers', {}, stop);
    const linked = items.filter((one) => one.linked && !one.isSource);
    const cards = await Promise.all(linked.map((one) => card(one, kinds.find(({ kind }) => kind === one.kind), reload,
      stop)));
    // A card that a person works in stays open.
    const opened = new Set([...list.querySelectorAll('details[open]')]
      .map((one) => `${one.closest('.card').dataset.key} ${one.firstChild.textContent}`));
    for (const one of cards) {
      for (const box of one.querySelectorAll('details')) {
        box.open = opened.has(`${one.dataset.key} ${box.firstChild.textContent}`);
      }
    }
    list.replaceChildren(...cards, ...items.filter((one) => one.isSource).map(sourceLine));
    const free = kinds.filter(({ kind }) => !linked.some((one) => one.kind === kind));
    addHead.hidden = !free.length;
    forms.replaceChildren(...free.map((kind) => addForm(kind, reload)));
    // A run that is due or going on is looked at again until it has ended.
    const isBusy = linked.some(({ health, nextRun }) => health === 'syncing'
      || (nextRun && new Date(nextRun) <= new Date()));
    if (isBusy && isShown) timer ||= setTimeout(refresh, 1500);
    setText(said,
      linked.length
        ? `${count(linked.length, 'service')} linked.`
        : 'No service is linked. Nothing leaves your network for it.');
  };
  const reload = () => load().catch(showError);
  /** Shows the present states again, unless a person is typing or choosing here. */
  const refresh = () => {
    timer = 0;
    const at = document.activeElement;
    if (element.contains(at) && ['INPUT', 'SELECT'].includes(at.tagName)) timer = setTimeout(refresh, 3000);
    else reload();
  };
  await load(signal);
  return {
    element,
    show() {
      isShown = true;
      stop = subscribe(() => {
        if (revision() === seen) return;
        seen = revision();
        timer ||= setTimeout(refresh, 800);
      });
    },
    hide() {
      isShown = false;
      clearTimeout(timer);
      timer = 0;
      stop();
    },
  };
}
