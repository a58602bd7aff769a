// The settings of sources of music: their states and sections, and reading, adding and removing them.
import { change } from '../core/api.js';
import { h, reconcile, setAttribute, setMessage, setText } from '../core/dom.js';
import { ago, count } from '../core/format.js';
import { store, subscribe } from '../core/store.js';
import { showBanner, showError } from '../parts/banners.js';
import { field, form, linkButton, switchRow, textButton } from '../parts/controls.js';
import { kindOf, readSources, refreshSources, sourceName, sourceStatus } from '../parts/sources.js';
import { signInButton } from './signin.js';

const path = (source) => `sources/${encodeURIComponent(source.name)}`;

/** Runs a request. Shows its error, or the message `done`. Returns true if it has succeeded. */
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

const completions = { user: 'username', secret: 'current-password' };

/** Returns the field for a setting of a source. */
function settingField({ key, title, meaning, isSecret, isSwitch, isRequired }) {
  const hint = meaning.charAt(0).toUpperCase() + meaning.slice(1);
  if (!isSwitch) {
    return field(title,
      {
        name: key, type: isSecret ? 'password' : 'text', autocomplete: completions[key] ?? 'off', required: isRequired,
      },
      hint);
  }
  const row = switchRow(title, false, () => {}, hint);
  const box = row.querySelector('input');
  box.name = key;
  box.value = 'true';
  return row;
}

/**
 * Returns the card that adds a source of a kind: with a link to the service if that is its first way to sign in, else
 * with a form.
 */
function addCard({ kind, title, hint, signIn, settings }, done) {
  if (signIn[0] === 'link') {
    return h('div', { class: 'card add' },
      h('h3', { text: title }),
      hint && h('p', { class: 'soft', text: hint }),
      signInButton(`Sign in to ${title}`, kind, done, 'first'));
  }
  return form(title, hint, settings.map(settingField), 'Add', async ({ address, user, secret, ...others }) => {
    const chosen = Object.entries(others).filter(([, value]) => value).map(([key, value]) => ({ key, value }));
    await change('sources', {
      type: kind, address, user: user || undefined, secret: secret || undefined, settings: chosen,
    });
    showBanner(`Lunara is reading ${address}.`);
    done();
  });
}

/**
 * Returns the forms that add a source, one for each kind; calls `done` after a source was added. `update` shows the
 * kinds.
 */
export function addSourceForms(done) {
  const element = h('div', { class: 'cards' });
  element.update = () => reconcile(element, store.kinds, ({ kind }) => kind, (kind) => addCard(kind, done));
  return element;
}

function sections(source) {
  if (!source.sections?.length) return null;
  return h('div', { class: 'switches' },
    source.sections.map((section) => switchRow(section.title, section.isOn, async (on, box) => {
      if (!await attempt(() => change(`${path(source)}/section`, { section: section.key, isOn: on }, 'PUT'))) {
        box.checked = !on;
      }
    }, kindOf(source).isServer ? count(section.tracks, 'track') : null)));
}

function syncRuns({ runs = [] }) {
  if (!runs.length) return null;
  const line = (run) =>
    `${ago(run.startedAt)}: ${run.new} new, ${run.changed} changed, ${run.deleted} deleted, in `
      + `${run.seconds < 10 ? run.seconds.toFixed(1) : Math.round(run.seconds)} s`;
  return h('details', {},
    h('summary', { text: 'Last refreshes' }),
    h('ul', { class: 'soft' }, runs.slice(0, 6).map((run) => h('li', { text: line(run) }))));
}

function problemLine({ message }) {
  const line = h('li');
  setMessage(line, message);
  return line;
}

/** Returns the first problems of a source, and how many there are. `update` shows those of a newer state. */
function problemList() {
  const summary = h('summary');
  const list = h('ul', { class: 'soft' });
  const element = h('details', {}, summary, list, linkButton('All problems', '#/problems', 'problems'));
  element.update = ({ problems = [], problemCount = problems.length }) => {
    element.hidden = !problems.length;
    setText(summary, count(problemCount, 'problem'));
    reconcile(list, problems, ({ message }) => message, problemLine);
  };
  return element;
}

function card(source, reload) {
  const line = h('p', { class: 'source-line' });
  const problems = problemList();
  const bar = h('progress', { 'aria-label': `Progress of reading ${sourceName(source)}` });
  const { isServer, hasLink } = kindOf(source);
  const remove = textButton('Remove', 'trash', async () => {
    if (!confirm(`Remove ${sourceName(source)}? Your plays and ratings of its music are kept.`)) return;
    if (await attempt(() => change(path(source), {}, 'DELETE'), `${sourceName(source)} was removed.`)) reload();
  }, { kind: 'quiet' });
  const actions = h('div', { class: 'row wrap' },
    textButton('Refresh', 'sync',
      () => attempt(() => change('sync', { source: source.name }), `Lunara is reading ${sourceName(source)} again.`)),
    hasLink
      ? signInButton(source.health === 'signed-out' ? 'Sign in again' : 'Sign in with another account', source.kind,
        reload)
      : null,
    isServer && !source.isFromSettings ? remove : null);
  const facts = [
    count(source.albums, 'album'),
    count(source.tracks, 'track'),
    source.lastRefreshed && `read ${ago(source.lastRefreshed)}`,
    source.account,
  ];
  const element = h('li', { class: 'card source' },
    h('h3', { text: sourceName(source) }),
    h('p', { class: 'soft', text: facts.filter(Boolean).join(' · ') }),
    line, bar,
    sections(source), actions, problems, syncRuns(source));
  element.update = (status) => {
    setText(line, sourceStatus(status));
    setAttribute(element, 'data-health', status.health);
    problems.update(status);
    bar.hidden = status.health !== 'scanning';
    setAttribute(bar, 'max', status.progress?.total || null);
    setAttribute(bar, 'value', status.progress?.total ? Math.min(status.progress.done, status.progress.total) : null);
  };
  element.update(source);
  return element;
}

/** Returns this section of the settings. */
export async function makeSection(signal) {
  const list = h('ul', { class: 'cards' });
  const element = h('div', {}, h('div', { class: 'row between' }, h('h2', { text: 'Sources of music' }),
    h('div', { class: 'row wrap' },
      linkButton('Problems', '#/problems', 'problems'),
      textButton('Refresh all', 'sync', () => refreshSources()))),
    list);
  const load = async () => {
    const items = await readSources(signal);
    list.replaceChildren();
    reconcile(list, items, ({ name }) => name, (source) => card(source, () => load().catch(showError)));
  };
  await load();
  const forms = addSourceForms(() => load().catch(showError));
  element.append(h('h2', { text: 'Add music' }), forms);
  let stop = () => {};
  return {
    element,
    show() {
      stop = subscribe(() => {
        forms.update();
        for (const source of store.catalogue?.sources ?? []) {
          list.querySelector(`:scope > [data-key="${CSS.escape(source.name)}"]`)?.update(source);
        }
      });
    },
    hide: () => stop(),
  };
}
