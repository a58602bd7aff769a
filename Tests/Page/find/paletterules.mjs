import assert from 'node:assert/strict';
import test from 'node:test';
import { chosenAfter, fitting, wishOf } from '../../../Services/Web/Public/find/paletterules.js';

const entries = [
  { name: 'Rooms', words: 'go to open' }, { name: 'Pause', words: 'stop halt' },
  { name: 'Open the player', words: 'now playing' }, { name: 'Play a random album', words: 'surprise' },
];
const namesFor = (text) => fitting(entries, text).map(({ name }) => name);

test('without words all entries keep their order', () => {
  assert.deepEqual(namesFor(''), ['Rooms', 'Pause', 'Open the player', 'Play a random album']);
});

test('a name that begins with the words comes before one that only contains them', () => {
  assert.deepEqual(namesFor('pla'), ['Play a random album', 'Open the player']);
});

test('a word of the name comes before a word that is only found', () => {
  assert.deepEqual(namesFor('open'), ['Open the player', 'Rooms']);
  assert.deepEqual(namesFor('player'), ['Open the player']);
});

test('each word must begin a word of the entry', () => {
  assert.deepEqual(namesFor('random alb'), ['Play a random album']);
  assert.deepEqual(namesFor('random room'), []);
  assert.deepEqual(namesFor('ause'), []);
});

test('other words for an action find it', () => {
  assert.deepEqual(namesFor('halt'), ['Pause']);
});

test('“play” before a name asks to play it', () => {
  assert.deepEqual(wishOf('play abbey road'), { isToPlay: true, name: 'abbey road' });
  assert.deepEqual(wishOf('Play abbey'), { isToPlay: true, name: 'abbey' });
  assert.deepEqual(wishOf('playground'), { isToPlay: false, name: 'playground' });
});

test('the arrow keys go around, and the page keys stop at the ends', () => {
  assert.equal(chosenAfter('ArrowDown', 0, 3), 1);
  assert.equal(chosenAfter('ArrowDown', 2, 3), 0);
  assert.equal(chosenAfter('ArrowUp', 0, 3), 2);
  assert.equal(chosenAfter('PageDown', 1, 30), 9);
  assert.equal(chosenAfter('PageDown', 28, 30), 29);
  assert.equal(chosenAfter('PageUp', 3, 30), 0);
});

test('other keys choose nothing', () => {
  assert.equal(chosenAfter('a', 0, 3), null);
});
