// The consent to a plugin: its file, the things that it takes over from the former one, and servers at home.
import { change } from '../core/api.js';
import { h } from '../core/dom.js';
import { showBanner, showError } from '../parts/banners.js';
import { switchRow, textButton } from '../parts/controls.js';

/** Returns the path of a plugin, or of what is below it. */
export const path = ({ id }, rest = '') => `plugins/${encodeURIComponent(id)}${rest}`;
const words = (list) => list.join(', ');

/** Runs a request, then `done`. Shows its error, or the message `said`. */
export async function attempt(run, done, said = null) {
  try {
    await run();
    if (said) showBanner(said);
    await done();
  } catch (error) {
    showError(error);
  }
}

/** Returns the switches for what the file may take over, all of them off; notes the keys of those that are on. */
function inheritance({ consent: { inheritable } }, chosen) {
  if (!inheritable.length) return null;
  const rows = inheritable.map(({ key, title }) =>
    switchRow(`Take over ${title}`, false, (on) => (on ? chosen.add(key) : chosen.delete(key))));
  return h('div', {},
    h('p', { class: 'soft', text: 'It gets these only if you say so. What it does not get is removed.' }),
    h('div', { class: 'switches' }, rows));
}

/** Returns what a person reads before agreeing to a plugin, with the button that agrees. */
export function consent(plugin, done) {
  const { consent: needed, name, version, author, hosts, capabilities, sha256 } = plugin;
  const facts = [
    ['It asks', hosts.length ? words(hosts) : 'no host'], ['It can', words(capabilities)], ['SHA-256', sha256],
    ['New hosts', needed.new ? '' : words(needed.newHosts)],
    ['It now can', needed.new ? '' : words(needed.newCapabilities)],
  ].filter(([, value]) => value);
  const chosen = new Set();
  const allow = () => attempt(() => change(path(plugin, '/allow'), { sha256, inherits: [...chosen] }), done,
    `${name} ${version} is switched on.`);
  const agree = needed.new ? 'Use it' : needed.update ? `Update to ${version}` : `Use version ${version}`;
  return h('div', { class: 'card asking', role: 'group', 'aria-label': `Use ${name}?` },
    h('h3', { text: `${plugin.icon} ${name} ${version}${author ? `, by ${author}` : ''}` }),
    plugin.description ? h('p', { text: plugin.description }) : null,
    h('p', {
      class: 'soft',
      text: needed.new
        ? 'It is a program of a stranger. It reaches these hosts and nothing else of this machine or network.'
        : `Its file is another one than version ${needed.formerVersion ?? ''}, to which you agreed.`,
    }),
    h('dl', { class: 'facts' },
      facts.flatMap(([key, value]) => [
        h('dt', { text: key }), h('dd', { class: key === 'SHA-256' ? 'digest' : '', text: value }),
      ])),
    inheritance(plugin, chosen),
    h('div', { class: 'row wrap' }, textButton(agree, 'check', allow, { kind: 'first' })));
}

/** Returns the servers that the settings of a plugin name: a question for each that nobody has allowed. */
export function serverRows(plugin, reload) {
  if (!plugin.enabled || plugin.consent) return null;
  return plugin.servers.map(({ setting, address, allowed, proposed }) => {
    const answer = (isAllowed) => () => attempt(
      () => change(path(plugin), { server: { setting, address, sha256: plugin.sha256, allowed: isAllowed } }, 'PUT'),
      reload, isAllowed ? `${plugin.name} may reach ${address}.` : `${plugin.name} no longer reaches ${address}.`);
    if (allowed) {
      return h('div', { class: 'row between server' },
        h('p', { class: 'source-line', text: `It may reach ${address}.` }),
        textButton('Stop', null, answer(false), { kind: 'quiet', label: `Stop ${plugin.name} reaching ${address}` }));
    }
    return h('div', { class: 'asking server', role: 'group', 'aria-label': `May ${plugin.name} reach ${address}?` },
      h('p', {
        text: `${proposed ? `${plugin.name} proposes a server that may be in your own network` : 'The server'}: `
          + `may it reach ${address}?`,
      }),
      h('div', { class: 'row wrap' }, textButton('Allow', 'check', answer(true), {
        label: `Allow ${plugin.name} to reach ${address}`,
      })));
  });
}
