import assert from 'node:assert/strict';
import test from 'node:test';
import { followingFrom, hintOf, stayAfterCurrent } from '../../../Services/Web/Public/player/queuerules.js';

/** Returns the index from which a queue has continued by itself; a `+` marks an item that it has added. */
function following(words, current, { nextIndex = null, read = Infinity } = {}) {
  const items = words.split(' ').map((word) => ({ albumID: word.replace('+', ''), continued: word.includes('+') }));
  const itemAt = (index) => (index < read ? items[index] : undefined);
  return followingFrom({ current, nextIndex, count: items.length }, itemAt);
}

test('the albums that follow begin with the first item that the queue has added', () => {
  assert.equal(following('a a b+ b+ c+', 0), 2);
});

test('an added album that plays is no longer one that follows', () => {
  assert.equal(following('a b+ b+ c+', 1), 3);
});

test('without an added item the number of items is returned', () => {
  assert.equal(following('a a b', 0), 3);
});

test('what a person puts between is theirs', () => {
  assert.equal(following('a b c+', 0), 2);
});

test('of items that are not read nothing is said', () => {
  assert.equal(following('a a b+ c+', 0, { read: 1 }), 4);
});

test('a queue that has not begun is looked at from its next item', () => {
  assert.equal(following('a b+ c+', null, { nextIndex: 1 }), 1);
});

test('a coming track stays after the current one', () => {
  assert.equal(stayAfterCurrent({ index: 5, current: 2 }, 1), 3);
  assert.equal(stayAfterCurrent({ index: 5, current: 2 }, 4), 4);
  assert.equal(stayAfterCurrent({ index: 1, current: 2 }, 0), 0);
  assert.equal(stayAfterCurrent({ index: 3, current: null }, 0), 0);
});

test('the hint names the list in which the queue continues', () => {
  assert.equal(hintOf(null, false, false), 'Off: the music ends here. On: all albums by artist and title follow.');
  assert.equal(hintOf({ wall: {} }, true, true), 'From the wall.');
  assert.equal(hintOf({ wall: { genre: 'jazz' } }, true, true), 'From the feed of jazz.');
  assert.equal(hintOf({ tags: ['genre:Jazz'], sort: 'year' }, true, false),
    'From the filtered albums by year. They are added when the last album plays.');
  assert.equal(hintOf({ artist: 'a1' }, true, true), 'From the albums of this artist.');
});
