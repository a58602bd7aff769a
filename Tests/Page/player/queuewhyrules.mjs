// The words in which the page explains a queue.
import assert from 'node:assert/strict';
import test from 'node:test';
import { whyLines } from '../../../Services/Web/Public/player/queuewhyrules.js';

const later = (seconds) => `in ${seconds} s`;
const why = {
  origins: [
    { id: 'files:a1', title: 'Night Lines', tracks: 2 }, { id: 'files:a2', title: null, tracks: 1, continued: true },
  ],
  coming: [{ audio: 'here' }, { audio: 'fetched' }, { audio: 'fetched' }],
  continuation: { words: 'all albums by year', on: true, albums: 4, titles: ['One', 'Two'], startsInSeconds: 60 },
  repeat: 'off', endsInSeconds: 90,
};

test('what was queued, what is on disk, what follows and the end are named', () => {
  assert.deepEqual(whyLines(why, later), [
    ['Queued', 'Night Lines, 2 tracks'],
    ['', 'files:a2, 1 track, by which it went on'],
    ['On disk', 'Of the next 3: 1 on this machine, 2 fetched in advance'],
    ['Then', '4 albums from all albums by year, added in 60 s: One, Two'],
    ['Ends', 'In 90 s, and goes on'],
  ]);
});

test('a queue that ends, repeats or stops says so', () => {
  const ends = (changes) => whyLines({ ...why, ...changes }, later).at(-1)[1];
  assert.equal(ends({ continuation: null }), 'In 90 s');
  assert.equal(ends({ continuation: null, endsInSeconds: null }), 'At a time that is not known');
  assert.equal(ends({ repeat: 'all' }), 'Never: it repeats all');
  assert.equal(ends({ stopsAfter: 'album' }), 'After this album, where the room stops');
});

test('albums that follow only if a person wants them are named as such', () => {
  const continuation = { ...why.continuation, on: false, startsInSeconds: null };
  const line = whyLines({ ...why, continuation }, later)[3];
  assert.deepEqual(line, ['Then', 'Nothing. If it continues: all albums by year']);
});

test('an empty queue has one line', () => {
  assert.deepEqual(whyLines({ ...why, coming: [] }, later), [['Queue', 'Nothing is to be played']]);
});
