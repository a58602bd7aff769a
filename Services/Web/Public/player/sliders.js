// The sliders for the position and the volume. A slider shows the value that a person has set while they drag it, and
// for a moment afterwards, until the room has answered.
import { sendCommand } from '../core/api.js';
import { h, setAttribute, setText, setVars } from '../core/dom.js';
import { clock } from '../core/format.js';
import { currentRoom, positionOf } from '../core/store.js';
import { command } from '../parts/actions.js';
import { showError } from '../parts/banners.js';
import { muteButton } from './playbackbuttons.js';

// The time in milliseconds for which a set value is shown after the last change.
const holdTime = 1500;

function slider(label, max, during, after) {
  const input = h('input', { type: 'range', class: 'slider', min: 0, max, step: 1, value: 0, 'aria-label': label });
  let held = null;
  let timer = 0;
  const hold = () => {
    held = { value: Number(input.value), until: performance.now() + holdTime };
  };
  const settle = () => {
    clearTimeout(timer);
    timer = 0;
  };
  input.addEventListener('input', () => {
    hold();
    input.paint(held.value);
    timer ||= setTimeout(() => {
      settle();
      during(Number(input.value));
    }, 125);
  });
  input.addEventListener('change', () => {
    settle();
    hold();
    after(Number(input.value));
  });
  /** Returns the value that a person has set, while it is held; null otherwise. */
  input.held = () => {
    if (held && performance.now() > held.until && !input.matches(':active')) held = null;
    return held?.value ?? null;
  };
  input.release = () => {
    held = null;
  };
  return input;
}

/**
 * Returns a line that is filled up to a share, from 0 to 1, by `fill(share)`. It is stretched instead of painted,
 * so that it costs next to nothing; `buffered(share)` shows how much the room has read.
 */
export function progressLine(kind) {
  const filled = h('i', { class: 'filled' });
  const ahead = h('i', { class: 'ahead' });
  const element = h('span', { class: `groove ${kind}`, 'aria-hidden': 'true' }, ahead, filled);
  const set = (part) => (share) => setVars(part, { '--share': Math.max(0, Math.min(1, share || 0)).toFixed(4) });
  return Object.assign(element, { fill: set(filled), buffered: set(ahead) });
}

/** Returns the position slider of the shown room. Its touch area is 54 pixels high. */
export function scrubber() {
  const elapsed = h('span');
  const length = h('span');
  const line = progressLine('');
  const seek = (seconds) => command({ action: 'seek', seconds, entry: currentRoom()?.entry ?? undefined });
  const input = slider('Position', 1, () => {}, seek);
  const times = h('div', { class: 'times', 'aria-hidden': 'true' }, elapsed, length);
  const element = h('div', { class: 'scrubber' }, line, input, times);
  let entry = null;
  input.paint = (at) => {
    const all = currentRoom()?.durationSeconds ?? 0;
    line.fill(all ? at / all : 0);
    setText(elapsed, clock(at));
    setText(length, all ? clock(all) : '');
    setAttribute(input, 'aria-valuetext', all ? `${clock(at)} of ${clock(all)}` : clock(at));
  };
  element.show = () => {
    const room = currentRoom();
    // A change of the track ends the hold at once.
    if (room?.entry !== entry) {
      input.release();
      entry = room?.entry;
    }
    const all = room?.durationSeconds ?? 0;
    input.disabled = !room?.track || room.away || !all;
    setAttribute(input, 'max', Math.max(1, Math.floor(all)));
    const at = input.held() ?? (room?.track ? positionOf(room) : 0);
    if (!input.matches(':active')) input.value = at;
    input.paint(at);
    line.buffered(all && room.bufferedSeconds ? room.bufferedSeconds / all : 0);
  };
  return element;
}

// The percent by which one step of the wheel changes the volume.
const wheelStep = 3;
// The distance in pixels on a touchpad that counts as one step. A wheel reports more than that, and counts as one.
const stepDistance = 50;

/**
 * Returns a function that adds up the events of one wheel or touchpad, and returns the whole steps since the last call:
 * positive ones away from the person, negative ones towards them. A change of direction begins anew.
 */
function stepCounter() {
  let turned = 0;
  return ({ deltaY, deltaMode }) => {
    if (turned * deltaY < 0) turned = 0;
    turned += Math.max(-1, Math.min(1, deltaMode ? deltaY : deltaY / stepDistance));
    const steps = Math.trunc(turned);
    turned -= steps;
    return -steps;
  };
}

/**
 * Returns the volume slider of the room that `roomOf()` returns. `sendCommand(body, name)` sends a command to the room
 * with that name.
 */
export function volume(roomOf, sendCommand) {
  let waiting = null;
  let isSending = false;
  // One at a time, as an older one could arrive last. Of those that wait only the latest is sent.
  const send = async (percent) => {
    waiting = [{ action: 'volume', percent }, roomOf()?.name];
    if (isSending) return;
    isSending = true;
    while (waiting) {
      const next = waiting;
      waiting = null;
      await sendCommand(...next);
    }
    isSending = false;
  };
  const input = slider('Volume', 100, send, send);
  input.classList.add('volume-slider');
  input.paint = (value) => {
    const most = roomOf()?.modes?.maxVolume ?? 100;
    setVars(input, { '--at': `${Math.min(100, value / most * 100)}%` });
    setAttribute(input, 'aria-valuetext', `${value} percent`);
  };
  input.show = () => {
    const room = roomOf();
    input.disabled = !room || room.away;
    setAttribute(input, 'max', room?.modes?.maxVolume ?? 100);
    const value = input.held() ?? room?.volume ?? 0;
    if (!input.matches(':active')) input.value = value;
    input.paint(value);
  };
  const countSteps = stepCounter();
  input.addEventListener('wheel', (event) => {
    if (input.disabled || event.ctrlKey || !event.deltaY) return;
    event.preventDefault();
    const steps = countSteps(event);
    if (!steps) return;
    input.value = Math.max(0, Math.min(Number(input.max), Number(input.value) + steps * wheelStep));
    input.dispatchEvent(new Event('input', { bubbles: true }));
  }, { passive: false });
  return input;
}

/** Returns the mute button and the volume slider of the shown room. The wheel over either turns the volume. */
export function volumeControl(kind) {
  const mute = muteButton('small');
  const input = volume(currentRoom, (body, name) => sendCommand(name, body).catch(showError));
  const element = h('span', { class: kind }, mute, input);
  mute.addEventListener('wheel', (event) => {
    const { deltaY, deltaMode, ctrlKey } = event;
    const isTaken = !input.dispatchEvent(new WheelEvent('wheel', { deltaY, deltaMode, ctrlKey, cancelable: true }));
    if (isTaken) event.preventDefault();
  }, { passive: false });
  element.show = (room) => {
    mute.show(room);
    input.show();
  };
  return element;
}
