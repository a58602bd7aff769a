// Controls of a room: the menu of rooms, the room's name, and its test sound.
import { change } from '../core/api.js';
import { setText } from '../core/dom.js';
import { roomTitle } from '../core/format.js';
import { shownState, stateName } from '../core/playbackstate.js';
import { chooseRoom, currentRoom, roomNamed, store } from '../core/store.js';
import { showBanner, showError } from './banners.js';
import { field, textButton } from './controls.js';
import { openMenu } from './menu.js';
import { moveMusic } from './queueundo.js';

/**
 * Opens the menu of rooms at the button that was pressed, with the rooms that the page can show and those to which the
 * music can move.
 */
export function openRoomMenu(event) {
  const button = event.currentTarget;
  const current = currentRoom();
  const others = store.rooms.filter((room) => room.name !== current?.name && !room.away);
  const shown = store.rooms.map((room) => ({
    name: `${roomTitle(room.name)} – ${stateName(shownState(room)).toLowerCase()}`, icon: 'rooms',
    isOn: room.name === current?.name,
    run: () => chooseRoom(room.name),
  }));
  const moves = current?.track ? others.map((room) => ({
    name: `Move the music to ${roomTitle(room.name)}`, icon: 'rooms', run: () => moveMusic(current.name, room.name),
  })) : [];
  const box = button.getBoundingClientRect();
  openMenu('Rooms', [...shown, ...moves, { name: 'All rooms', icon: 'settings', href: '#/rooms' }], box.left,
    box.top - 60 * (shown.length + moves.length + 1), button);
}

const path = (name) => `rooms/${encodeURIComponent(name)}`;

/**
 * Returns the field with a room's title; `nameOf()` returns the room's name. An empty field restores the room's own
 * name.
 */
export function roomNameField(nameOf) {
  const send = () => {
    const name = nameOf();
    const title = input.value.trim();
    if (!name || title === roomTitle(name)) return;
    change(path(name), { title: title || null }, 'PATCH')
      .then(() => showBanner(title ? `The room is now called ${title}.` : 'The room has its original name again.',
        { key: 'named' }))
      .catch((error) => {
        input.value = roomTitle(name);
        showError(error);
      });
  };
  const element = field('Name', {
    maxlength: 64, onchange: send, onkeydown: (event) => event.key === 'Enter' && input.blur(),
  });
  const input = element.querySelector('input');
  element.show = () => {
    const name = nameOf();
    element.hidden = !name;
    input.disabled = !name || roomNamed(name)?.away;
    if (name && document.activeElement !== input) input.value = roomTitle(name);
  };
  return element;
}

/** Returns the button that plays a sound of two seconds in a room; `nameOf()` returns the room's name. */
export function testSoundButton(nameOf) {
  const element = textButton('Play a test sound', 'volume', async () => {
    const name = nameOf();
    element.disabled = true;
    setText(words, 'Playing …');
    try {
      await change(`${path(name)}/test-sound`);
      showBanner(`The test sound was played in ${roomTitle(name)}. If you did not hear it, choose another output or `
        + 'turn up the volume.',
        { key: 'test' });
    } catch (error) {
      showError(error);
    } finally {
      element.disabled = false;
      setText(words, 'Play a test sound');
    }
  });
  const words = element.querySelector('span');
  return element;
}
