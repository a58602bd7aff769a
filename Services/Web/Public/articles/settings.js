// The settings of articles: the switch, what leaves the house, and the languages.
import { change, read } from '../core/api.js';
import { h } from '../core/dom.js';
import { count } from '../core/format.js';
import { loadStyles } from '../core/stylesheets.js';
import { showBanner, showError } from '../parts/banners.js';
import { field, switchRow } from '../parts/controls.js';

const styled = loadStyles('articles/articles.css');

/** Returns the card; `reload()` shows the section again. */
export async function articleSettings(reload, signal) {
  await styled;
  const { isOn, languages, kept, sends } = await read('discovery/articles', {}, signal);
  const set = (on) => change('discovery/articles', { isOn: on }, 'PUT').then(reload);
  const hint = 'Summaries on the pages of albums and artists. They are kept, and are there without a network.';
  const form = h('form', { class: 'article-languages', onsubmit: async (event) => {
    event.preventDefault();
    const words = String(new FormData(form).get('languages')).split(/[\s,]+/).filter(Boolean);
    try {
      await change('discovery/articles', { languages: words }, 'PUT');
      showBanner('The languages are stored.');
      await reload();
    } catch (error) {
      showError(error);
    }
  } }, field('Languages', { name: 'languages', required: true, value: languages.join(', '), placeholder: 'de, en' },
    'As Wikipedia abbreviates them, the one that you like best first; at most 5.'),
  h('div', { class: 'row' }, h('button', { type: 'submit', class: 'pill', text: 'Save the languages' })));
  return h('div', { class: 'card article-settings' }, switchRow('Articles of Wikipedia', isOn, set, hint),
    h('p', { class: 'leaves' }, h('b', { text: 'Leaves the house: ' }), sends), form,
    h('p', { class: 'soft', text: `${count(kept, 'article')} kept.` }));
}
