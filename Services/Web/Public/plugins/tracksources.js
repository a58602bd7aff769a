// The places where plugins find a track, in their order: a person prefers one, or says that one is the wrong song.
import { change } from '../core/api.js';
import { h, setText, setVars } from '../core/dom.js';
import { clock } from '../core/format.js';
import { descriptionOf, enqueue } from '../parts/actions.js';
import { showError } from '../parts/banners.js';
import { textButton } from '../parts/controls.js';
import { showDialog } from '../parts/dialogs.js';
import { deviceButton } from './ondevice.js';

const reasons = {
  preferred: 'preferred for this track', order: 'by the order of plugins', confidence: 'by its confidence',
  belowFloor: 'another track',
  blocked: 'you called it the wrong song', disabled: 'its plugin is off', chosen: 'chosen',
};

/** Opens a dialog with the sources of a described track. */
export function showSources(track) {
  let described = descriptionOf(track);
  /** Plays the track from the source of one plugin; `preview` plays only its preview. */
  const use = (plugin, more = {}) => () => {
    dialog.close();
    enqueue({ ...track, described: true, choice: { plugin, ...more } });
  };
  /** Forgets what was chosen and decided for the track. */
  const forget = () => {
    described = descriptionOf({ ...track, choice: null });
    return ask({ verdict: 'forget' });
  };
  const said = h('p', { class: 'soft', role: 'status', text: 'The plugins are being asked …' });
  const list = h('ul', { class: 'sources' });
  const dialog = h('dialog', { class: 'keys found-at', 'aria-labelledby': 'sources-title' },
    h('h2', { id: 'sources-title', text: track.title }),
    h('p', { class: 'soft', text: track.artist }), said, list,
    h('div', { class: 'row wrap' }, textButton('Play', 'play', () => {
      dialog.close();
      enqueue({ ...track, choice: described.choice });
    }, { kind: 'first' }), textButton('Ask again', 'sync', () => ask({ fresh: true }), { kind: 'quiet' }),
      textButton('Forget', null, forget, { kind: 'quiet', label: 'Forget what was chosen and decided for this track' }),
      textButton('Close', null, () => dialog.close(), { kind: 'quiet' })));

  function row(source) {
    const {
      plugin, name, color, confidence, rank, reason, title, artist, album, durationSeconds, url, kind, sourceID,
      preview,
    } = source;
    const decide = (verdict) => () => ask({ plugin, sourceID, verdict });
    const badge = h('span', { class: 'plugin-badge', text: name });
    setVars(badge, { '--badge': color });
    const facts = [`${Math.round(confidence * 100)} %`, reasons[reason] ?? reason, kind === 'link' && 'only a link',
      kind === 'device' && 'on a device of yours',
      preview && 'has a preview', album, durationSeconds && clock(durationSeconds)];
    return h('li', { class: rank ? '' : 'unused' },
      badge,
      h('b', { text: `${artist} – ${title}` }),
      h('small', { class: 'soft', text: facts.filter(Boolean).join(' · ') }),
      deviceButton(source, described),
      h('div', { class: 'row wrap' },
        kind === 'stream' && reason !== 'disabled'
          ? textButton('Use this one', 'play', use(plugin), { label: `Play this track from ${name}` })
          : null,
        preview && reason !== 'disabled'
          ? textButton('Play the preview', null, use(plugin, { preview: true }), {
            kind: 'quiet', label: `Play the preview from ${name}`,
          })
          : null,
        rank && rank > 1
          ? textButton('Prefer this one', null, decide('prefer'), { label: `Prefer ${name} for this track` })
          : null,
        reason === 'blocked' ? textButton('Use it again', null, decide('unblock'), { kind: 'quiet' })
          : sourceID && rank ? textButton('Wrong song', null, decide('block'), {
            kind: 'quiet', label: `${name} has the wrong song`,
          })
          : null,
        url ? h('a', {
          class: 'pill quiet', href: url, target: '_blank', rel: 'noopener noreferrer', text: 'Open its page',
        }) : null));
  }

  async function ask(more = {}) {
    try {
      const { sources, failures } = await change('resolve', { described, ...more });
      list.replaceChildren(...sources.map(row),
        ...failures.map(({ name, error }) => h('li', { class: 'unused', text: `${name}: ${error.message}` })));
      setText(said, sources.some(({ rank }) => rank) ? '' : 'No source found.');
    } catch (error) {
      setText(said,
        error.code === 'resolver.noPlugins' || error.code === 'bus.unreachable'
          ? 'No enabled source: no plugin that finds music is switched on.'
          : '');
      if (said.textContent) {
        said.append(' ', h('a', {
          href: '#/settings/plugins', text: 'Settings of plugins', onclick: () => dialog.close(),
        }));
      }
      if (!said.textContent) showError(error);
    }
  }

  showDialog(dialog);
  ask();
}
