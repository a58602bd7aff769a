// The states of playback as people see them: everywhere the same five, and what stands for a room that is not heard of.
import { h, setAttribute } from './dom.js';
import { store } from './store.js';

const names = {
  idle: 'Nothing playing', buffering: 'Buffering', playing: 'Playing', paused: 'Paused', error: 'Stopped by an error',
  away: 'Reconnecting', none: 'No room', waiting: 'Looking around',
};

/** The state a person sees: the room's own, unless the room or the service cannot be heard of. */
export function shownState(room) {
  if (!room) return store.settled && store.link === 'open' ? 'none' : 'waiting';
  if (room.away || store.link === 'lost') return 'away';
  return names[room.state] ? room.state : 'idle';
}

/** How a state is called. */
export function stateName(state) {
  return names[state] ?? state;
}

/** A small sign of a state: bars that dance, wait or rest, or a mark of trouble. Silent to screen readers. */
export function mark() {
  return h('span', { class: 'mark', 'aria-hidden': 'true' }, h('i'), h('i'), h('i'));
}

/** Shows a state in a sign; null hides it. */
export function setMark(element, state) {
  setAttribute(element, 'data-state', state);
}

/** The state in which a room has a thing that is current there, or null. */
export function stateOf(room, isCurrent) {
  const state = shownState(room);
  return isCurrent && state !== 'idle' && state !== 'none' ? state : null;
}
