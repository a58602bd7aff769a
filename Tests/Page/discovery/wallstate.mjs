import assert from 'node:assert/strict';
import test from 'node:test';
import {
  arrivalWords, footOf, hasArrived, mayReadOn, noteBelow, overOf,
} from '../../../Services/Web/Public/discovery/wallstate.js';

const round = (tiles, isDone = false) => ({ tiles: Array.from({ length: tiles }), isDone });

test('the wall goes on by itself, but a small library does not begin anew', () => {
  assert.equal(mayReadOn({ rounds: [], error: null }), false);
  assert.equal(mayReadOn({ rounds: [round(12)], error: null }), true);
  assert.equal(mayReadOn({ rounds: [round(12, true)], error: null }), false);
  assert.equal(mayReadOn({ rounds: [round(40, true)], error: null }), true);
  assert.equal(mayReadOn({ rounds: [round(12, true), round(3)], error: null }), true);
  assert.equal(mayReadOn({ rounds: [round(12)], error: new Error('cut') }), false);
});

test('only a wall without tiles has something over it', () => {
  assert.equal(overOf({ count: 3, error: new Error('cut'), isLoading: true, isOver: true }), null);
  assert.equal(overOf({ count: 0, error: new Error('cut'), isLoading: true, isOver: true }), 'error');
  assert.equal(overOf({ count: 0, error: null, isLoading: true, isOver: true }), 'loading');
  assert.equal(overOf({ count: 0, error: null, isLoading: false, isOver: true }), 'empty');
  assert.equal(overOf({ count: 0, error: null, isLoading: false, isOver: false }), null);
});

test('below the tiles stands what happens to the next ones', () => {
  assert.equal(footOf({ count: 0, error: new Error('cut'), isLoading: true }), null);
  assert.equal(footOf({ count: 3, error: new Error('cut'), isLoading: false }), 'error');
  assert.equal(footOf({ count: 3, error: null, isLoading: true }), 'loading');
  assert.equal(footOf({ count: 3, error: null, isLoading: false }), null);
});

test('a feed has arrived with tiles, with an error, and with nothing at all', () => {
  assert.equal(hasArrived({ count: 0, error: null, isOver: false }), false);
  assert.equal(hasArrived({ count: 1, error: null, isOver: false }), true);
  assert.equal(hasArrived({ count: 0, error: new Error('cut'), isOver: false }), true);
  assert.equal(hasArrived({ count: 0, error: null, isOver: true }), true);
});

test('a screen reader is told how many albums have come', () => {
  assert.equal(arrivalWords(60, 0), '60 albums');
  assert.equal(arrivalWords(61, 60), '1 more album, 61 in all.');
  assert.equal(arrivalWords(1200, 60), '1,140 more albums, 1,200 in all.');
  assert.equal(arrivalWords(59, 60), '59 albums');
});

test('the end of a round says if the next one has to be asked for', () => {
  assert.equal(noteBelow(round(12), true), null);
  assert.equal(noteBelow(round(12, true), true), 'asked');
  assert.equal(noteBelow(round(12, true), false), 'next');
  assert.equal(noteBelow(round(40, true), true), 'next');
});
