// The state of the household in this page, which the event stream keeps up to date.
import { forgetAlbums } from './albumcache.js';
import { setRoomTitles } from './format.js';
import { preference, setPreference } from './preferences.js';

// The time in milliseconds after connecting in which the service may not know all rooms yet.
const settlingTime = 3000;

/**
 * The newest state. `link` is `opening`, `open`, `broken` (for a moment) or `lost`; `settled` is true when a missing
 * room is known to be gone; `chosen` is the room that the person chose, and `shown` the one that the page shows. `list`
 * is the function of `setAlbumList`. `kinds` are the kinds of sources, and `services` the scrobble services; both are
 * empty until a screen has read them. `plugins` says how many plugins find music and concerts; null where none run.
 */
export const store = {
  link: 'opening', settled: false, rooms: [], queues: new Map(), catalogue: null, nodes: [], scrobbles: null,
  plugins: null, outputs: new Map(),
  chosen: preference('room'), shown: null, list: null, kinds: [], services: [],
};

const subscribers = new Set();
// Those of the subscribers that are called while the page is hidden, too.
const attentive = new Set();
let isBehind = false;
let settling = 0;
let lostAt = 0;
let scheduled = false;

/**
 * Calls `subscriber(store)` now and after changes, once for several changes at a time. While the page is hidden, it is
 * called only with `whileHidden`; the others are called when the page is shown again. Returns the function that ends
 * the subscription.
 */
export function subscribe(subscriber, { whileHidden = false } = {}) {
  subscribers.add(subscriber);
  if (whileHidden) attentive.add(subscriber);
  subscriber(store);
  return () => [subscribers, attentive].forEach((all) => all.delete(subscriber));
}

/** Returns the room with a name; null if there is none. */
export function roomNamed(name) {
  return store.rooms.find((room) => room.name === name) ?? null;
}

function changed() {
  if (scheduled) return;
  scheduled = true;
  queueMicrotask(() => {
    scheduled = false;
    isBehind = document.hidden;
    for (const subscriber of document.hidden ? attentive : subscribers) subscriber(store);
  });
}

document.addEventListener('visibilitychange', () => {
  if (isBehind && !document.hidden) changed();
});

/**
 * Returns the room that the page shows: the chosen one, else the one shown before, else one that plays, else the one
 * that was used last, else the first that answers.
 */
export function currentRoom() {
  const { rooms, chosen } = store;
  const room = rooms.find(({ name }) => name === chosen) ?? rooms.find(({ name }) => name === store.shown)
    ?? rooms.find(({ away, rate }) => !away && rate > 0) ?? lastUsed(rooms)
    ?? rooms.find(({ away }) => !away) ?? rooms[0] ?? null;
  store.shown = room?.name ?? store.shown;
  return room;
}

/** Returns the room that was used last; undefined if no room that answers was ever used. */
function lastUsed(rooms) {
  const used = rooms.filter(({ away, usedSecondsAgo }) => !away && usedSecondsAgo !== undefined);
  return used.sort((one, other) => one.usedSecondsAgo - other.usedSecondsAgo)[0];
}

/** Sets the list of albums on screen, as a function that returns the list to play after the album with an id. */
export function setAlbumList(list) {
  store.list = list;
}

/** Returns the list of albums to play after the album with this id. */
export function continuationAfter(album) {
  return store.list?.(album) ?? { sort: 'name' };
}

/** Returns the part of a room's queue around its current track; null if it is not known. */
export function queueOf(room) {
  return room ? store.queues.get(room.name) ?? null : null;
}

/** Sets the kinds of sources, or the scrobble services, as the API describes them. */
export function setKinds({ kinds = store.kinds, services = store.services }) {
  Object.assign(store, { kinds, services });
  changed();
}

/** Shows another room, and stores the choice. */
export function chooseRoom(name) {
  store.chosen = name;
  setPreference('room', name);
  changed();
}

/**
 * Shows at once that a room is about to play `track`, until the room reports its state. Returns the function that
 * undoes this. A track that is not known yet, such as the first one of an album, has no id.
 */
export function expectTrack(name, track) {
  const room = roomNamed(name);
  if (!room || room.away) return () => {};
  const expected = {
    ...room, track, state: 'buffering', rate: 0, entry: null, positionSeconds: 0,
    durationSeconds: track.durationSeconds || null,
    bufferedSeconds: 0, receivedAt: performance.now(),
  };
  store.rooms = store.rooms.map((one) => (one === room ? expected : one));
  changed();
  return () => {
    store.rooms = store.rooms.map((one) => (one === expected ? room : one));
    changed();
  };
}

/**
 * Returns the position of a room in its track, in seconds: the reported position, plus the time since then while the
 * room plays. It stands still while the connection is lost, as nobody knows whether the room still plays.
 */
export function positionOf(room) {
  const now = store.link === 'lost' ? lostAt : performance.now();
  const moved = room.positionSeconds + room.rate * (now - room.receivedAt) / 1000;
  return Math.max(0, Math.min(moved, room.durationSeconds ?? moved));
}

// The handlers of the events by their names.
const handlers = {
  rooms(rooms) {
    const receivedAt = performance.now();
    const there = new Set(rooms.map(({ name }) => name));
    const missing = store.settled ? [] : store.rooms.filter(({ name }) => !there.has(name));
    store.rooms = [
      ...rooms.map((room) => ({ ...room, receivedAt })), ...missing.map((room) => ({ ...room, missing: true })),
    ];
    store.rooms.sort((left, right) => (left.name < right.name ? -1 : 1));
    setRoomTitles(store.rooms);
  },
  queue(queue) {
    store.queues.set(queue.room, queue);
  },
  catalogue(catalogue) {
    // The covers and ratings of albums may have changed.
    if (catalogue && catalogue.generation !== store.catalogue?.generation) forgetAlbums();
    store.catalogue = catalogue ?? store.catalogue;
  },
  presence(nodes) {
    store.nodes = nodes;
  },
  scrobbles(outbox) {
    store.scrobbles = outbox;
  },
  plugins(plugins) {
    store.plugins = plugins;
  },
  output(output) {
    store.outputs.set(output.room, output);
  },
  snapshot(all) {
    store.link = 'open';
    store.settled = false;
    clearTimeout(settling);
    settling = setTimeout(settle, settlingTime);
    handlers.rooms(all.rooms);
    all.queues.forEach(handlers.queue);
    handlers.catalogue(all.catalogue);
    handlers.presence(all.nodes);
    handlers.scrobbles(all.scrobbles ?? null);
    handlers.plugins(all.plugins ?? null);
    (all.outputs ?? []).forEach(handlers.output);
  },
};

function settle() {
  store.settled = true;
  store.rooms = store.rooms.filter((room) => !room.missing);
  changed();
}

/** The names of the events that change the state. */
export const stateEvents = Object.keys(handlers);

/** Changes the state as an event says. */
export function applyEvent(name, content) {
  handlers[name](content);
  changed();
}

/** Sets the state of the connection: `broken` or `lost`. The event `snapshot` sets it to `open`. */
export function setLink(link) {
  if (link === 'lost' && store.link !== 'lost') lostAt = performance.now();
  store.link = link;
  changed();
}
