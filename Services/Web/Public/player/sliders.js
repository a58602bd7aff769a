// The sliders for the position and the volume. A slider shows the value that a person has set while they drag it, and
// for a moment afterwards, until the room has answered.
import { h, setAttribute, setVars } from '../core/dom.js';
import { clock } from '../core/format.js';
import { currentRoom, positionOf } from '../core/store.js';
import { command } from '../parts/actions.js';

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

/** Returns the position slider of the shown room. Its touch area is 54 pixels high. */
export function scrubber() {
  const elapsed = h('span');
  const length = h('span');
  const input = slider('Position', 1, () => {}, (seconds) => command({ action: 'seek', seconds, entry: currentRoom()?.entry ?? undefined }));
  const element = h('div', { class: 'scrubber' }, input, h('div', { class: 'times', 'aria-hidden': 'true' }, elapsed, length));
  let entry = null;
  input.paint = (at) => {
    const all = currentRoom()?.durationSeconds ?? 0;
    setVars(element, { '--at': `${all ? Math.min(100, at / all * 100).toFixed(2) : 0}%` });
    elapsed.textContent = clock(at);
    length.textContent = clock(all);
    setAttribute(input, 'aria-valuetext', `${clock(at)} of ${clock(all)}`);
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
    setVars(element, { '--buffered': all && room.bufferedSeconds ? `${Math.min(100, room.bufferedSeconds / all * 100).toFixed(1)}%` : null });
  };
  return element;
}

/** Returns the volume slider of the room that `roomOf()` returns; `sendCommand` sends the commands. */
export function volume(roomOf, sendCommand) {
  const send = (percent) => sendCommand({ action: 'volume', percent });
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
  return input;
}
