// The place of all notes, `#/notes`, with a search in them.
import { h } from '../core/dom.js';
import { count } from '../core/format.js';
import { isAt, navigate } from '../core/router.js';
import { loadStyles } from '../core/stylesheets.js';
import { emptyMessage, pageHeader } from '../parts/headers.js';
import { setCount } from './lists.js';
import { noteList } from './notes.js';

const styled = loadStyles('garden/garden.css');

const pause = 180;

/** Opens the screen; one screen serves all words that are searched. */
export async function open() {
  await styled;
  let words = '';
  let timer = 0;
  const said = h('p', { class: 'count', role: 'status' });
  const list = noteList({
    parameters: () => ({ words: words || null }),
    empty: () => (words ? h('p', { class: 'soft', text: `No note has “${words}”.` })
      : emptyMessage('No notes yet',
        'Write what you think of an album, a track or an artist: by its menu, on its page, or in the player while it '
          + 'plays. A note comes back when its day returns.')),
    read: (items, isWhole) => setCount(said, items, isWhole, ({ length }) => count(length, 'note')),
  });
  const box = h('input', {
    type: 'search', placeholder: 'Words of your notes', 'aria-label': 'Search in notes', spellcheck: 'false',
    autocomplete: 'off', enterkeyhint: 'search',
  });
  box.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      // A person who has gone elsewhere just after typing is not brought back.
      if (!isAt('notes')) return;
      navigate(box.value.trim() ? `#/notes?q=${encodeURIComponent(box.value.trim())}` : '#/notes', true);
    }, pause);
  });
  const form = h('form', { role: 'search', class: 'search-form', onsubmit: (event) => event.preventDefault() }, box);
  const element = h('section', { class: 'screen garden', 'aria-label': 'Notes' },
    pageHeader('Notes', said, form),
    list);
  return {
    title: 'Notes', element, isLive: true,
    async enter({ query }) {
      words = query.get('q') ?? '';
      if (document.activeElement !== box) box.value = words;
      await list.load();
    },
    show: () => list.start(),
    hide() {
      clearTimeout(timer);
      list.stop();
    },
  };
}
