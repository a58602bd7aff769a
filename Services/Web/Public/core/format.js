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

/**
 * Formats a whole number: `1,204`. The browser's own function takes long when it is first called, as it then reads the
 * data of languages: 10 ms of the time until the first album.
 */
function grouped(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Formats a count: `1 album`, `1,204 albums`. */
export function count(number, word, plural = `${word}s`) {
  return `${grouped(number)} ${number === 1 ? word : plural}`;
}

/** Formats a rate: `312 per second`, `2.3 per second`. */
export function perSecond(rate) {
  return `${rate < 10 ? rate.toFixed(1) : grouped(Math.round(rate))} per second`;
}

/** Formats a size: `640 MB`, `1.2 GB`. */
export function size(bytes) {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const at = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const number = bytes / 1000 ** at;
  return `${number >= 10 || !at ? Math.round(number) : number.toFixed(1)} ${units[at]}`;
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

// An earlier time is that of a clock that was not set: no service has listens of before.
const earliest = Date.UTC(2000, 0);

/**
 * Formats a past time: `just now`, `5 minutes ago`, `3 hours ago`, `yesterday`, or the date; `at an unknown time` where
 * the clock was not set then.
 */
export function ago(moment) {
  const at = new Date(moment);
  if (at.getTime() < earliest) return 'at an unknown time';
  const minutes = Math.round((Date.now() - at.getTime()) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${count(minutes, 'minute')} ago`;
  if (minutes < 24 * 60) return `${count(Math.round(minutes / 60), 'hour')} ago`;
  if (minutes < 48 * 60) return 'yesterday';
  return at.toLocaleDateString('en', { day: 'numeric', month: 'long', year: 'numeric' });
}

/** Formats the time of day: `21:40`. */
export function timeOfDay(moment) {
  const at = new Date(moment);
  return [at.getHours(), at.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
}

/** Formats a date of which parts may be unknown: `1999`, `May 1999`, `1 May 1999`. */
export function dateWords(date) {
  const [year, month, day] = date.split('-').map(Number);
  if (!month) return date;
  const at = new Date(Date.UTC(2000, month - 1, day || 1));
  return `${at.toLocaleDateString('en-GB', { month: 'long', timeZone: 'UTC', ...(day ? { day: 'numeric' } : {}) })} `
    + `${year}`;
}

/** Formats a sorted list of numbers: `4`, `4 and 7`, `4, 6–9 and 12`. */
export function ranges(numbers) {
  const parts = [];
  for (const number of numbers) {
    const last = parts.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else parts.push([number, number]);
  }
  const words = parts.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`));
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${words.at(-1)}` : words.join('');
}

/**
 * Returns what tells an album apart from others of its name: the year of an edition of another year than the original,
 * the words for the edition, and the quality and the folder of one whose artist, title and year another album has too.
 * Of the folder it returns the last part, and two parts if the last is the title.
 */
export function distinctions({ title, year, date, edition, quality, folder }) {
  const isLater = date && Number(date.slice(0, 4)) !== year;
  const parts = folder?.split('/') ?? [];
  return [
    isLater && date.slice(0, 4), edition, folder && quality, parts.slice(parts.at(-1) === title ? -2 : -1).join('/'),
  ].filter(Boolean);
}

/** Returns true for the address of something at a service. */
export const isAddress = (text) => /^(https?:\/\/\S+|spotify:(track|album|playlist):\S+)$/.test(text);
