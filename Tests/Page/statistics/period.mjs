import assert from 'node:assert/strict';
import test from 'node:test';
import {
  daysFrom, heardWords, isDay, shifted, stepWords, weekdayOf,
} from '../../../Services/Web/Public/statistics/days.js';
import {
  beforeWords, comparison, daysOf, periodOf, timeComparison,
} from '../../../Services/Web/Public/statistics/period.js';

// The clocks change there on the last Sundays of March and October.
process.env.TZ = 'Europe/Vienna';
const now = new Date(2026, 10, 19, 15);

test('a period ends today, and a year that is over on its last day', () => {
  assert.deepEqual(daysOf('week', now), { from: '2026-11-16', to: '2026-11-19' });
  assert.deepEqual(daysOf('month', now), { from: '2026-11-01', to: '2026-11-19' });
  assert.deepEqual(daysOf('year', now), { from: '2026-01-01', to: '2026-11-19' });
  assert.deepEqual(daysOf('2026', now), { from: '2026-01-01', to: '2026-11-19' });
  assert.deepEqual(daysOf('2024', now), { from: '2024-01-01', to: '2024-12-31' });
  assert.deepEqual(daysOf('all', now), { from: null, to: null });
});

test('an address without a period that there is has this year', () => {
  assert.equal(periodOf('week'), 'week');
  assert.equal(periodOf('2019'), '2019');
  assert.equal(periodOf('fortnight'), 'year');
  assert.equal(periodOf(null), 'year');
});

test('the period before has the same length', () => {
  assert.equal(beforeWords('2026-11-19', '2026-11-19'), 'the day before');
  assert.equal(beforeWords('2026-11-08', '2026-11-19'), 'the 12 days before');
  assert.equal(beforeWords('2024-01-01', '2024-12-31'), 'the year before');
});

test('counts and times are compared in words', () => {
  assert.equal(comparison(1212, 12), '1,200 more than');
  assert.equal(comparison(3, 5), '2 fewer than');
  assert.equal(comparison(3, 3), 'as many as');
  assert.equal(timeComparison(3600, 10_800), '2 hours less than');
  assert.equal(timeComparison(65, 80), 'as much as');
});

test('days are counted across the change of the clocks, of months and of years', () => {
  assert.equal(daysFrom('2026-03-28', '2026-03-30'), 3);
  assert.equal(daysFrom('2026-10-24', '2026-10-26'), 3);
  assert.equal(shifted('2026-01-01', -1), '2025-12-31');
  assert.equal(shifted('2024-02-28', 1), '2024-02-29');
  assert.equal(weekdayOf('2026-11-16'), 0);
  assert.equal(weekdayOf('2026-11-22'), 6);
  assert.equal(isDay('2024-02-29'), true);
  assert.equal(isDay('2026-02-29'), false);
  assert.equal(isDay('today'), false);
});

test('times heard and steps of the statistics are written short', () => {
  assert.deepEqual([0, 59, 60, 3599, 3600, 45_000, 4_334_400].map(heardWords),
    ['nothing', 'under a minute', '1 min', '60 min', '1 hour', '12.5 hours', '1,204 hours']);
  assert.deepEqual(['2026', '2026-11', '2026-11-20'].map((name) => stepWords(name)), ['2026', 'Nov 2026', '20 Nov']);
  assert.equal(stepWords('2026-11-20', { isLong: true }), '20 November 2026');
});
