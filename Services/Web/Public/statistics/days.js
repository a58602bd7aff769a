// Days of the calendar as the service writes them, such as `2026-11-20`, and their words.

const two = (number) => String(number).padStart(2, '0');

/** Returns the name of the day on which a moment is here. */
export function dayOf(moment) {
  const at = new Date(moment);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** Returns the first moment of a day here. */
export function startOf(day) {
  const [year, month, date] = day.split('-').map(Number);
  return new Date(year, month - 1, date);
}

/** Returns the day that is some days later, or earlier for a negative number. */
export function shifted(day, number) {
  const at = startOf(day);
  at.setDate(at.getDate() + number);
  return dayOf(at);
}

/** Returns the day of the week, from 0 for Monday. */
export const weekdayOf = (day) => (startOf(day).getDay() + 6) % 7;

/** Returns the number of days from one day to another, both counted. */
export const daysFrom = (first, last) => 
  Math.round((startOf(last).getTime() - startOf(first).getTime()) / 86_400_000) + 1;

/** Returns true for a day that the calendar has. */
export const isDay = (text) => /^\d{4}-\d\d-\d\d$/.test(text ?? '') && dayOf(startOf(text)) === text;

/** Formats a day: `Friday, 20 November 2026`; for the last two days `Today` and `Yesterday`. */
export function dayWords(day, { isPlain = false } = {}) {
  const today = dayOf(Date.now());
  if (!isPlain && day === today) return 'Today';
  if (!isPlain && day === shifted(today, -1)) return 'Yesterday';
  return startOf(day).toLocaleDateString('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
}

/** Formats the name of a day, a month or a year of the statistics: `20 Nov`, `Nov 2026`, `2026`. */
export function stepWords(name, { isLong = false } = {}) {
  const [year, month, day] = name.split('-').map(Number);
  if (!month) return name;
  const at = new Date(year, month - 1, day || 1);
  const length = isLong ? 'long' : 'short';
  if (!day) return at.toLocaleDateString('en-GB', { month: length, year: 'numeric' });
  return at.toLocaleDateString('en-GB', { day: 'numeric', month: length, ...(isLong ? { year: 'numeric' } : {}) });
}

/** Formats a time heard: `under a minute`, `42 min`, `12.5 hours`, `1,204 hours`. */
export function heardWords(seconds) {
  if (!seconds) return 'nothing';
  if (seconds < 60) return 'under a minute';
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`;
  const hours = seconds / 3600;
  const text = hours < 100 ? hours.toFixed(1).replace(/\.0$/, '') : Math.round(hours).toLocaleString('en');
  return `${text} ${text === '1' ? 'hour' : 'hours'}`;
}
