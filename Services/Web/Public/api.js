// Talking to the service.

/** What the service refused, or that it could not be reached. */
export class Refusal extends Error {
  constructor(code, message, status) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

async function send(path, options) {
  let answer;
  try {
    answer = await fetch(path, options);
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
  if (answer.ok && body !== null) return body;
  const error = body?.error;
  throw new Refusal(
    error?.code ?? 'page.badAnswer', error?.message ?? `Lunara answered with status ${answer.status}.`, answer.status);
}

/** Reads; parameters that are null are left out. */
export function read(path, parameters = {}, signal = undefined) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== null && value !== undefined) query.set(name, value);
  const text = query.toString();
  return send(`/api/v1/${path}${text ? `?${text}` : ''}`, { signal, headers: { Accept: 'application/json' } });
}

function post(path, body) {
  return send(`/api/v1/${path}`, {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body),
  });
}

/**
 * Plays albums or tracks in a room: `mode` is `now`, `next` or `later`. The music goes on in the list `continues`, such as
 * `{ sort: 'added' }` or `{ albums: [ids] }`; without one it ends.
 */
export function play(ids, room, mode = 'now', startAt = 0, continues = null) {
  return post('play', { ids, room, mode, startAt, ...(mode === 'now' && continues ? { continues } : {}) });
}

/** Steers a room: `steer('kitchen', { action: 'seek', seconds: 12 })`. */
export function steer(room, command) {
  return post(`rooms/${encodeURIComponent(room)}/transport`, command);
}

/** Changes a room's queue: `edit('kitchen', { action: 'order', order: 'albums' })`. */
export function edit(room, change) {
  return post(`rooms/${encodeURIComponent(room)}/queue`, change);
}

/** Where a picture is, small enough for so many pixels. */
export function artPath(art, size) {
  return `/api/v1/art/${encodeURIComponent(art)}?size=${size}`;
}
