// The finds of plugins for the described tracks that are in view. The page says which these are, the service answers
// with what is known, and the rest comes as events. Rows that leave the view are no longer looked for.
import { change } from '../core/api.js';
import { h, reconcile, setAttribute, setVars } from '../core/dom.js';
import { onFound, pageName } from '../core/events.js';
import { store, subscribe } from '../core/store.js';
import { loadStyles } from '../core/stylesheets.js';
import { descriptionOf } from '../parts/actions.js';
import { showError } from '../parts/banners.js';

loadStyles('plugins/found.css');

// The pause in milliseconds after which a change of what is in view is told, the time after which it is told again
// while something is still looked for, and the most tracks of one place.
const [pause, renewal, mostTracks] = [150, 10_000, 100];
// The tracks behind those in view that are looked for in a queue.
const lookahead = 5;

// The rows of described tracks: each with its track, its key, and the place that shows it.
const rows = new WeakMap();
const visible = new Set();
// The answers that are known, by the keys of tracks, and the keys by the ids that the service gives.
const known = new Map();
const keys = new Map();
// The most tracks that are remembered.
const mostKnown = 1000;
// The places that were told last, with the text of what was told.
const told = new Map();
let hovered = null;
let timer = 0;
let renewing = 0;
let revision = null;
let ended = 0;

/** Remembers a value, and forgets the one that was remembered longest ago if there are too many. */
function remember(map, key, value) {
  map.delete(key);
  map.set(key, value);
  if (map.size > mostKnown) map.delete(map.keys().next().value);
}

const keyOf = ({ artist = '', album = '', title }) => [artist, album ?? '', title].join('\u0000');

/** Returns true if plugins that find music are switched on; without them nothing is asked. */
const isOffered = () => store.plugins?.music > 0;

const percent = ({ confidence }) => `${Math.round(confidence * 100)} %`;

/** Returns the name of a source, how sure it is, and if it can be played. */
const sourceWords = (one) =>
  [one.name, percent(one), !one.available && 'cannot be played here'].filter(Boolean).join(', ');

/** Returns what a screen reader says about the sources of a track. */
function wordsOf({ state, sources = [] }) {
  if (state === 'found') return `Found by ${sources.map(sourceWords).join('; ')}. Show the sources`;
  if (state === 'asking') return 'Plugins are being asked. Show the sources';
  if (state === 'failed') return 'The plugins could not be asked. Show the sources';
  return 'No source was found. Show the sources';
}

/** Shows what is known of a row's track. */
function paint(element) {
  const row = rows.get(element);
  const found = row && isOffered() ? known.get(row.key) ?? null : null;
  setAttribute(element, 'data-found', found?.state);
  if (!found || found.state === 'library') {
    row?.button?.remove();
    return;
  }
  row.button ??= h('button', {
    type: 'button',
    class: 'found',
    onclick: () => import('./tracksources.js')
      .then(({ showSources }) => showSources(rows.get(element)?.track ?? row.track), showError),
  });
  const { button } = row;
  const words = wordsOf(found);
  setAttribute(button, 'aria-label', `${row.track.title}: ${words}`);
  setAttribute(button, 'title', words);
  const parts = found.state === 'found' ? found.sources : [{ plugin: found.state, sign: found.state }];
  reconcile(button, parts,
    ({ plugin }) => plugin,
    () => h('span', { 'aria-hidden': 'true' }),
    (one, { sign, color, confidence, available }) => {
      setAttribute(one, 'class', sign ? `found-${sign}` : 'found-badge');
      setVars(one, {
        '--badge': color ?? null, '--sure': sign ? null : String(available ? (confidence >= 0.95 ? 1 : 0.6) : 0.3),
      });
    });
  if (button.previousElementSibling !== element.firstElementChild) element.firstElementChild.after(button);
}

function paintAll(which = null) {
  for (const element of visible) if (!which || which(rows.get(element))) paint(element);
}

/** Remembers what the service says of tracks. */
function note(tracks) {
  const changed = new Set();
  for (const track of tracks) {
    const key = keys.get(track.id);
    if (!key) continue;
    remember(known, key, track);
    changed.add(key);
  }
  paintAll((row) => changed.has(row?.key));
}

