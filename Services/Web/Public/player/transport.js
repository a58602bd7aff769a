// The knobs that steer a room: play and pause, tracks, 15 seconds, shuffle, repeat, mute.
import { currentRoom, queueOf } from '../core/store.js';
import { setAttribute } from '../core/dom.js';
import { shownState } from '../core/state.js';
import { change, command, toggle } from '../parts/actions.js';
import { knob, setKnob } from '../parts/buttons.js';

function press(element, isOn) {
  setAttribute(element, 'aria-pressed', isOn ? 'true' : 'false');
}

const isReachable = (room) => Boolean(room) && !room.away;

/** Plays or pauses. */
export function playKnob(kind = 'main') {
  const element = knob('play', 'Play', () => toggle(queueOf(currentRoom())), kind);
  element.show = (room) => {
    const isOn = room?.state === 'playing' || room?.state === 'buffering';
    setKnob(element, isOn ? 'pause' : 'play', isOn ? 'Pause' : 'Play');
    element.disabled = !isReachable(room) || !(room.track || queueOf(room)?.count);
    setAttribute(element, 'data-state', shownState(room));
  };
  return element;
}

function plain(picture, label, body, kind = '') {
  const element = knob(picture, label, () => command(body), kind);
  element.show = (room) => {
    element.disabled = !isReachable(room) || !room.track;
  };
  return element;
}

export const nextKnob = (kind) => plain('next', 'Next', { action: 'next' }, kind);
export const previousKnob = (kind) => plain('previous', 'Previous', { action: 'previous' }, kind);
export const backKnob = (kind) => plain('back', 'Back 15 seconds', { action: 'skip', seconds: -15 }, kind);
export const forwardKnob = (kind) => plain('forward', 'Forward 15 seconds', { action: 'skip', seconds: 15 }, kind);

/** Mixes the queue's tracks, or puts them back. */
export function shuffleKnob(kind = 'small') {
  const element = knob('shuffle', 'Shuffle the queue', () => {
    const isMixed = (currentRoom()?.modes?.order ?? 'queued') !== 'queued';
    change({ action: 'order', order: isMixed ? 'queued' : 'tracks' });
  }, kind);
  element.show = (room) => {
    const order = room?.modes?.order ?? 'queued';
    element.disabled = !isReachable(room) || !room.modes;
    press(element, order !== 'queued');
  };
  return element;
}

/** Off, the whole queue, one track. */
export function repeatKnob(kind = 'small') {
  const element = knob('repeat', 'Repeat: off', () => {
    const mode = { off: 'all', all: 'one' }[currentRoom()?.modes?.repeat] ?? 'off';
    command({ action: 'repeat', mode });
  }, kind);
  element.show = (room) => {
    const mode = room?.modes?.repeat ?? 'off';
    element.disabled = !isReachable(room) || !room.modes;
    setKnob(element, mode === 'one' ? 'repeatOne' : 'repeat', `Repeat: ${{ all: 'the queue', one: 'this track' }[mode] ?? 'off'}`);
    press(element, mode !== 'off');
  };
  return element;
}

/** Silence at a touch. */
export function muteKnob(kind = 'small') {
  const element = knob('volume', 'Mute', () => command({ action: 'mute', on: !currentRoom()?.modes?.muted }), kind);
  element.show = (room) => {
    const isMuted = room?.modes?.muted ?? false;
    element.disabled = !isReachable(room);
    setKnob(element, isMuted ? 'muted' : 'volume', 'Mute');
    press(element, isMuted);
  };
  return element;
}
