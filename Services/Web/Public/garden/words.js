// Words of the garden: kinds of todos, and dates.

/** The kinds of todos with their names. */
export const kinds = {
  cover: 'Cover', year: 'Year', split: 'One album shown as several', missing: 'Missing track', rip: 'Rip it again',
  spelling: 'Spelling', formats: 'Several formats', other: 'Something else',
};

/** Formats a day: `12 November 2025`. */
export const dayOf = (moment) =>
  new Date(moment).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });
