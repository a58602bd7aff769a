// The event stream of the service. It is kept open while the page may be visible, and made anew when it breaks or falls
// silent.
import { endSilentConnections, setConnected, whenSilent } from './api.js';
import { decode } from './messages.js';
import { applyEvent, setLink, stateEvents, store } from './store.js';

// The time in milliseconds after which a broken connection counts as lost. A restart of the service takes less time.
const lostAfter = 2000;

// The number of seconds without any event after which a connection counts as lost, although it has not broken: the
// service may be frozen, or the network cut. The service sends an event at least every 2 s.
const silenceLimit = 5;

// The time in milliseconds after which a hidden page ends its stream. A person who goes to another tab and back waits
// for nothing.
const restsAfter = 60_000;

const listeners = new Set();
const finders = new Set();

/**
 * The name of this page in its browser tab, by which the service knows what it shows. It is drawn anew in each
 * document, and says nothing about the person.
 */
export const pageName = Array.from(crypto.getRandomValues(new Uint8Array(12)),
  (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Calls `listener` with each list of tracks for which plugins have found something. */
export function onFound(listener) {
  finders.add(listener);
}

/**
 * Calls `listener` once with each fact of the household, including those that happened while the page was disconnected.
 * Returns the function that ends this.
 */
export function onFact(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function notify(fact) {
  for (const listener of listeners) listener(fact);
}

// The id of the last event, for the next connection: the browser itself remembers it only when it reconnects by itself.
let lastID = '';
let stream = null;
let again = 0;
let losing = 0;
let watching = 0;
// The seconds since the last event, counted by a timer: a clock would also count while the page itself stood still.
let silence = 0;
let heardAt = 0;

function markLost() {
  setLink('lost');
  setConnected(false);
}

function markOpen() {
  clearTimeout(losing);
  losing = 0;
  setConnected(true);
}

function markHeard() {
  silence = 0;
  heardAt = Date.now();
}

function connect(callbacks) {
  clearTimeout(again);
  stream?.close();
  markHeard();
  const mine =
    stream = new EventSource(`/api/v1/events?page=${pageName}${lastID ? `&after=${encodeURIComponent(lastID)}` : ''}`);
  const on = (name, run) => mine.addEventListener(name, (event) => {
    lastID = event.lastEventId || lastID;
    markHeard();
    run(decode(event.data));
  });
  on('snapshot', markOpen);
  for (const name of stateEvents) on(name, (content) => applyEvent(name, content));
  on('heartbeat', () => {});
  on('fact', notify);
  on('found', (content) => {
    for (const listener of finders) listener(content);
  });
  on('reset', () => notify({ kind: 'page.reset' }));
  on('notice', callbacks.onNotice);
  mine.onerror = () => {
    if (store.link !== 'lost') setLink('broken');
    losing ||= setTimeout(markLost, lostAfter);
    // The browser reconnects by itself after a broken connection, but gives up after an error status.
    if (mine.readyState !== EventSource.CLOSED) return;
    again = setTimeout(() => connect(callbacks), 1500);
    callbacks.onRefused();
  };
}

/** Counts the connection as lost, and makes another as soon as the old one holds nothing up any more. */
async function replaceConnection(callbacks) {
  const mine = stream;
  mine.close();
  markLost();
  await endSilentConnections();
  if (stream === mine) connect(callbacks);
}

function checkSilence(callbacks) {
  silence += 1;
  if (silence === silenceLimit) replaceConnection(callbacks);
}

/**
 * Keeps the stream open while the page may be visible, as a browser allows only six connections to a host for all
 * pages. A page in a hidden tab closes its stream when another page connects and after a minute, if `mayClose()`
 * returns true, and opens it again when the tab is shown. `onNotice(error)` is called for errors that no state shows,
 * and `onRefused()` when the service refuses the stream, as it does after the session has ended.
 */
export function connectWhileVisible({ mayClose, ...callbacks }) {
  let pages = null;
  let resting = 0;
  const close = () => {
    clearTimeout(again);
    clearInterval(watching);
    stream?.close();
    pages?.close();
    stream = pages = null;
  };
  const rest = () => {
    if (document.hidden && mayClose()) close();
  };
  const open = () => {
    close();
    pages = new BroadcastChannel('lunara');
    pages.onmessage = rest;
    pages.postMessage('connected');
    connect(callbacks);
    watch();
  };
  // A hidden page is not woken to count. When it is shown again, it looks how old the last event is.
  const watch = () => {
    clearInterval(watching);
    if (stream && !(document.hidden && mayClose())) watching = setInterval(() => checkSilence(callbacks), 1000);
  };
  open();
  const wake = () => {
    if (document.hidden) return;
    // While the device slept, no timer ran and the connection may have ended without notice. A lost connection is made
    // again at once, not only when the browser tries next; one that was made just now is not disturbed.
    const age = Date.now() - heardAt;
    if (!stream || age > silenceLimit * 1000 || (store.link === 'lost' && age > 1000)) open();
  };
  document.addEventListener('visibilitychange', () => {
    clearTimeout(resting);
    if (document.hidden) resting = setTimeout(rest, restsAfter);
    watch();
    wake();
  });
  addEventListener('focus', wake);
  addEventListener('online', wake);
  // A command has had no answer for a while, and the service does not answer anything else either.
  whenSilent(() => stream && store.link !== 'lost' && replaceConnection(callbacks));
  addEventListener('pagehide', close);
  addEventListener('pageshow', ({ persisted }) => persisted && open());
}
