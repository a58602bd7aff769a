// Rows of concerts: the date, who plays where, how far that is, and the pages with tickets.
import { h } from '../core/dom.js';

const monthOf = (date) => date.slice(0, 7);
const asDate = (date) => new Date(`${date}T12:00:00`);

/** Returns a link to a page of another site, which opens in a tab of its own. */
const outside = (text, href, label) => h('a', {
  class: 'pill quiet', href, target: '_blank', rel: 'noopener noreferrer', text, 'aria-label': label,
});

function row(concert) {
  const { artist, title, date, time, venue, city, region, country, distanceKm, lineup, tickets, url } = concert;
  const place = [venue, city, region !== city && region, country].filter(Boolean).join(', ');
  const others = lineup.filter((one) => one !== artist);
  const when = asDate(date).toLocaleDateString('en', { weekday: 'short', day: 'numeric', month: 'short' });
  const far = distanceKm === undefined ? null : `${Math.round(distanceKm)} km away`;
  return h('li', { class: 'concert' },
    h('time', { datetime: time ? `${date}T${time}` : date, text: [when, time].filter(Boolean).join(', ') }),
    h('div', {},
      h('b', { text: artist }),
      title ? h('p', { text: title }) : null,
      h('p', { class: 'soft', text: [place, far].filter(Boolean).join(' · ') }),
      others.length ? h('p', { class: 'soft', text: `With ${others.join(', ')}` }) : null,
      h('div', { class: 'row wrap' },
        tickets.map((ticket) => outside(tickets.length > 1 ? `Tickets: ${ticket.name}` : 'Tickets', ticket.url,
          `Tickets for ${artist}, ${when}, by ${ticket.name}`)),
        url ? outside('About it', url, `About ${artist}, ${when}`) : null)));
}

/** Returns lists of concerts, one for each month. */
export function concertGroups(concerts, level = 'h2') {
  const months = new Map();
  for (const concert of concerts) {
    const month = monthOf(concert.date);
    if (!months.has(month)) months.set(month, []);
    months.get(month).push(concert);
  }
  return [...months].map(([month, list]) => {
    const name = asDate(`${month}-01`).toLocaleDateString('en', { month: 'long', year: 'numeric' });
    return h('section', { class: 'group' },
      h(level, { text: name }),
      h('ul', { class: 'card concerts', 'aria-label': `Concerts in ${name}` }, list.map(row)));
  });
}
