// The periods of statistics, as they stand in the address: `week`, `month`, `year`, `all`, or a year such as `2024`.
import { daysFrom, dayOf, heardWords, shifted, weekdayOf } from './days.js';

/** The periods with their names. */
export const periods = [['week', 'This week'], ['month', 'This month'], ['year', 'This year'], ['all', 'All time']];

/** Returns a period that there is: that of an address, or else this year. */
export const periodOf = (text) => (
  periods.some(([name]) => name === text) || /^\d{4}$/.test(text ?? '') ? text : 'year');

/** Returns the first and the last day of a period, as parameters of a request; both are null for all time. */
export function daysOf(period, now = Date.now()) {
  const today = dayOf(now);
  const year = today.slice(0, 4);
  switch (period) {
    case 'all': return { from: null, to: null };
    case 'week': return { from: shifted(today, -weekdayOf(today)), to: today };
    case 'month': return { from: `${today.slice(0, 8)}01`, to: today };
    case 'year': return { from: `${year}-01-01`, to: today };
    default: return { from: `${period}-01-01`, to: period === year ? today : `${period}-12-31` };
  }
}

/** Returns the name of the period before another one, of the same length: `the 12 days before`, `the year before`. */
export function beforeWords(from, to) {
  const days = daysFrom(from, to);
  if (days === 365 || days === 366) return 'the year before';
  return days === 1 ? 'the day before' : `the ${days} days before`;
}

/** Says how a count compares with that of the period before: `12 more than`, `as many as`. */
export function comparison(now, before) {
  if (now === before) return 'as many as';
  return `${Math.abs(now - before).toLocaleString('en')} ${now > before ? 'more than' : 'fewer than'}`;
}

/** Says how a time heard compares with that of the period before: `2 hours more than`, `as much as`. */
export function timeComparison(now, before) {
  const [one, other] = [heardWords(now), heardWords(before)];
  if (one === other) return 'as much as';
  return `${heardWords(Math.abs(now - before))} ${now > before ? 'more than' : 'less than'}`;
}
