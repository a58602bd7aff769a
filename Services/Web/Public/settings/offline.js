// Albums that are kept whole on the disk of a room: keeping them from any menu, and the section of the settings with
// their progress and space.
import { change, read } from '../core/api.js';
import { h, reconcile, setAttribute, setText } from '../core/dom.js';
import { count, roomTitle, size } from '../core/format.js';
import { currentRoom, store } from '../core/store.js';
import { showBanner, showError } from '../parts/banners.js';
import { againButton, choices, iconButton, textButton } from '../parts/controls.js';

const path = (room, id = null) => `rooms/${encodeURIComponent(room)}/offline${id ? `/${encodeURIComponent(id)}` : ''}`;

/** Has the shown room keep an album, or the albums of an artist, a collection or a playlist. */
export async function keep(item) {
  const room = currentRoom();
  if (!room) return;
  try {
    if (item.described) {
      throw Object.assign(new Error('Only music of the library can be kept.'), { code: 'page.notHere' });
    }
    const { changed, unchanged } = await change(path(room.name, item.id), {}, 'PUT');
    const where = roomTitle(room.name);
    const there = unchanged ? ` ${count(unchanged, 'album')} ${unchanged === 1 ? 'is' : 'are'} there already.` : '';
    const message = changed
      ? `${count(changed, 'album')} will be kept in ${where}.${there}`
      : there.trim() || 'There is no album to keep.';
    showBanner(message, { key: 'offline', action: { name: 'Show', href: '#/settings/offline' } });
  } catch (error) {
    showError(error);
  }
}

const stateWords = { whole: 'Whole', waiting: 'Waits', loading: 'Is being fetched', failed: 'Is tried again' };
const pauses = {
  metered: ' Nothing is fetched over this connection, as it costs by volume.',
  mobile: ' Nothing is fetched until there is Wi-Fi or a cable.',
};
const connections = [
  ['unmetered', 'Connections that do not cost by volume'], ['wifi', 'Wi-Fi and cables only'], ['any', 'Any connection'],
];
// The limits that can be chosen, in GB.
const limits = [8, 16, 32, 64, 128, 256, 512, 1000];

function makeRow() {
  const bar = h('progress', { max: '1' });
  return h('li', { class: 'card source' }, h('h3'), h('p', { class: 'soft' }), h('p', { class: 'source-line' }), bar,
    h('div', { class: 'row wrap' }, textButton('Pin', 'pin', () => {}), iconButton('trash', 'Remove', () => {})));
}

function updateRow(element, album, room, reload) {
  const [title, by, line, bar, buttons] = element.children;
  const [pin, remove] = buttons.children;
  const attempt = (request) => request.then(reload, showError);
  setText(title, album.title);
  setText(by, [album.artist, count(album.tracks, 'track'), size(album.size ?? album.bytes)].join(' · '));
  const percent = album.state === 'whole' ? '' : ` · ${Math.round(album.progress * 100)} %`;
  setText(line,
    `${stateWords[album.state] ?? album.state}${percent}${album.problem ? `. ${album.problem.message}` : ''}`);
  setAttribute(element, 'data-health', album.problem ? 'problem' : null);
  bar.hidden = album.state === 'whole';
  setAttribute(bar, 'value', album.progress);
  setAttribute(bar, 'aria-label', `Progress of ${album.title}`);
  setText(pin.querySelector('span'), album.pinned ? 'Pinned' : 'Pin');
  setAttribute(pin, 'aria-pressed', String(album.pinned));
  setAttribute(pin, 'aria-label', `Pin ${album.title}`);
  setAttribute(remove, 'aria-label', `Remove ${album.title}`);
  pin.onclick = () => attempt(change(path(room, album.id), { pinned: !album.pinned }, 'PUT'));
  const undo = () => attempt(change(path(room, album.id), { pinned: album.pinned }, 'PUT'));
  remove.onclick = () => attempt(change(path(room, album.id), {}, 'DELETE').then(() => showBanner(
    `“${album.title}” is no longer kept in ${roomTitle(room)}.`,
    { key: 'offline', action: { name: 'Undo', run: undo } })));
}

