import assert from 'node:assert/strict';
import test from 'node:test';
import { albumOf, forgetAlbums, withAlbum } from '../../../Services/Web/Public/core/albumcache.js';
import { answerWith, cut, until } from '../fetching.mjs';

test('an album that comes late does not replace that of a later track', async () => {
  const answers = {};
  answerWith(({ pathname }) => new Promise((answer) => { answers[pathname.slice(-1)] = answer; }));
  const shown = [];
  const element = {};
  const show = (album) => shown.push(album.id);
  withAlbum(element, { albumID: 'a1' }, show);
  withAlbum(element, { albumID: 'a2' }, show);
  answers[2]({ id: 'a2' });
  await until(() => shown.length);
  answers[1]({ id: 'a1' });
  assert.equal((await albumOf({ albumID: 'a1' })).id, 'a1');
  assert.deepEqual(shown, ['a2']);
});

test('an album is read once, and again after a change of the catalogue', async () => {
  let asked = 0;
  answerWith(() => ({ id: 'a3', asked: asked += 1 }));
  assert.equal((await albumOf({ albumID: 'a3' })).asked, 1);
  assert.equal((await albumOf({ albumID: 'a3' })).asked, 1);
  forgetAlbums();
  assert.equal((await albumOf({ albumID: 'a3' })).asked, 2);
});

test('a cover without colours is asked for again, as they are known a moment later', async () => {
  let palette = null;
  answerWith(() => ({ id: 'a4', art: 'x', palette }));
  await albumOf({ albumID: 'a4' });
  palette = 'red';
  assert.equal((await albumOf({ albumID: 'a4' })).palette, 'red');
});

test('an album that could not be read is null, and is read again', async () => {
  answerWith(cut);
  assert.equal(await albumOf({ albumID: 'a5' }), null);
  answerWith(() => ({ id: 'a5' }));
  assert.equal((await albumOf({ albumID: 'a5' })).id, 'a5');
  assert.equal(await albumOf(null), null);
});
