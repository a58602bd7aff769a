// Words of the garden: kinds of todos, dates and sizes.

/** The kinds of todos with their names. */
export const kinds = {
  cover: 'Cover', year: 'Year', split: 'One album shown as several', missing: 'Missing track', rip: 'Rip it again',
  spelling: 'Spelling', formats: 'Several formats', other: 'Something else',
};

/** Formats a day: `12 November 2025`. */
export const dayOf = (moment) =>
  new Date(moment).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });

/** Formats a size: `1.2 GB`. */
export function size(bytes) {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const at = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const number = bytes / 1000 ** at;
  return `${number >= 10 || !at ? Math.round(number) : number.toFixed(1)} ${units[at]}`;
}
