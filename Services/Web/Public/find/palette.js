// The command palette: one field for places, rooms, actions and music, opened by Ctrl and K.
import { read } from '../core/api.js';
import { h, reconcile, setAttribute } from '../core/dom.js';
import { roomTitle } from '../core/format.js';
import { address, navigate } from '../core/router.js';
import { chooseRoom, currentRoom, store } from '../core/store.js';
import { loadStyles } from '../core/stylesheets.js';
import { command, enqueue } from '../parts/actions.js';
import { showError } from '../parts/banners.js';
import { setCover } from '../parts/cover.js';
import { icon } from '../parts/icons.js';
import { clearQueue, moveMusic } from '../parts/queueundo.js';
import { refreshSources } from '../parts/sources.js';
import { chosenAfter, fitting, wishOf } from './paletterules.js';
import { rememberSearch } from './recent.js';
import { showShortcutList } from './shortcutlist.js';

const styled = loadStyles('find/find.css');

const pause = 120;
// The number of entries that are shown of each group.
const most = { commands: 7, music: 8 };

const isPlaying = (room) => room?.state === 'playing' || room?.state === 'buffering';

/** Returns the actions that are possible now, each as `{ name, icon, run, words }`; `words` are found, too. */
function actions() {
  const room = currentRoom();
  const all = [];
  const add = (name, picture, run, words = '') => {
    all.push({ key: `action ${name}`, name, icon: picture, run, words, hint: 'Action' });
  };
  if (room?.track) {
    if (isPlaying(room)) add('Pause', 'pause', () => command({ action: 'pause' }), 'halt');
    else add('Play', 'play', () => command({ action: 'resume' }), 'resume go on');
    add('Stop', 'stop', () => command({ action: 'stop' }), 'halt end');
    add('Next track', 'next', () => command({ action: 'next' }), 'skip');
    add('Previous track', 'previous', () => command({ action: 'previous' }), 'back');
    add('Forward 15 seconds', 'forward', () => command({ action: 'skip', seconds: 15 }));
    add('Back 15 seconds', 'back', () => command({ action: 'skip', seconds: -15 }));
    add(room.modes?.muted ? 'Sound on' : 'Mute', 'muted', () => command({ action: 'mute', on: !room.modes?.muted }),
      'silence unmute');
    add('Open the player', 'up', () => navigate('#/playing'), 'now playing');
  }
  add('Play a random album', 'random', () => import('../rediscovery/random.js')
    .then(({ playRandom }) => playRandom()), 'surprise');
  add('Shuffle all albums', 'shuffle', () => enqueue({ id: 'library:all', title: 'All albums' }, 'now',
    { shuffle: true }));
  if (store.queues.get(room?.name)?.count) {
    add('Clear the queue', 'trash', clearQueue, 'empty');
    add('Save the queue as a playlist', 'playlists', () => import('../playlists/playlistedits.js')
      .then(({ saveQueue }) => saveQueue(room.name)));
  }
  add('Show or hide the queue beside the page', 'queue', () => import('./queuepanel.js')
    .then(({ toggleQueuePanel }) => toggleQueuePanel()), 'panel');
  add('Refresh all sources', 'sync', () => refreshSources(), 'sync scan update read again rescan');
  add('Keyboard shortcuts', 'keys', showShortcutList, 'keys help');
  return all;
}

/** Returns the places that the navigation leads to, as it offers them now. */
function places() {
  const links = [...document.querySelectorAll('#nav a:not([hidden])')].filter(({ dataset }) => dataset.name !== 'more');
  return links.map((link) => ({
    key: `place ${link.dataset.name}`, name: link.textContent, icon: link.dataset.name || 'home',
      href: link.getAttribute('href'), words: 'go to open', hint: 'Place',
  }));
}

function rooms() {
  const current = currentRoom();
  const others = store.rooms.filter(({ name, away }) => name !== current?.name && !away);
  const show = (room) => ({ key: `room ${room.name}`, name: `Steer ${roomTitle(room.name)}`, icon: 'rooms',
    run: () => chooseRoom(room.name), words: 'room show', hint: 'Room' });
  const move = (room) => ({
    key: `move ${room.name}`, name: `Move the music to ${roomTitle(room.name)}`, icon: 'rooms',
      run: () => moveMusic(current.name, room.name), words: 'room transfer', hint: 'Room',
  });
  return [...others.map(show), ...current?.track ? others.map(move) : []];
}

/** Returns what a search found as entries: albums, artists, songs and playlists, the best result first. */
function entriesOf(found, isToPlay) {
  const entry = (kind, item, href, hint) => {
    const whole = { ...item, title: item.title ?? item.name };
    return {
      key: `${kind} ${item.id}`, id: item.id, name: isToPlay ? `Play ${whole.title}` : whole.title,
        cover: kind === 'track' ? { ...item, title: item.album } : whole, hint,
      ...(isToPlay || kind === 'track' ? { run: () => enqueue(whole) } : { href }), play: () => enqueue(whole),
    };
  };
  const lists = [
    found.artists.slice(0, 3).map((one) => entry('artist', one, address('artist', one.id), 'Artist')),
    found.albums.slice(0, 4).map((one) => entry('album', one, address('album', one.id), `Album · ${one.artist}`)),
    found.tracks.slice(0, 3).map((one) => entry('track', one, null, `Song · ${one.artist}`)),
    (found.playlists ?? []).slice(0, 2).map((one) => entry('playlist', one, address('playlist', one.id), 'Playlist')),
  ].flat();
  const best = lists.find(({ id }) => id === found.best?.id);
  return [...(best ? [best] : []), ...lists.filter((one) => one !== best)].slice(0, most.music);
}

