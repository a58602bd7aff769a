import assert from 'node:assert/strict';
import test from 'node:test';
import {
  ago, clock, count, dateWords, distinctions, isAddress, perSecond, ranges, roomTitle, setRoomTitles, size, span,
  timeOfDay,
} from '../../../Services/Web/Public/core/format.js';

test('times in a track have hours only from an hour on', () => {
  assert.deepEqual([0, 59.9, 187, 3599, 3765, -4, undefined].map(clock),
    ['0:00', '0:59', '3:07', '59:59', '1:02:45', '0:00', '0:00']);
});

test('lengths are said in hours and minutes, and never as nothing', () => {
  assert.deepEqual([0, 60, 2520, 3600, 3900].map(span),
    ['1 minute', '1 minute', '42 minutes', '1 hour', '1 hour 5 minutes']);
});

test('numbers are grouped by thousands', () => {
  assert.deepEqual([0, 1, 999, 1000, 1_234_567].map((number) => count(number, 'album')),
    ['0 albums', '1 album', '999 albums', '1,000 albums', '1,234,567 albums']);
  assert.equal(count(2, 'person', 'people'), '2 people');
  assert.deepEqual([2.34, 12.6, 1204].map(perSecond), ['2.3 per second', '13 per second', '1,204 per second']);
});

test('sizes have the unit in which they are at least 1', () => {
  assert.deepEqual([0, 999, 1000, 9_940_000, 640_000_000, 1_200_000_000, 4e15].map(size),
    ['0 bytes', '999 bytes', '1.0 kB', '9.9 MB', '640 MB', '1.2 GB', '4000 TB']);
});

test('the time of day has two digits each', () => {
  assert.deepEqual(['2026-01-02T00:05:59', '2026-01-02T21:40:00'].map(timeOfDay), ['00:05', '21:40']);
});

test('a past time is said by its distance', () => {
  const before = (minutes) => ago(new Date(Date.now() - minutes * 60_000));
  assert.deepEqual([0, 5, 59, 60, 180, 24 * 60].map(before),
    ['just now', '5 minutes ago', '59 minutes ago', '1 hour ago', '3 hours ago', 'yesterday']);
  assert.equal(ago('2020-05-01T12:00:00'), 'May 1, 2020');
  assert.equal(ago('1970-01-01T00:05:00Z'), 'at an unknown time');
});

test('parts of a date that are unknown are left out', () => {
  assert.deepEqual(['1999', '1999-05', '1999-05-01'].map(dateWords), ['1999', 'May 1999', '1 May 1999']);
});

test('numbers in a row are joined', () => {
  assert.deepEqual([[], [4], [4, 7], [4, 6, 7, 8, 9, 12]].map(ranges), ['', '4', '4 and 7', '4, 6–9 and 12']);
});

test('albums of one name are told apart by what differs', () => {
  assert.deepEqual(distinctions({ title: 'Kind of Blue', year: 1959 }), []);
  assert.deepEqual(distinctions({ title: 'A', year: 1959, date: '1997-03-25', edition: 'Remastered' }),
    ['1997', 'Remastered']);
  assert.deepEqual(distinctions({ title: 'A', year: 1959, quality: 'FLAC', folder: 'jazz/A' }), ['FLAC', 'jazz/A']);
  assert.deepEqual(distinctions({ title: 'A', year: 1959, quality: 'FLAC', folder: 'jazz/mono' }), ['FLAC', 'mono']);
});

test('a room without a title has its name as words', () => {
  setRoomTitles([{ name: 'study', title: 'Ada’s study' }, { name: 'attic', title: null }]);
  assert.deepEqual(['study', 'attic', 'living-room'].map(roomTitle), ['Ada’s study', 'Attic', 'Living room']);
});

test('addresses of services are told from words', () => {
  assert.deepEqual(['https://example.org/1', 'spotify:track:4', 'spotify', 'see https://example.org'].map(isAddress),
    [true, true, false, false]);
});
