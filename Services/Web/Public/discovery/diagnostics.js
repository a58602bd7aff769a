// The place that shows how walls are made: sources with age and error, weights of the dial, counts, genres of tags.
import { read } from '../core/api.js';
import { h } from '../core/dom.js';
import { ago, count } from '../core/format.js';
import { reopenScreen } from '../core/router.js';
import { showError } from '../parts/banners.js';
import { linkButton } from '../parts/controls.js';
import { pageHeader } from '../parts/headers.js';
import { firstView } from './firstview.js';
import { styled } from './style.js';
import { tagEditor } from './taxonomy.js';
import { flag, isNotRunning, signalName } from './words.js';

const facts = (pairs) => h('dl', { class: 'fact-list' },
  pairs.map(([name, value]) => h('div', {}, h('dt', { text: name }), h('dd', { text: value }))));

function coverage({ tagged, matched, shelf }) {
  const share = tagged ? Math.round(100 * matched / tagged) : 0;
  return h('div', { class: 'coverage' },
    h('meter', { min: '0', max: '100', value: String(share), 'aria-label': 'Albums with tags that are in a genre' }),
    h('p', {
      text: tagged
        ? `${matched.toLocaleString('en')} of ${count(tagged, 'album')} with tags are in a genre (${share} %).`
        : 'No album has a tag of a genre.',
    }),
    shelf.albums > tagged
      ? h('p', {
        class: 'soft',
        text: `${count(shelf.albums - tagged, 'album')} without such a tag: they are on walls, but in no feed.`,
      })
      : null);
}

function weights(dials) {
  const signals = dials[0]?.shares.map(({ signal }) => signal) ?? [];
  const head = h('tr', {},
    h('th', { scope: 'col', text: 'Dial' }),
    signals.map((signal) => h('th', { scope: 'col', text: signalName(signal) })));
  const rows = dials.map(({ dial, name, shares }) => h('tr', {}, h('th', { scope: 'row', text: `${dial} ${name}` }),
    shares.map(({ percent, ofFifty }) => h('td', {},
      h('b', { text: `${percent} %` }),
      h('small', { class: 'soft', text: `${ofFifty} of 50` })))));
  const sums = dials.every(({ shares }) => shares.reduce((sum, { percent }) => sum + percent, 0) === 100);
  return h('div', {},
    h('div', { class: 'card weights', tabindex: '0', role: 'region', 'aria-label': 'Weights of the dial' },
      h('table', {}, h('thead', {}, head), h('tbody', {}, rows))),
    sums ? null : h('p', {
      class: 'source-line',
      role: 'alert',
      text: 'The weights of a position are not 100 % together. This is a fault of the program.',
    }));
}

const titles = {
  library: 'Library', history: 'Plays', plays: 'Plays', opinions: 'Likes and dislikes', ratings: 'Ratings',
};

function source({ name, readAt, items, problem, outside }) {
  const isOff = outside && !flag(outside, 'On');
  return h('li', { class: 'node', 'data-away': problem ? 'yes' : 'no' },
    h('span', { class: 'dot', 'aria-hidden': 'true' }),
    h('span', { class: 'node-words' },
      h('b', { text: outside?.title ?? titles[name] ?? name }),
      h('span', { text: problem ? problem.message : count(items, 'item') })),
    h('span', { class: 'node-state', text: isOff ? 'off' : readAt ? `read ${ago(readAt)}` : 'not read yet' }));
}

/** Opens the screen. */
export async function open({ signal }) {
  await styled;
  const element = h('section', { class: 'screen diagnostics', 'aria-label': 'How walls are made' });
  const head = () => pageHeader('How walls are made', null, linkButton('Wall', '#/wall', 'wall'),
    linkButton('Settings of walls', '#/settings/walls', 'settings'));
  const counts = h('div', {});
  const covered = h('div', {});

  function show(state) {
    const { shelf, played, rated, likes, dislikes, both, heldBack, walls } = state;
    const dial = state.dials.find((one) => one.dial === shelf.dial);
    counts.replaceChildren(facts([['Albums', shelf.albums.toLocaleString('en')],
      ['Dial', dial ? `${dial.dial} ${dial.name}` : String(shelf.dial)], ['Played', count(played, 'album')],
      ['Rated', count(rated, 'album')],
      ['Liked', count(likes, 'album')], ['Disliked', count(dislikes, 'album')],
      ['Held back', count(heldBack, 'album')], ['Walls kept', walls.toLocaleString('en')]]),
    ...(both
      ? [h('p', {
        class: 'source-line',
        role: 'alert',
        text: `${count(both, 'album')} both liked and disliked. This is a fault of the program.`,
      })]
      : []),
    ...(flag(shelf, 'Reading') ? [h('p', { class: 'soft', text: 'The albums are being read from the library.' })] : []),
    ...(shelf.problem ? [h('p', { class: 'source-line', text: shelf.problem.message })] : []),
    h('p', {
      class: 'soft',
      text: 'Albums are held back that were on a wall some days ago, or are like one of which you want less, but '
        + 'never more than half of all. The card of a cover says why that album is there.',
    }));
    covered.replaceChildren(coverage(state));
  }

  const reload = () => read('discovery').then(show).catch(showError);
  try {
    const [state, genres] = await Promise.all([read('discovery', {}, signal), read('genres', {}, signal)]);
    show(state);
    element.append(head(), h('div', { class: 'card facts-card' }, counts), h('h2', { text: 'Weights of the dial' }),
      weights(state.dials),
      h('h2', { text: 'Sources' }),
      h('ul', { class: 'card nodes', 'aria-label': 'Sources' }, state.sources.map(source)),
      h('h2', { text: 'Genres' }), h('div', { class: 'card facts-card' }, covered),
      tagEditor(genres.unmatched ?? [], reload));
  } catch (error) {
    if (!isNotRunning(error)) throw error;
    element.append(head(), firstView(() => reopenScreen().catch(showError)));
  }
  return { title: 'How walls are made', element, reload };
}
