// What the household says that a person should know: a banner where something is away or wants them, taken back once it
// is over.
import { complain, dismiss, remedy, say } from '../parts/banners.js';
import { libraryIsAway, sourceName } from '../parts/sourcewords.js';
import { change } from './api.js';
import { follow, onFact, store } from './store.js';
import { roomTitle, serviceNames, timeOfDay } from './words.js';

// What is told, by key: a banner whose words change is said anew.
const told = new Map();

/** Shows a banner as long as something is so. */
function during(isSo, key, message, { kind = 'wait', action = null } = {}) {
  if (isSo && told.get(key) !== message) say(message, { key, kind, lasting: true, action });
  if (!isSo && told.has(key)) dismiss(key);
  if (isSo) told.set(key, message);
  else told.delete(key);
}

function watchSources() {
  const sources = store.catalogue?.sources ?? [];
  const names = new Set(sources.map(({ name }) => `out ${name}`));
  for (const key of [...told.keys()]) if (key.startsWith('out ') && !names.has(key)) during(false, key, '');
  for (const source of sources) {
    during(source.health === 'signed-out', `out ${source.name}`, `${sourceName(source)} asks you to sign in again. What was read before is shown.`, { kind: 'error', action: { name: 'Sign in', href: '#/settings/sources' } });
  }
}

function watchRooms() {
  const names = new Set(store.rooms.map(({ name }) => name));
  for (const key of [...told.keys()]) if (key.startsWith('away ') && !names.has(key.slice(5))) during(false, key, '');
  for (const room of store.rooms) {
    during(room.away && store.link !== 'lost', `away ${room.name}`, `${roomTitle(room.name)} is away. Reconnecting …`);
    const { notice } = room;
    during(Boolean(notice), `notice ${room.name} ${notice?.code ?? ''}`, notice?.message ?? '', { kind: 'error', action: notice && remedy(notice) });
    for (const key of [...told.keys()]) if (key.startsWith(`notice ${room.name} `) && key !== `notice ${room.name} ${notice?.code ?? ''}`) during(false, key, '');
  }
}

const look = { name: 'Look', href: '#/settings/scrobbling' };

/** A listen or a love that a service will not take, and why. */
function tellParked({ kind, service, title, reason }) {
  const what = kind === 'scrobble.love-parked' ? 'The rating' : 'The listen';
  say(`${what}${title ? ` of “${title}”` : ''} was not taken by ${serviceNames[service] ?? service}: ${reason}`, { key: 'parked', kind: 'error', action: look });
}

function watchScrobbles() {
  const { accounts = [], failed = 0, failedLoves = 0, privateUntil = null } = store.scrobbles ?? {};
  const keys = new Set(accounts.map(({ service, account }) => `scrobble ${service} ${account}`));
  for (const key of [...told.keys()]) if (key.startsWith('scrobble ') && !keys.has(key)) during(false, key, '');
  for (const { service, account, state, error } of accounts) {
    during(['signed-out', 'refused'].includes(state) && Boolean(error), `scrobble ${service} ${account}`, error?.message ?? '', { kind: 'error', action: error && remedy(error) });
  }
  during(failed > 0, 'failed listens', 'Some of what was heard was not taken and waits for you.', { kind: 'error', action: look });
  during(failedLoves > 0, 'failed loves', 'Some of what you love was not taken and waits for you.', { kind: 'error', action: look });
  during(Boolean(privateUntil) && new Date(privateUntil) > new Date(), 'private', `Private listening until ${timeOfDay(privateUntil)}: nothing that is heard is sent.`, {
    kind: 'word', action: { name: 'End it', run: () => change('scrobbles/private', { seconds: null }, 'PUT').catch(complain) },
  });
}

/** Wires the banners to the store. */
export function startWatch() {
  follow(() => {
    during(store.link === 'lost', 'link', 'The connection to Lunara is lost. Trying again …');
    const isAway = store.link !== 'lost' && libraryIsAway();
    during(isAway, 'library', 'The library is not answering. What was read before is shown, and the music goes on.');
    watchSources();
    watchRooms();
    watchScrobbles();
  });
  // A private while ends without a word from anybody.
  setInterval(() => document.hidden || watchScrobbles(), 20_000);
  onFact((fact) => {
    if (fact.kind === 'playback.track-failed') say(fact.error?.message ?? 'A track could not be played.', { key: fact.error?.code, kind: 'error', action: remedy(fact.error ?? {}) });
    if (fact.kind === 'scrobble.parked' || fact.kind === 'scrobble.love-parked') tellParked(fact);
    if (fact.kind === 'library.sync-failed') say(fact.error?.message ?? 'A source could not be read.', { key: `sync ${fact.source}`, kind: 'error', action: { name: 'Sources', href: '#/settings/sources' } });
  });
}
