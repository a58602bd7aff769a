// The list of playlists, and the screen of one playlist with its tracks.
import { playlistPath, read } from '../core/api.js';
import { h } from '../core/dom.js';
import { count, span } from '../core/format.js';
import { CursorList } from '../core/lists.js';
import { subscribe } from '../core/store.js';
import { VirtualList, wireArrows } from '../core/virtuallist.js';
import { enqueue } from '../parts/actions.js';
import { showError } from '../parts/banners.js';
import { gridShape, makeListCard, updateListCard } from '../parts/cards.js';
import { textButton } from '../parts/controls.js';
import { coverHeader, emptyMessage, pageHeader } from '../parts/headers.js';
import { makeTrackList } from './tracks.js';

const lengthOf = ({ trackCount, durationSeconds }) => [count(trackCount, 'track'), durationSeconds && span(durationSeconds)].filter(Boolean);

/** Opens the list of playlists. */
export async function openList() {
  const none = h('div', { hidden: true }, emptyMessage('No playlists', 'The playlists of your music servers and your playlist files appear here.'));
  const source = new CursorList('playlists', {}, () => {
    if (source.error) showError(source.error);
    const isEmpty = source.isComplete && !source.items.length;
    none.hidden = !isEmpty;
    grid.element.hidden = isEmpty;
    grid.refresh();
  });
  const grid = new VirtualList({
    kind: 'album-grid', label: 'Playlists', measure: (width) => gridShape(width), make: makeListCard,
    update: (one, item) => updateListCard(one, item, 'playlist', item && lengthOf(item).join(' · ')),
  });
  wireArrows(grid, () => source.items.length);
  return {
    title: 'Playlists', element: h('section', { class: 'screen', 'aria-label': 'Playlists' }, pageHeader('Playlists'), none, grid.element),
    show: () => grid.show(source), shown: () => grid.start(), hide: () => grid.stop(),
  };
}

/** Opens the screen of a playlist. */
export async function openPlaylist({ parts: [id], signal }) {
  const playlist = await read(playlistPath(id), {}, signal);
  const facts = [playlist.isSmart && 'Updated automatically', ...lengthOf(playlist)];
  const header = coverHeader(playlist, {}, h('p', { class: 'facts', text: facts.filter(Boolean).join(' · ') }),
    h('div', { class: 'actions' }, textButton('Play', 'play', () => enqueue(playlist), { kind: 'first' }),
      textButton('Play next', 'queueNext', () => enqueue(playlist, 'next')), textButton('Shuffle', 'shuffle', () => enqueue(playlist, 'now', { shuffle: true }))));
  const source = new CursorList(playlistPath(id), {}, () => rows.refresh(), (page) => page.tracks);
  const rows = makeTrackList('Tracks', (index) => enqueue(playlist, 'now', { startAt: index }));
  let stop = () => {};
  return {
    title: playlist.title, element: h('section', { class: 'screen', 'aria-label': playlist.title }, header, rows.element),
    show: () => rows.show(source),
    shown() {
      rows.start();
      stop = subscribe(() => rows.refresh());
    },
    hide() {
      stop();
      rows.stop();
    },
  };
}
