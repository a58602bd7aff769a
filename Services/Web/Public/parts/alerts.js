// Alerts: banners about problems in the household, which stay until the problem is over.
import { change } from '../core/api.js';
import { onFact } from '../core/events.js';
import { roomTitle, timeOfDay } from '../core/format.js';
import { store, subscribe } from '../core/store.js';
import { actionFor, hideBanner, showBanner, showError } from './banners.js';
import { readServices, serviceTitle } from './services.js';
import { libraryIsAway, sourceName } from './sources.js';

// The messages of the alerts that are shown, by key.
const shown = new Map();

/** Shows a lasting banner if `isActive`, and removes it otherwise. */
function setAlert(isActive, key, message, { kind = 'wait', action = null } = {}) {
  if (isActive && shown.get(key) !== message) showBanner(message, { key, kind, lasting: true, action });
  if (!isActive && shown.has(key)) hideBanner(key);
  if (isActive) shown.set(key, message);
  else shown.delete(key);
}

/** Ends the alerts whose keys begin with `prefix` and are not in `keys`. */
function endOthers(prefix, keys) {
  for (const key of [...shown.keys()]) if (key.startsWith(prefix) && !keys.has(key)) setAlert(false, key, '');
}

function updateSources() {
  const sources = store.catalogue?.sources ?? [];
  endOthers('out ', new Set(sources.map(({ name }) => `out ${name}`)));
  for (const source of sources) {
    setAlert(source.health === 'signed-out', `out ${source.name}`,
      `You are signed out of ${sourceName(source)}. Sign in again. Until then the page shows what was read before.`,
      { kind: 'error', action: { name: 'Sign in', href: '#/settings/sources' } });
  }
}

function updateRooms() {
  const noticeKey = ({ name, notice }) => `notice ${name} ${notice?.code ?? ''}`;
  endOthers('away ', new Set(store.rooms.map(({ name }) => `away ${name}`)));
  endOthers('notice ', new Set(store.rooms.map(noticeKey)));
  for (const room of store.rooms) {
    setAlert(room.away && store.link !== 'lost', `away ${room.name}`,
      `${roomTitle(room.name)} does not answer. Reconnecting …`);
    const { notice } = room;
    setAlert(Boolean(notice), noticeKey(room), notice?.message ?? '', {
      kind: 'error', action: notice && actionFor(notice),
    });
  }
}

const openScrobbling = { name: 'Scrobbling', href: '#/settings/scrobbling' };

/** Shows that a service refused a listen or a loved track, and why. */
async function showRefused({ kind, service, title, reason }) {
  await readServices().catch(() => {}); // If this fails, the service is shown by its kind.
  const what = kind === 'scrobble.love-parked' ? 'the rating' : 'the listen';
  showBanner(`${serviceTitle(service)} refused ${what}${title ? ` of “${title}”` : ''}: ${reason}`,
    { key: 'parked', kind: 'error', action: openScrobbling });
}

function updateScrobbling() {
  const { accounts = [], failed = 0, failedLoves = 0, privateUntil = null } = store.scrobbles ?? {};
  endOthers('scrobble ', new Set(accounts.map(({ service, account }) => `scrobble ${service} ${account}`)));
  for (const { service, account, state, error } of accounts) {
    setAlert(['signed-out', 'refused'].includes(state) && Boolean(error), `scrobble ${service} ${account}`,
      error?.message ?? '', { kind: 'error', action: error && actionFor(error) });
  }
  setAlert(failed > 0, 'failed listens', 'Some listens could not be sent. Send them again or discard them.',
    { kind: 'error', action: openScrobbling });
  setAlert(failedLoves > 0, 'failed loves', 'Some loved tracks could not be sent. Send them again or discard them.',
    { kind: 'error', action: openScrobbling });
  setAlert(Boolean(privateUntil) && new Date(privateUntil) > new Date(), 'private',
    `Private listening until ${timeOfDay(privateUntil)}: your listens are not sent anywhere.`, {
      kind: 'word',
      action: { name: 'Turn off', run: () => change('scrobbles/private', { seconds: null }, 'PUT').catch(showError) },
    });
}

/** Starts to show alerts. */
export function startAlerts() {
  subscribe(() => {
    setAlert(store.link === 'lost', 'link', 'This page is not connected to Lunara. Reconnecting …');
    setAlert(store.link !== 'lost' && libraryIsAway(), 'library',
      'The library does not answer. The music plays on, and the page shows what it read before.');
    updateSources();
    updateRooms();
    updateScrobbling();
  });
  // Private listening ends at a time, without an event.
  setInterval(() => document.hidden || updateScrobbling(), 20_000);
  onFact((fact) => {
    if (fact.kind === 'playback.track-failed') {
      showBanner(fact.error?.message ?? 'A track could not be played.', {
        key: fact.error?.code, kind: 'error', action: actionFor(fact.error ?? {}),
      });
    }
    if (fact.kind === 'scrobble.parked' || fact.kind === 'scrobble.love-parked') showRefused(fact);
    // That one is signed out of a source is said by its alert.
    if (fact.kind === 'library.sync-failed' && !/signedOut/.test(fact.error?.code)) {
      showBanner(fact.error?.message ?? 'A source could not be read.', {
        key: `sync ${fact.source}`, kind: 'error', action: { name: 'Sources', href: '#/settings/sources' },
      });
    }
  });
}
