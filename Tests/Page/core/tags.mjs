import assert from 'node:assert/strict';
import test from 'node:test';
import {
  kindTitle, placeAddress, tagAddress, tagParameters, tagWords, tagsOf,
} from '../../../Services/Web/Public/core/tags.js';

const tags = [
  { kind: 'genre', name: 'Jazz', isExcluded: false }, { kind: 'work', name: 'Suite: Prelude', isExcluded: false },
  { kind: 'type', name: 'live', isExcluded: true },
];

test('an address gives back the tags that it was made of, also with colons in their names', () => {
  const [, query] = placeAddress('albums', tags, { sort: 'year' }).split('?');
  assert.deepEqual(tagsOf(new URLSearchParams(query)), tags);
  assert.equal(new URLSearchParams(query).get('sort'), 'year');
});

test('requests name what is asked for apart from what is excluded', () => {
  assert.deepEqual(tagParameters(tags), { tag: ['genre:Jazz', 'work:Suite: Prelude'], without: ['type:live'] });
});

test('a place without tags has no query', () => {
  assert.equal(placeAddress('albums', []), '#/albums');
  assert.equal(tagAddress('genre', 'R&B'), '#/albums?tag=genre%3AR%26B');
});

test('tags are written as people read them', () => {
  const words = {
    decade: '1970', sampleRate: '44100', rating: '5', type: 'ep', country: 'XW', format: 'flac', mood: 'calm',
  };
  assert.deepEqual(Object.entries(words).map(([kind, name]) => tagWords({ kind, name })),
    ['1970s', '44.1 kHz', '5 stars', 'EP', 'Worldwide', 'FLAC', 'calm']);
  assert.equal(tagWords({ kind: 'rating', name: '1' }), '1 star or more');
  assert.equal(tagWords({ kind: 'country', name: 'AT' }), 'Austria');
  assert.equal(kindTitle('albumArtist'), 'Album artist');
});
