// The screen of rooms: the track, volume and output of each room, and moving the music between them.
import { change, sendCommand } from '../core/api.js';
import { h, reconcile, setAttribute, setMessage, setText } from '../core/dom.js';
import { roomTitle, span } from '../core/format.js';
import { setIndicator, shownState, stateIndicator, stateName } from '../core/playbackstate.js';
import { chooseRoom, currentRoom, roomNamed, store, subscribe } from '../core/store.js';
import { showError } from '../parts/banners.js';
import { choices, iconButton, setIconButton, textButton } from '../parts/controls.js';
import { setCover } from '../parts/cover.js';
import { emptyMessage, pageHeader } from '../parts/headers.js';
import { openMenu } from '../parts/menu.js';
import { moveMusic } from '../parts/queueundo.js';
import { roomNameField, testSoundButton } from '../parts/roomcontrols.js';
import { volume } from '../player/sliders.js';

const levels = [
  ['off', 'off'],
  ['track', 'same loudness for all tracks'],
  ['album', 'same loudness for all albums'],
  ['smart', 'by album, in mixes by track'],
];

const longTracks = [['', 'from the beginning'], ['left', 'where I left them']];

const send = (name, body) => sendCommand(name, body).catch(showError);
const setOutput = (name, body) => change(`rooms/${encodeURIComponent(name)}/output`, body, 'PATCH').catch(showError);

function outputBox(name) {
  const device = choices('Output', [['', 'automatic']], '', (value) => setOutput(name, { device: value }));
  const level = choices('Volume levelling', levels, 'off', (value) => setOutput(name, { levels: value }));
  const most = choices('Maximum volume', [100, 90, 80, 70, 60, 50, 40, 30].map((one) => [one, `${one} %`]), 100,
    (value) => setOutput(name, { maxVolume: Number(value) }));
  const sleep = choices('Sleep timer',
    [['', 'off'], ...[15, 30, 45, 60, 90].map((minutes) => [minutes * 60, span(minutes * 60)])], '',
    (value) => send(name, { action: 'sleep', ...(value ? { seconds: Number(value) } : {}) }));
  const long = choices('Tracks over 20 minutes', longTracks, '',
    (value) => setOutput(name, { resumesLongTracks: Boolean(value) }));
  const called = roomNameField(() => name);
  const element = h('details', { class: 'room-more' }, h('summary', { text: 'Name, output, volume and sleep timer' }),
    h('div', { class: 'fields' }, called, device, level, most, long, sleep),
    h('p', { class: 'row wrap' }, testSoundButton(() => name)));
  let known = '';
  element.show = () => {
    const output = store.outputs.get(name);
    const room = roomNamed(name);
    called.show();
    const timer = sleep.querySelector('select');
    if (document.activeElement !== timer && !room?.sleepsInSeconds) timer.value = '';
    for (const box of [device, level, most, long]) box.hidden = !output;
    if (!output) return;
    const list = JSON.stringify([output.devices, output.chosen]);
    const select = device.querySelector('select');
    if (list !== known) {
      known = list;
      const missing = output.chosen && !output.devices.some((one) => one.name === output.chosen)
        ? [[output.chosen, `${output.chosen} (not connected)`]]
        : [];
      select.replaceChildren(...[['', 'automatic'], ...output.devices.map((one) => [one.name, one.title]), ...missing]
        .map(([value, text]) => h('option', { value, text })));
      select.value = output.chosen ?? '';
    }
    if (document.activeElement !== level.querySelector('select')) level.querySelector('select').value = output.levels;
    if (document.activeElement !== long.querySelector('select')) {
      long.querySelector('select').value = output.resumesLongTracks ? 'left' : '';
    }
    if (document.activeElement !== most.querySelector('select')) most.querySelector('select').value = output.maxVolume;
  };
  return element;
}

