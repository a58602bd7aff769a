// The settings of plugins: their order, settings, hosts and errors.
import { announce } from '../core/announce.js';
import { change, read } from '../core/api.js';
import { h, setText } from '../core/dom.js';
import { ago, count } from '../core/format.js';
import { loadStyles } from '../core/stylesheets.js';
import { showBanner, showError } from '../parts/banners.js';
import { choices, field, form, iconButton, switchRow, textButton } from '../parts/controls.js';
import { makeDragWiring, wireKeys } from '../parts/dragging.js';
import { accountRow } from './pluginaccount.js';
import { attempt, consent, path, serverRows } from './pluginconsent.js';
import { fillChoices, sharingRows } from './pluginsharing.js';

loadStyles('plugins/found.css');

const partBytes = 90 << 10;
const words = (list) => list.join(', ');

function settingField(plugin, setting) {
  const { name, label, description, value, proposal, set, secret, required, options, placeholder } = setting;
  if (options.length) {
    return choices(label, options.map((one) => [one.value, one.label]), value ?? proposal ?? '',
      (chosen, box) => change(path(plugin), { settings: [{ name, value: chosen }] }, 'PUT').catch((error) => {
        box.value = value ?? proposal ?? '';
        showError(error);
      }));
  }
  return field(label,
    {
      name,
      type: secret ? 'password' : 'text',
      value: secret ? '' : value ?? '',
      // A proposal is not the value of the field: only typed values are sent.
      placeholder: secret && set ? 'It is set' : proposal ?? placeholder ?? '',
      required: required && !set && !proposal,
    },
    description);
}

/** Returns the form with the settings of a plugin; null if it has none that can be changed. */
function settingsForm(plugin, reload) {
  const shown = plugin.settings.filter((one) => !one.readOnly);
  if (!shown.length) return null;
  return form('Settings', null, shown.map((one) => settingField(plugin, one)), 'Save', async (values) => {
    // Only changed fields are sent. An empty secret keeps its value.
    const settings = Object.entries(values)
      .filter(([name, value]) => value !== (shown.find((one) => one.name === name)?.value ?? ''))
      .map(([name, value]) => ({ name, value }));
    await change(path(plugin), { settings }, 'PUT');
    showBanner(`The settings of ${plugin.name} are saved.`);
    await reload();
  });
}

/** Returns the words for the last error of a plugin. */
const problemWords = ({ message, cause }, at) => `${at ? `${ago(at)}: ` : ''}${message}${cause ? ` (${cause})` : ''}`;

function card(plugin, index, total, reload, moved, ask) {
  const said = h('p', { class: 'soft', role: 'status' });
  const log = h('ul', { class: 'soft runs' });
  const test = textButton('Test', 'sync', async () => {
    setText(said, 'It is being tried.');
    try {
      const { works, message, log: lines } = await change(path(plugin, '/test'), {});
      setText(said, `${works ? 'It works' : 'It does not work'}: ${message}`);
      log.replaceChildren(...lines.map((text) => h('li', { text })));
    } catch (error) {
      setText(said, '');
      showError(error);
    }
  });
  const remove = textButton('Remove', 'trash', () => {
    if (confirm(`Remove ${plugin.name} with its settings?`)) {
      attempt(() => change(path(plugin), {}, 'DELETE'), reload, `${plugin.name} is removed.`);
    }
  }, { kind: 'quiet', label: `Remove ${plugin.name}` });
  const update = plugin.newVersion ? textButton(`Update to ${plugin.newVersion}`, 'sync', () => attempt(async () => {
    const { updates } = await change('plugins/updates', { id: plugin.id });
    updates.forEach(ask);
  }, () => {}), { label: `Look at version ${plugin.newVersion} of ${plugin.name}` }) : null;
  const former = plugin.formerVersion
    ? textButton(`Former version ${plugin.formerVersion}`, null,
      () => attempt(async () => ask((await change(path(plugin, '/former'), {})).plugin), () => {}),
      { kind: 'quiet', label: `Look at version ${plugin.formerVersion} of ${plugin.name}, which was used before` })
    : null;
  const isOn = switchRow(plugin.name, plugin.enabled,
    (on, box) => attempt(() => change(path(plugin), { enabled: on }, 'PUT'), reload).finally(() => {
      box.checked = plugin.enabled;
    }), [plugin.version, plugin.author, plugin.order && `used as ${plugin.order}.`].filter(Boolean).join(' · '));
  const allow = form('One more host', null,
    [field('Host', { name: 'host', required: true, placeholder: 'media.example.org' })], 'Allow', async ({ host }) => {
      await change(path(plugin), { host }, 'PUT');
      await reload();
    });
  const problem = plugin.lastError && problemWords(plugin.lastError, plugin.failedAt);
  const handle = plugin.order
    ? iconButton('drag', `Move ${plugin.name}, with the arrow keys`, () => {}, 'small handle')
    : null;
  const links = plugin.links?.length ? h('div', { class: 'wanted-links' },
    h('p', { class: 'soft', text: 'It wanted to open these pages. Nothing was opened.' }),
    plugin.links.map((link) => h('a', {
      class: 'link', href: link, target: '_blank', rel: 'noopener noreferrer', text: link,
    }))) : null;
  const settings = plugin.settings.length
    ? h('details', {}, h('summary', { text: 'Settings' }), settingsForm(plugin, reload))
    : null;
  if (settings) fillChoices(plugin, settings);
  const element = h('li', {
    class: 'card source plugin', 'data-key': String(index), 'data-health': problem ? 'problem' : null,
  },
    h('div', { class: 'row' },
      h('span', { class: 'plugin-icon', 'aria-hidden': 'true', text: plugin.icon }),
      isOn, handle), plugin.description ? h('p', { class: 'soft', text: plugin.description }) : null,
    problem ? h('p', { class: 'source-line', text: problem }) : null,
    plugin.consent && plugin.enabled ? consent(plugin, reload) : null,
    links, h('div', { class: 'row wrap' }, update, test, former, remove), said, log,
    accountRow(plugin, reload), serverRows(plugin, reload), sharingRows(plugin), settings,
    h('details', {},
      h('summary', { text: `${count(plugin.hosts.length, 'host')}` }),
      h('p', {
        class: 'soft', text: plugin.hosts.length ? `It may ask ${words(plugin.hosts)}.` : 'It may ask no host.',
      }),
      allow));
  if (handle) {
    const rowOf = () => ({ index, count: total });
    wireKeys(handle, element, rowOf, moved);
    makeDragWiring(rowOf, moved)(handle, element);
  }
  return element;
}

