// The screen of a track: everything that its tags say, everybody who is credited, and its copies.
import { read, trackPath } from '../core/api.js';
import { h } from '../core/dom.js';
import { clock, count, dateWords } from '../core/format.js';
import { address } from '../core/router.js';
import { enqueue, trackMenu } from '../parts/actions.js';
import { movementTitle, workAddress } from '../parts/albumrows.js';
import { iconButton, textButton } from '../parts/controls.js';
import { creditList, factList, personLink, personLinks, tagText } from '../parts/credits.js';
import { coverHeader } from '../parts/headers.js';
import { offerMenu, openMenuOf } from '../parts/menu.js';
import { rating } from '../parts/rating.js';
import { notesPart } from './lateparts.js';

const codecs = { ape: "Monkey's Audio", opus: 'Opus', vorbis: 'Vorbis', wavpack: 'WavPack' };
const channelWords = { 1: 'mono', 2: 'stereo', 6: '5.1', 8: '7.1' };

/** Returns a gain and a peak as the tags have them: the change that brings the music to the reference loudness. */
function decibels(gain, peak) {
  const change = gain === undefined ? null : `${gain < 0 ? '−' : '+'}${Math.abs(gain).toFixed(1)} dB to the reference`;
  return [change, peak !== undefined && `peak ${peak.toFixed(3)}`].filter(Boolean).join(', ');
}

/** Returns the facts that the tags state. */
function tagFacts(track) {
  const { facts = {}, ids = {}, levels = {}, work, disc, number, numberText, albumID, album, albumArtist } = track;
  const movement = work?.movement
    ? movementTitle(track) + (work.total ? ` (of ${count(work.total, 'movement')})` : '')
    : null;
  return factList([
    ['Subtitle', facts.subtitle], ['Album', h('a', { class: 'link', href: address('album', albumID), text: album })],
    ['Album artist', albumArtist],
    ['Number', [numberText ?? number, `disc ${disc}${facts.discTitle ? `, ${facts.discTitle}` : ''}`]
      .filter(Boolean).join(' on ')],
    [
      'Work',
      work && [
        h('a', { class: 'link', href: workAddress(work), text: work.title }),
        work.composer ? [' by ', personLink(work.composer)] : '',
      ].flat(),
    ],
    ['Movement', movement],
    ['Original release', facts.originalDate && dateWords(facts.originalDate)],
    ['Date', facts.date && dateWords(facts.date)],
    ['Genres', tagText('genre', track.genres)], ['Styles', tagText('style', facts.styles)],
    ['Moods', tagText('mood', facts.moods)],
    ['Beats per minute', facts.beatsPerMinute && String(Math.round(facts.beatsPerMinute * 10) / 10)],
    ['Key', tagText('key', facts.key ? [facts.key] : [])],
    ['Languages', tagText('language', facts.languages)], ['Groupings', tagText('grouping', facts.groupings)],
    ['Comment', facts.comment],
    ['Explicit', facts.isExplicit === undefined ? null : facts.isExplicit ? 'Yes' : 'No'],
    ['Lyrics', track.hasLyrics && 'In the file or beside it'],
    ['Guessed from names', track.guessed?.join(', ')],
    ['Loudness', decibels(levels.trackGain, levels.trackPeak)],
    ['Loudness of the album', decibels(levels.albumGain, levels.albumPeak)],
    ...[['ISRC', ids.isrc], ['MusicBrainz recording', ids.recording], ['MusicBrainz release', ids.release],
      ['MusicBrainz release group', ids.releaseGroup],
      ['MusicBrainz artists', ids.artists?.join(' ')]].map(([term, id]) => [term, id && h('code', { text: id })]),
    ['AcoustID', facts.acoustID && h('code', { text: facts.acoustID })], ['Id', h('code', { text: track.id })],
  ]);
}

/** Returns the card of a copy; `isBest` is true for the one of several that plays. */
function copyCard({ id, format, isLossless, path, audio }, isBest) {
  const { codec, bitRate, sampleRate, bitDepth, channels } = audio ?? {};
  const name = codecs[codec] ?? codec?.toUpperCase() ?? format?.toUpperCase() ?? 'Unknown format';
  return h('li', { class: 'card copy' }, h('h3', { text: isBest ? `${name} – this copy plays` : name }), factList([
    ['Format', format && `.${format}`], ['Codec', codec && `${name}, ${isLossless ? 'lossless' : 'lossy'}`],
    ['Bit rate', bitRate && `${bitRate.toLocaleString('en')} kbit/s`],
    ['Sample rate', sampleRate && `${sampleRate / 1000} kHz`], ['Bit depth', bitDepth && `${bitDepth} bit`],
    ['Channels', channels && (channelWords[channels] ?? String(channels))],
    ['File', path ? h('code', { text: path }) : 'On a server'], ['Id', h('code', { text: id })],
  ]));
}

/** Opens the screen of a track. */
export async function open({ parts: [id], signal }) {
  const track = await read(trackPath(id), {}, signal);
  const stars = rating(track.title);
  stars.set(track, track.title);
  const header = coverHeader({ ...track, artist: track.albumArtist }, {},
    h('p', { class: 'by' }, track.artists ? personLinks(track.artists) : personLinks(artistsOf(track))),
    h('p', {
      class: 'facts',
      text: [track.album, track.year, track.durationSeconds && clock(track.durationSeconds)]
        .filter(Boolean).join(' · '),
    }),
    h('div', { class: 'row' }, stars),
    h('div', { class: 'actions', role: 'group', 'aria-label': 'Actions' },
      textButton('Play', 'play', () => enqueue(track), { kind: 'first' }),
      textButton('Play next', 'queueNext', () => enqueue(track, 'next')),
      textButton('Play later', 'queueLater', () => enqueue(track, 'later')),
      iconButton('more', 'More', ({ currentTarget }) => openMenuOf(header, null, null, currentTarget))));
  offerMenu(header, () => track.title, () => trackMenu(track));
  offerMenu(header.querySelector('.cover-stand'), () => track.title, () => trackMenu(track), () => track);
  const notes = notesPart(track);
  const credits = creditList(track.credits);
  const group = (title, inside) => inside && h('section', { class: 'group' }, h('h2', { text: title }), inside);
  return {
    title: track.title, show: notes.show, hide: notes.hide,
    element: h('section', { class: 'screen details', 'aria-label': track.title },
      header, notes.element,
      group('Credits', credits),
      group('Tags', tagFacts(track)),
      group(track.copies.length > 1 ? 'Copies' : 'File', h('ul', { class: 'cards', 'aria-label': 'Copies' },
        track.copies.map((copy, index) => copyCard(copy, !index && track.copies.length > 1))))),
  };
}

/** Returns the artists of a track as people with ids, where the credits have them. */
function artistsOf({ artist, credits }) {
  const named = credits.filter(({ role }) => role === 'artist').map(({ name, artistID }) => ({ name, id: artistID }));
  return named.length === 1 ? [{ ...named[0], name: artist }] : [{ name: artist }];
}
