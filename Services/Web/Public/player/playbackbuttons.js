// The playback buttons: play and pause, next and previous, 15 seconds back and forward, shuffle, repeat, mute.
import { setAttribute } from '../core/dom.js';
import { shownState } from '../core/playbackstate.js';
import { currentRoom, queueOf } from '../core/store.js';
import { changeQueue, command, toggle } from '../parts/actions.js';
import { iconButton, setIconButton } from '../parts/controls.js';

function setPressed(element, isOn) {
  setAttribute(element, 'aria-pressed', isOn ? 'true' : 'false');
}

const isReachable = (room) => Boolean(room) && !room.away;

/** Returns the button that plays or pauses. */
export function playButton() {
  const element = iconButton('play', 'Play', toggle, 'main');
  element.show = (room) => {
    const isOn = room?.state === 'playing' || room?.state === 'buffering';
    setIconButton(element, isOn ? 'pause' : 'play', isOn ? 'Pause' : 'Play');
    element.disabled = !isReachable(room) || !(room.track || queueOf(room)?.count);
    setAttribute(element, 'data-state', shownState(room));
  };
  return element;
}

function plain(picture, label, body, kind = '') {
  const element = iconButton(picture, label, () => command(body), kind);
  element.show = (room) => {
    element.disabled = !isReachable(room) || !room.track;
  };
  return element;
}

export const nextButton = (kind) => plain('next', 'Next', { action: 'next' }, kind);
export const previousButton = (kind) => plain('previous', 'Previous', { action: 'previous' }, kind);
const backButton = (kind) => plain('back', 'Back 15 seconds', { action: 'skip', seconds: -15 }, kind);
const forwardButton = (kind) => plain('forward', 'Forward 15 seconds', { action: 'skip', seconds: 15 }, kind);

/** Returns the button that shuffles the queue, or restores its order. */
function shuffleButton(kind = 'small') {
  const element = iconButton('shuffle', 'Shuffle the queue', () => {
    const isShuffled = (currentRoom()?.modes?.order ?? 'queued') !== 'queued';
    changeQueue({ action: 'order', order: isShuffled ? 'queued' : 'tracks' });
  }, kind);
  element.show = (room) => {
    const order = room?.modes?.order ?? 'queued';
    element.disabled = !isReachable(room) || !room.modes;
    setPressed(element, order !== 'queued');
  };
  return element;
}

/** Returns the button that switches the repeat mode: off, the queue, one track. */
function repeatButton(kind = 'small') {
  const element = iconButton('repeat', 'Repeat: off', () => {
    const mode = { off: 'all', all: 'one' }[currentRoom()?.modes?.repeat] ?? 'off';
    command({ action: 'repeat', mode });
  }, kind);
  element.show = (room) => {
    const mode = room?.modes?.repeat ?? 'off';
    element.disabled = !isReachable(room) || !room.modes;
    setIconButton(element, mode === 'one' ? 'repeatOne' : 'repeat',
      `Repeat: ${{ all: 'the queue', one: 'this track' }[mode] ?? 'off'}`);
    setPressed(element, mode !== 'off');
  };
  return element;
}

/** Returns the button that mutes the room. */
export function muteButton(kind = 'small') {
  const element = iconButton('volume', 'Mute', () => command({
    action: 'mute', on: !currentRoom()?.modes?.muted,
  }), kind);
  element.show = (room) => {
    const isMuted = room?.modes?.muted ?? false;
    element.disabled = !isReachable(room);
    setIconButton(element, isMuted ? 'muted' : 'volume', 'Mute');
    setPressed(element, isMuted);
  };
  return element;
}

/**
 * Returns all buttons in their order, which is the same in the bar and the player. The classes are those of the modes
 * at both ends, of the jumps in time, and of the previous track.
 */
export function allButtons({ modes, jumps = 'small', previous = '' }) {
  return [
    shuffleButton(modes), previousButton(previous), backButton(jumps), playButton(), forwardButton(jumps),
    nextButton(), repeatButton(modes),
  ];
}
