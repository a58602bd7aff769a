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
import { againButton, choices, iconButton, linkButton } from '../parts/controls.js';
import { emptyMessage, pageHeader } from '../parts/headers.js';
import { makeCalendar } from './calendar.js';
import { dayOf, dayWords, isDay, shifted, startOf } from './days.js';
import { ListenRows, makeListen, updateListen } from './listens.js';

const styled = loadStyles('statistics/statistics.css');

// The most days that an answer with counts has.
const mostDays = 370;
// The width in rem below which the time of a listen has a line of its own.
const narrow = 34;
// The time in milliseconds between a listen that counted and reading the list again.
const pause = 500;

/** Returns the address of the history of a day and a room; both may be null. */
function placeOf({ day = null, room }) {
  const query = new URLSearchParams({ ...(day ? { day } : {}), ...(room ? { room } : {}) });
  return `#/history${query.size ? `?${query}` : ''}`;
}

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

/** Opens the screen. */
export async function open() {
  await styled;
  const text = h('p', { class: 'count', role: 'status' });
  const rooms = h('div', { class: 'history-rooms' });
  const day = h('div', { class: 'row wrap history-day' });
  const said = h('div', { class: 'history-said' });
  const calendar = makeCalendar({
    choose: (chosen) => navigate(placeOf({ day: chosen === place.day ? null : chosen, room: place.room })),
    turn: (year) => showYear(year),
  });
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
    if (source.get(index)?.day) index += step;
    if (!source.get(index)) return;
    event.preventDefault();
    list.scrollToItem(index, { keep: true });
    list.at(index)?.querySelector('a[href], button:not([hidden])')?.focus({ preventScroll: true });
  });
  const element = h('section', { class: 'screen history', 'aria-label': 'History' },
    pageHeader('History', text, linkButton('Statistics', '#/statistics', 'statistics'), rooms), calendar.element, day,
    said, list.element);
  let [place, source, year, plays, soon] = [{ day: null, room: null }, null, null, null, 0];
  let stop = () => {};
  let reading = 0;

  async function showYear(next) {
    const mine = reading += 1;
    if (next !== year) plays = null;
    year = next;
    calendar.show(year, plays, place.day);
    try {
      const found = await playsOf(year, place.room);
      if (mine !== reading) return;
      plays = found;
      calendar.show(year, plays, place.day);
      showDay();
    } catch (error) {
      // The list below says what is wrong, as it asks for the same.
      if (mine === reading && !said.childElementCount) setText(text, error.message);
    }
  }

  /** Moves the focus to the title if it is in a part of the screen that is about to be emptied. */
  function keepFocus(part) {
    if (part.contains(document.activeElement)) element.querySelector('h1').focus({ preventScroll: true });
  }

  /** Shows which day is chosen, with the ways to the days beside it. */
  function showDay() {
    if (!place.day) {
      keepFocus(day);
      return day.replaceChildren();
    }
    const knob = (picture, label, to) => {
      const button = iconButton(picture, label, () => navigate(placeOf({ day: to, room: place.room })));
      button.disabled = !to;
      return button;
    };
    const others = [...plays?.keys() ?? []].filter((one) => plays.get(one)).sort();
    const earlier = others.findLast((one) => one < place.day) ?? shifted(place.day, -1);
    const next = place.day < dayOf(Date.now()) ? shifted(place.day, 1) : null;
    const later = others.find((one) => one > place.day) ?? next;
    const focused = day.contains(document.activeElement) ? document.activeElement.getAttribute('aria-label') : null;
    day.replaceChildren(knob('left', 'The day before', earlier), knob('right', 'The day after', later),
      h('b', { text: dayWords(place.day) }), linkButton('All days', placeOf({ room: place.room }), 'close'));
    if (focused) day.querySelector(`[aria-label="${focused}"]`)?.focus();
  }

  /** Says that nothing was heard, or that the list could not be read. */
  function show() {
    const isFailed = source.error && !source.items.length;
    list.element.hidden = Boolean(source.isEmpty || isFailed);
    setText(text, source.isComplete && source.items.length ? count(source.items.length, 'listen') : '');
    if (isFailed) {
      if (said.querySelector('[role=alert]')) return;
      said.replaceChildren(h('div', { class: 'card empty', role: 'alert' },
        h('h2', { text: 'The history could not be read' }), h('p', { text: source.error.message }),
        h('p', { class: 'row' }, againButton(load, { kind: 'first' }))));
    } else if (source.isEmpty) {
      const on = place.day && `on ${dayWords(place.day, { isPlain: true })}`;
      const where = [on, place.room && `in ${roomTitle(place.room)}`].filter(Boolean).join(' ');
      said.replaceChildren(where
        ? emptyMessage('Nothing was heard', `There are no listens ${where}.`,
          linkButton('All listens', '#/history', null, 'first'))
        : emptyMessage('Nothing was heard yet', 'What you play stands here, by day and room.',
          linkButton('Choose an album', '#/albums', 'albums', 'first')));
    } else said.replaceChildren();
    list.refresh();
  }

  function load() {
    const { day: chosen, room } = place;
    const span = chosen
      ? { since: startOf(chosen).toISOString(), until: startOf(shifted(chosen, 1)).toISOString() } : {};
    const made = new ListenRows({ room, ...span }, () => made === source && show());
    source = made;
    keepFocus(said);
    said.replaceChildren();
    setText(text, 'Loading …');
    list.element.hidden = false;
    list.show(source);
    source.ensure(0, 0);
    showYear(chosen ? Number(chosen.slice(0, 4)) : year ?? new Date().getFullYear());
    showDay();
  }

  async function showRooms() {
    const names = await roomsOf();
    if (place.room && !names.includes(place.room)) names.push(place.room);
    const options = [['', 'All rooms'], ...names.map((name) => [name, roomTitle(name)])];
    const isOffered = names.length > 1 || place.room;
    const hadFocus = rooms.contains(document.activeElement);
    rooms.replaceChildren(...(isOffered ? [choices('Room', options, place.room ?? '',
      (room) => navigate(placeOf({ day: place.day, room: room || null })), 'sort')] : []));
    if (hadFocus) (rooms.querySelector('select') ?? element.querySelector('h1')).focus({ preventScroll: true });
  }

  return {
    title: 'History', element, isLive: true,
    enter({ query }) {
      const next = { day: isDay(query.get('day')) ? query.get('day') : null, room: query.get('room') || null };
      const isSame = source && next.day === place.day && next.room === place.room;
      place = next;
      if (!isSame || source.error) load();
      showRooms();
    },
    show: () => source && list.show(source),
    shown() {
      list.start();
      stop = onFact(({ kind }) => {
        // A listen that counts while a person reads further down must not move the list.
        if (!['scrobble.listen-counted', 'page.reset'].includes(kind) || scrollY > innerHeight) return;
        clearTimeout(soon);
        soon = setTimeout(load, pause);
      });
    },
    hide() {
      clearTimeout(soon);
      stop();
      list.stop();
    },
  };
}
