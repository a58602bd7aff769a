// Functions that format numbers, times and names as text.

/** Formats a time in a track: `3:07`, or `1:02:45` from an hour on. */
export function clock(seconds) {
  const total = Math.max(0, Math.floor(seconds || 0));
  const two = (number) => String(number).padStart(2, '0');
  const hours = Math.floor(total / 3600);
  const rest = `${Math.floor(total / 60) % 60}`;
  return hours ? `${hours}:${two(rest)}:${two(total % 60)}` : `${rest}:${two(total % 60)}`;
}

/** Formats a length: `42 minutes`, `1 hour 5 minutes`. */
export function span(seconds) {
  const minutes = Math.max(1, Math.round((seconds || 0) / 60));
  const hours = Math.floor(minutes / 60);
  const parts = [];
  if (hours) parts.push(count(hours, 'hour'));
  if (minutes % 60 || !hours) parts.push(count(minutes % 60, 'minute'));
  return parts.join(' ');
}

/** Formats a count: `1 album`, `1,204 albums`. */
export function count(number, word) {
  return `${number.toLocaleString('en')} ${word}${number === 1 ? '' : 's'}`;
}

/** Formats a rate: `312 per second`, `2.3 per second`. */
export function perSecond(rate) {
  return `${rate < 10 ? rate.toFixed(1) : Math.round(rate).toLocaleString('en')} per second`;
}

const titles = new Map();

/** Sets the titles that people gave to their rooms. */
export function setRoomTitles(rooms) {
  titles.clear();
  for (const { name, title } of rooms) if (title) titles.set(name, title);
}

/** Returns the title of a room, or if it has none its name as words: `Living room` for `living-room`. */
export function roomTitle(name) {
  if (titles.has(name)) return titles.get(name);
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Formats a past time: `just now`, `5 minutes ago`, `3 hours ago`, `yesterday`, or the date. */
export function ago(moment) {
  const at = new Date(moment);
  const minutes = Math.round((Date.now() - at) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${count(minutes, 'minute')} ago`;
  if (minutes < 24 * 60) return `${count(Math.round(minutes / 60), 'hour')} ago`;
  if (minutes < 48 * 60) return 'yesterday';
  return at.toLocaleDateString('en', { day: 'numeric', month: 'long', year: 'numeric' });
}

/** Formats the time of day: `21:40`. */
export function timeOfDay(moment) {
  return new Date(moment).toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', hour12: false });
}
