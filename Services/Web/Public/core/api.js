// Requests to the HTTP API, which api/openapi.json describes.
import { decode } from './messages.js';

/** An error of the API, or the error that the service could not be reached (`page.unreachable`). */
class APIError extends Error {
  constructor(code, message, status) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

// The time in milliseconds after which a request that only reads has failed.
const readLimit = 15_000;
// The number of connections to a host that a browser keeps for later requests, besides that of the event stream.
const keptConnections = 5;
// The requests that have no answer yet, by their abort controllers.
const pending = new Set();
// The answers that were asked for before the code that wants them was there, by their paths.
const answersAhead = new Map();
// The time in milliseconds for which such an answer is kept.
const aheadLimit = 10_000;
// The time in milliseconds after which a command without an answer lets the page look if the service answers at all.
const patience = 2000;
let isConnected = true;
// True if a read failed for lack of a connection since the last call of `takeMissed`.
let hasMissed = false;
let reportSilence = () => {};

/**
 * Says whether the service sends events. When it stops sending them, all requests that wait for an answer fail with
 * `page.unreachable`: a connection that is frozen or cut gives no answer and no error by itself.
 */
export function setConnected(isNow) {
  isConnected = isNow;
  if (!isNow) for (const control of pending) control.abort();
}

/** Calls `report` when the service answers neither a command nor a small request. */
export function whenSilent(report) {
  reportSilence = report;
}

/** Returns true if the service answers a small request within a time in milliseconds. */
async function isReachable(limit = 2000) {
  try {
    // @ts-expect-error TypeScript 4.8 does not know `timeout`.
    const signal = AbortSignal.timeout(limit);
    return (await fetch('/healthz', { cache: 'no-store', signal })).ok;
  } catch {
    return false;
  }
}

/**
 * Ends the connections that the browser has kept for later requests, as far as they give no answer: otherwise it would
 * use them again one by one, and wait for each. Takes 2 s if there are any.
 */
export async function endSilentConnections() {
  await Promise.all(Array.from({ length: keptConnections }, isReachable));
}

/** Looks if the service answers at all. A command that only takes long is left alone. */
async function suspect() {
  if (!await isReachable(1000)) reportSilence();
}

/** Returns true for the error of a part of the page that is of another version than the page that is open. */
export function isOtherVersion(error) {
  return error instanceof SyntaxError && /import|export|module/i.test(error.message);
}

/** Returns true for the error of a part of the page that could not be loaded. Its text is for programmers only. */
export function isLoadFailure(error) {
  return isOtherVersion(error) || (error instanceof TypeError && /module/i.test(error.message));
}

/** Returns the text of an error for a person. */
export function messageOf(error) {
  if (isOtherVersion(error)) return 'Lunara has a new version of the page. Load the page again to go on.';
  return isLoadFailure(error) ? 'This part of the page could not be loaded, as Lunara does not answer.' : error.message;
}

/** Loads the page anew if Lunara answers, as browsers do not load a part again that has failed. Else returns false. */
export async function reloadPage() {
  const isThere = await isReachable(5000);
  if (isThere) location.reload();
  return isThere;
}

function unreachable(isChange) {
  const words = isChange
    ? 'Lunara has not answered, so it is not known whether this was done. Look again when the page is connected.'
    : 'Lunara does not answer. It may be restarting. Try again in a moment.';
  return new APIError('page.unreachable', words, 0);
}

/**
 * Sends a request. Returns its answer and the decoded body, which is null if it is not JSON.
 * @param {string} path
 * @param {RequestInit} options
 */
async function exchange(path, { signal, ...options }) {
  const control = new AbortController();
  const abort = () => control.abort();
  signal?.addEventListener('abort', abort);
  if (signal?.aborted) abort();
  pending.add(control);
  const timer = options.method ? setTimeout(suspect, patience) : setTimeout(abort, readLimit);
  try {
    const answer = await fetch(`/api/v1/${path}`, { ...options, signal: control.signal });
    const text = await answer.text();
    try {
      return { answer, body: decode(text) };
    } catch {
      return { answer, body: null };
    }
  } catch (error) {
    if (signal?.aborted) throw error;
    throw unreachable(Boolean(options.method));
  } finally {
    clearTimeout(timer);
    pending.delete(control);
    signal?.removeEventListener('abort', abort);
  }
}

/** @param {RequestInit} [options] */
async function send(path, options = {}) {
  const { answer, body } = await exchange(path, options);
  if (answer.ok && (body !== null || answer.status === 204)) return body;
  const error = body?.error;
  throw new APIError(
    error?.code ?? 'page.badAnswer', error?.message ?? `Lunara answered with status ${answer.status}.`, answer.status);
}

/** Returns true, once, if something could not be read for want of a connection, to Lunara or within it. */
export function takeMissed() {
  const was = hasMissed;
  hasMissed = false;
  return was;
}

/** Returns true for an error of a service that cannot be reached, of which a proxy tells with a status of its own. */
function isMissing({ code, status }) {
  return ['page.unreachable', 'bus.unreachable', 'bus.timeout'].includes(code)
    || (code === 'page.badAnswer' && status >= 502 && status <= 504);
}

async function ask(path, signal) {
  try {
    return await send(path, { signal, headers: { Accept: 'application/json' } });
  } catch (error) {
    if (isMissing(error)) hasMissed = true;
    throw error;
  }
}

function query(parameters) {
  const all = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const one of [value].flat()) if (one !== null && one !== undefined) all.append(name, one);
  }
  const text = all.toString();
  return text ? `?${text}` : '';
}

