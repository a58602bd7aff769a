// The statistics, `#/statistics`: what was heard in a period, how long and when, beside the period before it.
import { read } from '../core/api.js';
import { h, setText } from '../core/dom.js';
import { count } from '../core/format.js';
import { navigate } from '../core/router.js';
import { loadStyles } from '../core/stylesheets.js';
import { choices, linkButton } from '../parts/controls.js';
import { emptyMessage, failureMessage, pageHeader } from '../parts/headers.js';
import { dayOf, heardWords, stepWords } from './days.js';
import { beforeWords, comparison, daysOf, periodOf, periods, timeComparison } from './period.js';
import { columnPlot } from './plots.js';
import { topList } from './toplists.js';

const styled = loadStyles('statistics/statistics.css');

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const mostGenres = 8;
const placeOf = (period) => `#/statistics${period === 'year' ? '' : `?period=${period}`}`;
const hours = (seconds) => seconds / 3600;

/** Formats the hours of an axis: `1,200 h`, `2.5 h`; minutes where all are under an hour. */
const axisOf = (most) => (number) => (most < 1
  ? `${Math.round(number * 60)} min` : `${number.toLocaleString('en', { maximumFractionDigits: 1 })} h`);

/** Returns the tiles with the sums, each compared with the period before. */
function totalTiles({ totals, before, from, to }) {
  const isCompared = before && (before.plays > 0 || before.heardSeconds > 0);
  const tile = (name, words, property, compare = comparison) => {
    const than = isCompared ? compare(totals[property], before[property]) : null;
    return h('li', { class: 'total card' }, h('b', { text: words }), h('span', { text: name }),
      than && h('small', { text: `${than} ${beforeWords(from, to)}` }));
  };
  const number = (property, one, many) => tile(
    totals[property] === 1 ? one : many, totals[property].toLocaleString('en'), property);
  return h('ul', { class: 'totals', 'aria-label': 'Sums of the period' },
    tile('heard', heardWords(totals.heardSeconds), 'heardSeconds', timeComparison),
    number('plays', 'play', 'plays'), number('artists', 'artist', 'artists'), number('albums', 'album', 'albums'),
    number('tracks', 'track', 'tracks'), number('firstHeard', 'track for the first time', 'tracks for the first time'),
    number('days', 'day with music', 'days with music'), number('skips', 'skip', 'skips'));
}

function timePlot({ steps }) {
  const most = Math.max(...steps.map(({ heardSeconds }) => hours(heardSeconds)));
  const long = (name) => stepWords(name, { isLong: true });
  const said = ({ name, plays, heardSeconds }) => `${long(name)}: ${heardWords(heardSeconds)}, ${count(plays, 'play')}`;
  return columnPlot({
    title: 'Hours over time', format: axisOf(most), head: ['When', 'Heard', 'Plays'],
    columns: steps.map((step) => (
      { label: stepWords(step.name), said: said(step), parts: [hours(step.heardSeconds)] })),
    rows: steps.map(({ name, plays, heardSeconds }) => [long(name), heardWords(heardSeconds), plays]),
  });
}

function genrePlot({ steps, genres }) {
  const names = genres.slice(0, mostGenres).map(({ title }) => title);
  if (!names.length) return null;
  const parts = steps.map((step) => step.genres.slice(0, names.length));
  const playsOf = (index) => names.map((name, at) => parts[index][at] && `${name} ${parts[index][at]}`).filter(Boolean);
  const said = (index) => [stepWords(steps[index].name, { isLong: true }), ...playsOf(index)].join(', ');
  return columnPlot({
    title: 'Genres over time',
    words: 'Plays by the genres of the albums. An album with several genres counts for each.',
    format: (number) => number.toLocaleString('en', { maximumFractionDigits: 1 }), names, head: ['When', ...names],
    columns: steps.map(({ name }, index) => (
      { label: stepWords(name), said: said(index), parts: parts[index] })),
    rows: steps.map(({ name }, index) => [stepWords(name, { isLong: true }), ...parts[index]]),
  });
}

function clockPlot(title, seconds, names, labels, labelWidth, head) {
  const all = seconds.map(hours);
  const most = seconds.indexOf(Math.max(...seconds));
  const words = head === 'Hour' ? `Most of it from ${names[most]}.` : `Most of it on ${names[most]}s.`;
  return columnPlot({
    title, words, format: axisOf(Math.max(...all)), labelWidth, height: 10, head: [head, 'Heard'],
    columns: all.map((one, index) => (
      { label: labels[index], said: `${names[index]}: ${heardWords(seconds[index])}`, parts: [one] })),
    rows: seconds.map((one, index) => [names[index], heardWords(one)]),
  });
}

