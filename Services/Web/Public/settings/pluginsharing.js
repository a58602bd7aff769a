// The plays and the history that a plugin is told of, in its settings. Off until a person
// switches it on, and says so before.
import { change, read } from '../core/api.js';
import { h, setText } from '../core/dom.js';
import { count } from '../core/format.js';
import { showError } from '../parts/banners.js';
import { switchRow } from '../parts/controls.js';

const subjects = {
  plays: {
    title: 'Tell it what plays', key: 'hearsPlays',
    hint: 'It gets each track as it begins and each listen that counts (artist, title, album, length, ids, time), and '
      + 'sends them to its server. Private listening and filters are respected.',
  },
  history: {
    title: 'Let it use what was played', key: 'seesHistory',
    hint: 'It gets what you played most in the last 7 days, 30 days, 6 months and ever, and the last 50 plays, and '
      + 'sends them to its server.',
  },
};

function row(sharing, subject, update) {
  const { title, key, hint } = subjects[subject];
  return switchRow(title, sharing[key], async (isAllowed) =>
    update(await change(`sharing/${encodeURIComponent(sharing.plugin)}`, { subject, isAllowed }, 'PUT')), hint);
}

/** Returns the switches of a plugin; an element that stays empty for a plugin that is told nothing. */
export function sharingRows(plugin) {
  const element = h('div', { class: 'sharing' });
  const takes = plugin.capabilities.includes('playbackTelemetry') || plugin.functions.includes('chat')
    || plugin.functions.includes('generate');
  if (!takes || !plugin.enabled) return element;
  const said = h('p', { class: 'soft', role: 'status' });
  const update = (sharing) => {
    const { takesPlays, takesHistory, waiting, problem } = sharing;
    element.replaceChildren(...[
      takesPlays && row(sharing, 'plays', update), takesHistory && row(sharing, 'history', update), said,
    ].filter(Boolean));
    setText(said,
      [waiting && `${count(waiting, 'listen')} ${waiting === 1 ? 'waits' : 'wait'}.`, waiting && problem?.message]
        .filter(Boolean).join(' '));
  };
  read('sharing').then(({ plugins }) => {
    const sharing = plugins.find((one) => one.plugin === plugin.id);
    if (sharing) update(sharing);
  }).catch(showError);
  return element;
}

/** Fills the choices that the plugin itself offers, such as models, once a person opens its settings. */
export function fillChoices(plugin, details) {
  if (!plugin.functions.includes('listModels') || !plugin.enabled) return;
  details.addEventListener('toggle', async () => {
    try {
      const { settings, options } = await read(`plugins/${encodeURIComponent(plugin.id)}/choices`);
      for (const name of settings) {
        const box = details.querySelector(`[name="${CSS.escape(name)}"]`);
        if (!box || !options.length) continue;
        const list = h('datalist', { id: `choices-${plugin.id}-${name}` },
          options.map(({ value, label }) => h('option', { value, text: label })));
        if (box.tagName === 'INPUT') {
          box.setAttribute('list', list.id);
          box.after(list);
        }
      }
    } catch (error) {
      showError(error);
    }
  }, { once: true });
}
