// The rules of smart playlists: what can be compared how, and their form in JSON, that of `.nsp` files.

const comparisons = {
  text: {
    is: 'is', isNot: 'is not', contains: 'contains', notContains: 'does not contain', startsWith: 'starts with',
    endsWith: 'ends with',
  },
  number: { gt: 'is over', lt: 'is under', is: 'is', isNot: 'is not', inTheRange: 'is between' },
  time: { inTheLast: 'in the last days', notInTheLast: 'not in the last days', before: 'before', after: 'after' },
  playlist: { inPlaylist: 'is in', notInPlaylist: 'is not in' },
};

/** The fields: each with its title and its kind. */
export const fields = {
  genre: ['Genre', 'text'], style: ['Style', 'text'], mood: ['Mood', 'text'], year: ['Year', 'number'],
  rating: ['Rating (stars)', 'number'],
  playcount: ['Plays', 'number'], skips: ['Skips', 'number'], lastplayed: ['Last played', 'time'],
  dateadded: ['Added', 'time'],
  title: ['Title', 'text'], artist: ['Artist', 'text'], albumartist: ['Album artist', 'text'], album: ['Album', 'text'],
  composer: ['Composer', 'text'], conductor: ['Conductor', 'text'], performer: ['Performer', 'text'],
  work: ['Work', 'text'],
  label: ['Label', 'text'], duration: ['Length (seconds)', 'number'], folder: ['Folder', 'text'],
  source: ['Source', 'text'],
  format: ['Codec', 'text'], bitrate: ['Bit rate (kbit/s)', 'number'], samplerate: ['Sample rate (Hz)', 'number'],
  bitdepth: ['Bit depth', 'number'],
  tracknumber: ['Track number', 'number'], id: ['Playlist', 'playlist'],
};

/** Returns the comparisons of a field, by their names. */
export const comparisonsOf = (field) => comparisons[fields[field]?.[1] ?? 'text'];

/** Returns the kind of input for the value of a condition: text, number, date, or playlist. */
export function inputOf(field, comparison) {
  if (['before', 'after'].includes(comparison)) return 'date';
  const kind = fields[field]?.[1] ?? 'text';
  return kind === 'time' ? 'number' : kind;
}

/**
 * Returns the parts of rules that can be shown as rows; null for rules with groups in groups, or with unknown fields.
 */
export function asRows(rules) {
  const match = rules.any ? 'any' : 'all';
  const rows = (rules[match] ?? []).map((condition) => {
    const [[comparison, operand] = []] = Object.entries(condition);
    const [[name, value] = []] = Object.entries(operand ?? {});
    const field = name?.toLowerCase() === 'added' ? 'dateadded' : name?.toLowerCase();
    return comparisonsOf(field)?.[comparison] && fields[field] ? { field, comparison, value } : null;
  });
  return rows.every(Boolean) ? { match, rows } : null;
}

/** Returns rules of rows, with the limits and the order of others. */
export function fromRows({ match, rows }, { sort, limit, unit, seed, ...others }) {
  const kept = Object.fromEntries(Object.entries(others).filter(([name]) => !['all', 'any', 'order'].includes(name)));
  return {
    [match]: rows.map(({ field, comparison, value }) => ({ [comparison]: { [field]: value } })),
    ...kept, ...(sort ? { sort } : {}), ...(sort === 'random' && seed !== undefined ? { seed } : {}),
    ...(limit ? { limit } : {}), ...(unit === 'albums' ? { unit } : {}),
  };
}
