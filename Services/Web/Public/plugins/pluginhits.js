// Hits of plugins, beside those of the library: those of each plugin appear as they come. An address of a service is
// opened as the track, album or playlist that it names.
import { read } from '../core/api.js';
import { h, reconcile, setText } from '../core/dom.js';
import { count, isAddress, span } from '../core/format.js';
import { loadStyles } from '../core/stylesheets.js';
import { enqueue } from '../parts/actions.js';
import { linkButton, textButton } from '../parts/controls.js';
import { features } from '../parts/features.js';
import { makeTrackRow, updateTrackRow } from '../parts/trackrow.js';

loadStyles('plugins/found.css');

const pause = 350;
const kinds = { track: 'Track', album: 'Album', playlist: 'Playlist' };

/** Returns a hit as the track of a row: one that is described, and found. */
const rowTrack = (track) => ({ ...track, id: null, described: true, isFound: true });

/** Returns the header of what an address names, with what can be done with the whole. */
function openedHeader({ kind, title, artist, name, tracks }) {
  const item = { title, artist, tracks, described: true };
  const seconds = tracks.reduce((sum, { durationSeconds }) => sum + (durationSeconds ?? 0), 0);
  const facts = [
    `${kinds[kind] ?? 'Music'} at ${name}`, kind !== 'track' && count(tracks.length, 'track'), seconds && span(seconds),
  ].filter(Boolean);
  return h('div', { class: 'card opened-link' },
    h('h2', { text: [title, artist].filter(Boolean).join(' – ') }),
    h('p', { class: 'soft', text: facts.join(' · ') }),
    tracks.length ? h('div', { class: 'row wrap' },
      textButton('Play', 'play', () => enqueue(item), { kind: 'first' }),
      textButton('Play next', 'queueNext', () => enqueue(item, 'next')),
      textButton('Play later', 'queueLater', () => enqueue(item, 'later')),
      textButton('Add to playlist', 'playlists', () => features.addToPlaylist(item))) : null);
}

/**
 * Returns the part of the search that shows what plugins find: its `element`, `search(words)`, which begins anew unless
 * these words were the last ones, and `stop()`, after which a search that has not ended begins anew.
 */
export function makePluginHits() {
  const element = h('div', { class: 'plugin-hits' });
  let control = null;
  let timer = 0;
  let asked = null;
  let isEnded = true;

  const group = (name) => {
    const list = h('ol', { class: 'lines card', 'aria-label': name });
    const said = h('p', { class: 'soft', role: 'status', text: 'Searching …' });
    const section = h('section', { class: 'group' }, h('h2', { text: name }), said, list);
    list.hidden = true;
    return { section, list, said };
  };

  const show = ({ list, said }, tracks) => {
    list.hidden = !tracks.length;
    setText(said, tracks.length ? '' : 'It has found nothing.');
    reconcile(list, tracks.map(rowTrack).map((track, index) => ({ track, index })),
      ({ index }) => String(index),
      () => makeTrackRow({ cover: true }),
      (one, { track, index }) => updateTrackRow(one, track, {
        under: [track.artist, track.album].filter(Boolean).join(' · '), number: index + 1,
      }));
  };

  async function ask(name, request) {
    const made = group(name);
    element.append(made.section);
    try {
      show(made, await request(made));
    } catch (error) {
      if (error.name !== 'AbortError') setText(made.said, error.message);
    }
  }

  const open = (address, signal) => ask('This address', async ({ section }) => {
    setText(section.querySelector('[role=status]'), 'It is being opened …');
    const opened = await read('open', { address }, signal);
    section.querySelector('h2').replaceWith(openedHeader(opened));
    section.querySelector('ol').setAttribute('aria-label', opened.title);
    return opened.tracks;
  });

  async function begin(words, signal) {
    const { plugins } = await read('plugins', {}, signal);
    const used = plugins.filter((one) => one.enabled && !one.consent);
    element.replaceChildren();
    if (isAddress(words)) {
      if (used.length) await open(words, signal);
      else element.append(h('p', {
        class: 'soft', role: 'status', text: 'Addresses of services are opened by plugins, and none is switched on.',
      }), linkButton('Plugins', '#/settings/plugins'));
      return;
    }
    await Promise.all(used.filter((one) => one.functions.includes('search'))
      .map((one) => ask(`${one.icon} ${one.name}`,
        async () => (await read(`plugins/${encodeURIComponent(one.id)}/search`, { q: words }, signal)).tracks)));
  }

  return {
    element,
    search(words) {
      if (words === asked) return;
      asked = words;
      isEnded = true;
      control?.abort();
      clearTimeout(timer);
      if (words.length < 2) {
        element.replaceChildren();
        return;
      }
      control = new AbortController();
      const { signal } = control;
      isEnded = false;
      // Services are asked once a person has stopped typing.
      timer = setTimeout(() => begin(words, signal).catch(() => {}).then(() => {
        if (!signal.aborted) isEnded = true;
      }), pause);
    },
    stop() {
      if (!isEnded) asked = null;
      control?.abort();
      clearTimeout(timer);
    },
  };
}
