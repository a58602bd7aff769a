import assert from 'node:assert/strict';
import test from 'node:test';
import { change, isLoadFailure, messageOf, read, readAhead } from '../../../Services/Web/Public/core/api.js';
import { answerWith, cut, turn } from '../fetching.mjs';

test('an answer that was asked for ahead is taken once', async () => {
  let asked = 0;
  answerWith(() => ({ asked: asked += 1 }));
  readAhead('faked', { first: 0 });
  readAhead('faked', { first: 0 });
  assert.equal(asked, 1);
  assert.equal((await read('faked', { first: 0 })).asked, 1);
  assert.equal((await read('faked', { first: 0 })).asked, 2);
});

test('a failure that was asked for ahead reaches who waits for it, and is then asked for again', async () => {
  answerWith(cut);
  readAhead('faked');
  await assert.rejects(read('faked'), { code: 'page.unreachable' });
  readAhead('faked');
  await turn();
  answerWith(() => ({ isThere: true }));
  assert.equal((await read('faked')).isThere, true);
});

test('an answer that nobody takes is forgotten after a while', async () => {
  let asked = 0;
  answerWith(() => ({ asked: asked += 1 }));
  const { setTimeout } = globalThis;
  let forget = null;
  globalThis.setTimeout = (run, time, ...rest) => (time === 10_000 ? forget = run : setTimeout(run, time, ...rest));
  readAhead('faked');
  globalThis.setTimeout = setTimeout;
  forget();
  assert.equal((await read('faked')).asked, 2);
});

test('parameters that are null are left out, and lists are sent one by one', async () => {
  let query = null;
  answerWith((url) => {
    query = url.search;
    return {};
  });
  await read('faked', { tag: ['genre:Jazz', 'type:live'], after: null, limit: 5 });
  assert.equal(query, '?tag=genre%3AJazz&tag=type%3Alive&limit=5');
});

test('a change that had no answer says that it may have been done', async () => {
  answerWith(cut);
  await assert.rejects(change('faked'), { code: 'page.unreachable', message: /not known whether this was done/ });
});

test('a part of another version says so, in the words of any browser', () => {
  for (const text of [
    "The requested module '../app.js' does not provide an export named '$core_api_1a'",
    "The requested module 'http://127.0.0.1/app.js' doesn't provide an export named: '$core_api_1a'",
    "Importing binding name '$core_api_1a' is not found.",
  ]) {
    const error = new SyntaxError(text);
    assert.equal(isLoadFailure(error), true);
    assert.equal(messageOf(error), 'Lunara has a new version of the page. Load the page again to go on.');
  }
});

test('another error keeps its words', () => {
  const error = new SyntaxError('Unexpected token in JSON');
  assert.equal(isLoadFailure(error), false);
  assert.equal(messageOf(error), 'Unexpected token in JSON');
});
