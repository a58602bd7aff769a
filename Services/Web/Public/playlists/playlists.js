// The list of playlists, and the screen of one playlist with its entries, which is edited in place.
import { announce } from '../core/announce.js';
import { playlistPath, read } from '../core/api.js';
import { h, setText } from '../core/dom.js';
import { count, span } from '../core/format.js';
import { CursorList } from '../core/lists.js';
import { subscribe } from '../core/store.js';
import { VirtualList, wireArrows } from '../core/virtuallist.js';
import { enqueue, playMenu } from '../parts/actions.js';
import { showError } from '../parts/banners.js';
import { gridShape, makeListCard, updateListCard } from '../parts/cards.js';
import { iconButton, textButton } from '../parts/controls.js';
import { setCover } from '../parts/cover.js';
import { makeDragWiring, wireKeys } from '../parts/dragging.js';
import { features } from '../parts/features.js';
import { listFailure } from '../find/listfailure.js';
import { makeTrackRow } from '../parts/trackrow.js';
import { hasOwnCover, openCoverMenu, wireCoverDrop } from './covers.js';
import { chooseFiles, wireDrop } from './listfiles.js';
import {
  changeRules, deletePlaylist, makePlaylist, makeSmartPlaylist, moveEntries, moveEntry, removeEntries, rename, undoEdit,
} from './playlistedits.js';
import { offerMenu, openMenu } from '../parts/menu.js';
import { coverHeader, emptyMessage, pageHeader } from '../parts/headers.js';
import { makeTrackList } from '../screens/tracks.js';

const lengthOf = ({ trackCount, durationSeconds }) =>
  [count(trackCount, 'track'), durationSeconds && span(durationSeconds)].filter(Boolean);

/** Opens the list of playlists. */
export async function openList() {
  const none = h('div', { hidden: true },
    emptyMessage('No playlists',
      'Make one here, add an album or a track to one by its menu, or drop a list file here: M3U, PLS, XSPF or JSPF. '
        + 'The playlists of your music servers appear here, too.'));
  const failure = listFailure('The playlists could not be read');
  const source = new CursorList('playlists', {}, () => {
    const isEmpty = source.isComplete && !source.items.length;
    none.hidden = !isEmpty;
    grid.element.hidden = failure.show(source) || isEmpty;
    grid.refresh();
  });
  const grid = new VirtualList({
    kind: 'album-grid', label: 'Playlists', measure: (width) => gridShape(width), make: makeListCard,
    update: (one, item) => updateListCard(one, item, 'playlist', item && lengthOf(item).join(' · ')),
  });
  wireArrows(grid, () => source.items.length);
  const tools = [
    textButton('Import files', 'down', chooseFiles, { kind: 'quiet' }),
    textButton('New smart playlist', 'filter', makeSmartPlaylist, { kind: 'quiet' }),
    textButton('New playlist', 'plus', makePlaylist),
  ];
  const element = h('section', { class: 'screen', 'aria-label': 'Playlists' },
    pageHeader('Playlists', null, ...tools),
    none, failure, grid.element);
  wireDrop(element);
  return {
    title: 'Playlists', element,
    show: () => grid.show(source), shown: () => grid.start(), hide: () => grid.stop(),
  };
}

/** Returns the title of a playlist as a field that renames it. */
function titleField(playlist) {
  const field = h('input', {
    class: 'title-field', value: playlist.title, 'aria-label': 'Title of the playlist', maxlength: 200,
  });
  field.addEventListener('change', async () => {
    try {
      playlist.title = (await rename(playlist, field.value.trim() || playlist.title)).title;
    } catch (error) {
      showError(error);
    }
    field.value = playlist.title;
    setText(field.closest('.screen').querySelector('h1'), playlist.title);
  });
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') field.blur();
  });
  return field;
}

/** Returns the button by which a playlist is saved as a list file. */
function saveMenu({ id, isSmart, editable }) {
  const button = textButton('Save as file', 'down', () => {
    const { left, bottom } = button.getBoundingClientRect();
    openMenu('Save as file',
      [
        ...(isSmart && editable ? [['NSP, its rules', 'nsp']] : []),
        ['M3U8, for most players', 'm3u8'],
        ['XSPF, with all that is known', 'xspf'],
        ['JSPF', 'jspf'],
        ['PLS', 'pls'],
      ].map(([name, format]) => ({
        name, icon: 'down',
        run: () => h('a', { href: `/api/v1/${playlistPath(id)}/file?format=${format}`, download: '' }).click(),
      })), left, bottom, button);
  });
  return button;
}

/** Shows the covers of four albums in place of one. */
function showCollage(frame, entries) {
  const arts = [...new Map(entries.filter(({ art }) => art).map((one) => [one.albumID, one])).values()].slice(0, 4);
  if (arts.length < 4) return;
  delete frame.dataset.cover;
  frame.classList.add('collage');
  frame.replaceChildren(...arts.map(({ art, album }) => {
    const part = h('span', { class: 'cover' });
    setCover(part, { art, title: album }, 512);
    return part;
  }));
}

