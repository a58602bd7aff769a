// The head of the place of a genre or a decade: who made its music, and its decades or genres, as chips.
import { read } from '../core/api.js';
import { h } from '../core/dom.js';
import { address } from '../core/router.js';
import { placeAddress, tagWords } from '../core/tags.js';
import { showError } from '../parts/banners.js';

const most = 14;

/** Returns a row of chips with a name before it, which is hidden until it has chips. */
function chipRow(name) {
  const list = h('ul', { class: 'chips', 'aria-label': name });
  return h('div', { class: 'place-row', hidden: true }, h('b', { text: name }), list);
}

function fill(row, chips) {
  row.hidden = chips.length < 2;
  row.lastChild.replaceChildren(...chips.map(({ name, albums, href }) => h('li', {}, h('a', { class: 'chip', href },
    h('span', { text: name }), h('span', { class: 'chip-kind', 'aria-label': `${albums} albums`,
      text: String(albums) })))));
}

/** Returns the head of a place; it fills itself, and `signal` ends that. */
export function makePlaceHead(tag, signal) {
  const among = `${tag.kind}:${tag.name}`;
  const [artists, others] = [chipRow('Artists'), chipRow(tag.kind === 'genre' ? 'Decades' : 'Genres')];
  const kind = tag.kind === 'genre' ? 'decade' : 'genre';
  const load = async () => {
    const [byArtist, byOther] = await Promise.all([
      read('tags/albumArtist', { among, sort: 'albums', limit: most }, signal),
      read(`tags/${kind}`, { among, ...(kind === 'genre' ? { sort: 'albums' } : {}), limit: most }, signal),
    ]);
    fill(artists, byArtist.items.filter(({ id }) => id)
      .map(({ id, name, albums }) => ({ name, albums, href: address('artist', id) })));
    fill(others, byOther.items.map(({ name, albums }) => ({
      name: tagWords({ kind, name }), albums, href: placeAddress('albums', [tag, { kind, name, isExcluded: false }]),
    })));
  };
  load().catch(showError);
  return { element: h('div', { class: 'place-head' }, artists, others) };
}
