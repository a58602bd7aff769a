import assert from 'node:assert/strict';
import test from 'node:test';
import { asRows, comparisonsOf, fromRows, inputOf } from '../../../Services/Web/Public/playlists/rules.js';

test('rules that are shown as rows come back as they were', () => {
  const any = [{ is: { genre: 'Jazz' } }, { inTheLast: { lastplayed: 30 } }];
  const rules = { any, sort: 'year', limit: 20, unit: 'albums' };
  assert.deepEqual(fromRows(asRows(rules), rules), rules);
});

test('fields are found by other spellings', () => {
  assert.deepEqual(asRows({ all: [{ before: { Added: '2020-01-01' } }] }).rows,
    [{ field: 'dateadded', comparison: 'before', value: '2020-01-01' }]);
});

test('groups in groups, unknown fields and comparisons are no rows', () => {
  assert.equal(asRows({ all: [{ any: [{ is: { genre: 'Jazz' } }] }] }), null);
  assert.equal(asRows({ all: [{ is: { colour: 'red' } }] }), null);
  assert.equal(asRows({ all: [{ gt: { genre: 'Jazz' } }] }), null);
  assert.equal(asRows({ all: [{}] }), null);
});

test('a seed is kept for a random order only', () => {
  const rows = { match: 'all', rows: [] };
  assert.deepEqual(fromRows(rows, { sort: 'random', seed: 0 }), { all: [], sort: 'random', seed: 0 });
  assert.deepEqual(fromRows(rows, { sort: 'year', seed: 4 }), { all: [], sort: 'year' });
});

test('what the rows replace is not kept, and what others have written is', () => {
  assert.deepEqual(fromRows({ match: 'any', rows: [] }, { all: [], order: 'desc', comment: 'mine' }),
    { any: [], comment: 'mine' });
});

test('the input fits the field and the comparison', () => {
  assert.equal(inputOf('genre', 'is'), 'text');
  assert.equal(inputOf('year', 'gt'), 'number');
  assert.equal(inputOf('lastplayed', 'inTheLast'), 'number');
  assert.equal(inputOf('lastplayed', 'before'), 'date');
  assert.equal(inputOf('id', 'inPlaylist'), 'playlist');
  assert.ok('gt' in comparisonsOf('rating') && !('gt' in comparisonsOf('genre')));
});