/** Returns this section of the settings. */
export async function makeSection() {
  let room = currentRoom()?.name ?? null;
  const list = h('ul', { class: 'cards', 'aria-label': 'Kept albums' });
  const failure = h('div', {});
  const used = h('p', { class: 'soft', role: 'status' });
  const meter = h('progress', { 'aria-label': 'Space for kept albums', max: '1', value: '0' });
  const limit = choices('Most space',
    [['', 'Automatic'], ...limits.map((one) => [one, `${one.toLocaleString('en')} GB`])], '', async (value) => {
      try {
        await change(path(room), { limit: value ? Number(value) * 1e9 : null }, 'PUT');
      } catch (error) {
        showError(error);
      }
      load();
    });
  const connection = choices('Fetched over', connections, 'unmetered', async (value) => {
    try {
      await change(path(room), { connection: value }, 'PATCH');
    } catch (error) {
      showError(error);
    }
    load();
  });
  const box = limit.querySelector('select');
  const connectionBox = connection.querySelector('select');
  const rooms = store.rooms.length > 1
    ? choices('Room', store.rooms.map(({ name }) => [name, roomTitle(name)]), room, (name) => {
      room = name;
      load();
    }) : null;
  const element = h('div', {}, h('h2', { text: 'Albums offline' }),
    h('p', {
      class: 'soft',
      text: 'A room plays these albums without a network. “Keep offline” in the menu of an album, an artist, a '
        + 'collection or a playlist adds them. The ones that were played longest ago make room for others, unless '
        + 'they are pinned.',
    }),
    h('div', { class: 'card add' }, rooms, limit, connection, meter, used), failure, list);
  let timer = 0;
  let [isShown, isRead] = [false, false];
  const show = ({ state, items }) => {
    isRead = true;
    failure.replaceChildren();
    const waits = pauses[state.pause] ?? '';
    setText(used,
      items.length
        ? `${size(state.bytes)} of ${size(state.limit)} used, ${size(state.free)} free on the disk.${waits}`
        : `${room ? roomTitle(room) : 'The room'} keeps no album. It may use up to ${size(state.limit)}.`);
    setAttribute(meter, 'value', state.limit ? Math.min(1, state.bytes / state.limit) : 0);
    const chosen = state.limitChosen ? String(Math.round(state.limit / 1e9)) : '';
    if (![...box.options].some(({ value }) => value === chosen)) {
      box.append(h('option', { value: chosen, text: size(state.limit) }));
    }
    if (document.activeElement !== box) box.value = chosen;
    if (document.activeElement !== connectionBox) connectionBox.value = state.connection ?? 'unmetered';
    reconcile(list, items, ({ id }) => id, makeRow, (row, album) => updateRow(row, album, room, load));
  };
  /** Reads the albums again after a time in milliseconds, or after a multiple of it if the page is hidden then. */
  const later = (time) => {
    clearTimeout(timer);
    if (isShown) timer = setTimeout(() => (document.hidden ? later(time) : load()), time);
  };
  const load = async () => {
    clearTimeout(timer);
    if (!room) return setText(used, 'There is no room.');
    const asked = room;
    if (!isRead) setText(used, 'Loading …');
    try {
      const page = await read(path(asked));
      while (page.next) {
        const more = await read(path(asked), { after: page.next });
        page.items.push(...more.items);
        page.next = more.next;
      }
      if (asked === room) show(page);
      later(page.items.some(({ state }) => state !== 'whole') ? 2000 : 15_000);
    } catch (error) {
      later(15_000);
      if (isRead) showError(error);
      else {
        setText(used, '');
        failure.replaceChildren(h('div', { class: 'card empty', role: 'alert' },
          h('h3', { text: 'The kept albums could not be read' }), h('p', { text: error.message }),
          h('p', { class: 'row' }, againButton(load, { kind: 'first' }))));
      }
    }
    return undefined;
  };
  return {
    element,
    show() {
      isShown = true;
      load();
    },
    hide() {
      isShown = false;
      clearTimeout(timer);
    },
  };
}
