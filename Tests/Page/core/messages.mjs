import assert from 'node:assert/strict';
import test from 'node:test';
import { decode, messageHere } from '../../../Services/Web/Public/core/messages.js';

test('a message without commands stays as it is', () => {
  assert.equal(messageHere('The album is gone.'), 'The album is gone.');
});

test('a command is replaced by what a person does on the page', () => {
  assert.equal(messageHere('The source is out of date. Run `lunara sync`.'),
    'The source is out of date. Press Refresh in Settings, Music.');
});

test('the most particular beginning of a command counts', () => {
  assert.match(messageHere('Refused. Run `lunara login lastfm`.'), /Settings, Scrobbling/);
  assert.match(messageHere('Refused. Run `lunara login plex`.'), /Settings, Music/);
});

test('an unknown command is one of the machine', () => {
  assert.equal(messageHere('Run `lunara doctor`.'), 'This is done on the machine of the household.');
});

test('only what a person reads is changed in an answer', () => {
  const answer = { error: { message: 'Gone. Run `lunara sync`.' }, title: 'Run `lunara sync`.' };
  assert.deepEqual(decode(JSON.stringify(answer)),
    { error: { message: 'Gone. Press Refresh in Settings, Music.' }, title: 'Run `lunara sync`.' });
});