/** Returns the rows in view by their places, in their order on screen. */
function shownRows() {
  const places = new Map();
  if (document.hidden || !isOffered()) return places;
  for (const element of visible) {
    const row = rows.get(element);
    if (!element.isConnected || !row) {
      visible.delete(element);
      continue;
    }
    if (!places.has(row.place)) places.set(row.place, []);
    places.get(row.place).push({ ...row, top: element.getBoundingClientRect().top });
  }
  for (const list of places.values()) list.sort((one, other) => one.top - other.top);
  return places;
}

/** Returns the tracks of the rows of a place, and those that follow them in a queue, each once. */
function tracksOf(list) {
  const tracks = new Map(list.map(({ key, track }) => [key, track]));
  for (const track of list.at(-1)?.ahead?.(lookahead) ?? []) {
    if (track?.described && !tracks.has(keyOf(track))) tracks.set(keyOf(track), track);
  }
  return [...tracks].slice(0, mostTracks);
}

async function tell(place, tracks) {
  const body = {
    page: pageName,
    place,
    tracks: tracks.map(([, track]) => descriptionOf(track)),
    ...(hovered && tracks.some(([key]) => key === keyOf(hovered)) ? { hovered: descriptionOf(hovered) } : {}),
  };
  const text = JSON.stringify(body);
  if (told.get(place)?.text === text && Date.now() - told.get(place).at < renewal - 1000) return;
  if (tracks.length) told.set(place, { text, at: Date.now() });
  else told.delete(place);
  try {
    const answer = await change('shown', body);
    answer.tracks.forEach(({ id }, index) => remember(keys, id, tracks[index][0]));
    note(answer.tracks);
  } catch {
    told.delete(place); // The next change, or the renewal, tells it again.
  }
}

function update() {
  timer = 0;
  const places = shownRows();
  for (const place of told.keys()) if (!places.has(place)) tell(place, []);
  for (const [place, list] of places) tell(place, tracksOf(list));
  clearTimeout(renewing);
  const isOpen = ([key, _]) => ['asking', 'failed', undefined].includes(known.get(key)?.state);
  const isWaiting = [...places.values()].some((list) => tracksOf(list).some(isOpen));
  renewing = isWaiting ? setTimeout(update, renewal) : 0;
}

const schedule = () => {
  if (!timer) timer = setTimeout(update, pause);
};

const observer = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (isIntersecting && rows.has(target)) visible.add(target);
    else visible.delete(target);
    if (isIntersecting) paint(target);
  }
  schedule();
});

/**
 * Shows in a row what plugins find for its track while the row is in view; null for a track of the library. `place` is
 * `queue` or `page`, and `ahead(count)` returns the tracks that follow in a queue.
 */
export function watchFound(element, track, { place = 'page', ahead = null } = {}) {
  const row = rows.get(element);
  if (!track?.described) {
    if (!row) return;
    observer.unobserve(element);
    visible.delete(element);
    row.button?.remove();
    rows.delete(element);
    setAttribute(element, 'data-found', null);
    schedule();
    return;
  }
  const key = keyOf(track);
  rows.set(element, { key, track, place, ahead, button: row?.button ?? null });
  if (row?.key === key) return;
  paint(element);
  if (row) {
    schedule();
    return;
  }
  start();
  observer.observe(element);
  element.addEventListener('pointerenter', () => hover(rows.get(element)?.track ?? null));
  element.addEventListener('pointerleave', () => hover(null));
}

function hover(track) {
  hovered = track;
  if (isOffered() && (!track || !['found', 'library', 'nothing'].includes(known.get(keyOf(track))?.state))) schedule();
}

let isStarted = false;

/** Follows what is found, and asks anew when the plugins change or the page is shown again. */
function start() {
  if (isStarted) return;
  isStarted = true;
  onFound(({ tracks }) => note(tracks));
  document.addEventListener('visibilitychange', schedule);
  subscribe(({ plugins, link }) => {
    const now = plugins?.music > 0 ? plugins.revision : null;
    const isBack = link === 'open' && ended;
    ended = link === 'open' ? 0 : 1;
    if (now === revision && !isBack) return;
    revision = now;
    known.clear();
    told.clear();
    paintAll();
    schedule();
  });
}
