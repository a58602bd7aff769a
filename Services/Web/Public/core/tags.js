// Tags: the words, people and properties by which lists of albums are narrowed. The address of a list has them as
// `tag=genre:Jazz` and, those that are excluded, as `without=type:live`.

/** The kinds of tags in groups, each with its title. */
export const kindGroups = [
  ['Music', {
    genre: 'Genre', style: 'Style', mood: 'Mood', decade: 'Decade', year: 'Year', type: 'Type of release', key: 'Key',
    language: 'Language', grouping: 'Grouping',
  }],
  ['People', {
    artist: 'Artist', composer: 'Composer', conductor: 'Conductor', performer: 'Performer', lyricist: 'Lyricist',
    remixer: 'Remixer', work: 'Work',
  }],
  ['Release', { label: 'Label', media: 'Medium', country: 'Country' }],
  ['Files', { format: 'Format', sampleRate: 'Sample rate', bitDepth: 'Bit depth', folder: 'Folder', source: 'Source' }],
  ['Yours', { rating: 'Rating', unplayed: 'Never played', added: 'Date added' }],
];

/** The roles of people that are tags of albums as well. */
export const taggedRoles = ['artist', 'albumArtist', 'composer', 'conductor', 'lyricist', 'remixer', 'performer'];

const titles = Object.assign({ albumArtist: 'Album artist' }, ...kindGroups.map(([, kinds]) => kinds));
const types = { ep: 'EP', 'dj-mix': 'DJ mix', spokenword: 'Spoken word' };
const days = { '7d': 'In the last week', '30d': 'In the last 30 days', '365d': 'In the last year' };
const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);

const areas = { XE: 'Europe', XU: 'Unknown', XW: 'Worldwide' };

/** Returns the name of a country, which tags mostly write as two letters of ISO 3166. */
function countryWords(code) {
  return areas[code] ?? (/^[A-Z]{2}$/.test(code) ? new Intl.DisplayNames('en', { type: 'region' }).of(code) : code);
}

const words = {
  country: countryWords,
  language: (code) => (/^[a-z]{2,3}$/.test(code) ? new Intl.DisplayNames('en', { type: 'language' }).of(code) : code),
  source: (name) => (name === 'files' ? 'Folders' : name),
  decade: (name) => `${name}s`,
  type: (name) => types[name] ?? capital(name),
  sampleRate: (name) => `${Number(name) / 1000} kHz`,
  bitDepth: (name) => `${name} bit`,
  format: (name) => name.toUpperCase(),
  rating: (name) => (name === '5' ? '5 stars' : `${name} ${name === '1' ? 'star' : 'stars'} or more`),
  added: (name) => days[name] ?? `In ${name}`,
  unplayed: () => 'Never played',
};

/** Returns the title of a kind of tags. */
export function kindTitle(kind) {
  return titles[kind] ?? kind;
}

/** Returns the name of a tag as people read it: `1970s`, `44.1 kHz`. */
export function tagWords({ kind, name }) {
  return words[kind]?.(name) ?? name;
}

/** Returns the tags of an address's query. */
export function tagsOf(query) {
  const read = (parameter, isExcluded) => query.getAll(parameter).map((text) => {
    const [kind, ...name] = text.split(':');
    return { kind, name: name.join(':'), isExcluded };
  });
  return [...read('tag', false), ...read('without', true)];
}

/** Returns tags as the parameters of a request. */
export function tagParameters(tags) {
  const texts = (isExcluded) =>
    tags.filter((tag) => tag.isExcluded === isExcluded).map(({ kind, name }) => `${kind}:${name}`);
  return { tag: texts(false), without: texts(true) };
}

/** Returns the address of a place, such as `albums`, with tags and further parameters. */
export function placeAddress(place, tags, more = {}) {
  const { tag, without } = tagParameters(tags);
  const query = new URLSearchParams([
    ...tag.map((text) => ['tag', text]), ...without.map((text) => ['without', text]), ...Object.entries(more),
  ]);
  return `#/${place}${query.size ? `?${query}` : ''}`;
}

/** Returns the address of the albums with one tag. */
export function tagAddress(kind, name) {
  return placeAddress('albums', [{ kind, name, isExcluded: false }]);
}

export const isSameTag = (one, other) => one.kind === other.kind && one.name === other.name;
