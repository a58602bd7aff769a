import assert from 'node:assert/strict';
import test from 'node:test';
import { moveFocus } from '../../../Services/Web/Public/find/arrows.js';

/** Returns the name of what has the focus after an arrow key, among boxes of 100 by 100 at the given places. */
function after(key, from, places) {
  let focused = null;
  const boxes = Object.entries(places).map(([name, [left, top]]) => ({
    name, getClientRects: () => [1], getBoundingClientRect: () => ({ left, top, width: 100, height: 100 }),
    focus() { focused = name; }, scrollIntoView() {},
  }));
  moveFocus({ querySelectorAll: () => boxes }, 'a', boxes.find(({ name }) => name === from), key);
  return focused;
}

const grid = { a: [0, 0], b: [120, 0], c: [240, 0], d: [0, 140], e: [120, 140] };

test('the focus moves to the next box in the direction of the key', () => {
  assert.equal(after('ArrowRight', 'a', grid), 'b');
  assert.equal(after('ArrowLeft', 'c', grid), 'b');
  assert.equal(after('ArrowDown', 'b', grid), 'e');
  assert.equal(after('ArrowUp', 'd', grid), 'a');
});

test('below the end of a shorter row the nearest box gets the focus', () => {
  assert.equal(after('ArrowDown', 'c', grid), 'e');
});

test('sideways the focus stays in its row', () => {
  assert.equal(after('ArrowRight', 'e', grid), null);
  assert.equal(after('ArrowLeft', 'a', grid), null);
});
