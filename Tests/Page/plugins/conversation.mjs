import assert from 'node:assert/strict';
import test from 'node:test';
import { Conversation, madeWords } from '../../../Services/Web/Public/plugins/conversation.js';

/** Returns a service that gives these states in turn, and notes what it is asked. */
function fakeService(...states) {
  const asked = [];
  return {
    asked,
    read: async (path, { from }) => {
      asked.push(`${path} from ${from}`);
      return states.shift();
    },
    change: async (path, body) => {
      asked.push([path, body]);
      return { conversation: 'c1' };
    },
  };
}

const state = (first, texts, more) => ({ first, messages: texts, count: first + texts.length, busy: false, ...more });
const screen = (more) => {
  const shown = [];
  const add = (messages) => shown.push(...messages);
  return { shown, isShown: () => true, add, confirmed: async () => true, ...more };
};

test('the conversation is followed until the plugin has answered', async () => {
  const service = fakeService(state(0, ['hello'], { busy: true }), state(1, ['what shall I play?']));
  const view = screen();
  assert.equal(await new Conversation({ id: 'c1' }, service).follow(view), null);
  assert.deepEqual(view.shown, ['hello', 'what shall I play?']);
  assert.deepEqual(service.asked, ['chats/c1 from 0', 'chats/c1 from 1']);
});

test('messages that have come meanwhile are read before it ends', async () => {
  const service = fakeService(state(0, ['one'], { count: 2 }), state(1, ['two']));
  const view = screen();
  await new Conversation({ id: 'c1' }, service).follow(view);
  assert.deepEqual(view.shown, ['one', 'two']);
});

test('a question of the plugin is answered as the person says', async () => {
  const service = fakeService(state(0, [], { question: { id: 'q', text: 'Clear the queue?' } }), state(0, ['done']));
  await new Conversation({ id: 'c1' }, service).follow(screen({ confirmed: async (text) => text === 'No' }));
  assert.deepEqual(service.asked[1], ['chats/c1/answer', { question: 'q', isAgreed: false }]);
});

test('the error of the plugin is returned', async () => {
  const error = { code: 'plugin.failed', message: 'It has no model.' };
  assert.equal(await new Conversation({ id: 'c1' }, fakeService(state(0, [], { error }))).follow(screen()), error);
});

test('a conversation that is begun anew meanwhile shows nothing of the former one', async () => {
  const service = fakeService(state(0, ['old']));
  const conversation = new Conversation({ id: 'c1' }, service);
  const view = screen();
  const done = conversation.follow(view);
  conversation.forget();
  assert.equal(await done, null);
  assert.deepEqual(view.shown, []);
});

test('nothing is asked while the screen is hidden or before something was said', async () => {
  const service = fakeService();
  await new Conversation({ id: 'c1' }, service).follow(screen({ isShown: () => false }));
  await new Conversation({ id: null }, service).follow(screen());
  assert.deepEqual(service.asked, []);
});

test('one screen follows a conversation once', async () => {
  const service = fakeService(state(0, ['hello']));
  const conversation = new Conversation({ id: 'c1' }, service);
  await Promise.all([conversation.follow(screen()), conversation.follow(screen())]);
  assert.equal(service.asked.length, 1);
});

test('words continue the conversation that a later screen finds, and a new one begins anew', async () => {
  const kept = { id: null };
  const service = fakeService(state(0, ['hello']), state(0, ['hello']), state(0, ['again']));
  const first = new Conversation(kept, service);
  await first.say('hello', 'p', null);
  await first.follow(screen());
  const second = new Conversation(kept, service);
  assert.equal(second.hasBegun, true);
  await second.follow(screen());
  second.forget();
  await second.say('again', 'p', 'kitchen');
  await second.follow(screen());
  assert.deepEqual(service.asked, [
    ['chats', { words: 'hello', plugin: 'p' }], 'chats/c1 from 0', 'chats/c1 from 0',
    ['chats', { words: 'again', plugin: 'p', room: 'kitchen' }], 'chats/c1 from 0',
  ]);
});

test('a queue that was made is told with what was left out', () => {
  assert.equal(madeWords('Ada', 12, 0), 'Ada made a queue of 12 tracks.');
  assert.equal(madeWords('Ada', 1, 2), 'Ada made a queue of 1 track; 2 unwanted tracks left out.');
});
