// The messages of services as the page shows them: a message may name a command of the command line or a variable of
// the environment, which helps nobody here. The page says instead where the same is done on it.

// The things that a person does on the page instead of the commands and variables that begin so, the most particular
// first.
const here = [
  ['sync --accept-deletions', 'On the machine of the household the deletions can be accepted.'],
  ['sync', 'Press Refresh in Settings, Music.'],
  ['login listenbrainz', 'Sign in again in Settings, Scrobbling.'],
  ['login lastfm', 'Sign in again in Settings, Scrobbling.'],
  ['login', 'Sign in again in Settings, Music.'],
  ['sources', 'Settings, Music has the sources.'],
  ['status', 'Settings, Health shows what runs.'],
  ['search', 'Look for it again in the search.'],
  ['albums', 'Look for it again in the search.'],
  ['playlist', 'Open the playlist again.'],
  ['providers', 'Settings, Playlists in step shows it.'],
  ['likes', 'The likes have a button that tries again.'],
  ['review', 'Settings, Walls has what reviews need.'],
  ['discovery', 'Settings, Walls has the sources.'],
  ['folders', 'Folders shows the music folders.'],
  ['output', 'Choose another output in Rooms.'],
  ['rooms', 'Rooms shows those that there are.'],
  ['problems', 'Settings, Music, Problems lists them.'],
  ['plugins', 'Settings, Plugins has them.'],
  ['article', 'Settings, Walls has what articles need.'],
  ['genres', 'Genres shows those that there are.'],
  ['themes', 'Themes shows those that there are.'],
  ['marks', 'Marks for deletion shows those that there are.'],
  ['todos webhook', 'Set it again in Settings, Garden.'],
  ['todos retry', 'Settings, Garden has a button that sends it again.'],
  ['todos', 'Todos shows those that there are.'],
  ['offline space', 'Settings, Offline has the limit.'],
  ['offline add', 'The menu of an album has “Keep offline”.'],
  ['offline', 'Settings, Offline has those that are kept.'],
  ['wishes', 'The wish list shows those that there are.'],
  ['play ALBUM', 'Press Play at an album.'],
  ['LUNARA_LASTFM_KEY and', 'The API key is set on the machine of the household.'],
  ['LUNARA_LASTFM_KEY', 'An account at Last.fm. Sign in in Settings, Scrobbling.'],
  ['LUNARA_TAG_ENCODING', 'The encoding of tags is set on the machine of the household.'],
  ['LUNARA_AUDIO', 'Choose another output in Rooms.'],
  ['LUNARA_', 'This is set on the machine of the household.'],
];

/** Returns the clauses of a message: its sentences, and the parts of them between semicolons. */
function clausesOf(message) {
  // Text between backquotes is never divided.
  return message.match(/(?:`[^`]*`|[^`])+?(?:[.!?;](?=\s)|$)\s*/g) ?? [message];
}

const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/** Returns a message without commands and variables, and with what a person does on the page instead. */
export function messageHere(text) {
  // The name of a folder may look like the end of a sentence.
  const message = text.replace(/(LUNARA_\w+) to .*(?= and restart)/, '$1');
  const commands = [/`lunara ([^`]*)`/g, /\b(LUNARA_[A-Z]\w*(?: and)?)/g]
    .flatMap((pattern) => [...message.matchAll(pattern)].map(([, command]) => command));
  if (!commands.length) return message;
  const isKept = (clause) => !clause.includes('`lunara ') && !/\bLUNARA_[A-Z]/.test(clause);
  const clauses = clausesOf(message);
  // A clause whose forerunner is left out begins a sentence.
  const isFirst = (at) => at && !isKept(clauses[at - 1]);
  const kept = clauses.map((clause, at) => (isFirst(at) ? capital(clause.replace(/^or /, '')) : clause)).filter(isKept);
  const words = kept.join('').trim().replace(/;$/, '.');
  const instead = here.find(([beginning]) => commands[0].startsWith(beginning))?.[1];
  return [words, instead].filter(Boolean).join(' ') || 'This is done on the machine of the household.';
}

// The properties of answers that are messages for a person.
const texts = new Set(['message', 'needs', 'hint']);

/** Decodes an answer of the service, whose messages are then those of the page. */
export function decode(text) {
  const revive = (key, value) => (texts.has(key) && typeof value === 'string' ? messageHere(value) : value);
  return /`lunara |LUNARA_/.test(text) ? JSON.parse(text, revive) : JSON.parse(text);
}
