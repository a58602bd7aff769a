// The day and the room by which the history is narrowed, and what follows from them.
import { roomTitle } from '../core/format.js';
import { dayOf, dayWords, isDay, shifted, startOf } from './days.js';

/** Returns the address of the history of a day and a room; both may be null. */
export function addressOf({ day = null, room }) {
  const query = new URLSearchParams({ ...(day ? { day } : {}), ...(room ? { room } : {}) });
  return `#/history${query.size ? `?${query}` : ''}`;
}

/** Returns the day and the room of an address; null where it has none, or one that the calendar does not have. */
export function placeIn(query) {
  return { day: isDay(query.get('day')) ? query.get('day') : null, room: query.get('room') || null };
}

/** Returns the parameters of a request for the listens of a place. */
export function spanOf({ day, room }) {
  return { room, ...(day ? { since: startOf(day).toISOString(), until: startOf(shifted(day, 1)).toISOString() } : {}) };
}

/**
 * Returns the days to which one goes from a day: the nearest ones with plays, of which `plays` has the numbers by day,
 * else the days beside it. There is no later day than `today`.
 */
export function daysBeside(day, plays, today = dayOf(Date.now())) {
  const others = [...plays ?? []].filter(([, number]) => number).map(([one]) => one).sort();
  return {
    earlier: others.findLast((one) => one < day) ?? shifted(day, -1),
    later: others.find((one) => one > day) ?? (day < today ? shifted(day, 1) : null),
  };
}

/** Returns the words for a place at which nothing was heard; null for the whole history. */
export function emptyWords({ day, room }) {
  const where = [day && `on ${dayWords(day, { isPlain: true })}`, room && `in ${roomTitle(room)}`].filter(Boolean);
  return where.length ? `There are no listens ${where.join(' ')}.` : null;
}

/** Returns the choice of rooms as `[name, title]`; empty if there is none to choose from. */
export function roomOptions(rooms, room) {
  const names = [...rooms, ...(room && !rooms.includes(room) ? [room] : [])];
  return names.length > 1 || room ? [['', 'All rooms'], ...names.map((name) => [name, roomTitle(name)])] : [];
}
