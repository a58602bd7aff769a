import assert from 'node:assert/strict';
import test from 'node:test';
import { setRoomTitles } from '../../../Services/Web/Public/core/format.js';
import {
  addressOf, daysBeside, emptyWords, placeIn, roomOptions, spanOf,
} from '../../../Services/Web/Public/statistics/historyplace.js';

test('an address has the day and the room, and gives them back', () => {
  assert.equal(addressOf({ day: null, room: null }), '#/history');
  const place = { day: '2026-11-20', room: 'living room' };
  const [, query] = addressOf(place).split('?');
  assert.deepEqual(placeIn(new URLSearchParams(query)), place);
});

test('a day that the calendar does not have is left out', () => {
  assert.deepEqual(placeIn(new URLSearchParams('day=2026-02-30&room=')), { day: null, room: null });
});

test('the listens of a day are those until the next one begins', () => {
  const { since, until, room } = spanOf({ day: '2026-11-30', room: 'kitchen' });
  assert.equal(new Date(since).getTime(), new Date(2026, 10, 30).getTime());
  assert.equal(new Date(until).getTime(), new Date(2026, 11, 1).getTime());
  assert.equal(room, 'kitchen');
  assert.deepEqual(spanOf({ day: null, room: null }), { room: null });
});

const plays = new Map([['2026-11-25', 3], ['2026-11-02', 1], ['2026-11-19', 0], ['2026-11-11', 4]]);

test('one goes to the nearest days with plays', () => {
  assert.deepEqual(daysBeside('2026-11-20', plays, '2026-11-29'), { earlier: '2026-11-11', later: '2026-11-25' });
});

test('without plays one goes to the days beside it, but not beyond today', () => {
  assert.deepEqual(daysBeside('2026-11-01', plays, '2026-11-29').earlier, '2026-10-31');
  assert.deepEqual(daysBeside('2026-11-26', plays, '2026-11-29').later, '2026-11-27');
  assert.deepEqual(daysBeside('2026-11-29', plays, '2026-11-29').later, null);
  assert.deepEqual(daysBeside('2026-11-28', null, '2026-11-29'), { earlier: '2026-11-27', later: '2026-11-29' });
});

test('an empty list says where nothing was heard', () => {
  setRoomTitles([{ name: 'study', title: 'The study' }]);
  assert.equal(emptyWords({ day: null, room: null }), null);
  assert.equal(emptyWords({ day: null, room: 'study' }), 'There are no listens in The study.');
  // Some versions of ICU write a comma behind the day of the week.
  assert.match(emptyWords({ day: '2026-11-20', room: 'living-room' }),
    /^There are no listens on Friday,? 20 November 2026 in Living room\.$/);
});

test('rooms are offered if there are several, or one is chosen', () => {
  assert.deepEqual(roomOptions(['kitchen'], null), []);
  assert.deepEqual(roomOptions(['kitchen'], 'attic').map(([name]) => name), ['', 'kitchen', 'attic']);
  assert.deepEqual(roomOptions(['attic', 'kitchen'], 'attic').map(([, title]) => title),
    ['All rooms', 'Attic', 'Kitchen']);
});
