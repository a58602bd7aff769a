// An album as a release: its dates and types, the details of the release, and its editions with the choice of
// the one that stands in lists.
import { change, albumPath } from '../core/api.js';
import { h } from '../core/dom.js';
import { count, dateWords, distinctions, span } from '../core/format.js';
import { address } from '../core/router.js';
import { showBanner, showError } from './banners.js';
import { setCover } from './cover.js';
import { factList, tagText } from './credits.js';

/** Returns the date of the original release and that of this edition in words; null if neither is known. */
export function datesOf({ year, date, originalDate }) {
  if (originalDate && date && originalDate !== date) {
    return `${dateWords(originalDate)} · this edition ${dateWords(date)}`;
  }
  return year ? String(year) : date ? dateWords(date) : null;
}

const list = (one) => (one ? [one] : []);

const codecs = { vorbis: 'Vorbis', opus: 'Opus', wavpack: 'WavPack', musepack: 'Musepack' };

/** Returns a format in words: `FLAC, 24 bit, 96 kHz`, `MP3, 320 kbit/s`. */
export function soundWords({ format, isLossless, bitDepth, sampleRate, bitRate }) {
  const hertz = sampleRate && `${(sampleRate / 1000).toLocaleString('en', { maximumFractionDigits: 1 })} kHz`;
  const rate = !isLossless && bitRate ? `${bitRate} kbit/s` : hertz;
  return [codecs[format] ?? format.toUpperCase(), bitDepth && `${bitDepth} bit`, rate].filter(Boolean).join(', ');
}

const sourceName = (name) => (name === 'files' ? 'folders' : name);
const wordsOfDay = (moment) => new Date(moment)
  .toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });

/** Returns a line about an album in this house: its plays, its arrival and its sources; null from an older library. */
export function heardLine({ plays, lastPlayedAt, addedAt, sources = [] }) {
  if (plays === undefined) return null;
  const heard = plays ? `heard ${plays === 1 ? 'once' : count(plays, 'time')}` : 'not heard yet';
  const last = lastPlayedAt && `last on ${wordsOfDay(lastPlayedAt)}`;
  const from = sources.length ? `from ${sources.map(sourceName).join(', ')}` : null;
  const words = [plays && last ? `${heard}, ${last}` : last && !plays ? last.replace('last', 'last heard') : heard,
    addedAt && `added ${wordsOfDay(addedAt)}`, from].filter(Boolean).join(' · ');
  return h('p', { class: 'facts heard-line', text: words.charAt(0).toUpperCase() + words.slice(1) });
}

/** Returns the details of a release, which a person can open. */
export function releaseDetails(album) {
  const { facts = {}, date, originalDate, types, edition, quality, folder, sound = [], plays, sources = [] } = album;
  const tracksOf = ({ tracks }) => (sound.length > 1 ? ` (${count(tracks, 'track')})` : '');
  const formats = sound.map((one) => h('span', { class: 'credit', text: `${soundWords(one)}${tracksOf(one)}` }));
  const details = factList([
    ['Original release', originalDate && dateWords(originalDate)],
    [originalDate ? 'This edition' : 'Released', date && dateWords(date)], ['Edition', edition],
    ['Type', tagText('type', types)], ['Label', tagText('label', facts.labels)],
    ['Catalogue number', facts.catalogueNumbers?.join(', ')],
    ['Country', tagText('country', list(facts.country))],
    ['Medium', tagText('media', list(facts.media))], ['Barcode', facts.barcode],
    ['Status', facts.status && facts.status.charAt(0).toUpperCase() + facts.status.slice(1)],
    ['Format', formats.length ? formats : quality], ['Length', span(album.durationSeconds)],
    ['Plays', plays === undefined ? null : String(plays)],
    ['Last heard', album.lastPlayedAt && wordsOfDay(album.lastPlayedAt)],
    ['Added', album.addedAt && wordsOfDay(album.addedAt)],
    ['Sources', sources.length ? sources.map(sourceName).join(', ') : null],
    ['Folder', folder && h('code', { text: folder })],
  ]);
  return details && h('details', { class: 'release' }, h('summary', { text: 'About this release' }), details);
}

/** Returns the editions of an album with the choice of the one in lists; null if there is only one. */
export function editionChoice(album) {
  const { editions, listedEdition } = album;
  if (!editions.length) return null;
  const all = [album, ...editions].sort((one, other) => (one.date ?? '9').localeCompare(other.date ?? '9'));
  let chosen = listedEdition;
  const row = (one) => {
    const cover = h('span', { class: 'cover' });
    setCover(cover, one);
    const facts = [
      one.date && dateWords(one.date), ...distinctions({ ...one, date: null }), !one.folder && one.quality,
      count(one.trackCount, 'track'),
    ].filter(Boolean).join(' · ');
    const words = [
      h('span', { class: 'track-sign', 'aria-hidden': 'true' }, cover),
      h('span', { class: 'track-words' }, h('b', { text: one.title }), h('span', { text: facts })),
    ];
    const choose = h('input', { type: 'radio', name: `listed-${album.id}`, checked: one.id === chosen,
      'aria-label': `Show ${[one.title, facts].join(', ')} in lists`, onchange: async () => {
        try {
          await change(`${albumPath(one.id)}/preferred`, {}, 'PUT');
          chosen = one.id;
          showBanner(`Lists now show “${one.title}”${one.date ? ` of ${one.date.slice(0, 4)}` : ''}.`,
            { key: 'edition' });
        } catch (error) {
          for (const [index, other] of all.entries()) {
            element.querySelectorAll('input')[index].checked = other.id === chosen;
          }
          showError(error);
        }
      } });
    return h('li', { class: 'track', 'data-id': one.id },
      one.id === album.id
        ? h('span', { class: 'track-play', 'aria-current': 'true' }, words)
        : h('a', { class: 'track-play', href: address('album', one.id) }, words),
      h('label', { class: 'listed' }, choose, h('span', { 'aria-hidden': 'true', text: 'In lists' })));
  };
  const element = h('section', { class: 'group editions' },
    h('h2', { text: 'Editions' }),
    h('p', { class: 'soft', text: 'One of them stands for all in lists and plays there. You can play each.' }),
    h('ul', { class: 'lines card', 'aria-label': 'Editions' }, all.map(row)));
  return element;
}
