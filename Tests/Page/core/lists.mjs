import assert from 'node:assert/strict';
import test from 'node:test';
import { CursorList, IndexedList, retryPause } from '../../../Services/Web/Public/core/lists.js';
import { answerWith, cut, turn, until } from '../fetching.mjs';

/** Runs `run(waits)`, where `waits` collects what would be run after the pause of a failed list. */
async function withoutPauses(run) {
  const { setTimeout } = globalThis;
  const waits = [];
  globalThis.setTimeout = (act, time, ...rest) =>
    (time === retryPause ? waits.push(act) : setTimeout(act, time, ...rest));
  try {
    await run(waits);
  } finally {
    globalThis.setTimeout = setTimeout;
  }
}

const kinds = {
  IndexedList: () => new IndexedList('faked', {}, 60, () => {}),
  CursorList: () => new CursorList('faked', {}, () => {}),
};
for (const [name, make] of Object.entries(kinds)) {
  test(`${name}: a part that failed is read again after a pause, and not before`, () => withoutPauses(async (waits) => {
    let asked = 0;
    let fails = true;
    answerWith(() => {
      asked += 1;
      return fails ? cut() : { items: [{ id: 1 }], total: 1 };
    });
    const list = make();
    list.ensure(0, 10);
    await until(() => list.error);
    list.ensure(0, 10);
    await turn();
    assert.equal(asked, 1);
    assert.equal(list.error.code, 'page.unreachable');
    fails = false;
    waits.shift()();
    list.ensure(0, 10);
    await until(() => list.get(0)?.id === 1);
    assert.equal(asked, 2);
    assert.equal(list.error, null);
  }));

  test(`${name}: what failed is read again at once where a person asks for it`, () => withoutPauses(async () => {
    answerWith(cut);
    const list = make();
    list.ensure(0, 10);
    await until(() => list.error);
    answerWith(() => ({ items: [{ id: 1 }], total: 1 }));
    list.retry();
    list.ensure(0, 10);
    await until(() => list.get(0)?.id === 1);
  }));
}

test('a part that was cancelled is read again at once', async () => {
  const asked = [];
  answerWith((url, { signal }) => {
    const first = Number(url.searchParams.get('first'));
    asked.push(first);
    return new Promise((answer, fail) => {
      signal.addEventListener('abort', () => fail(new DOMException('It was cancelled.', 'AbortError')));
      const items = Array.from({ length: 60 }, (_, at) => ({ id: first + at }));
      setTimeout(() => answer({ items, total: 6000 }), 20);
    });
  });
  const id = await new Promise((done) => {
    const list = new IndexedList('faked', {}, 6000, () => list.get(0) && done(list.get(0).id));
    list.ensure(0, 10);
    list.ensure(3000, 3010);
    list.ensure(0, 10);
  });
  assert.equal(id, 0);
  assert.deepEqual(asked, [0, 3000, 0]);
});

test('a list that is read page after page reads on while its end is near', async () => {
  const asked = [];
  answerWith(({ searchParams }) => {
    const after = Number(searchParams.get('after') ?? 0);
    asked.push(after);
    const items = Array.from({ length: 100 }, (_, at) => after + at);
    return { items, next: after < 300 ? String(after + 100) : null };
  });
  const list = new CursorList('faked', {}, () => {});
  await list.ensure(0, 10);
  assert.deepEqual(asked, [0]);
  assert.equal(list.total, 124);
  await list.ensure(150, 200);
  assert.deepEqual(asked, [0, 100, 200]);
  await list.ensure(390, 399);
  assert.equal(list.isComplete, true);
  assert.equal(list.total, 400);
});
