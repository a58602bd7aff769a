import assert from 'node:assert/strict';
import test from 'node:test';
import { decode, messageHere } from '../../../Services/Web/Public/core/messages.js';

test('a message without commands stays as it is', () => {
  assert.equal(messageHere('The album is gone.'), 'The album is gone.');
  assert.equal(messageHere('Lunara changes nothing. Run `mend it`.'), 'Lunara changes nothing. Run `mend it`.');
});

test('a command is replaced by what a person does on the page', () => {
  assert.equal(messageHere('A picture cannot be read. Refresh the library with `lunara sync`.'),
    'A picture cannot be read. Press Refresh in Settings, Music.');
  assert.equal(messageHere('Articles are off. `lunara article settings on` has them read at Wikipedia.'),
    'Articles are off. Settings, Walls has what articles need.');
});

test('only the clause with the command is left out', () => {
  assert.equal(
    messageHere('It no longer takes the sign-in. Sign in again with `lunara login plex`; what is known stays.'),
    'It no longer takes the sign-in. What is known stays. Sign in again in Settings, Music.',
  );
});

test('the most particular beginning of a command counts', () => {
  assert.match(messageHere('Refused. Run `lunara login lastfm`.'), /Settings, Scrobbling/);
  assert.match(messageHere('Refused. Run `lunara login plex`.'), /Settings, Music/);
});

test('an unknown command is one of the machine', () => {
  assert.equal(messageHere('Run `lunara doctor`.'), 'This is done on the machine of the household.');
});

test('a variable is replaced, whatever the name of a folder in its value looks like', () => {
  assert.equal(messageHere('The tags of /a/b.mp3 are probably Big5. Set LUNARA_TAG_ENCODING to Big5, or to '
    + 'Big5=/a/Vol. 2 for this folder, and restart Lunara; or tag the file anew.'),
  'The tags of /a/b.mp3 are probably Big5. Tag the file anew. '
    + 'The encoding of tags is set on the machine of the household.');
  assert.equal(messageHere('An API key of Last.fm in LUNARA_LASTFM_KEY, or an account there.'),
    'An account at Last.fm. Sign in in Settings, Scrobbling.');
});

test('only what a person reads is changed in an answer', () => {
  const answer = {
    error: { message: 'Run `lunara sync`.' }, needs: 'An account. Sign in with `lunara login listenbrainz`.',
    title: 'Run `lunara sync`.',
  };
  assert.deepEqual(decode(JSON.stringify(answer)), {
    error: { message: 'Press Refresh in Settings, Music.' },
    needs: 'An account. Sign in again in Settings, Scrobbling.', title: 'Run `lunara sync`.',
  });
});
