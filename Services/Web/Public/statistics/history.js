// The history, `#/history`: a calendar of a year, and the listens by day, the newest first. The address has the day
// (`day=2026-11-20`) and the room (`room=kitchen`) by which they are narrowed.
import { read } from '../core/api.js';
import { h, rem, setText } from '../core/dom.js';
import { onFact } from '../core/events.js';
import { count, roomTitle } from '../core/format.js';
import { navigate } from '../core/router.js';
import { store } from '../core/store.js';
import { loadStyles } from '../core/stylesheets.js';
import { VirtualList } from '../core/virtuallist.js';
import { choices, iconButton, linkButton } from '../parts/controls.js';
import { emptyMessage, failureMessage, pageHeader } from '../parts/headers.js';
import { makeCalendar } from './calendar.js';
import { dayWords, shifted, startOf } from './days.js';
import { addressOf, daysBeside, emptyWords, placeIn, roomOptions, spanOf } from './historyplace.js';
import { ListenRows, makeListen, updateListen } from './listens.js';

const styled = loadStyles('statistics/statistics.css');

// The most days that an answer with counts has.
const mostDays = 370;
// The width in rem below which the time of a listen has a line of its own.
const narrow = 34;
// The time in milliseconds between a listen that counted and reading the list again.
const pause = 500;

/** Returns the plays of a year by days. The library may be in another zone, so a day more is read at each end. */
async function playsOf(year, room) {
  const [first, last] = [shifted(`${year}-01-01`, -1), shifted(`${year}-12-31`, 2)];
  const span = { since: startOf(first).toISOString(), until: startOf(last).toISOString() };
  const { items } = await read('plays/counts', { by: 'day', room, ...span, limit: mostDays });
  return new Map(items.filter(({ key }) => key.startsWith(`${year}-`)).map(({ key, plays }) => [key, plays]));
}

/** Returns the names of all rooms that there are or were. */
async function roomsOf() {
  const names = store.rooms.map(({ name }) => name);
  const { items } = await read('plays/counts', { by: 'room', limit: 100 }).catch(() => ({ items: [] }));
  const all = [...new Set([...names, ...items.map(({ key }) => key)])];
  return all.sort((one, other) => roomTitle(one).localeCompare(roomTitle(other)));
}

/** Returns the list of listens, whose rows `itemAt(index)` returns. */
function makeListens(itemAt) {
  const list = new VirtualList({
    kind: 'lines card listens', label: 'Listens', make: makeListen, update: updateListen,
    measure(width) {
      const row = Math.round((width < narrow * rem() ? 5.6 : 4.4) * rem());
      return { columns: 1, row, vars: { '--row': `${row}px` } };
    },
  });
  list.list.addEventListener('keydown', (event) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const row = event.target.closest('[data-key]');
    if (!step || !row || event.ctrlKey || event.metaKey || event.altKey) return;
    let index = Number(row.dataset.key) + step;
    // Headings of days have nothing to choose.
    if (itemAt(index)?.day) index += step;
    if (!itemAt(index)) return;
    event.preventDefault();
    list.scrollToItem(index, { keep: true });
    list.at(index)?.querySelector('a[href], button:not([hidden])')?.focus({ preventScroll: true });
  });
  return list;
}

/** Returns the parts of the screen. */
function makeView(state) {
  const view = {
    text: h('p', { class: 'count', role: 'status' }), rooms: h('div', { class: 'history-rooms' }),
    day: h('div', { class: 'row wrap history-day' }), said: h('div', { class: 'history-said' }),
    list: makeListens((index) => state.source.get(index)), element: null,
    calendar: makeCalendar({
      choose: (day) => navigate(addressOf({ ...state.place, day: day === state.place.day ? null : day })),
      turn: (year) => showYear(state, view, year),
    }),
  };
  view.element = h('section', { class: 'screen history', 'aria-label': 'History' },
    pageHeader('History', view.text, linkButton('Statistics', '#/statistics', 'statistics'), view.rooms),
    view.calendar.element, view.day, view.said, view.list.element);
  return view;
}

async function showYear(state, view, year) {
  const mine = state.reading += 1;
  if (year !== state.year) state.plays = null;
  state.year = year;
  const show = () => view.calendar.show(year, state.plays, state.place.day);
  show();
  try {
    const found = await playsOf(year, state.place.room);
    if (mine !== state.reading) return;
    state.plays = found;
    show();
    showDay(state, view);
  } catch (error) {
    // The list below says what is wrong, as it asks for the same.
    if (mine === state.reading && !view.said.childElementCount) setText(view.text, error.message);
  }
}

