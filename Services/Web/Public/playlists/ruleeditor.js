// The editor of smart playlists: conditions as rows, the order and the limit, with a count of what they find.
import { change, read } from '../core/api.js';
import { h, setText } from '../core/dom.js';
import { count, span } from '../core/format.js';
import { iconButton, textButton } from '../parts/controls.js';
import { asRows, comparisonsOf, fields, fromRows, inputOf } from './rules.js';

const pause = 300;
const orders = {
  '': 'By artist and album', '-rating': 'Best rated first', '-playcount': 'Most played first',
  '-lastplayed': 'Last played first', lastplayed: 'Longest not played first', '-dateadded': 'Newest first',
  year: 'By year', title: 'By title', random: 'Random',
};

const select = (label, options, value, onchange) => h('select', {
  'aria-label': label, onchange: (event) => onchange(event.target.value),
},
  Object.entries(options).map(([name, title]) => h('option', { value: name, selected: name === value, text: title })));

class RuleEditor {
  #rows;
  #rules;
  #save;
  #timer = 0;
  #asked = 0;

  constructor(rules, title, save) {
    this.#rules = rules;
    this.#rows = asRows(rules);
    this.#save = save;
    this.body = h('div', { class: 'rule-rows' });
    this.found = h('p', { class: 'soft', role: 'status' });
    this.name = title === null
      ? null
      : h('input', { class: 'title-field', 'aria-label': 'Title of the playlist', value: title, maxlength: 200 });
    this.done = textButton('Save', null, () => this.#finish(), { kind: 'first' });
    this.element = h('dialog', { class: 'keys rules', 'aria-label': 'Rules of the smart playlist' },
      h('div', { class: 'row between' },
        h('h2', { text: 'Smart playlist' }),
        iconButton('close', 'Close', () => this.element.close(), 'small')),
      this.name, this.body, this.found, h('div', { class: 'row' }, this.done));
    this.element.addEventListener('close', () => this.element.remove());
    this.#show();
    document.body.append(this.element);
    this.element.showModal();
    this.#count();
  }

  get #present() {
    return this.#rows ? fromRows(this.#rows, this.#rules) : this.#rules;
  }

  #show() {
    if (!this.#rows) return this.body.replaceChildren(this.#asText());
    const { rows, match } = this.#rows;
    this.body.replaceChildren(
      h('div', { class: 'row' },
        h('span', { text: 'Tracks for which' }),
        select('How many conditions', { all: 'all of these are true', any: 'one of these is true' }, match,
          (value) => this.#change(() => { this.#rows.match = value; }))),
      ...rows.map((row, index) => this.#row(row, index)),
      h('div', { class: 'row wrap' },
        textButton('Add a condition', 'plus',
          () => this.#change(() => rows.push({ field: 'genre', comparison: 'is', value: '' }), true)),
        textButton('As text', null, () => {
          this.#rules = this.#present;
          this.#rows = null;
          this.#show();
        }, { kind: 'quiet' })),
      h('div', { class: 'row wrap' },
        select('Order', orders, this.#rules.sort ?? '', (value) => this.#change(() => { this.#rules.sort = value; })),
        h('label', { class: 'row' },
          h('span', { text: 'At most' }),
          this.#number(this.#rules.limit ?? '', 'Largest number', (value) => { this.#rules.limit = value; })),
        select('Tracks or albums', { tracks: 'tracks', albums: 'whole albums' }, this.#rules.unit ?? 'tracks',
          (value) => this.#change(() => { this.#rules.unit = value; }))));
  }

  #number(value, label, set) {
    return h('input', {
      type: 'number',
      min: 1,
      class: 'rule-number',
      'aria-label': label,
      value,
      oninput: (event) => this.#change(() => set(Number(event.target.value) || undefined)),
    });
  }

  #row(row, index) {
    const line = h('div', { class: 'row wrap rule-row', role: 'group', 'aria-label': `Condition ${index + 1}` });
    const titles = Object.fromEntries(Object.entries(fields).map(([name, [title]]) => [name, title]));
    const setField = (field) => this.#change(() => {
      row.field = field;
      [row.comparison] = Object.keys(comparisonsOf(field));
      row.value = '';
    }, true);
    const setComparison = (comparison) => this.#change(() => {
      const isRange = comparison === 'inTheRange';
      if (isRange !== (row.comparison === 'inTheRange')
        || inputOf(row.field, comparison) !== inputOf(row.field, row.comparison)) {
        row.value = isRange ? ['', ''] : '';
      }
      row.comparison = comparison;
    }, true);
    line.append(select('Field', titles, row.field, setField),
      select('Comparison', comparisonsOf(row.field), row.comparison, setComparison), ...this.#values(row),
      iconButton('close', 'Remove this condition',
        () => this.#change(() => this.#rows.rows.splice(index, 1), true),
        'small'));
    return line;
  }

  #values(row) {
    const kind = inputOf(row.field, row.comparison);
    const input = (value, set) => h('input', {
      type: kind === 'playlist' ? 'text' : kind,
      'aria-label': 'Value',
      value,
      step: 'any',
      oninput: (event) => this.#change(() => set(kind === 'number' && event.target.value !== ''
        ? Number(event.target.value)
        : event.target.value)),
    });
    if (row.comparison === 'inTheRange') {
      return [0, 1].map((place) => input(row.value?.[place] ?? '', (value) => { row.value[place] = value; }));
    }
    if (kind !== 'playlist') return [input(row.value ?? '', (value) => { row.value = value; })];
    const choice = h('select', {
      'aria-label': 'Value', onchange: (event) => this.#change(() => { row.value = event.target.value; }),
    });
    read('playlists', { limit: 200 }).then(({ items }) => {
      choice.replaceChildren(...items.map((one) => h('option', {
        value: one.id, selected: one.id === row.value, text: one.title,
      })));
      row.value ||= choice.value;
      this.#countSoon();
    }, (error) => setText(this.found, error.message));
    return [choice];
  }

  #asText() {
    const field = h('textarea', { 'aria-label': 'Rules as JSON', rows: 12, spellcheck: 'false', oninput: () => {
      try {
        this.#rules = JSON.parse(field.value);
        this.#countSoon();
      } catch (error) {
        setText(this.found, error.message);
      }
    } });
    field.value = JSON.stringify(this.#rules, null, 2);
    return field;
  }

  #change(body, isOther = false) {
    body();
    if (isOther) this.#show();
    this.#countSoon();
  }

  #countSoon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#count(), pause);
  }

  async #count() {
    this.#asked += 1;
    const asked = this.#asked;
    if (this.#rows?.rows.some(({ value }) => [value].flat().includes(''))) {
      return setText(this.found, 'Fill in every value.');
    }
    let words;
    try {
      const { trackCount, durationSeconds } = await change('playlist-rules', { rules: JSON.stringify(this.#present) });
      words = trackCount ? `${count(trackCount, 'track')}, ${span(durationSeconds)}` : 'No tracks';
    } catch (error) {
      words = error.message;
    }
    // An answer that comes late is not that of the rules as they are now.
    if (asked === this.#asked) setText(this.found, words);
  }

  async #finish() {
    try {
      await this.#save(JSON.stringify(this.#present), this.name?.value.trim());
      this.element.close();
    } catch (error) {
      setText(this.found, error.message);
    }
  }
}

/**
 * Opens the editor. `save(rules, title)` is called with the rules as JSON; `title` is null for a playlist that has one.
 */
export const editRules = (rules, title, save) => new RuleEditor(rules, title, save);
