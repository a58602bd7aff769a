// The calendar of a year as a heat map: a square for each day, the darker the more was heard. A day is chosen with the
// pointer, or with the arrow keys and Enter.
import { h, setAttribute, setText } from '../core/dom.js';
import { count } from '../core/format.js';
import { iconButton } from '../parts/controls.js';
import { dayOf, dayWords, shifted, weekdayOf } from './days.js';

const shades = 4;
const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Returns the shade of a day, from 0 for none to 4: by quarters of the days on which something was heard. */
function shadeOf(plays, sorted) {
  if (!plays) return 0;
  const below = sorted.findIndex((one) => one >= plays);
  return Math.min(shades, 1 + Math.floor((below / Math.max(1, sorted.length)) * shades));
}

/** Returns the days of a year, in order. */
function daysOfYear(year) {
  const days = [];
  for (let day = `${year}-01-01`; day.startsWith(`${year}-`); day = shifted(day, 1)) days.push(day);
  return days;
}

/**
 * Returns a calendar with the function `show(year, plays, chosen)`, of which `plays` is a map of plays by days, and
 * null while it is read. `choose(day)` and `turn(year)` are called when a person chooses a day or another year.
 */
export function makeCalendar({ choose, turn }) {
  const title = h('h2', {});
  const words = h('p', { class: 'soft', role: 'status' });
  const earlier = iconButton('left', 'The year before', () => turn(shown.year - 1));
  const later = iconButton('right', 'The year after', () => turn(shown.year + 1));
  const grid = h('div', { class: 'year', role: 'grid', 'aria-label': 'Days of the year' });
  const box = h('div', { class: 'year-box' }, grid);
  const scale = Array.from({ length: shades + 1 }, (_, shade) => h('i', { class: 'day', 'data-shade': String(shade) }));
  const element = h('section', { class: 'plot card calendar' },
    h('div', { class: 'row between' }, title, h('div', { class: 'row' }, earlier, later)), words, box,
    h('p', { class: 'year-scale soft', 'aria-hidden': 'true' }, 'Less', scale, 'More'));
  let shown = { year: null, plays: null, chosen: null };
  let at = null;

  const cellOf = (day) => grid.querySelector(`[data-day="${day}"]`);
  const isReachable = (day) => day.startsWith(`${shown.year}-`) && day <= dayOf(Date.now());
  const setReached = (day) => {
    if (at) setAttribute(cellOf(at), 'tabindex', '-1');
    at = day;
    setAttribute(cellOf(day), 'tabindex', '0');
  };

  grid.addEventListener('keydown', (event) => {
    const day = event.target.dataset?.day;
    if (!day || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = {
      ArrowUp: -1, ArrowDown: 1, ArrowLeft: -7, ArrowRight: 7, PageUp: -28, PageDown: 28,
      Home: -weekdayOf(day), End: 6 - weekdayOf(day),
    }[event.key];
    if (event.key === 'Enter' || event.key === ' ') choose(day);
    else if (step === undefined) return;
    else if (isReachable(shifted(day, step))) {
      setReached(shifted(day, step));
      cellOf(at).focus();
    }
    event.preventDefault();
    event.stopPropagation();
  });
  grid.addEventListener('click', ({ target }) => {
    const { day } = target.dataset;
    if (!day || !isReachable(day)) return;
    setReached(day);
    choose(day);
  });

  /** Makes the cells of a year: rows are the days of the week, columns the weeks. */
  const make = (year) => {
    const days = daysOfYear(year);
    const lead = weekdayOf(days[0]);
    at = null;
    const rows = weekdays.map((name, weekday) => {
      const own = days.filter((day) => weekdayOf(day) === weekday);
      const cells = own.map((day) => h('div', {
        class: 'day', role: 'gridcell', 'data-day': day, tabindex: '-1',
        vars: { '--week': Math.floor((days.indexOf(day) + lead) / 7) + 2, '--weekday': weekday + 2 },
      }));
      const head = h('div', { role: 'rowheader', class: 'weekday', text: name, vars: { '--weekday': weekday + 2 } });
      return h('div', { role: 'row', class: 'week' }, head, cells);
    });
    const heads = months.map((name, month) => {
      const first = days.indexOf(`${year}-${String(month + 1).padStart(2, '0')}-01`);
      const week = Math.floor((first + lead) / 7) + 2;
      return h('span', { class: 'month', 'aria-hidden': 'true', text: name, vars: { '--week': week } });
    });
    grid.replaceChildren(h('div', { role: 'presentation', class: 'week' }, heads), ...rows);
  };

  const fill = ({ year, plays, chosen }) => {
    const today = dayOf(Date.now());
    const sorted = [...plays?.values() ?? []].filter(Boolean).sort((one, other) => one - other);
    for (const cell of grid.querySelectorAll('.day')) {
      const { day } = cell.dataset;
      const number = plays?.get(day) ?? 0;
      setAttribute(cell, 'data-shade', shadeOf(number, sorted));
      setAttribute(cell, 'aria-selected', String(day === chosen));
      const heard = plays ? count(number, 'play') : 'not read';
      setAttribute(cell, 'aria-label', `${dayWords(day, { isPlain: true })}, ${heard}`);
      setAttribute(cell, 'title', `${dayWords(day)}: ${count(number, 'play')}`);
      setAttribute(cell, 'aria-disabled', day > today ? 'true' : null);
    }
    const total = sorted.reduce((sum, one) => sum + one, 0);
    setText(title, String(year));
    setText(words, plays ? `${count(total, 'play')} on ${count(sorted.length, 'day')}` : '');
    earlier.disabled = year <= 1970;
    later.disabled = String(year) >= today.slice(0, 4);
    const known = [chosen, at, today].find((day) => day && isReachable(day));
    setReached(known ?? `${year}-12-31`);
  };

  return {
    element,
    show(year, plays, chosen) {
      if (year !== shown.year) make(year);
      const isNew = year !== shown.year;
      shown = { year, plays, chosen };
      fill(shown);
      // On a small screen only a part of the year is seen: the part with the day at hand.
      if (isNew) requestAnimationFrame(() => { box.scrollLeft = (cellOf(at)?.offsetLeft ?? 0) - box.clientWidth / 2; });
    },
  };
}
