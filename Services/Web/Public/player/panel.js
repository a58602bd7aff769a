// The panel of the player with its three parts: the queue, the lyrics and the notes. Lyrics and notes are loaded when
// they are first looked at.
import { messageOf, read } from '../core/api.js';
import { h, setAttribute } from '../core/dom.js';
import { onFact } from '../core/events.js';
import { preference, setPreference } from '../core/preferences.js';
import { makeUpNext } from './upnext.js';

/** Makes the part with the notes of a track's album, from the garden. */
async function makeNotes() {
  const { makePlayingNotes } = await import('../garden/playing.js');
  const box = h('div', { class: 'sheet-notes' });
  const none = h('p', { class: 'soft', text: 'Notes are for tracks of the library.' });
  const show = await makePlayingNotes(box);
  const scroll = h('div', { class: 'panel-scroll' }, box, none);
  const element = h('section', { class: 'panel-part', 'aria-label': 'Notes' }, scroll);
  element.show = (track) => {
    show(track);
    none.hidden = !box.hidden;
  };
  return element;
}

/** @type {[name: string, title: string, make: () => Promise<any>][]} */
const kinds = [
  ['next', 'Up next', async () => makeUpNext()],
  ['lyrics', 'Lyrics', async () => (await import('./lyrics.js')).makeLyrics()],
  ['notes', 'Notes', makeNotes],
];

/** Returns the panel. `show(track)` shows its part for a track, `tick()` follows the time, and `hide()` ends that. */
export function makePanel() {
  const tabs = kinds.map(([name, title]) => h('button', {
    type: 'button', role: 'tab', id: `tab-${name}`, class: 'panel-tab', 'aria-controls': 'sheet-panel', text: title,
    onclick: () => choose(name),
  }));
  const list = h('div', { class: 'panel-tabs', role: 'tablist', 'aria-label': 'Beside the player' }, tabs);
  list.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const to = (kinds.findIndex(([name]) => name === chosen) + step + kinds.length) % kinds.length;
    choose(kinds[to][0]);
    tabs[to].focus();
  });
  const box = h('div', { class: 'panel-box', role: 'tabpanel', id: 'sheet-panel' });
  const element = h('section', { class: 'sheet-panel', 'aria-label': 'Queue, lyrics and notes' }, list, box);
  const made = new Map();
  let chosen = preference('panel', 'next');
  if (!kinds.some(([name]) => name === chosen)) chosen = 'next';
  let track = null;
  let isOn = false;
  // The album of which it is known if there are notes about it.
  let noted = null;
  const part = () => box.firstElementChild;

  async function mount() {
    tabs.forEach((tab, index) => {
      setAttribute(tab, 'aria-selected', String(kinds[index][0] === chosen));
      tab.tabIndex = kinds[index][0] === chosen ? 0 : -1;
    });
    setAttribute(box, 'aria-labelledby', `tab-${chosen}`);
    const name = chosen;
    if (!made.has(name)) made.set(name, kinds.find(([one]) => one === name)[2]());
    try {
      const now = await made.get(name);
      if (name !== chosen) return;
      if (part() !== now) {
        part()?.hide?.();
        box.replaceChildren(now);
      }
      if (isOn) now.show(track);
    } catch (error) {
      made.delete(name); // The next change of the room tries again.
      if (name !== chosen) return;
      part()?.hide?.();
      box.replaceChildren(h('p', { class: 'soft', role: 'status', text: messageOf(error) }));
    }
  }

  /** Marks the tab of the notes if there are any about the album. */
  async function markNotes() {
    const about = track?.albumID ?? null;
    if (about === noted) return;
    noted = about;
    const tab = tabs.at(-1);
    setAttribute(tab, 'data-has', null);
    setAttribute(tab, 'aria-label', null);
    if (!about) return;
    const { items } = await read('notes', { on: about, limit: 1 });
    if (noted !== about || !items.length) return;
    setAttribute(tab, 'data-has', 'yes');
    setAttribute(tab, 'aria-label', 'Notes, some about this album');
  }
  const mark = () => markNotes().catch(() => {
    noted = null; // The next change of the room tries again.
  });
  onFact(({ kind }) => {
    if (kind !== 'library.note-changed') return;
    noted = null;
    if (isOn) mark();
  });

  function choose(name) {
    chosen = name;
    setPreference('panel', name);
    mount();
  }

  return Object.assign(element, {
    show(now) {
      [track, isOn] = [now, true];
      mount();
      mark();
    },
    tick: () => part()?.tick?.(),
    hide() {
      isOn = false;
      part()?.hide?.();
    },
  });
}
