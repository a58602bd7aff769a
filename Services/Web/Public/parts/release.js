// An album as a release: its dates and types, the details of the release, and its editions with the choice of
// the one that stands in lists.
import { change, albumPath } from '../core/api.js';
import { h } from '../core/dom.js';
import { count, dateWords, distinctions } from '../core/format.js';
import { address } from '../core/router.js';
import { showBanner, showError } from './banners.js';
import { setCover } from './cover.js';
import { factList, tagText } from './credits.js';

/** Returns the date of the original release and that of this edition in words; null if neither is known. */
export function datesOf({ year, date, originalDate }) {
  if (originalDate && date && originalDate !== date) return `${dateWords(originalDate)} · this edition ${dateWords(date)}`;
  return year ? String(year) : date ? dateWords(date) : null;
}

const list = (one) => (one ? [one] : []);

/** Returns the details of a release, which a person can open. */
export function releaseDetails(album) {
  const { facts = {}, date, originalDate, types, edition, quality, folder } = album;
  const details = factList([
    ['Original release', originalDate && dateWords(originalDate)], [originalDate ? 'This edition' : 'Released', date && dateWords(date)], ['Edition', edition],
    ['Type', tagText('type', types)], ['Label', tagText('label', facts.labels)], ['Catalogue number', facts.catalogueNumbers?.join(', ')],
    ['Country', tagText('country', list(facts.country))],
    ['Medium', tagText('media', list(facts.media))], ['Barcode', facts.barcode], ['Status', facts.status && facts.status.charAt(0).toUpperCase() + facts.status.slice(1)],
    ['Files', quality], ['Folder', folder && h('code', { text: folder })],
  ]);
  return details && h('details', { class: 'release' }, h('summary', { text: 'About this release' }), details);
}

/** Returns the editions of an album with the choice of the one in lists; null if there is only one. */
export function editionChoice(album) {
  const { editions, listedEdition } = album;
  if (!editions.length) return null;
  const all = [album, ...editions].sort((one, other) => (one.date ?? '9').localeCompare(other.date ?? '9'));
  let chosen = listedEdition;
  const row = (one) => {
    const cover = h('span', { class: 'cover' });
    setCover(cover, one);
    const facts = [one.date && dateWords(one.date), ...distinctions({ ...one, date: null }), !one.folder && one.quality, count(one.trackCount, 'track')].filter(Boolean).join(' · ');
    const words = [h('span', { class: 'track-sign', 'aria-hidden': 'true' }, cover), h('span', { class: 'track-words' }, h('b', { text: one.title }), h('span', { text: facts }))];
    const choose = h('input', { type: 'radio', name: `listed-${album.id}`, checked: one.id === chosen, 'aria-label': `Show ${[one.title, facts].join(', ')} in lists`, onchange: async () => {
      try {
        await change(`${albumPath(one.id)}/preferred`, {}, 'PUT');
        chosen = one.id;
        showBanner(`Lists now show “${one.title}”${one.date ? ` of ${one.date.slice(0, 4)}` : ''}.`, { key: 'edition' });
      } catch (error) {
        for (const [index, other] of all.entries()) element.querySelectorAll('input')[index].checked = other.id === chosen;
        showError(error);
      }
    } });
    return h('li', { class: 'track', 'data-id': one.id },
      one.id === album.id ? h('span', { class: 'track-play', 'aria-current': 'true' }, words) : h('a', { class: 'track-play', href: address('album', one.id) }, words),
      h('label', { class: 'listed' }, choose, h('span', { 'aria-hidden': 'true', text: 'In lists' })));
  };
  const element = h('section', { class: 'group editions' }, h('h2', { text: 'Editions' }), h('p', { class: 'soft', text: 'One of them stands for all in lists and plays there. You can play each.' }),
    h('ul', { class: 'lines card', 'aria-label': 'Editions' }, all.map(row)));
  return element;
}
