import assert from 'node:assert/strict';
import test from 'node:test';
import {
  afterChange, albumsOf, insteadOfShelf, isFirstReading, knownOf, nothingKnown, reasonOf, shelfOf,
} from '../../../Services/Web/Public/screens/homestate.js';

const albums = (...ids) => ids.map((id) => ({ id }));
const idsOf = (list) => list.map(({ id }) => id).join(' ');

test('the upper half of the shelf has what was played last, and no album stands there twice', () => {
  const all = { played: albums('a', 'b', 'c', 'd'), added: albums('b', 'x', 'y', 'z') };
  assert.equal(idsOf(shelfOf(all, { rows: 2, columns: 3 })), 'a b c x y z');
  assert.equal(idsOf(shelfOf(all, { rows: 3, columns: 2 })), 'a b c d x y');
});

test('a shelf with room left after what is new takes more of what was played', () => {
  const all = { played: albums('a', 'b', 'c'), added: albums('a') };
  assert.equal(idsOf(shelfOf(all, { rows: 2, columns: 2 })), 'a b c');
});

test('an album that was never played is not among those played last', () => {
  const heard = { items: [{ id: 'a', lastPlayedAt: '2026-01-01' }, { id: 'b' }] };
  const found = albumsOf(heard, { items: albums('b'), total: 12 });
  assert.equal(idsOf(found.played), 'a');
  assert.equal(found.total, 12);
});

test('an answer without a total has at least its own albums', () => {
  assert.equal(albumsOf({ items: [] }, { items: albums('a', 'b') }).total, 2);
});

test('the shelf names reasons once something was played', () => {
  const now = new Date().toISOString();
  assert.equal(reasonOf({ addedAt: now }, { played: [] }), null);
  assert.equal(reasonOf({ addedAt: now }, { played: albums('a') }), 'Added just now');
  assert.equal(reasonOf({ addedAt: now, lastPlayedAt: now }, { played: albums('a') }), 'Played just now');
  assert.equal(reasonOf({}, { played: albums('a') }), null);
});

test('music is read for the first time while a source that was never read is read', () => {
  assert.equal(isFirstReading(null), false);
  assert.equal(isFirstReading({ sources: [{ health: 'scanning' }] }), true);
  assert.equal(isFirstReading({ sources: [{ health: 'scanning', lastRefreshed: '2026-01-01' }] }), false);
  assert.equal(isFirstReading({ sources: [{ health: 'fine' }] }), false);
});

const shown = { hasFailed: false, isEmpty: false };
const household = (generation, lists, link = 'open') => ({ catalogue: { generation, lists }, link });

test('the first state of the catalogue changes nothing on a screen that has albums', () => {
  assert.equal(afterChange(nothingKnown, household(1, 1), shown).outdated, null);
});

test('the first state of the catalogue is news for a screen that found nothing', () => {
  assert.equal(afterChange(nothingKnown, household(1, 1), { hasFailed: false, isEmpty: true }).outdated, 'all');
});

test('another generation outdates everything, other lists only the lists', () => {
  const { known } = afterChange(nothingKnown, household(1, 1), shown);
  assert.equal(afterChange(known, household(1, 1), shown).outdated, null);
  assert.equal(afterChange(known, household(2, 2), shown).outdated, 'all');
  const later = afterChange(known, household(1, 2), shown);
  assert.equal(later.outdated, 'lists');
  assert.equal(afterChange(later.known, household(1, 2), shown).outdated, null);
});

test('a failed screen reads again when the connection comes back, and only then', () => {
  const failed = { hasFailed: true, isEmpty: false };
  const { known } = afterChange(nothingKnown, household(1, 1, 'lost'), failed);
  const back = afterChange(known, household(1, 1, 'open'), failed);
  assert.equal(back.outdated, 'all');
  assert.equal(afterChange(back.known, household(1, 1, 'open'), failed).outdated, null);
  assert.equal(afterChange(known, household(1, 1, 'open'), shown).outdated, null);
});

test('what is known of a catalogue stays while it is away', () => {
  const known = knownOf(nothingKnown, { generation: 4, lists: 2 });
  assert.deepEqual(knownOf(known, null), { generation: 4, lists: 2, link: null });
  assert.equal(afterChange(known, { catalogue: null, link: 'open' }, shown).outdated, null);
});

test('the shelf gives way to a message only without albums', () => {
  const error = new Error('cut');
  assert.equal(insteadOfShelf({ albums: { total: 3 }, error }, { albums: 0 }), null);
  assert.equal(insteadOfShelf({ albums: { total: 0 }, error: null }, null), 'nothing');
  assert.equal(insteadOfShelf({ albums: null, error: null }, { albums: 0 }), 'nothing');
  assert.equal(insteadOfShelf({ albums: null, error }, { albums: 9 }), 'failure');
  assert.equal(insteadOfShelf({ albums: null, error: null }, { albums: 9 }), null);
});