/**
 * Sends a GET request, without the parameters that are null; one that is a list is sent several times. Returns the
 * decoded answer; throws an `APIError`.
 */
export function read(path, parameters = {}, signal = undefined) {
  const whole = `${path}${query(parameters)}`;
  const answer = answersAhead.get(whole);
  answersAhead.delete(whole);
  return answer ?? ask(whole, signal);
}

/**
 * Sends a GET request for code that is not there yet: the next `read` of the same gets its answer, if it comes within
 * 10 s. Of a failure only those hear who wait for the answer by then; others ask again.
 */
export function readAhead(path, parameters = {}) {
  const whole = `${path}${query(parameters)}`;
  if (answersAhead.has(whole)) return;
  const answer = read(path, parameters);
  const forget = () => answersAhead.get(whole) === answer && answersAhead.delete(whole);
  answersAhead.set(whole, answer);
  answer.catch(forget);
  setTimeout(forget, aheadLimit);
}

/**
 * Sends a request that changes something; `method` is POST, PUT, PATCH or DELETE. Throws an `APIError`. Without a
 * connection nothing is sent: a frozen service would carry it out whenever it goes on, perhaps much later.
 */
export async function change(path, body = {}, method = 'POST') {
  if (!isConnected && !await isReachable(1000)) {
    throw new APIError('page.notConnected',
      'This page is not connected to Lunara, so nothing was changed. It connects again by itself. Then try again.', 0);
  }
  return send(path, { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
}

const of = encodeURIComponent;

/** Returns the path of a picture that is scaled to `size` pixels. */
export function artPath(art, size) {
  return `/api/v1/art/${of(art)}?size=${size}`;
}

/** Reads an item with all pages of its lists; `lists` are the names of the lists' properties. */
export async function readAllPages(path, lists, signal) {
  const whole = await read(path, {}, signal);
  while (whole.next) {
    const page = await read(path, { after: whole.next }, signal);
    for (const list of lists) whole[list]?.push(...page[list] ?? []);
    whole.next = page.next;
  }
  return whole;
}

/**
 * Plays albums, tracks, artists, collections or playlists in a room. `mode` is `now`, `next` or `later`. `continues` is
 * the list of albums that plays after the last item, or null; with `endsAfter` the room only keeps it for the switch of
 * the queue. `described` are tracks by their descriptions, after them.
 */
export function play(ids,
  {
    room = null, mode = 'now', startAt = 0, continues = null, endsAfter = false, shuffle = false, described = null,
  } = {}) {
  const more = mode === 'now'
    ? { startAt, ...(continues && !shuffle ? { continues, endsAfter } : {}), ...(shuffle ? { shuffle } : {}) }
    : {};
  return change('play', { ids, mode, ...(room ? { room } : {}), ...(described ? { described } : {}), ...more });
}

/** Sends a transport command to a room, as in `sendCommand('kitchen', { action: 'seek', seconds: 12 })`. */
export function sendCommand(room, command) {
  return change(`rooms/${of(room)}/transport`, command);
}

/** Changes a room's queue, as in `editQueue('kitchen', { action: 'order', order: 'albums' })`. */
export function editQueue(room, command) {
  return change(`rooms/${of(room)}/queue`, command);
}

/** Rates an album or a track with 0.5 to 5 stars; null removes the rating. */
export function rate(id, stars) {
  return change(`ratings/${of(id)}`, { stars }, 'PUT');
}

/** Reads a part of a room's queue. */
export function readQueue(room, first, limit, signal) {
  return read(`rooms/${of(room)}/queue`, { first, limit }, signal);
}

/** Moves the music of one room to another. */
export function move(from, to) {
  return change(`rooms/${of(from)}/move`, { to });
}

export const trackPath = (id) => `tracks/${of(id)}`;
export const albumPath = (id) => `albums/${of(id)}`;
export const artistPath = (id) => `artists/${of(id)}`;
export const collectionPath = (id) => `collections/${of(id)}`;
export const playlistPath = (id) => `playlists/${of(id)}`;