class Palette {
  #entries = [];
  #chosen = 0;
  #timer = 0;
  #reading = null;
  #music = [];
  #from = document.activeElement;

  constructor() {
    this.box = h('input', {
      type: 'text', role: 'combobox', 'aria-expanded': 'true', 'aria-controls': 'palette-list',
        'aria-label': 'Search or command', autocomplete: 'off',
      autocapitalize: 'off', spellcheck: 'false', placeholder: 'Go to, play, pause, a room …',
        'aria-autocomplete': 'list',
    });
    this.list = h('ul', { id: 'palette-list', role: 'listbox', 'aria-label': 'Commands' });
    const foot = h('p', { class: 'palette-foot', 'aria-hidden': 'true' },
      ['↑ ↓ choose', 'Enter open', 'Shift Enter play', 'Esc close'].map((text) => h('span', { text })));
    this.element = h('dialog', { class: 'palette', 'aria-label': 'Command palette' }, this.box, this.list, foot);
    this.element.addEventListener('click', (event) => event.target === this.element && this.element.close());
    this.element.addEventListener('close', () => this.#end());
    this.box.addEventListener('input', () => this.#input());
    this.box.addEventListener('keydown', (event) => this.#key(event));
    document.body.append(this.element);
    this.element.showModal();
    this.#show();
  }

  get #text() {
    return this.box.value.trim();
  }

  #input() {
    clearTimeout(this.#timer);
    this.#reading?.abort();
    this.#chosen = 0;
    const text = this.#text;
    // Enter must not play a result of former words.
    this.#music = [];
    if (text.length > 1) this.#timer = setTimeout(() => this.#search(text), pause);
    this.#show();
  }

  /** Searches the library; “play NAME” finds what is then played. */
  async #search(text) {
    const { isToPlay, name } = wishOf(text);
    if (!name) return;
    this.#reading = new AbortController();
    try {
      this.#music = entriesOf(await read('search', { q: name, limit: 8 }, this.#reading.signal), isToPlay);
      this.#show();
    } catch (error) {
      showError(error);
    }
  }

  #show() {
    const text = this.#text.toLowerCase();
    const commands = fitting([...actions(), ...rooms(), ...places()], text);
    const run = () => {
      rememberSearch(this.#text);
      navigate(`${address('search')}?q=${encodeURIComponent(this.#text)}`);
    };
    const name = `Search for “${this.#text}”`;
    const search = text ? [{ key: 'search', name, icon: 'search', hint: '', run }] : [];
    this.#entries = [...(text ? commands.slice(0, most.commands) : commands),
      ...(text.length < 2 ? [] : this.#music), ...search];
    this.#chosen = Math.min(this.#chosen, Math.max(0, this.#entries.length - 1));
    reconcile(this.list, this.#entries, ({ key, name }) => `${key} ${name}`, (entry) => this.#make(entry));
    this.#mark();
  }

  #make(entry) {
    const picture = entry.cover ? h('span', { class: 'cover', 'aria-hidden': 'true' }) : icon(entry.icon);
    if (entry.cover) setCover(picture, entry.cover);
    const element = h('li', { role: 'option', id: `palette ${entry.key}`.replaceAll(/\W/g, '-'), onclick: (event) => {
      this.#chosen = [...this.list.children].indexOf(element);
      this.#run(event.shiftKey);
    } }, picture, h('b', { text: entry.name }), h('span', { class: 'soft', text: entry.hint }));
    return element;
  }

  #mark() {
    [...this.list.children].forEach(
      (element, index) => setAttribute(element, 'aria-selected', String(index === this.#chosen)));
    const chosen = this.list.children[this.#chosen];
    setAttribute(this.box, 'aria-activedescendant', chosen?.id ?? null);
    chosen?.scrollIntoView({ block: 'nearest' });
  }

  #key(event) {
    const to = chosenAfter(event.key, this.#chosen, this.#entries.length);
    if (event.key === 'Enter' && !event.isComposing) this.#run(event.shiftKey);
    else if (to !== null) this.#chosen = to;
    else return;
    event.preventDefault();
    this.#mark();
  }

  #run(isToPlay) {
    const entry = this.#entries[this.#chosen];
    if (!entry) return;
    if (entry.cover) rememberSearch(wishOf(this.#text).name);
    this.isDone = true;
    this.element.close();
    const run = isToPlay && entry.play ? entry.play : entry.run ?? (() => navigate(entry.href));
    Promise.resolve(run()).catch(showError);
  }

  #end() {
    clearTimeout(this.#timer);
    this.#reading?.abort();
    this.element.remove();
    // Another one may have opened before the event of the closing came.
    if (open === this) open = null;
    if (!this.isDone) this.#from?.focus?.({ preventScroll: true });
  }
}

let open = null;

/** Opens the palette, or closes it if it is open. */
export async function togglePalette() {
  await styled;
  if (open?.element.open) open.element.close();
  else open = new Palette();
}
