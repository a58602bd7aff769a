// What plugins find, beside the hits of the library: each plugin's hits appear as they come.
import { read } from '../core/api.js';
import { h, reconcile, setText } from '../core/dom.js';
import { makeTrackRow, updateTrackRow } from './trackrow.js';

const isAddress = (text) => /^(https?:\/\/|spotify:)\S+$/.test(text);
const pause = 350;

/** Returns a hit as the track of a row: one that is described, and found. */
const rowTrack = (track) => ({ ...track, id: null, described: true, isFound: true });

/**
 * Returns the part of the search that shows what plugins find: its `element`, `search(words)`, which begins anew, and
 * `stop()`.
 */
export function makePluginHits() {
  const element = h('div', { class: 'plugin-hits' });
  let control = null;
  let timer = 0;

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
    reconcile(list, tracks.map(rowTrack).map((track, index) => ({ track, index })), ({ index }) => String(index), () => makeTrackRow({ cover: true }),
      (one, { track, index }) => updateTrackRow(one, track, { under: [track.artist, track.album].filter(Boolean).join(' · '), number: index + 1 }));
  };

  async function ask(name, request) {
    const made = group(name);
    element.append(made.section);
    try {
      show(made, await request());
    } catch (error) {
      if (error.name !== 'AbortError') setText(made.said, error.message);
    }
  }

  async function begin(words, signal) {
    const { plugins } = await read('plugins', {}, signal);
    const used = plugins.filter((one) => one.enabled && !one.consent);
    element.replaceChildren();
    if (isAddress(words)) {
      if (!used.length) return;
      await ask('This address', async () => {
        const opened = await read('open', { address: words }, signal);
        element.querySelector('h2').textContent = [opened.title, opened.artist].filter(Boolean).join(' – ');
        return opened.tracks;
      });
      return;
    }
    await Promise.all(used.filter((one) => one.functions.includes('search'))
      .map((one) => ask(`${one.icon} ${one.name}`, async () => (await read(`plugins/${encodeURIComponent(one.id)}/search`, { q: words }, signal)).tracks)));
  }

  return {
    element,
    search(words) {
      control?.abort();
      clearTimeout(timer);
      if (words.length < 2) {
        element.replaceChildren();
        return;
      }
      control = new AbortController();
      const { signal } = control;
      // Services are asked once a person has stopped typing.
      timer = setTimeout(() => begin(words, signal).catch(() => {}), pause);
    },
    stop() {
      control?.abort();
      clearTimeout(timer);
    },
  };
}
