import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { bytesOf } from '../../../Services/Web/Public/core/oklab.js';

// The module asks the browser for its colour scheme when it is loaded.
globalThis.matchMedia = () => ({ matches: false, addEventListener() {} });
const { vividPair } = await import('../../../Services/Web/Public/parts/vivid.js');

const side = 64;

/** Returns the pixels of upright bands, each `#colour:width`. */
function paint(bands) {
  const row = bands.flatMap((band) => {
    const [colour, width] = band.split(':');
    return Array.from({ length: Number(width) }, () => [...bytesOf(colour), 255]);
  });
  assert.equal(row.length, side);
  return Array.from({ length: side }, () => row).flat(2);
}

// The server computes palettes by the same steps; ColoursTests reads the same file.
test('covers have the two colours that the server finds, too', () => {
  const covers = readFileSync(new URL('covers.txt', import.meta.url), 'utf8').trim().split('\n');
  assert.ok(covers.length > 20);
  for (const cover of covers) {
    const [first, second, ...bands] = cover.split(' ');
    assert.deepEqual(vividPair(paint(bands)), { first, second }, cover);
  }
});
