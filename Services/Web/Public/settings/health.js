// The settings section with the health of programs and sources.
import { h, reconcile, setAttribute, setText } from '../core/dom.js';
import { roomTitle, span } from '../core/format.js';
import { store, subscribe } from '../core/store.js';
import { readSources, sourceName, sourceStatus } from '../parts/sources.js';

const roles = {
  library: 'Library', artwork: 'Pictures', playback: 'Room', scrobble: 'Scrobbling', nowplaying: 'Lock screen',
  router: 'Router', web: 'This page', supervisor: 'Supervisor', media: 'Music for other machines',
  resolver: 'Plugins', discovery: 'Walls',
};

function make() {
  return h('li', { class: 'node' },
    h('span', { class: 'dot', 'aria-hidden': 'true' }),
    h('span', { class: 'node-words' }, h('b'), h('span')),
    h('span', { class: 'node-state' }));
}

function update(element, node) {
  const [, words, state] = element.children;
  setAttribute(element, 'data-away', node.away ? 'yes' : 'no');
  setText(words.children[0],
    [
      roles[node.role] ?? node.role,
      node.name !== 'main' && (node.role === 'playback' ? roomTitle(node.name) : node.name),
    ].filter(Boolean).join(' · '));
  setText(words.children[1],
    [`${node.version}, process ${node.pid}`, node.lag && `${node.lag} facts not read yet`].filter(Boolean).join(' · '));
  setText(state, node.away ? 'does not answer' : `running for ${span(node.uptimeSeconds)}`);
}

/** Returns this section of the settings. */
export async function makeSection() {
  const list = h('ul', { class: 'card nodes', 'aria-label': 'Programs' });
  const sources = h('ul', { class: 'card nodes', 'aria-label': 'Sources' });
  const element = h('div', {}, h('h2', { text: 'Programs' }), list, h('h2', { text: 'Sources' }), sources,
    h('p', { class: 'soft' },
      'Metrics for Prometheus are at ',
      h('a', { class: 'link', href: '/metrics', text: '/metrics' }),
      '.'));
  readSources().catch(() => {}); // If this fails, the sources are shown by their kinds.
  let stop = () => {};
  return {
    element,
    show() {
      stop = subscribe(() => {
        reconcile(list, store.nodes, ({ role, name }) => `${role} ${name}`, make, update);
        reconcile(sources, store.catalogue?.sources ?? [], ({ name }) => name, make, (one, source) => {
          const [, words, state] = one.children;
          setAttribute(one, 'data-away', ['unreachable', 'signed-out'].includes(source.health) ? 'yes' : 'no');
          setText(words.children[0], sourceName(source));
          setText(words.children[1], sourceStatus(source));
          setText(state, source.health.replaceAll('-', ' '));
        });
      });
    },
    hide: () => stop(),
  };
}