/** Opens the screen of a playlist. */
export async function openPlaylist({ parts: [id], signal }) {
  const playlist = await read(playlistPath(id), {}, signal);
  const facts = h('p', { class: 'facts' });
  const showFacts = (now) => {
    facts.textContent = [now.isSmart && 'Updated automatically', ...lengthOf(now), now.note]
      .filter(Boolean).join(' · ');
  };
  showFacts(playlist);
  const isOwn = playlist.editable && String(id).startsWith('lunara:');
  const header = coverHeader(playlist, {}, playlist.summary && h('p', { class: 'summary', text: playlist.summary }),
    facts,
    h('div', { class: 'actions' }, textButton('Play', 'play', () => enqueue(playlist), { kind: 'first' }),
      textButton('Play next', 'queueNext', () => enqueue(playlist, 'next')),
      textButton('Shuffle', 'shuffle', () => enqueue(playlist, 'now', { shuffle: true })),
      textButton('Keep offline', 'down', () => features.keepOffline(playlist))),
    h('div', { class: 'actions' },
      playlist.editable && titleField(playlist),
      playlist.editable && playlist.isSmart && textButton('Rules', 'filter', () => changeRules(id, reload)),
      saveMenu(playlist),
      isOwn && textButton('Cover', null, (event) => openCoverMenu(playlist, event.currentTarget)),
      playlist.editable && textButton('Undo', 'back', () => undoEdit(id).then(reload).catch(showError)),
      playlist.editable && textButton('Delete', 'trash', () => deletePlaylist(playlist))));
  offerMenu(header.querySelector('.cover-stand'), () => playlist.title, () => playMenu(playlist), () => playlist);
  const frame = header.querySelector('.cover');
  if (!hasOwnCover(playlist)) showCollage(frame, playlist.entries);
  if (isOwn) wireCoverDrop(frame, playlist);
  let source = null;
  const failure = listFailure('The tracks could not be read');
  const none = h('div', { hidden: true }, emptyMessage('No tracks', playlist.isSmart
    ? 'No track fits the rules now.' : 'Add albums and tracks to this playlist by their menus.'));
  const makeSource = () => {
    const made = new CursorList(playlistPath(id), {}, () => made === source && showRows(), (page) => page.entries);
    return made;
  };
  const showRows = () => {
    none.hidden = !(source.isComplete && !source.items.length);
    rows.element.hidden = failure.show(source) || !none.hidden;
    rows.refresh();
  };
  // The list is read anew after each edit, and shown where it was.
  let reading = 0;
  const reload = async () => {
    const mine = reading += 1;
    const next = makeSource();
    await next.ensure(0, source.items.length);
    if (mine !== reading) return;
    source = next;
    rows.show(source);
    showRows();
    showFacts(await read(playlistPath(id), {}));
  };
  const behind = (index) => (index < 0 ? 0 : source.items[index]?.entry);
  const editsOf = (row, index) => [
    { name: 'Remove from playlist', icon: 'remove', run: () => removeEntries(playlist, [row.entry], reload) },
    index > 0 && { name: 'Move up', icon: 'up', run: () => moveEntry(playlist, row.entry, behind(index - 2), reload) },
    index + 1 < source.items.length
      && { name: 'Move down', icon: 'down', run: () => moveEntry(playlist, row.entry, behind(index + 1), reload) },
    index > 0 && { name: 'Move to the beginning', icon: 'up', run: () => moveEntry(playlist, row.entry, 0, reload) },
  ].filter(Boolean);
  const start = (index) => enqueue(playlist, 'now', { startAt: index, first: source.items[index] });
  const isArranged = playlist.editable && !playlist.isSmart;
  let [moves, waiting] = [Promise.resolve(), 0];
  // Moves a row, and shows it at its new place before the service has answered.
  const moveRow = ({ index }, to) => {
    const [row] = source.items.splice(index, 1);
    source.items.splice(to, 0, row);
    rows.refresh();
    rows.scrollToItem(to, { keep: true });
    rows.at(to)?.querySelector('.handle')?.focus({ preventScroll: true });
    announce(`${row.title} is now at place ${to + 1} of ${source.items.length}.`);
    // Moves by keys may come faster than their answers. They are sent one by one, and the list is read after the last.
    const before = behind(to - 1);
    waiting += 1;
    moves = moves.then(() => moveEntry(playlist, row.entry, before, () => ((waiting -= 1) ? undefined : reload())));
    return moves;
  };
  const rowOf = (element) => (source.items[Number(element.dataset.key)]
    ? { index: Number(element.dataset.key), count: source.items.length }
    : null);
  const wireDrag = makeDragWiring(rowOf, moveRow);
  const makeRow = () => {
    const element = makeTrackRow({ cover: true });
    const handle = iconButton('drag', 'Move: arrow keys up and down', () => {}, 'small handle');
    element.append(handle);
    wireKeys(handle, element, rowOf, moveRow);
    wireDrag(handle, element);
    return element;
  };
  const many = {
    itemAt: (index) => source.items[index], count: () => source.items.length,
    ...(isArranged
      ? {
        remove: (entries) => removeEntries(playlist, entries, reload),
        first: (entries) => moveEntries(playlist, entries, 0, reload),
      }
      : {}),
  };
  const rows = makeTrackList('Tracks', start, isArranged ? editsOf : null, isArranged ? makeRow : undefined, many);
  source = makeSource();
  let stop = () => {};
  return {
    title: playlist.title,
    element: h('section', { class: 'screen', 'aria-label': playlist.title }, header, none, failure, rows.element),
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
