// What sources have to say, as lines and as words for an empty shelf.
import { store } from '../core/store.js';
import { count, perSecond } from '../core/words.js';
import { pillLink } from './buttons.js';

/** Whether the library is known to be away. */
export function libraryIsAway() {
  return store.nodes.some(({ role, away }) => role === 'library' && away);
}

const kinds = { files: 'Folders', plex: 'Plex', subsonic: 'Subsonic' };

/** What a source is called: its name, where that says more than its kind. */
export function sourceName({ name, kind }) {
  return name === kind ? kinds[kind] ?? name : name;
}

/** How a source is doing, in one line. */
export function sourceLine(source) {
  if (source.health === 'scanning') {
    const { done = 0, total = null, rate = 0 } = source.progress ?? {};
    const thing = source.kind === 'files' ? 'file' : 'item';
    const far = total ? `${done.toLocaleString('en')} of ${count(total, thing)}` : count(done, thing);
    return `Being read: ${far}${rate ? `, ${perSecond(rate)}` : ''} …`;
  }
  if (source.health === 'unreachable') return 'Cannot be reached right now. What was read before is shown.';
  if (source.health === 'signed-out') return 'Asks you to sign in again. What was read before is shown.';
  if (source.problemCount) return source.kind === 'files' ? `${count(source.problemCount, 'file')} could not be read.` : count(source.problemCount, 'problem');
  return 'All is well.';
}

/** Why there is nothing on the shelf, and what can be done. */
export function emptyWords() {
  const { catalogue } = store;
  if (!catalogue || libraryIsAway()) {
    return { title: 'The library is not answering', words: 'It may be starting. The shelf fills by itself as soon as it is there.', more: () => [] };
  }
  if (catalogue.sources.some(({ health }) => health === 'scanning')) {
    return { title: 'Unpacking the records', words: 'Your music is being read for the first time. The shelf fills by itself.', more: () => [] };
  }
  const words = catalogue.sources.length ? 'No music was found where Lunara looks. Add another folder, or a server.' : 'Lunara does not know where your music is yet.';
  return { title: 'An empty shelf', words, more: () => [pillLink('Add music', '#/welcome', 'plus', 'first')] };
}
