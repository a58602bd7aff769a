// The room chooser: a brass plate with one room's name, or one key a room where there are several.
import { dismiss, say } from './banners.js';
import { h, reconcile, setAttribute } from './dom.js';
import { choose, currentRoom, follow, store } from './store.js';
import { roomTitle } from './words.js';

const names = { idle: 'quiet', buffering: 'buffering', playing: 'playing', paused: 'paused', error: 'error' };

function make(room) {
  return h('button', { type: 'button', class: 'room', onclick: () => choose(room.name) },
    h('span', { class: 'lamp', 'aria-hidden': 'true' }), h('span', { text: roomTitle(room.name) }));
}

function update(key, room) {
  const state = room.away ? 'away' : room.state;
  const chosen = room.name === currentRoom()?.name;
  setAttribute(key, 'data-state', state);
  setAttribute(key, 'aria-pressed', chosen);
  setAttribute(key, 'aria-label', `${roomTitle(room.name)}, ${state === 'away' ? 'reconnecting' : names[state] ?? state}`);
}

/** Says which rooms are away, once each, until they are back. */
const away = new Set();

function announce() {
  const now = new Set(store.link === 'lost' ? [] : store.rooms.filter((room) => room.away).map((room) => room.name));
  for (const name of now) {
    if (away.has(name)) continue;
    say(`${roomTitle(name)} is away. Reconnecting …`, { key: `away ${name}`, kind: 'wait' });
  }
  for (const name of away) if (!now.has(name)) dismiss(`away ${name}`);
  away.clear();
  for (const name of now) away.add(name);
}

/** Wires the chooser to the store. */
export function startRooms() {
  const keys = document.getElementById('rooms');
  follow(() => {
    keys.classList.toggle('single', store.rooms.length === 1);
    reconcile(keys, store.rooms, (room) => room.name, make, update);
    announce();
  });
}
