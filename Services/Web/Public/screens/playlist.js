// A playlist and its tracks.
import { playlistPath, read } from '../core/api.js';
import { h } from '../core/dom.js';
import { Trail } from '../core/pages.js';
import { follow } from '../core/store.js';
import { count, span } from '../core/words.js';
import { put } from '../parts/actions.js';
import { pill } from '../parts/buttons.js';
import { coverHead } from '../parts/heads.js';
import { trackWindow } from './tracks.js';

/** Opens a playlist's place. */
export async function open({ parts: [id], signal }) {
  const playlist = await read(playlistPath(id), {}, signal);
  const facts = [playlist.isSmart && 'Kept up to date by itself', count(playlist.trackCount, 'track'), playlist.durationSeconds && span(playlist.durationSeconds)];
  const head = coverHead(playlist, {}, h('p', { class: 'facts', text: facts.filter(Boolean).join(' · ') }),
    h('div', { class: 'actions' }, pill('Play', 'play', () => put(playlist), { kind: 'first' }),
      pill('Play next', 'queueNext', () => put(playlist, 'next')), pill('Shuffle', 'shuffle', () => put(playlist, 'now', { shuffle: true }))));
  const source = new Trail(playlistPath(id), {}, () => lines.refresh(), (page) => page.tracks);
  const lines = trackWindow('Tracks', (index) => put(playlist, 'now', { startAt: index }));
  let stop = () => {};
  return {
    title: playlist.title, element: h('section', { class: 'place', 'aria-label': playlist.title }, head, lines.element),
    show: () => lines.show(source),
    shown() {
      lines.start();
      stop = follow(() => lines.refresh());
    },
    hide() {
      stop();
      lines.stop();
    },
  };
}
