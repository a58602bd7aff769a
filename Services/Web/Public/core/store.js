// What the page knows of the household, kept in step by the event stream.

import { recall, remember } from './prefs.js';
import { nameRooms } from './words.js';

// How long after a connection the service may still be meeting the others; what is missing until then is not yet gone.
const meeting = 3000;

// How long the service may be away before it is said: a restart takes less.
const patience = 2000;

/**
 * The newest of everything. `link` is `opening`, `open`, `broken` (for a moment) or `lost`; `settled` is whether what is
 * missing is known to be missing.
 */
export const store = {
  link: 'opening', settled: false, rooms: [], queues: new Map(), catalogue: null, nodes: [], scrobbles: null, outputs: new Map(),
  chosen: recall('room'), shown: null, list: null,
};

const readers = new Set();
let settling = 0;
let losing = 0;
let scheduled = false;

/** Calls `reader` now and after every change, once for a burst of changes. */
export function follow(reader) {
  readers.add(reader);
  reader(store);
  return () => readers.delete(reader);
}

/** The room of a name. */
export function roomNamed(name) {
  return store.rooms.find((room) => room.name === name) ?? null;
}

function changed() {
  if (scheduled) return;
  scheduled = true;
  queueMicrotask(() => {
    scheduled = false;
    for (const reader of readers) reader(store);
  });
}

/**
 * The room the page shows: the chosen one, else one that plays, else the first that is there. What is shown stays shown
 * until a person chooses another or the room is gone for good.
 */
export function currentRoom() {
  const { rooms, chosen } = store;
  const room = rooms.find(({ name }) => name === chosen) ?? rooms.find(({ name }) => name === store.shown)
    ?? rooms.find(({ away, rate }) => !away && rate > 0) ?? rooms.find(({ away, track }) => !away && track)
    ?? rooms.find(({ away }) => !away) ?? rooms[0] ?? null;
  store.shown = room?.name ?? store.shown;
  return room;
}

/** Says which list of albums a person looks at: a function that makes one to go on in after an album. */
export function look(list) {
  store.list = list;
}

/** The list that the music goes on in after an album that was chosen now. */
export function listFrom(album) {
  return store.list?.(album) ?? { sort: 'name' };
}

/** The queue of a room around its current track; null where nothing is known of it. */
export function queueOf(room) {
  return room ? store.queues.get(room.name) ?? null : null;
}

/** Shows another room and remembers it. */
export function choose(name) {
  store.chosen = name;
  remember('room', name);
  changed();
}

/**
 * Shows at once that a room is about to play `track`, until it says so itself; answers how to take that back where it will
 * not. A track that is not known yet, as of an album, has no id.
 */
export function expect(name, track) {
  const room = roomNamed(name);
  if (!room || room.away) return () => {};
  const asked = {
    ...room, track, state: 'buffering', rate: 0, entry: null, positionSeconds: 0, durationSeconds: track.durationSeconds ?? null,
    bufferedSeconds: 0, heardAt: performance.now(),
  };
  store.rooms = store.rooms.map((one) => (one === room ? asked : one));
  changed();
  return () => {
    store.rooms = store.rooms.map((one) => (one === asked ? room : one));
    changed();
  };
}

/** Where in the track a room is now, in seconds: what was last said plus the time since, if sound flows. */
export function positionOf(room) {
  const moved = room.positionSeconds + room.rate * (performance.now() - room.heardAt) / 1000;
  return Math.max(0, Math.min(moved, room.durationSeconds ?? moved));
}

const take = {
  rooms(rooms) {
    const heardAt = performance.now();
    const there = new Set(rooms.map(({ name }) => name));
    const missing = store.settled ? [] : store.rooms.filter(({ name }) => !there.has(name));
    store.rooms = [...rooms.map((room) => ({ ...room, heardAt })), ...missing.map((room) => ({ ...room, missing: true }))];
    store.rooms.sort((left, right) => (left.name < right.name ? -1 : 1));
    nameRooms(store.rooms);
  },
  queue(queue) {
    store.queues.set(queue.room, queue);
  },
  catalogue(catalogue) {
    store.catalogue = catalogue ?? store.catalogue;
  },
  presence(nodes) {
    store.nodes = nodes;
  },
  scrobbles(outbox) {
    store.scrobbles = outbox;
  },
  output(output) {
    store.outputs.set(output.room, output);
  },
  snapshot(all) {
    store.link = 'open';
    clearTimeout(losing);
    losing = 0;
    store.settled = false;
    clearTimeout(settling);
    settling = setTimeout(settle, meeting);
    take.rooms(all.rooms);
    all.queues.forEach(take.queue);
    take.catalogue(all.catalogue);
    take.presence(all.nodes);
    take.scrobbles(all.scrobbles ?? null);
    (all.outputs ?? []).forEach(take.output);
  },
};

function lose() {
  store.link = 'lost';
  changed();
}

function settle() {
  store.settled = true;
  store.rooms = store.rooms.filter((room) => !room.missing);
  changed();
}

const listeners = new Set();

/** Calls `listener` with each fact: what happened, each once, also what happened while the browser was asleep. */
export function onFact(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(fact) {
  for (const listener of listeners) listener(fact);
}

// The id of the last event, for a connection that is opened anew: the browser itself only remembers it for its own.
let lastID = '';
let stream = null;
let again = 0;

/** Opens the event stream and keeps it open. `onNotice` hears what went wrong elsewhere. */
function connect(onNotice) {
  clearTimeout(again);
  stream?.close();
  const mine = stream = new EventSource(`/api/v1/events${lastID ? `?after=${encodeURIComponent(lastID)}` : ''}`);
  const hear = (name, run) => mine.addEventListener(name, (event) => {
    lastID = event.lastEventId || lastID;
    run(JSON.parse(event.data));
    changed();
  });
  for (const name of Object.keys(take)) hear(name, take[name]);
  hear('fact', tell);
  hear('reset', () => tell({ kind: 'page.reset' }));
  hear('notice', onNotice);
  mine.onerror = () => {
    if (store.link !== 'lost') store.link = 'broken';
    losing ||= setTimeout(lose, patience);
    changed();
    // The browser tries again by itself after a broken connection, yet gives up on an answer it does not like.
    if (mine.readyState === EventSource.CLOSED) again = setTimeout(() => connect(onNotice), 1500);
  };
}

/**
 * Keeps the stream open while somebody may look at the page, as a browser gives a host no more than six connections for all
 * its pages. A page that is put away lets go of it; so does one in a hidden tab when another connects, and goes on when it is
 * shown, where it left off. `mayLetGo` is asked first.
 */
export function connectWhileShown(onNotice, mayLetGo) {
  let pages = null;
  const letGo = () => {
    clearTimeout(again);
    stream?.close();
    pages?.close();
    stream = pages = null;
  };
  const open = () => {
    letGo();
    pages = new BroadcastChannel('lunara');
    pages.onmessage = () => {
      if (document.hidden && mayLetGo()) letGo();
    };
    pages.postMessage('connected');
    connect(onNotice);
  };
  open();
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && !stream) open();
  });
  addEventListener('pagehide', letGo);
  addEventListener('pageshow', ({ persisted }) => persisted && open());
}