/** Sends a file in parts, and returns the offered plugin. */
async function offer(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let offered = null;
  for (let offset = 0; offset === 0 || offset < bytes.length; offset += partBytes) {
    const part = btoa(Array.from(bytes.subarray(offset, offset + partBytes), (byte) => String.fromCharCode(byte))
      .join(''));
    ({ plugin: offered } = await change('plugins', { part, offset, size: bytes.length }));
  }
  return offered;
}

/** Returns this section of the settings. */
export async function makeSection(signal) {
  const list = h('ul', { class: 'cards plugins' });
  const others = h('ul', { class: 'cards plugins' });
  const unusable = h('ul', { class: 'soft runs' });
  const said = h('p', { class: 'soft', role: 'status' });
  const asked = h('div', { class: 'cards' });
  const load = async (stop) => {
    const { plugins, unusable: files } = await read('plugins', {}, stop);
    const ordered = plugins.filter((one) => one.order);
    const moved = ({ index }, to) => {
      const ids = ordered.map(({ id }) => id);
      ids.splice(to, 0, ...ids.splice(index, 1));
      attempt(() => change('plugins/order', { ids }, 'PUT'), () => load().then(() => {
        list.querySelectorAll('.handle')[to]?.focus();
        announce(`${ordered[index].name} is now used as ${to + 1} of ${ordered.length}.`);
      }));
    };
    list.replaceChildren(...ordered.map((one, index) => card(one, index, ordered.length, reload, moved, ask)));
    others.replaceChildren(...plugins.filter((one) => !one.order).map((one, index) => (one.consent && !one.enabled
      ? h('li', {}, consent(one, reload)) : card(one, index, 0, reload, null, ask))));
    unusable.replaceChildren(...files.map(({ file, error }) => h('li', { text: `${file}: ${error.message}` })));
    setText(said,
      plugins.length
        ? `${count(plugins.length, 'plugin')}. They are used in this order, after your library.`
        : 'There are no plugins. Nothing leaves your network for them.');
  };
  const reload = async () => {
    asked.replaceChildren();
    await load();
  };
  /** Shows a plugin that is offered, with the button that installs it. */
  function ask(plugin) {
    asked.querySelector(`[data-plugin="${CSS.escape(plugin.id)}"]`)?.remove();
    const shown = plugin.consent
      ? consent(plugin, reload)
      : h('p', { class: 'soft', text: `${plugin.name} ${plugin.version} is installed already.` });
    shown.dataset.plugin = plugin.id;
    asked.append(shown);
  }
  /** Shows the plugin at an address, or those of the list that is there. */
  async function askAt(address) {
    const { plugin, listed } = await change('plugins', { address, offset: 0, size: 0 });
    asked.replaceChildren();
    if (plugin) return ask(plugin);
    asked.append(h('ul', { class: 'runs' }, listed.map((one) => h('li', { class: 'row wrap' },
      `${one.id} ${one.version}${one.installed ? ` (installed: ${one.installed})` : ''}`,
      textButton('Look at it', null,
        () => attempt(async () => ask((await change('plugins', { address: one.address, offset: 0, size: 0 })).plugin),
          () => {}),
        { kind: 'quiet', label: `Look at ${one.id}` })))));
  }
  const choose = h('input', { type: 'file', name: 'file', accept: '.axe' });
  const add = form('Add a plugin',
    'A plugin is a file whose name ends in .axe. Nothing of it runs before you agree. The first plugin is added on '
      + 'the machine of the household.',
    [h('label', { class: 'field' },
      h('span', { text: 'File' }),
      choose), field('Or its address, or that of a list', { name: 'address', type: 'url' }, 'It begins with https.')],
    'Look at it', async ({ address }) => {
      if (choose.files[0]) {
        asked.replaceChildren();
        ask(await offer(choose.files[0]));
      } else if (address) await askAt(address);
    });
  const look = textButton('Look for updates', 'sync', () => attempt(async () => {
    const { updates, failures } = await change('plugins/updates', {});
    updates.forEach(ask);
    const failed = failures.map(({ name, error }) => `${name}: ${error.message}`);
    showBanner([
      updates.length ? `${count(updates.length, 'update')} can be looked at below.` : 'There are no updates.',
      ...failed,
    ].join(' '));
  }, () => load()), { kind: 'quiet' });
  const element = h('div', {},
    h('h2', { text: 'Plugins' }),
    said, list, others, unusable,
    h('div', { class: 'row wrap' }, look),
    asked, add);
  await load(signal);
  return { element };
}
