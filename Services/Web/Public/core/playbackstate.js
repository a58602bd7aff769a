// The states of playback as the page shows them: the five of a room, and those of a room that does not answer or is missing.
import { h, setAttribute } from './dom.js';
import { store } from './store.js';

const names = {
  idle: 'Nothing playing', buffering: 'Buffering', playing: 'Playing', paused: 'Paused', error: 'Error',
  away: 'Reconnecting', none: 'No room', waiting: 'Connecting',
};

/** Returns the state to show: that of the room, unless the room or the service does not answer. */
export function shownState(room) {
  if (!room) return store.settled && store.link === 'open' ? 'none' : 'waiting';
  if (room.away || store.link === 'lost') return 'away';
  return names[room.state] ? room.state : 'idle';
}

/** Returns the name of a state. */
export function stateName(state) {
  return names[state] ?? state;
}

/** A small sign of a state: bars that move, pulse or stand still, or a warning sign. Silent to screen readers. */
export function stateIndicator() {
  return h('span', { class: 'mark', 'aria-hidden': 'true' }, h('i'), h('i'), h('i'));
}

/** Shows a state in a sign; null hides the sign. */
export function setIndicator(element, state) {
  setAttribute(element, 'data-state', state);
}

/** Returns the state of a room for the item that is current in it; null for other items. */
export function stateIfCurrent(room, isCurrent) {
  const state = shownState(room);
  return isCurrent && state !== 'idle' && state !== 'none' ? state : null;
}
