// The menu of rooms: which one the page shows, and where the music moves.
import { move } from '../core/api.js';
import { shownState, stateName } from '../core/state.js';
import { choose, currentRoom, store } from '../core/store.js';
import { roomTitle } from '../core/words.js';
import { complain, say } from '../parts/banners.js';
import { openMenu } from '../parts/menu.js';

/** Moves what plays in a room to another, and shows that one. */
export async function moveMusic(from, to) {
  try {
    await move(from, to);
    choose(to);
    say(`The music goes on in ${roomTitle(to)}.`, { key: 'moved' });
  } catch (error) {
    complain(error);
  }
}

/** Opens the menu at the button that was pressed. */
export function openRooms(event) {
  const button = event.currentTarget;
  const current = currentRoom();
  const others = store.rooms.filter((room) => room.name !== current?.name && !room.away);
  const shown = store.rooms.map((room) => ({
    name: `${roomTitle(room.name)} – ${stateName(shownState(room)).toLowerCase()}`, icon: 'rooms', isOn: room.name === current?.name,
    run: () => choose(room.name),
  }));
  const moves = current?.track ? others.map((room) => ({
    name: `Move the music to ${roomTitle(room.name)}`, icon: 'rooms', run: () => moveMusic(current.name, room.name),
  })) : [];
  const box = button.getBoundingClientRect();
  openMenu('Rooms', [...shown, ...moves, { name: 'All rooms', icon: 'settings', href: '#/rooms' }], box.left, box.top - 60 * (shown.length + moves.length + 1), button);
}
