// The editor of genres: tags that belong to none, each with a choice of where it belongs.
import { change } from '../core/api.js';
import { h, setText } from '../core/dom.js';
import { count } from '../core/format.js';
import { showBanner, showError } from '../parts/banners.js';
import { textButton } from '../parts/controls.js';
import { genres } from './genres.js';

// The number of tags that are shown until a person wants all of them.
const first = 14;

const assign = (tag, genre) => change('discovery/tags', { tag, genre }, 'PUT');
const names = new Map();
for (const [id, name, subs] of genres) {
  names.set(id, name);
  for (const [sub, word] of subs) names.set(sub, `${name}: ${word}`);
}

function makeChoice(tag) {
  const options = genres.map(([id, name, subs]) => h('optgroup', { label: name },
    h('option', { value: id, text: name }),
    subs.map(([sub, word]) => h('option', { value: sub, text: `${name}: ${word}` }))));
  return h('select', { 'aria-label': `Genre of ${tag}` }, h('option', { value: '', text: 'Choose a genre' }), options);
}

function row({ tag, albums }, changed) {
  const box = makeChoice(tag);
  const place = h('span', { class: 'tag-place' });
  const add = textButton('Add', 'plus', () => set(box.value), { label: `Add ${tag} to the chosen genre` });
  const back = textButton('Take back', null, () => set(null), { kind: 'quiet', label: `Take ${tag} back` });
  const show = (genre) => {
    box.parentElement.hidden = Boolean(genre);
    add.hidden = Boolean(genre);
    back.hidden = !genre;
    setText(place, genre ? `in ${names.get(genre)}` : '');
  };
  async function set(genre) {
    if (genre === '') {
      box.focus();
      return;
    }
    try {
      await assign(tag, genre);
      show(genre);
      (genre ? back : box).focus();
      showBanner(genre ? `“${tag}” belongs to ${names.get(genre)} now.` : `“${tag}” belongs to no genre again.`,
        { key: 'tag', action: genre ? { name: 'Undo', run: () => set(null) } : null });
      changed();
    } catch (error) {
      showError(error);
    }
  }
  const element = h('li', { class: 'tag-row' },
    h('span', { class: 'tag-name' },
      h('b', { text: tag }),
      h('small', { class: 'soft', text: count(albums, 'album') })),
    h('span', { class: 'field' }, box),
    add, place, back);
  show(null);
  return element;
}

/** Returns the editor for the tags that belong to no genre; `changed()` is called after each change. */
export function tagEditor(unmatched, changed) {
  if (!unmatched.length) return h('p', { class: 'soft', text: 'Every tag of your albums belongs to a genre.' });
  const list = h('ul', { class: 'card tag-rows', 'aria-label': 'Tags without a genre' },
    unmatched.slice(0, first).map((one) => row(one, changed)));
  const rest = unmatched.slice(first);
  const more = rest.length ? textButton(`Show ${rest.length} more`, 'down', () => {
    list.append(...rest.map((one) => row(one, changed)));
    list.children[first].querySelector('select').focus();
    more.remove();
  }) : null;
  const said = unmatched.length === 1
    ? 'This genre of yours is in none. Say where it belongs.'
    : `These ${unmatched.length} genres of yours are in none. Say where they belong.`;
  return h('div', {}, h('p', { class: 'soft', text: said }), list, h('p', { class: 'row' }, more));
}
