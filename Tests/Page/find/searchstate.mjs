import assert from 'node:assert/strict';
import test from 'node:test';
import {
  atFirst, hasMore, nothing, requestFor, resultWords, shownOf,
} from '../../../Services/Web/Public/find/searchstate.js';

const tracks = Array.from({ length: 9 }, (_, id) => ({ id }));

test('a long list of results is cut until a person wants all of it', () => {
  const found = { ...nothing, tracks };
  assert.equal(shownOf(found, 'tracks', new Set()).length, atFirst.tracks);
  assert.equal(hasMore(found, 'tracks', new Set()), true);
  assert.equal(shownOf(found, 'tracks', new Set(['tracks'])).length, 9);
  assert.equal(hasMore(found, 'tracks', new Set(['tracks'])), false);
});

test('a list that is whole has no button for more', () => {
  assert.equal(hasMore({ ...nothing, tracks: tracks.slice(0, atFirst.tracks) }, 'tracks', new Set()), false);
});

test('kinds without a limit are shown whole', () => {
  const tags = Array.from({ length: 40 }, (_, name) => ({ name }));
  assert.equal(shownOf({ ...nothing, tags }, 'tags', new Set()).length, 40);
  assert.equal(hasMore({ ...nothing, tags }, 'tags', new Set()), false);
});

test('the library is asked for words, and not for the address of something at a service', () => {
  assert.deepEqual(requestFor('rain'), { q: 'rain', limit: 40, in: 'notes' });
  assert.equal(requestFor(''), null);
  assert.equal(requestFor('https://example.org/album/1'), null);
  assert.equal(requestFor('spotify:album:4'), null);
});

test('that nothing was found is said of words only', () => {
  assert.equal(resultWords(nothing, 'rain'), 'Nothing was found for “rain”.');
  assert.equal(resultWords(nothing, ''), '');
  assert.equal(resultWords(nothing, 'https://example.org/album/1'), '');
});

test('a note counts as a result', () => {
  assert.equal(resultWords({ ...nothing, notes: [{ note: 1 }] }, 'rain'), '');
});

test('other words that the library has searched for are named, if they led to something', () => {
  const found = { ...nothing, searchedWords: 'rain' };
  assert.equal(resultWords({ ...found, tracks }, 'rian'), 'Searched for “rain” instead of “rian”.');
  assert.equal(resultWords(found, 'rian'), 'Nothing was found for “rian”.');
});
