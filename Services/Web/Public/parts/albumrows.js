// The rows of an album: its tracks, with headings for discs, sides of records and works, and the numbers that are
// missing.
import { h } from '../core/dom.js';
import { ranges } from '../core/format.js';
import { address } from '../core/router.js';
import { personLink } from './credits.js';

const roman = [
  '', 'I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X', 'XI', 'XII', 'XIII', 'XIV', 'XV', 'XVI', 'XVII',
  'XVIII', 'XIX', 'XX',
];

const sideOf = ({ numberText }) => numberText?.match(/^([A-Z]{1,2})\d*$/)?.[1] ?? null;

/** Returns the title of a track within its work: the number and the name of the movement. */
export function movementTitle({ title, work }) {
  if (!work?.movement) return title;
  return work.number ? `${roman[work.number] ?? work.number}. ${work.movement}` : work.movement;
}

/** Returns the work under whose heading a track stands; null for one that stands alone. */
function workAt(tracks, index) {
  const work = tracks[index]?.work;
  const isSame = (other) => other?.work?.title === work?.title && other?.work?.composer?.name === work?.composer?.name
    && other?.disc === tracks[index].disc;
  if (!work) return null;
  return work.movement || isSame(tracks[index - 1]) || isSame(tracks[index + 1])
    ? `${work.composer?.name ?? ''} ${work.title}`
    : null;
}

const discTitle = ({ disc, title, media }) => `Disc ${disc}${title ? `: ${title}` : ''}${media ? ` · ${media}` : ''}`;

/**
 * Returns the rows of an album, each with a `key`: `{ track, index, isInWork }`, `{ heading, work }` with the text of a
 * heading, `{ missing }` with the numbers that lack in this place, or `{ absent }` with the discs that do.
 */
export function rowsOf({ tracks, discs }) {
  const absent = (discs ?? []).filter((one) => one.isAbsent).map(({ disc }) => disc);
  const isOneDisc = new Set(tracks.map(({ disc }) => disc)).size + absent.length <= 1;
  const hasSides = new Set(tracks.map(sideOf).filter(Boolean)).size > 1;
  const result = [];
  let left = [];
  const addMissing = (disc, end = Infinity) => {
    const numbers = left.filter((number) => number < end);
    left = left.filter((number) => number >= end);
    if (numbers.length) result.push({ key: `missing ${disc} ${numbers[0]}`, missing: numbers });
  };
  const addAbsent = (from, to) => {
    const numbers = absent.filter((disc) => disc > from && disc < to);
    if (numbers.length) result.push({ key: `absent ${numbers[0]}`, absent: numbers });
  };
  tracks.forEach((track, index) => {
    const before = tracks[index - 1];
    const { disc } = track;
    if (disc !== before?.disc) {
      if (before) addMissing(before.disc);
      addAbsent(before?.disc ?? 0, disc);
      const known = discs?.find((one) => one.disc === disc) ?? { disc };
      left = known.missing ?? [];
      if (!isOneDisc) result.push({ key: `disc ${disc}`, heading: discTitle(known) });
      else if (known.title) result.push({ key: `disc ${disc}`, heading: known.title });
    }
    if (track.number) addMissing(disc, track.number);
    const side = sideOf(track);
    if (hasSides && side && (side !== (before && sideOf(before)) || disc !== before.disc)) {
      result.push({ key: `side ${disc} ${side}`, heading: `Side ${side}` });
    }
    const work = workAt(tracks, index);
    const former = before?.disc === disc ? workAt(tracks, index - 1) : null;
    if (work && work !== former) result.push({ key: `work ${track.id}`, heading: track.work.title, work: track.work });
    if (!work && former) result.push({ key: `end ${track.id}`, heading: '' });
    result.push({ key: `${track.id} ${index}`, track, index, isInWork: Boolean(work) });
  });
  if (tracks.length) {
    addMissing(tracks.at(-1).disc);
    addAbsent(tracks.at(-1).disc, Infinity);
  }
  return result;
}

/** Returns the address of a work, which tracks name without its id. */
export function workAddress({ title, composer }) {
  return `${address('work')}?${new URLSearchParams({ title, ...(composer?.id ? { composer: composer.id } : {}) })}`;
}

/** Returns the element of a row that is no track. */
export function makeOtherRow({ heading, work, missing, absent }) {
  if (absent) {
    return h('li', {
      class: 'gap',
      text: `${absent.length > 1 ? 'Discs' : 'Disc'} ${ranges(absent)} ${absent.length > 1 ? 'are' : 'is'} not here.`,
    });
  }
  if (missing) {
    return h('li', {
      class: 'gap',
      text:
        `${missing.length > 1 ? 'Tracks' : 'Track'} ${ranges(missing)} ${missing.length > 1 ? 'are' : 'is'} missing.`,
    });
  }
  if (!work) return h('li', { class: heading ? 'disc-name' : 'work-end', text: heading });
  return h('li', { class: 'disc-name work-name' }, h('a', { href: workAddress(work), text: heading }),
    work.composer ? h('span', {}, personLink(work.composer)) : null);
}
