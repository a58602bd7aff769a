// Requests to the HTTP API, which api/openapi.json describes.

/** An error of the API, or the error that the service could not be reached (`page.unreachable`). */
class APIError extends Error {
  constructor(code, message, status) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

async function send(path, options = {}) {
  let answer;
  try {
    answer = await fetch(`/api/v1/${path}`, options);
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new APIError('page.unreachable', 'Lunara does not answer. It may be restarting. Try again in a moment.', 0);
  }
  let body = null;
  try {
    body = await answer.json();
  } catch {
    // The body is not JSON, so the error has only the status.
  }
  if (answer.ok && (body !== null || answer.status === 204)) return body;
  const error = body?.error;
  throw new APIError(
    error?.code ?? 'page.badAnswer', error?.message ?? `Lunara answered with status ${answer.status}.`, answer.status);
}

function query(parameters) {
  const all = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== null && value !== undefined) all.set(name, value);
  const text = all.toString();
  return text ? `?${text}` : '';
}

/** Sends a GET request, without the parameters that are null. Returns the decoded answer; throws an `APIError`. */
export function read(path, parameters = {}, signal = undefined) {
  return send(`${path}${query(parameters)}`, { signal, headers: { Accept: 'application/json' } });
}

/** Sends a request that changes something; `method` is POST, PUT, PATCH or DELETE. Throws an `APIError`. */
export function change(path, body = {}, method = 'POST') {
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
 * the list of albums that plays after the last item, or null.
 */
export function play(ids, { room = null, mode = 'now', startAt = 0, continues = null, shuffle = false } = {}) {
  const more = mode === 'now' ? { startAt, ...(continues && !shuffle ? { continues } : {}), ...(shuffle ? { shuffle } : {}) } : {};
  return change('play', { ids, mode, ...(room ? { room } : {}), ...more });
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

export const albumPath = (id) => `albums/${of(id)}`;
export const artistPath = (id) => `artists/${of(id)}`;
export const collectionPath = (id) => `collections/${of(id)}`;
export const playlistPath = (id) => `playlists/${of(id)}`;
