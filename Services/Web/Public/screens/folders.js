// The music folders as the disk has them: the folders, albums and files in each, which can be played.
import { read } from '../core/api.js';
import { h, reconcile, setText } from '../core/dom.js';
import { count } from '../core/format.js';
import { address } from '../core/router.js';
import { setAlbumList, subscribe } from '../core/store.js';
import { tagAddress } from '../core/tags.js';
import { enqueue } from '../parts/actions.js';
import { makeAlbumCard, updateAlbumCard } from '../parts/cards.js';
import { linkButton, moreButton, textButton } from '../parts/controls.js';
import { emptyMessage, pageHeader } from '../parts/headers.js';
import { makeLinkRow, updateLinkRow } from '../parts/linkrow.js';
import { makeTrackRow, updateTrackRow } from '../parts/trackrow.js';

// The id of a folder is this and its path as a URL writes it, by which it is read and played.
const prefix = 'library:folder:';
const pageSize = 200;

function nameOf(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // The bytes are no UTF-8.
  }
}

/** Returns the folders above a folder as `[{ id, name }]`, the music folder first and the folder itself last. */
function pathOf(id, roots) {
  const root = roots.filter((one) => id === one.id || id.startsWith(`${one.id}/`))
    .sort((one, other) => other.id.length - one.id.length)[0];
  if (!root) return [{ id, name: nameOf(id.slice(prefix.length)) }];
  const path = [root];
  for (const part of id.slice(root.id.length).split('/').filter(Boolean)) {
    path.push({ id: `${path.at(-1).id}/${part}`, name: nameOf(part) });
  }
  return path;
}

const folderAddress = (id) => address('folders', id);

function breadcrumb(path, roots) {
  const links = [roots.length > 1 ? h('a', { class: 'link', href: address('folders'), text: 'Folders' }) : null,
    ...path.slice(0, -1).map(({ id, name }) => h('a', { class: 'link', href: folderAddress(id), text: name })),
    h('span', { 'aria-current': 'page', text: path.at(-1).name })];
  const known = links.filter(Boolean);
  return known.length > 1
    ? h('nav', { class: 'breadcrumb', 'aria-label': 'Path' }, h('ol', {}, known.map((link) => h('li', {}, link))))
    : null;
}

/** Opens a folder, or the list of the music folders. */
export async function open({ parts: [id], signal }) {
  const roots = (await read('folders', { limit: pageSize }, signal)).folders;
  const here = id ?? (roots.length === 1 ? roots[0].id : null);
  const readPage = (after) => read('folders', { path: `file://${here.slice(prefix.length)}`, limit: pageSize, after },
    after ? undefined : signal);
  const folder = here ? await readPage(null) : { folders: roots, albums: [], tracks: [], next: null };
  const path = here ? pathOf(here, roots) : [];
  const title = path.at(-1)?.name ?? 'Folders';
  const item = { id: here, title };
  const tools = here
    ? [textButton('Play', 'play', () => enqueue(item), { kind: 'first' }),
      textButton('Shuffle', 'shuffle', () => enqueue(item, 'now', { shuffle: true })),
      linkButton('Show as albums', tagAddress('folder', folder.path), 'albums')] : [];
  const facts = h('p', { class: 'count', role: 'status' });
  const lists = {
    folders: h('ul', { class: 'lines card', 'aria-label': 'Folders' }),
    albums: h('ul', { class: 'album-grid loose', 'aria-label': 'Albums' }),
    tracks: h('ol', { class: 'lines card', 'aria-label': 'Files' }),
  };
  const more = moreButton(async () => {
    const page = await readPage(folder.next);
    for (const name of Object.keys(lists)) folder[name].push(...page[name]);
    folder.next = page.next;
    show();
    return folder.next;
  });
  more.hidden = !folder.next;
  const none = folder.folders.length || folder.tracks.length
    ? null
    : emptyMessage('No music',
      here ? 'There is no music in this folder.' : 'No music folder is set. Add one in the settings.');
  const show = () => {
    for (const [name, list] of Object.entries(lists)) list.hidden = !folder[name].length;
    const least = folder.next ? 'at least ' : '';
    setText(facts,
      [
        folder.folders.length && count(folder.folders.length, 'folder'),
        folder.tracks.length && count(folder.tracks.length, 'file'),
      ].filter(Boolean).map((words) => least + words).join(' · '));
    reconcile(lists.folders, folder.folders,
      (one) => one.id,
      () => makeLinkRow('folders'),
      (row, one) => updateLinkRow(row, { id: one.id, title: one.name }, { href: folderAddress(one.id) }));
    reconcile(lists.albums, folder.albums, (one) => one.id, makeAlbumCard, (card, album) =>
      updateAlbumCard(card, album));
    reconcile(lists.tracks, folder.tracks,
      ({ file }) => file,
      () => makeTrackRow(),
      (row, track) => updateTrackRow(row, track, {
        under: track.file, number: track.numberText ?? track.number ?? '·',
      }));
  };
  let stop = () => {};
  return {
    title, element: h('section', { class: 'screen folders', 'aria-label': title },
      path.length ? breadcrumb(path, roots) : null,
      pageHeader(title, facts, ...tools),
      none,
      ...Object.values(lists),
      h('p', { class: 'row wrap' }, more)),
    show() {
      setAlbumList(() => ({ albums: folder.albums.map((one) => one.id).slice(0, 200) }));
      stop = subscribe(show);
    },
    hide: () => stop(),
  };
}
