// Sources of music: their names and states in words. All words that depend on the kind of a source are in `kinds`.
import { count, perSecond } from '../core/format.js';
import { store } from '../core/store.js';
import { linkButton } from './controls.js';

/** True if the library does not answer. */
export function libraryIsAway() {
  return store.nodes.some(({ role, away }) => role === 'library' && away);
}

/**
 * The kinds of sources: the title, the unit in which reading is counted, and the way to add one. `form` adds it by an address
 * (and an account), `signIn` by a link to the service.
 */
export const kinds = {
  files: {
    title: 'Folders', unit: 'file', canBeRemoved: false, hasTrackCounts: false,
    form: { title: 'A folder', hint: 'Enter the full path of a folder on the machine that runs the library.', address: 'Folder', placeholder: '/srv/music', button: 'Add folder' },
  },
  plex: {
    title: 'Plex', unit: 'item', canBeRemoved: true, hasTrackCounts: true,
    signIn: { title: 'Plex', hint: 'You sign in at plex.tv. Lunara does not see your password.', button: 'Sign in to Plex' },
  },
  subsonic: {
    title: 'Subsonic', unit: 'item', canBeRemoved: true, hasTrackCounts: true,
    form: { title: 'A Subsonic server', hint: 'For example Navidrome, Gonic or Airsonic.', address: 'Address', placeholder: 'music.example:4533', hasAccount: true, button: 'Add server' },
  },
};

/** The words for a kind; a kind that this page does not know is treated as a server. */
export function kindOf({ kind }) {
  return kinds[kind] ?? { title: kind, unit: 'item', canBeRemoved: true, hasTrackCounts: true };
}

/** The name of a source; the title of its kind where the name says no more than that. */
export function sourceName(source) {
  return source.name === source.kind ? kindOf(source).title : source.name;
}

/** The state of a source in one line. */
export function sourceStatus(source) {
  const { unit } = kindOf(source);
  if (source.health === 'scanning') {
    const { done = 0, total = null, rate = 0 } = source.progress ?? {};
    const progress = total ? `${done.toLocaleString('en')} of ${count(total, unit)}` : count(done, unit);
    return `Reading: ${progress}${rate ? `, ${perSecond(rate)}` : ''} …`;
  }
  if (source.health === 'unreachable') return 'The server cannot be reached. The page shows what was read before.';
  if (source.health === 'signed-out') return 'You are signed out. Sign in again. The page shows what was read before.';
  if (source.problemCount) return unit === 'file' ? `${count(source.problemCount, 'file')} could not be read.` : count(source.problemCount, 'problem');
  return 'No problems.';
}

/** The message for a library without albums: `{ title, words, more }`, where `more()` makes further elements. */
export function emptyLibraryMessage() {
  const { catalogue } = store;
  if (!catalogue || libraryIsAway()) {
    return { title: 'The library does not answer', words: 'It may be starting. Your albums appear here as soon as it answers.', more: () => [] };
  }
  if (catalogue.sources.some(({ health }) => health === 'scanning')) {
    return { title: 'Reading your music', words: 'Your music is being read for the first time. Albums appear here as they are found.', more: () => [] };
  }
  const words = catalogue.sources.length ? 'Lunara found no music in its sources. Add another folder or a server.' : 'Lunara does not know yet where your music is. Add a folder or a server.';
  return { title: 'No albums yet', words, more: () => [linkButton('Add music', '#/welcome', 'plus', 'first')] };
}
