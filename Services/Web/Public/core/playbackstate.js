// The playback states as the page shows them: the five states of a room, and those of a room that does not answer or is
// missing.
import { h, setAttribute } from './dom.js';
import { moveLevels } from './levels.js';
import { store } from './store.js';

const names = {
  idle: 'Nothing playing', buffering: 'Buffering', playing: 'Playing', paused: 'Paused', error: 'Error',
  away: 'Reconnecting', none: 'No room', waiting: 'Connecting',
};

/** Returns the state to show: the room's state, unless the room or the service does not answer. */
export function shownState(room) {
  if (!room) return store.settled && store.link === 'open' ? 'none' : 'waiting';
  if (room.away || store.link === 'lost') return 'away';
  return names[room.state] ? room.state : 'idle';
}

/** Returns the name of a state. */
export function stateName(state) {
  return names[state] ?? state;
}

/**
 * Returns the small indicator of a state: bars that move, pulse or stand still, or a warning sign. Screen readers
 * ignore it.
 */
export function stateIndicator() {
  return h('span', { class: 'mark', 'aria-hidden': 'true' }, h('i'), h('i'), h('i'));
}

/** Shows a state in an indicator; null hides the indicator. */
export function setIndicator(element, state) {
  setAttribute(element, 'data-state', state);
  if (state === 'playing') moveLevels();
}

/** Returns the state to show at an item that is the room's current one; null for other items. */
export function stateIfCurrent(room, isCurrent) {
  const state = shownState(room);
  return isCurrent && state !== 'idle' && state !== 'none' ? state : null;
}
