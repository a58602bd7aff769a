import assert from 'node:assert/strict';
import test from 'node:test';
import {
  bytesOf, colourOf, fromPolar, luminanceOf, toBytes, toLab, toPolar,
} from '../../../Services/Web/Public/core/oklab.js';

const colours = ['#000000', '#ffffff', '#9c3a1a', '#1b1411', '#00ff00', '#0000ff', '#808080'];

test('colours keep their bytes through OKLab and its polar form', () => {
  for (const colour of colours) assert.equal(colourOf(toBytes(fromPolar(toPolar(toLab(bytesOf(colour)))))), colour);
});

test('white has the lightness and the luminance 1, and greys have no chroma', () => {
  assert.ok(Math.abs(toLab([255, 255, 255])[0] - 1) < 0.001);
  assert.equal(luminanceOf([255, 255, 255]), 1);
  assert.ok(toPolar(toLab([128, 128, 128]))[1] < 0.001);
});

test('a colour that no screen shows keeps its lightness and hue', () => {
  const [light, , hue] = toPolar(toLab(toBytes(fromPolar([0.6, 0.4, 1.2]))));
  assert.ok(Math.abs(light - 0.6) < 0.02 && Math.abs(hue - 1.2) < 0.05);
});
