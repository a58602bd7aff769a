// Where the music comes from: how each source is doing, its parts on and off, refreshing, adding and forgetting.
import { change, read } from '../core/api.js';
import { h, reconcile, setAttribute, setMessage, setText } from '../core/dom.js';
import { follow, store } from '../core/store.js';
import { ago, count } from '../core/words.js';
import { complain, say } from '../parts/banners.js';
import { pill, toggleRow } from '../parts/buttons.js';
import { sourceLine, sourceName } from '../parts/sourcewords.js';
import { addForms } from './adding.js';
import { plexSignIn } from './signin.js';

const of = encodeURIComponent;

/** Does something at the service, and says what went wrong. */
async function attempt(run, done = null) {
  try {
    await run();
    if (done) say(done);
    return true;
  } catch (error) {
    complain(error);
    return false;
  }
}

function sections(source) {
  if (!source.sections?.length) return null;
  return h('div', { class: 'switches' }, source.sections.map((section) => toggleRow(section.title, section.isOn, async (on, box) => {
    if (!await attempt(() => change(`sources/${of(source.name)}/section`, { section: section.key, on }, 'PUT'))) box.checked = !on;
  }, source.kind === 'files' ? null : count(section.tracks, 'track'))));
}

function runs({ runs: list = [] }) {
  if (!list.length) return null;
  const line = ({ startedAt, counts }) => (counts
    ? `${ago(startedAt)}: ${counts.new} new, ${counts.changed} changed, ${counts.deleted} gone, in ${counts.seconds < 10 ? counts.seconds.toFixed(1) : Math.round(counts.seconds)} s`
    : `${ago(startedAt)}: broken off`);
  return h('details', {}, h('summary', { text: 'The last refreshes' }), h('ul', { class: 'soft' }, list.slice(0, 6).map((run) => h('li', { text: line(run) }))));
}

function problems({ problems: list }) {
  if (!list?.length) return null;
  return h('details', {}, h('summary', { text: 'What could not be read' }), h('ul', { class: 'soft' }, list.map((problem) => {
    const line = h('li');
    setMessage(line, problem.message);
    return line;
  })));
}

function card(source, reload) {
  const line = h('p', { class: 'source-line' });
  const bar = h('progress', { 'aria-label': `How far ${sourceName(source)} has been read` });
  const isServer = source.kind !== 'files';
  const forget = pill('Forget', 'trash', async () => {
    if (!confirm(`Forget ${sourceName(source)}? What was heard and rated stays.`)) return;
    if (await attempt(() => change(`sources/${of(source.name)}`, {}, 'DELETE'), `${sourceName(source)} is forgotten.`)) reload();
  }, { kind: 'quiet' });
  const actions = h('div', { class: 'row wrap' },
    pill('Refresh', 'sync', () => attempt(() => change('sync', { source: source.name }), `${sourceName(source)} is being read.`)),
    source.kind === 'plex' ? plexSignIn(source.health === 'signed-out' ? 'Sign in again' : 'Sign in anew', reload) : null,
    isServer && !source.isFromSettings ? forget : null);
  const facts = [count(source.albums, 'album'), count(source.tracks, 'track'), source.lastRefreshed && `read ${ago(source.lastRefreshed)}`, source.account];
  const element = h('li', { class: 'card source' }, h('h3', { text: sourceName(source) }), h('p', { class: 'soft', text: facts.filter(Boolean).join(' · ') }), line, bar,
    sections(source), actions, problems(source), runs(source));
  element.tell = (status) => {
    setText(line, sourceLine(status));
    setAttribute(element, 'data-health', status.health);
    bar.hidden = status.health !== 'scanning';
    setAttribute(bar, 'max', status.progress?.total || null);
    setAttribute(bar, 'value', status.progress?.total ? Math.min(status.progress.done, status.progress.total) : null);
  };
  element.tell(source);
  return element;
}

/** The part of the settings. */
export async function part(signal) {
  const list = h('ul', { class: 'cards' });
  const element = h('div', {}, h('div', { class: 'row between' }, h('h2', { text: 'Where the music comes from' }),
    pill('Refresh all', 'sync', () => attempt(() => change('sync', {}), 'Everything is being read again.'))), list);
  const load = async () => {
    const { items } = await read('sources', {}, signal);
    list.replaceChildren();
    reconcile(list, items, ({ name }) => name, (source) => card(source, () => load().catch(complain)));
  };
  await load();
  element.append(h('h2', { text: 'Add music' }), addForms(() => load().catch(complain)));
  let stop = () => {};
  return {
    element,
    show() {
      stop = follow(() => {
        for (const source of store.catalogue?.sources ?? []) list.querySelector(`:scope > [data-key="${CSS.escape(source.name)}"]`)?.tell(source);
      });
    },
    hide: () => stop(),
  };
}
