import assert from 'node:assert/strict';
import test from 'node:test';
import { evidenceOf, flag, isOnShelf, signalOf, wallAddress } from '../../../Services/Web/Public/discovery/words.js';

test('a chart names itself only with a count to show', () => {
  assert.equal(signalOf({ signal: 'charts', evidence: { plays: 3 } }), 'Played most');
  assert.equal(signalOf({ signal: 'charts', evidence: {} }), 'From your genres');
  assert.equal(signalOf({ signal: 'unheard of' }), 'Other');
});

test('evidence that is missing is left out, and zero is not missing', () => {
  assert.deepEqual(evidenceOf({ genre: 'Jazz', plays: 0, rating: null }), [['Genre', 'Jazz'], ['Plays', '0']]);
});

test('an album without an id is not in the library', () => {
  assert.equal(isOnShelf({ id: null, onShelf: true }), false);
  assert.equal(isOnShelf({ id: 'a' }), true);
  assert.equal(isOnShelf({ id: 'a', onShelf: false }), false);
});

test('flags are found by both of their names', () => {
  assert.equal(flag({ isOn: true }, 'On'), true);
  assert.equal(flag({ on: true }, 'On'), true);
  assert.equal(flag({}, 'On'), false);
});

test('the address of a feed keeps signs in its names apart', () => {
  assert.equal(wallAddress(), '#/wall');
  assert.equal(wallAddress('r&b', ['a/b', 'c']), '#/wall/r%26b?sub=a%2Fb&sub=c');
});
