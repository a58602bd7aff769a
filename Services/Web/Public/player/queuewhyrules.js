// The words in which the page explains a queue.
import { count } from '../core/format.js';

const places = [
  ['here', 'on this machine'], ['kept', 'kept offline'], ['fetched', 'fetched in advance'],
  ['away', 'on another machine or a server'],
];
// The most things that were queued of which each is named.
const most = 5;

function originWords({ id, title, tracks, continued }) {
  return `${title ?? id ?? 'Single tracks'}, ${count(tracks, 'track')}${continued ? ', by which it went on' : ''}`;
}

function diskWords(coming) {
  const counts = places.map(([place, words]) => [coming.filter(({ audio }) => audio === place).length, words])
    .filter(([number]) => number).map(([number, words]) => `${number} ${words}`);
  return counts.length ? `Of the next ${coming.length}: ${counts.join(', ')}` : 'Not known';
}

function followingWords({ on, words, albums, titles, startsInSeconds }, later) {
  if (!on) return `Nothing. If it continues: ${words}`;
  const what = titles?.length === 0 ? 'No more albums' : count(albums, 'album');
  const soon = startsInSeconds ? later(startsInSeconds) : 'now';
  const time = startsInSeconds === null ? 'when the last album plays' : soon;
  return `${what} from ${words}, added ${time}${titles?.length ? `: ${titles.join(', ')}` : ''}`;
}

function endWords({ stopsAfter, repeat, endsInSeconds, continuation }, later) {
  if (stopsAfter) return `After this ${stopsAfter}, where the room stops`;
  if (repeat === 'one') return 'Never: it repeats this track';
  if (repeat === 'all') return 'Never: it repeats all';
  const end = endsInSeconds === null ? 'at a time that is not known' : later(endsInSeconds);
  const words = continuation?.on ? `${end}, and goes on` : end;
  return words[0].toUpperCase() + words.slice(1);
}

/** Returns pairs of a label and a text. `later(seconds)` returns the words for a time that many seconds from now. */
export function whyLines(why, later) {
  if (!why.coming.length) return [['Queue', 'Nothing is to be played']];
  const { origins, continuation, repeat } = why;
  const rest = origins.length > most ? [['', `and ${origins.length - most} more`]] : [];
  const repeats = repeat === 'one' || repeat === 'all';
  return [
    ...origins.slice(0, most).map((origin, index) => [index ? '' : 'Queued', originWords(origin)]), ...rest,
    ['On disk', diskWords(why.coming)],
    ...(continuation && !repeats ? [['Then', followingWords(continuation, later)]] : []),
    ['Ends', endWords(why, later)],
  ];
}