const againWords = ({ plays, lastBefore }) => [count(plays, 'play'), 'after a year or more, before that on',
  stepWords(dayOf(lastBefore), { isLong: true })].join(' ');

/** Returns the parts of the screen for the statistics of a period. */
function contents(found) {
  if (!found.firstDay) {
    return [emptyMessage('Nothing was heard yet',
      'The statistics grow with what you play. What is heard for half its length, or for four minutes, counts.',
      linkButton('Choose an album', '#/albums', 'albums', 'first'))];
  }
  if (!found.totals.plays) {
    return [emptyMessage('Nothing was heard in this period',
      `The first play was on ${stepWords(found.firstDay, { isLong: true })}.`,
      linkButton('All time', placeOf('all'), null, 'first'))];
  }
  const clock = Array.from({ length: 24 }, (_, hour) => `${hour}:00 to ${hour + 1}:00`);
  return [
    totalTiles(found), timePlot(found),
    h('div', { class: 'plots thirds' }, topList('Most heard artists', 'artist', found.artists),
      topList('Most heard albums', 'album', found.albums), topList('Most heard tracks', 'track', found.tracks)),
    genrePlot(found),
    h('div', { class: 'plots' },
      clockPlot('Hours of the day', found.hours, clock, clock.map((_, hour) => String(hour)), 1.8, 'Hour'),
      clockPlot('Days of the week', found.weekdays, weekdays, weekdays.map((name) => name.slice(0, 2)), 2, 'Day')),
    topList('Rediscovered', 'album', found.rediscovered, againWords),
  ].filter(Boolean);
}

/** Opens the screen. */
export async function open() {
  await styled;
  const range = h('p', { class: 'count', role: 'status' });
  const pills = h('div', { class: 'row wrap periods', role: 'group', 'aria-label': 'Period' });
  const box = h('div', { class: 'statistics-body' });
  const element = h('section', { class: 'screen statistics', 'aria-label': 'Statistics' },
    pageHeader('Statistics', range, linkButton('History', '#/history', 'history')), pills, box);
  let [period, first, isFresh, reading] = ['year', null, false, 0];

  const showPeriods = () => {
    const thisYear = Number(dayOf(Date.now()).slice(0, 4));
    const firstYear = Math.min(thisYear, Number(first?.slice(0, 4) ?? thisYear));
    const years = Array.from({ length: thisYear - firstYear + 1 }, (_, index) => String(thisYear - index));
    if (/^\d/.test(period) && !years.includes(period)) years.push(period);
    const focused = pills.contains(document.activeElement) ? document.activeElement.dataset.period ?? 'years' : null;
    const links = periods.map(([name, words]) => {
      const link = linkButton(words, placeOf(name));
      link.dataset.period = name;
      if (name === period) link.setAttribute('aria-current', 'page');
      return link;
    });
    const options = [['', 'A year'], ...years.map((year) => [year, year])];
    const chooser = choices('Year', options, /^\d/.test(period) ? period : '', (value) => {
      if (value) navigate(placeOf(value));
    }, 'sort');
    pills.replaceChildren(...links, chooser);
    if (focused) (pills.querySelector(`[data-period="${focused}"]`) ?? chooser.querySelector('select')).focus();
  };

  const load = async () => {
    const mine = reading += 1;
    box.setAttribute('aria-busy', 'true');
    if (!isFresh) {
      setText(range, 'Loading …');
      box.replaceChildren(h('div', { class: 'shimmer wide' }), h('div', { class: 'shimmer' }));
    }
    try {
      const found = await read('statistics', { ...daysOf(period), limit: 10 });
      if (mine !== reading) return;
      first = found.firstDay ?? null;
      isFresh = true;
      const [from, to] = [found.from, found.to].map((day) => stepWords(day, { isLong: true }));
      setText(range, first ? `${from} to ${to}` : '');
      box.replaceChildren(...contents(found));
    } catch (error) {
      if (mine !== reading) return;
      setText(range, '');
      box.replaceChildren(failureMessage('The statistics could not be read', error, load));
    }
    box.removeAttribute('aria-busy');
    showPeriods();
  };

  return {
    title: 'Statistics', element, isLive: true,
    enter({ query }) {
      const next = periodOf(query.get('period'));
      if (next !== period) isFresh = false;
      period = next;
      showPeriods();
      load();
    },
  };
}