/** Moves the focus to the title if it is in a part of the screen that is about to be emptied. */
function keepFocus({ element }, part) {
  if (part.contains(document.activeElement)) element.querySelector('h1').focus({ preventScroll: true });
}

/** Shows which day is chosen, with the ways to the days beside it. */
function showDay({ place, plays }, view) {
  if (!place.day) {
    keepFocus(view, view.day);
    view.day.replaceChildren();
    return;
  }
  const knob = (picture, label, to) => {
    const button = iconButton(picture, label, () => navigate(addressOf({ day: to, room: place.room })));
    button.disabled = !to;
    return button;
  };
  const { earlier, later } = daysBeside(place.day, plays);
  const { activeElement } = document;
  const focused = view.day.contains(activeElement) ? activeElement.getAttribute('aria-label') : null;
  view.day.replaceChildren(knob('left', 'The day before', earlier), knob('right', 'The day after', later),
    h('b', { text: dayWords(place.day) }), linkButton('All days', addressOf({ room: place.room }), 'close'));
  if (focused) view.day.querySelector(`[aria-label="${focused}"]`)?.focus();
}

/** Says that nothing was heard, or that the list could not be read. */
function show({ place, source }, view, again) {
  const isFailed = source.error && !source.items.length;
  view.list.element.hidden = Boolean(source.isEmpty || isFailed);
  setText(view.text, source.isComplete && source.items.length ? count(source.items.length, 'listen') : '');
  if (isFailed) {
    if (view.said.querySelector('[role=alert]')) return;
    view.said.replaceChildren(failureMessage('The history could not be read', source.error, again));
  } else if (source.isEmpty) {
    const words = emptyWords(place);
    view.said.replaceChildren(words
      ? emptyMessage('Nothing was heard', words, linkButton('All listens', '#/history', null, 'first'))
      : emptyMessage('Nothing was heard yet', 'What you play stands here, by day and room.',
        linkButton('Choose an album', '#/albums', 'albums', 'first')));
  } else view.said.replaceChildren();
  view.list.refresh();
}

function load(state, view) {
  const { place } = state;
  const made = new ListenRows(spanOf(place), () => made === state.source && show(state, view, () => load(state, view)));
  state.source = made;
  keepFocus(view, view.said);
  view.said.replaceChildren();
  setText(view.text, 'Loading …');
  view.list.element.hidden = false;
  view.list.show(made);
  made.ensure(0, 0);
  showYear(state, view, place.day ? Number(place.day.slice(0, 4)) : state.year ?? new Date().getFullYear());
  showDay(state, view);
}

async function showRooms(state, { rooms, element }) {
  const names = await roomsOf();
  const { day, room } = state.place;
  const options = roomOptions(names, room);
  const hadFocus = rooms.contains(document.activeElement);
  rooms.replaceChildren(...(options.length ? [choices('Room', options, room ?? '',
    (chosen) => navigate(addressOf({ day, room: chosen || null })), 'sort')] : []));
  if (hadFocus) (rooms.querySelector('select') ?? element.querySelector('h1')).focus({ preventScroll: true });
}

/** Opens the screen. */
export async function open() {
  await styled;
  const state = { place: { day: null, room: null }, source: null, year: null, plays: null, reading: 0 };
  const view = makeView(state);
  let soon = 0;
  let stop = () => {};
  return {
    title: 'History', element: view.element, isLive: true,
    enter({ query }) {
      const next = placeIn(query);
      const isSame = state.source && next.day === state.place.day && next.room === state.place.room;
      state.place = next;
      if (!isSame || state.source.error) load(state, view);
      showRooms(state, view);
    },
    show: () => state.source && view.list.show(state.source),
    shown() {
      view.list.start();
      stop = onFact(({ kind }) => {
        // A listen that counts while a person reads further down must not move the list.
        if (!['scrobble.listen-counted', 'page.reset'].includes(kind) || scrollY > innerHeight) return;
        clearTimeout(soon);
        soon = setTimeout(() => load(state, view), pause);
      });
    },
    hide() {
      clearTimeout(soon);
      stop();
      view.list.stop();
    },
  };
}
