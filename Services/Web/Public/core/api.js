// Talking to the service: the one place that knows its addresses (api/openapi.json describes them).

/** What the service refused, or that it could not be reached. */
export class Refusal extends Error {
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
    throw new Refusal('page.unreachable', 'Lunara does not answer. It may be starting again; try once more in a moment.', 0);
  }
  let body = null;
  try {
    body = await answer.json();
  } catch {
    // Not JSON: the status says all there is.
  }
  if (answer.ok && (body !== null || answer.status === 204)) return body;
  const error = body?.error;
  throw new Refusal(
    error?.code ?? 'page.badAnswer', error?.message ?? `Lunara answered with status ${answer.status}.`, answer.status);
}

function query(parameters) {
  const all = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== null && value !== undefined) all.set(name, value);
  const text = all.toString();
  return text ? `?${text}` : '';
}

/** Reads; parameters that are null are left out. */
export function read(path, parameters = {}, signal = undefined) {
  return send(`${path}${query(parameters)}`, { signal, headers: { Accept: 'application/json' } });
}

/** Changes something: `method` is POST, PUT, PATCH or DELETE. */
export function change(path, body = {}, method = 'POST') {
  return send(path, { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
}

const of = encodeURIComponent;

/** Where a picture is, small enough for so many pixels. */
export function artPath(art, size) {
  return `/api/v1/art/${of(art)}?size=${size}`;
}

/** Reads an item with every page of what it holds: `lists` are the keys that go on from page to page. */
export async function readWhole(path, lists, signal) {
  const whole = await read(path, {}, signal);
  while (whole.next) {
    const page = await read(path, { after: whole.next }, signal);
    for (const list of lists) whole[list]?.push(...page[list] ?? []);
    whole.next = page.next;
  }
  return whole;
}

/**
 * Plays albums, tracks, artists, collections or playlists in a room. `mode` is `now`, `next` or `later`; the music goes
 * on in the list `continues`; without one it ends.
 */
export function play(ids, { room = null, mode = 'now', startAt = 0, continues = null, shuffle = false } = {}) {
  const more = mode === 'now' ? { startAt, ...(continues && !shuffle ? { continues } : {}), ...(shuffle ? { shuffle } : {}) } : {};
  return change('play', { ids, mode, ...(room ? { room } : {}), ...more });
}

/** Steers a room: `steer('kitchen', { action: 'seek', seconds: 12 })`. */
export function steer(room, command) {
  return change(`rooms/${of(room)}/transport`, command);
}

/** Changes a room's queue: `edit('kitchen', { action: 'order', order: 'albums' })`. */
export function edit(room, command) {
  return change(`rooms/${of(room)}/queue`, command);
}

/** Rates an album or a track from 0.5 to 5 stars; null takes the rating back. */
export function rate(id, stars) {
  return change(`ratings/${of(id)}`, { stars }, 'PUT');
}

/** A part of a room's queue. */
export function queuePart(room, first, limit, signal) {
  return read(`rooms/${of(room)}/queue`, { first, limit }, signal);
}

/** Moves what plays in one room to another. */
export function move(from, to) {
  return change(`rooms/${of(from)}/move`, { to });
}

export const albumPath = (id) => `albums/${of(id)}`;
export const artistPath = (id) => `artists/${of(id)}`;
export const collectionPath = (id) => `collections/${of(id)}`;
export const playlistPath = (id) => `playlists/${of(id)}`;