/** Opens the menu of rooms to which the music of a room can move. */
function openMoveMenu(name, button) {
  const others = store.rooms.filter((room) => room.name !== name && !room.away);
  const box = button.getBoundingClientRect();
  openMenu('Move the music to',
    others.map((room) => ({ name: roomTitle(room.name), icon: 'rooms', run: () => moveMusic(name, room.name) })),
    box.left, box.bottom + 4, button);
}

function make({ name }) {
  const cover = h('span', { class: 'cover', 'aria-hidden': 'true' });
  const play = iconButton('play', 'Play', () => send(name, { action: 'toggle' }));
  const mute = iconButton('volume', 'Mute',
    () => send(name, { action: 'mute', on: !roomNamed(name)?.modes?.muted }),
    'small');
  const loud = volume(() => roomNamed(name), (body) => send(name, body));
  const look = textButton('Show', null, () => chooseRoom(name), { kind: 'quiet' });
  const move = textButton('Move the music', 'rooms', (event) => openMoveMenu(name, event.currentTarget));
  const output = outputBox(name);
  const problem = h('p', { class: 'problem', hidden: true });
  const parts = {
    cover, play, mute, loud, look, move, output, problem, mark: stateIndicator(),
    title: h('h2', { text: roomTitle(name) }), state: h('span'), now: h('p', { class: 'room-now' }),
  };
  const element = h('li', { class: 'card room' },
    h('div', { class: 'room-head' },
      cover,
      h('div', { class: 'room-words' },
        parts.title,
        h('p', { class: 'room-state' }, parts.mark, parts.state),
        parts.now),
      play),
    problem, h('div', { class: 'row room-volume' }, mute, loud), h('div', { class: 'row' }, look, move), output);
  element.parts = parts;
  loud.setAttribute('aria-label', `Volume in ${roomTitle(name)}`);
  return element;
}

function update({ parts }, room) {
  const state = shownState(room);
  const isShown = room.name === currentRoom()?.name;
  const { track } = room;
  setCover(parts.cover,
    track ? { ...track, title: track.album, artist: track.albumArtist } : { title: roomTitle(room.name) });
  setText(parts.title, roomTitle(room.name));
  setIndicator(parts.mark, state);
  setText(parts.state, stateName(state));
  setText(parts.now, track ? `${track.title} – ${track.artist}` : 'Nothing is playing.');
  const isOn = room.state === 'playing' || room.state === 'buffering';
  setIconButton(parts.play, isOn ? 'pause' : 'play', `${isOn ? 'Pause' : 'Play'} in ${roomTitle(room.name)}`);
  parts.play.disabled = room.away || !track;
  setIconButton(parts.mute, room.modes?.muted ? 'muted' : 'volume', `Mute ${roomTitle(room.name)}`);
  setAttribute(parts.mute, 'aria-pressed', Boolean(room.modes?.muted));
  parts.mute.disabled = room.away;
  parts.loud.show();
  setText(parts.look.querySelector('span'), isShown ? 'Shown on this page' : 'Show on this page');
  setAttribute(parts.look, 'aria-pressed', isShown);
  parts.move.hidden = !track || store.rooms.length < 2;
  const problem = state === 'error'
    ? room.message
    : room.notice?.message ?? (room.preview ? `Preview, from ${room.plugin}.` : undefined);
  parts.problem.hidden = !problem;
  if (problem) setMessage(parts.problem, problem);
  parts.output.show();
}

/** Opens the screen of rooms. */
export async function open() {
  const list = h('ul', { class: 'rooms', 'aria-label': 'Rooms' });
  const none = h('div', { hidden: true },
    emptyMessage('No rooms',
      'A room is a machine that plays the music of the household. It appears here when Lunara runs on it.'));
  const show = () => {
    none.hidden = store.rooms.length > 0 || !store.settled;
    reconcile(list, store.rooms, ({ name }) => name, make, update);
  };
  let stop = () => {};
  return {
    title: 'Rooms', element: h('section', { class: 'screen', 'aria-label': 'Rooms' }, pageHeader('Rooms'), none, list),
    isLive: true,
    show() {
      stop = subscribe(show);
    },
    hide: () => stop(),
  };
}
