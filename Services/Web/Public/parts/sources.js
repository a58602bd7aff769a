// Sources of music: their names and states in words. The library describes the kinds of sources.
import { change, read } from '../core/api.js';
import { count, perSecond } from '../core/format.js';
import { setKinds, store } from '../core/store.js';
import { showBanner, showError } from './banners.js';
import { linkButton } from './controls.js';

/** Returns true if the library does not answer. */
export function libraryIsAway() {
  return store.nodes.some(({ role, away }) => role === 'library' && away);
}

/** Reads the sources that are set up, and the kinds of sources that can be added. */
export async function readSources(signal) {
  const { items, kinds } = await read('sources', {}, signal);
  setKinds({ kinds });
  return items;
}

/**
 * Returns the properties of a source's kind. A kind without a sign-in reads files on the library's machine; an unknown
 * kind is treated as a server.
 */
export function kindOf({ kind }) {
  const known = store.kinds.find((one) => one.kind === kind);
  const isServer = known?.signIn.length !== 0;
  return {
    title: known?.title ?? kind,
    isServer,
    hasLink: Boolean(known?.signIn.includes('link')),
    unit: isServer ? 'item' : 'file',
  };
}

/** Returns the name of a source, or the title of its kind if both names are equal. */
export function sourceName(source) {
  return source.name === source.kind ? kindOf(source).title : source.name;
}

/** Refreshes a source, or all of them for null. */
export async function refreshSources(source = null) {
  try {
    await change('sync', source ? { source } : {});
    showBanner(source ? `Refreshing ${source} …` : 'Refreshing all sources …', { key: 'refresh' });
  } catch (error) {
    showError(error);
  }
}

const away = {
  'library.serverUntrusted': 'No trusted connection to the server can be made.',
  'library.wrongServerKind': 'Something else answers at the address of the server.',
  'library.otherServer': 'Another server answers at the address.',
};

/** Returns the state of a source as one sentence. */
export function sourceStatus(source) {
  const { unit } = kindOf(source);
  if (source.health === 'scanning') {
    const { done = 0, total = null, rate = 0 } = source.progress ?? {};
    const progress = total ? `${done.toLocaleString('en')} of ${count(total, unit)}` : count(done, unit);
    return `Reading: ${progress}${rate ? `, ${perSecond(rate)}` : ''} …`;
  }
  if (source.health === 'unreachable') {
    const reason = away[source.problems?.[0]?.code] ?? 'The server cannot be reached.';
    return `${reason} The page shows what was read before.`;
  }
  if (source.health === 'signed-out') return 'You are signed out. Sign in again. The page shows what was read before.';
  if (source.problems?.[0]?.code === 'library.noFolders') return 'No folder of music is set. Add one.';
  if (source.problemCount) {
    return unit === 'file'
      ? `${count(source.problemCount, 'file')} could not be read.`
      : count(source.problemCount, 'problem');
  }
  return 'No problems.';
}

/** Returns the message for a library without albums, `{ title, words, more }`; `more()` returns further elements. */
export function emptyLibraryMessage() {
  const { catalogue } = store;
  if (!catalogue || libraryIsAway()) {
    return {
      title: 'The library does not answer',
      words: 'It may be starting. Your albums appear here as soon as it answers.',
      more: () => [],
    };
  }
  if (catalogue.sources.some(({ health }) => health === 'scanning')) {
    return {
      title: 'Reading your music',
      words: 'Your music is being read for the first time. Albums appear here as they are found.',
      more: () => [],
    };
  }
  // There is always a source of folders, even without any folder.
  const hasServer = catalogue.sources.some(({ kind }) => kind !== 'files');
  const words = hasServer
    ? 'Lunara found no music in its sources. Add another server or a folder.'
    : 'Lunara has not found any music yet. Add a folder or a server.';
  return { title: 'No albums yet', words, more: () => [linkButton('Add music', '#/welcome', 'plus', 'first')] };
}
