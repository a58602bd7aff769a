import assert from 'node:assert/strict';
import test from 'node:test';
import { driftAt, nextWords, untilNextMinute } from '../../../Services/Web/Public/ambient/words.js';

const items = [{ title: 'One', artist: 'A' }, { title: 'Two', artist: 'B' }];

test('the next track is named by its place in the part of the queue that is known', () => {
  assert.equal(nextWords({ current: 7, first: 7, items }), 'Two · B');
  assert.equal(nextWords({ current: 8, first: 7, items }), '');
  assert.equal(nextWords({ current: null, first: 0, items }), '');
  assert.equal(nextWords(null), '');
});

test('the picture stands elsewhere each minute, never far away', () => {
  const places = Array.from({ length: 60 }, (_, minute) => driftAt(new Date(2026, 0, 1, 12, minute)));
  assert.ok(places.every((one, at) => one !== places[at - 1]));
  assert.ok(places.flatMap((one) => one.split(' ').map(parseFloat)).every((by) => Math.abs(by) <= 6));
});

test('the clock is drawn just after the next minute has begun', () => {
  for (const seconds of [0, 1, 30, 59.9]) {
    const time = new Date(2026, 0, 1, 12, 0, 0, seconds * 1000);
    const then = new Date(time.getTime() + untilNextMinute(time));
    assert.equal(then.getMinutes(), 1);
    assert.equal(then.getSeconds(), 0);
  }
});
