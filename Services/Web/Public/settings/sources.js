// The settings of sources of music: the state of each, its sections, reading it again, adding and removing one.
import { change, read } from '../core/api.js';
import { h, reconcile, setAttribute, setMessage, setText } from '../core/dom.js';
import { ago, count } from '../core/format.js';
import { store, subscribe } from '../core/store.js';
import { showBanner, showError } from '../parts/banners.js';
import { field, form, switchRow, textButton } from '../parts/controls.js';
import { kindOf, kinds, sourceName, sourceStatus } from '../parts/sources.js';
import { signInButton } from './signin.js';

const path = (source) => `sources/${encodeURIComponent(source.name)}`;

/** Runs a request, and shows its error, or the message `done`. Returns true where it has succeeded. */
async function attempt(run, done = null) {
  try {
    await run();
    if (done) showBanner(done);
    return true;
  } catch (error) {
    showError(error);
    return false;
  }
}

/** Makes the form that adds a source of a kind, as `kinds` describes it. */
function addForm(type, description, add) {
  const { title, hint, address, placeholder, hasAccount, button } = description;
  const account = hasAccount ? [
    field('User name', { name: 'user', autocomplete: 'username', required: true }),
    field('Password', { name: 'secret', type: 'password', autocomplete: 'current-password', required: true })] : [];
  return form(title, hint, [field(address, { name: 'address', placeholder, required: true }), ...account], button,
    (values) => add({ type, ...values }, `Lunara is reading ${values.address}.`));
}

/** Makes the forms for adding a source; calls `done` when one was added. */
export function addSourceForms(done) {
  const add = (body, words) => change('sources', body).then(() => {
    showBanner(words);
    done();
  });
  return h('div', { class: 'cards' }, Object.entries(kinds).map(([type, { form: description, signIn }]) => (description
    ? addForm(type, description, add)
    : h('div', { class: 'card add' }, h('h3', { text: signIn.title }), h('p', { class: 'soft', text: signIn.hint }), signInButton(signIn.button, type, done, 'first')))));
}

function sections(source) {
  if (!source.sections?.length) return null;
  return h('div', { class: 'switches' }, source.sections.map((section) => switchRow(section.title, section.isOn, async (on, box) => {
    if (!await attempt(() => change(`${path(source)}/section`, { section: section.key, on }, 'PUT'))) box.checked = !on;
  }, kindOf(source).hasTrackCounts ? count(section.tracks, 'track') : null)));
}

function syncRuns({ runs = [] }) {
  if (!runs.length) return null;
  const line = (run) => `${ago(run.startedAt)}: ${run.new} new, ${run.changed} changed, ${run.deleted} deleted, in ${run.seconds < 10 ? run.seconds.toFixed(1) : Math.round(run.seconds)} s`;
  return h('details', {}, h('summary', { text: 'Last refreshes' }), h('ul', { class: 'soft' }, runs.slice(0, 6).map((run) => h('li', { text: line(run) }))));
}

function problems({ problems: list }) {
  if (!list?.length) return null;
  return h('details', {}, h('summary', { text: 'Files that could not be read' }), h('ul', { class: 'soft' }, list.map((problem) => {
    const line = h('li');
    setMessage(line, problem.message);
    return line;
  })));
}

function card(source, reload) {
  const line = h('p', { class: 'source-line' });
  const bar = h('progress', { 'aria-label': `Progress of reading ${sourceName(source)}` });
  const { canBeRemoved, signIn } = kindOf(source);
  const remove = textButton('Remove', 'trash', async () => {
    if (!confirm(`Remove ${sourceName(source)}? Your plays and ratings of its music are kept.`)) return;
    if (await attempt(() => change(path(source), {}, 'DELETE'), `${sourceName(source)} was removed.`)) reload();
  }, { kind: 'quiet' });
  const actions = h('div', { class: 'row wrap' },
    textButton('Refresh', 'sync', () => attempt(() => change('sync', { source: source.name }), `Lunara is reading ${sourceName(source)} again.`)),
    signIn ? signInButton(source.health === 'signed-out' ? 'Sign in again' : 'Sign in with another account', source.kind, reload) : null,
    canBeRemoved && !source.isFromSettings ? remove : null);
  const facts = [count(source.albums, 'album'), count(source.tracks, 'track'), source.lastRefreshed && `read ${ago(source.lastRefreshed)}`, source.account];
  const element = h('li', { class: 'card source' }, h('h3', { text: sourceName(source) }), h('p', { class: 'soft', text: facts.filter(Boolean).join(' · ') }), line, bar,
    sections(source), actions, problems(source), syncRuns(source));
  element.update = (status) => {
    setText(line, sourceStatus(status));
    setAttribute(element, 'data-health', status.health);
    bar.hidden = status.health !== 'scanning';
    setAttribute(bar, 'max', status.progress?.total || null);
    setAttribute(bar, 'value', status.progress?.total ? Math.min(status.progress.done, status.progress.total) : null);
  };
  element.update(source);
  return element;
}

/** Makes this section of the settings. */
export async function makeSection(signal) {
  const list = h('ul', { class: 'cards' });
  const element = h('div', {}, h('div', { class: 'row between' }, h('h2', { text: 'Sources of music' }),
    textButton('Refresh all', 'sync', () => attempt(() => change('sync', {}), 'Lunara is reading all sources again.'))), list);
  const load = async () => {
    const { items } = await read('sources', {}, signal);
    list.replaceChildren();
    reconcile(list, items, ({ name }) => name, (source) => card(source, () => load().catch(showError)));
  };
  await load();
  element.append(h('h2', { text: 'Add music' }), addSourceForms(() => load().catch(showError)));
  let stop = () => {};
  return {
    element,
    show() {
      stop = subscribe(() => {
        for (const source of store.catalogue?.sources ?? []) list.querySelector(`:scope > [data-key="${CSS.escape(source.name)}"]`)?.update(source);
      });
    },
    hide: () => stop(),
  };
}
