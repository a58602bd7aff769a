// The settings section of walls: the dial, sources outside the house, albums that are not in the library,
// articles, and reviews.
import { change, read } from '../core/api.js';
import { h, setText } from '../core/dom.js';
import { ago, count } from '../core/format.js';
import { showBanner, showError } from '../parts/banners.js';
import { againButton, field, linkButton, switchRow, textButton } from '../parts/controls.js';
import { dialRows, onDial, readDial } from './dial.js';
import { firstView } from './firstview.js';
import { styled } from './style.js';
import { flag, isNotRunning } from './words.js';

/** Loads a part of the section; an error takes its place, with a way to try again. */
function part(title, make) {
  const body = h('div', {});
  const load = async (signal) => {
    try {
      body.replaceChildren(...[await make(() => load(), signal)].flat());
    } catch (error) {
      if (error.name === 'AbortError') return;
      body.replaceChildren(h('div', { class: 'row wrap', role: 'alert' },
        h('p', { class: 'problem-line', text: error.message }),
        againButton(() => load(), { kind: 'quiet' })));
    }
  };
  return { element: h('section', {}, h('h2', { text: title }), body), load };
}

/** Returns the words for a moment to come. */
const comingWords = (at) => (ago(at) === 'just now' ? 'soon'
  : new Date(at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' }));

function sourceCard({ name, outside, readAt, items, problem }, reload) {
  const isOn = flag(outside, 'On');
  const set = (on) => change(`discovery/sources/${encodeURIComponent(name)}`, { isOn: on }, 'PUT').then(reload);
  const again = textButton('Read again', 'sync',
    () => change('discovery/sources/refresh', { name })
      .then(() => showBanner(`${outside.title} is read again soon.`)).catch(showError),
    { kind: 'quiet', label: `Read ${outside.title} again` });
  const last = readAt ? `Read ${ago(readAt)}, ${count(items, 'item')}` : 'Not read yet';
  const next = outside.nextAt && `next ${comingWords(outside.nextAt)}`;
  const state = isOn ? [last, next].filter(Boolean).join(' · ') : '';
  return h('li', { class: 'card source', 'data-health': problem && isOn ? 'problem' : null },
    switchRow(outside.title, isOn, set, outside.adds),
    h('p', { class: 'leaves' }, h('b', { text: 'Leaves the house: ' }), outside.sends),
    outside.needs ? h('p', { class: 'needs', text: outside.needs }) : null,
    state ? h('p', { class: 'soft', text: state }) : null,
    problem && isOn ? h('p', { class: 'source-line', text: problem.message }) : null,
    isOn ? h('div', { class: 'row' }, again) : null);
}

async function sources(reload, signal) {
  const found = await read('discovery/sources', {}, signal);
  const outside = found.sources.filter((one) => one.outside);
  const set = (on) => change('discovery/missing', { isOn: on }, 'PUT').then(reload);
  const missing = switchRow('Albums that are not in the library', found.showsMissing, set,
    'At the positions 3 to 5 of the dial, at most 5, 10 or 15 of a hundred. They are dimmed and cannot be played, and '
      + 'their cards have links and a wish button.');
  return [
    h('p', {
      class: 'soft',
      text: 'All of them are optional, and read at most daily while nobody waits. What one gave is forgotten when it '
        + 'is switched off.',
    }),
    h('ul', { class: 'cards' }, outside.map((one) => sourceCard(one, reload))),
    h('div', { class: 'card switches' }, missing)];
}

async function reviews(reload, signal) {
  const now = await read('discovery/reviews', {}, signal);
  const [endpoint, model] = [
    field('Endpoint',
      {
        name: 'endpoint', type: 'url', required: true, value: now.endpoint ?? '',
        placeholder: 'http://127.0.0.1:11434/v1',
      },
      'Of the form that OpenAI made common. A model on your own machine will do.'),
    field('Model', { name: 'model', required: true, value: now.model ?? '' })];
  const { hasKey } = now;
  const key = field('Key',
    { name: 'key', type: 'password', autocomplete: 'off', placeholder: hasKey ? 'stored' : 'none' },
    hasKey ? 'Leave it empty to keep the stored one.' : 'Only if the endpoint wants one.');
  const cap = field('Most reviews a day', {
    name: 'dailyCap', type: 'number', min: '1', max: '1000', value: String(now.dailyCap),
  });
  const save = async (body, words) => {
    try {
      await change('discovery/reviews', body, 'PUT');
      showBanner(words);
      await reload();
    } catch (error) {
      showError(error);
    }
  };
  const element = h('form', { class: 'card add', onsubmit: (event) => {
    event.preventDefault();
    const values = Object.fromEntries([...new FormData(element)].map(([name, value]) => [name, String(value).trim()]));
    save({
      endpoint: values.endpoint, model: values.model, ...(values.key ? { key: values.key } : {}),
      dailyCap: Number(values.dailyCap) || null,
    }, 'Reviews are on. The page of an album has one as its second tab.');
  } }, h('p', { class: 'leaves' }, h('b', { text: 'Leaves the house: ' }), now.sends),
  h('div', { class: 'fields' }, endpoint, model, key, cap),
  h('p', {
    class: 'soft',
    text: `${now.endpoint ? `${now.today} of ${now.dailyCap} written today` : 'Reviews are off'} · `
      + `${count(now.kept, 'review')} kept. What a model writes may be wrong.`,
  }),
  h('div', { class: 'row wrap' },
    h('button', { type: 'submit', class: 'pill first', text: now.endpoint ? 'Save' : 'Switch on' }),
    now.endpoint && hasKey
      ? textButton('Remove the key', null,
        () => save({ endpoint: now.endpoint, key: '' }, 'The key was removed.'),
        { kind: 'quiet' })
      : null,
    now.endpoint
      ? textButton('Switch reviews off', null,
        () => save({ endpoint: null }, 'Reviews are off. Those that were written are kept.'),
        { kind: 'quiet' })
      : null));
  return element;
}

const articles = async (reload, signal) => (await import('../articles/settings.js')).articleSettings(reload, signal);

/** Returns this section of the settings. */
export async function makeSection(signal) {
  await styled;
  const element = h('div', { class: 'wall-settings' }, h('h2', { text: 'Walls' }));
  const rows = dialRows();
  const said = h('p', { class: 'unseen', role: 'status' });
  const parts = [part('Sources outside the house', sources), part('Articles', articles),
    part('Reviews by a language model', reviews)];
  const load = async (stop) => {
    try {
      rows.show(await readDial(stop));
    } catch (error) {
      if (!isNotRunning(error)) throw error;
      element.replaceChildren(h('h2', { text: 'Walls' }), firstView(() => load().catch(showError)));
      return;
    }
    element.replaceChildren(h('h2', { text: 'Walls' }), h('div', { class: 'card dial-card' }, rows), said,
      h('div', { class: 'row wrap' },
        linkButton('Wall', '#/wall', 'wall'),
        linkButton('Likes', '#/likes', 'likes'),
        linkButton('Wish list', '#/wishes', 'wish'),
        linkButton('How walls are made', '#/discovery', 'info')),
      ...parts.map((one) => one.element));
    await Promise.all(parts.map((one) => one.load(stop)));
  };
  await load(signal);
  let stop = () => {};
  return {
    element,
    show() {
      stop = onDial((dial) => {
        rows.show(dial);
        setText(said, 'The next wall is a new one.');
      });
    },
    hide: () => stop(),
  };
}
