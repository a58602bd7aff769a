// How numbers and names are said.

/** What the services are called that are told what is heard. */
export const serviceNames = { lastfm: 'Last.fm', listenbrainz: 'ListenBrainz', plex: 'Plex' };

/** `3:07`, or `1:02:45` from an hour on. */
export function clock(seconds) {
  const total = Math.max(0, Math.floor(seconds || 0));
  const two = (number) => String(number).padStart(2, '0');
  const hours = Math.floor(total / 3600);
  const rest = `${Math.floor(total / 60) % 60}`;
  return hours ? `${hours}:${two(rest)}:${two(total % 60)}` : `${rest}:${two(total % 60)}`;
}

/** `42 minutes`, `1 hour 5 minutes`. */
export function span(seconds) {
  const minutes = Math.max(1, Math.round((seconds || 0) / 60));
  const hours = Math.floor(minutes / 60);
  const parts = [];
  if (hours) parts.push(count(hours, 'hour'));
  if (minutes % 60 || !hours) parts.push(count(minutes % 60, 'minute'));
  return parts.join(' ');
}

/** `1 record`, `1,204 records`. */
export function count(number, word) {
  return `${number.toLocaleString('en')} ${word}${number === 1 ? '' : 's'}`;
}

/** How fast something goes: `312 a second`, `2.3 a second`. */
export function perSecond(rate) {
  return `${rate < 10 ? rate.toFixed(1) : Math.round(rate).toLocaleString('en')} a second`;
}

const titles = new Map();

/** Takes in what people call their rooms. */
export function nameRooms(rooms) {
  titles.clear();
  for (const { name, title } of rooms) if (title) titles.set(name, title);
}

/** What a room is called: what people named it, else its name as they would write it, `Living room` for `living-room`. */
export function roomTitle(name) {
  if (titles.has(name)) return titles.get(name);
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** How long ago a moment was: `just now`, `5 minutes ago`, `yesterday`, else the day. */
export function ago(moment) {
  const at = new Date(moment);
  const minutes = Math.round((Date.now() - at) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${count(minutes, 'minute')} ago`;
  if (minutes < 24 * 60) return `${count(Math.round(minutes / 60), 'hour')} ago`;
  if (minutes < 48 * 60) return 'yesterday';
  return at.toLocaleDateString('en', { day: 'numeric', month: 'long', year: 'numeric' });
}

/** The time of day of a moment: `21:40`. */
export function timeOfDay(moment) {
  return new Date(moment).toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', hour12: false });
}
