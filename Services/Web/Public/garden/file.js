// The whole garden as one file, and adding such a file: notes, marks, todos, likes and themes. The file is that of
// `lunara garden export`: Markdown for people with the same as JSON at its end, or the JSON alone.
import { change, read } from '../core/api.js';
import { h } from '../core/dom.js';
import { count } from '../core/format.js';
import { showBanner, showError } from '../parts/banners.js';
import { textButton } from '../parts/controls.js';
import { dayOf } from './words.js';

const fence = '```json';
// The most bytes, records and themes of a request.
const [mostBytes, mostRecords, mostThemes] = [150_000, 500, 200];
const longestFile = 64 << 20;

const line = (text) => String(text).replace(/[\p{Cc}\s]+/gu, ' ').trim();
const lines = (text) => text.split('\n').map(line).join('\n');

async function readAll() {
  const all = { items: [], themes: [] };
  let after = null;
  do {
    const page = await read('garden', { after });
    all.items.push(...page.items);
    all.themes.push(...page.themes ?? []);
    after = page.next ?? null;
  } while (after);
  return all;
}

/** Returns all of it as JSON, one record a line. */
function jsonOf({ items, themes }) {
  const rows = (values) => values.map((one) => JSON.stringify(one)).join(',\n');
  return `{"garden":1,"items":[\n${rows(items)}\n]${themes.length ? `,"themes":[\n${rows(themes)}\n]` : ''}}\n`;
}

function paragraph({ form, on, text, at, state, about, session }) {
  const kind = {
    mark: `Mark for deletion, ${state ?? 'marked'}`, todo: `Todo (${about ?? 'other'}), ${state ?? 'open'}`,
    opinion: state === 'dislike' ? 'Disliked' : 'Liked',
  }[form] ?? (session ? 'Note on a session' : 'Note');
  const track = on.kind === 'track' ? ` on “${line(on.title)}”` : '';
  return `\n*${kind}${track}, ${dayOf(at)}*\n${text ? `\n${lines(text)}\n` : ''}`;
}

function sectionOf({ title, text, rules, albums }) {
  const list = albums.map((one) => `- ${line(`${one.artist} – ${one.title}${one.year ? ` (${one.year})` : ''}`)}\n`);
  return [`\n### ${line(title)}\n`, text && `\n${lines(text)}\n`, rules && `\nRules: \`${line(rules)}\`\n`,
    list.length && `\n${list.join('')}`].filter(Boolean).join('');
}

function grouped(items, keyOf) {
  const groups = new Map();
  for (const item of items) groups.set(keyOf(item), [...groups.get(keyOf(item)) ?? [], item]);
  return [...groups].sort(([one], [other]) => (one < other ? -1 : 1));
}

/** Returns all of it as Markdown, with the JSON at its end. */
function markdownOf({ items, themes }) {
  let text = '# Garden\n';
  for (const [artist, ofArtist] of grouped(items, ({ on }) => on.artist)) {
    text += `\n## ${line(artist)}\n`;
    for (const [thing, records] of grouped(ofArtist, ({ on, album }) =>
      (on.kind === 'artist' ? '' : album ?? on.title))) {
      if (thing) text += `\n### ${line(thing)}\n`;
      text += records.sort((one, other) => (one.at < other.at ? -1 : 1)).map(paragraph).join('');
    }
  }
  if (themes.length) text += `\n## Themes\n${themes.map(sectionOf).join('')}`;
  return `${text}\n## All of it, to be imported\n\n${fence}\n${jsonOf({ items, themes })}\`\`\`\n`;
}

const wrong = (name) => new Error(
  `${name} is no file that Lunara wrote. “Export as text” and “Export as JSON” here make one.`);

/** Returns the records and themes of a file. Throws an error that says so. */
function recordsOf(text, name) {
  let json = text.replaceAll('\r\n', '\n');
  const start = json.trimStart().startsWith('{') ? -1 : json.lastIndexOf(`\n${fence}\n`);
  if (start >= 0) {
    json = json.slice(start + fence.length + 2);
    const end = json.lastIndexOf('\n```');
    if (end >= 0) json = json.slice(0, end);
  }
  let file = null;
  try {
    file = JSON.parse(json);
  } catch {
    throw wrong(name);
  }
  if (file?.garden !== 1 || !Array.isArray(file.items) || !Array.isArray(file.themes ?? [])) throw wrong(name);
  return { items: file.items, themes: file.themes ?? [] };
}

/** Returns the bodies of requests that add all of it. */
export function partsOf({ items, themes }) {
  const encoder = new TextEncoder();
  const parts = [];
  let size = Infinity;
  const add = (list, one, most) => {
    const own = encoder.encode(JSON.stringify(one)).length + 1;
    if (size + own > mostBytes || parts.at(-1)[list].length >= most) {
      parts.push({ items: [], themes: [] });
      size = 0;
    }
    size += own;
    parts.at(-1)[list].push(one);
  };
  for (const one of items) add('items', one, mostRecords);
  for (const one of themes) add('themes', one, mostThemes);
  return parts;
}

/** Has the browser store a text as a file. */
export function saveFile(name, text, type) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  h('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

async function exportAs(name, textOf, type) {
  const all = await readAll();
  saveFile(name, textOf(all), type);
  showBanner(`${name} has ${count(all.items.length, 'record')} and ${count(all.themes.length, 'theme')}.`,
    { key: 'garden-file' });
}

/** Adds a file, and says what was added. Returns that as a sentence. */
async function importFile(file) {
  if (file.size > longestFile) throw wrong(file.name);
  const total = { added: 0, known: 0, notHere: 0 };
  for (const part of partsOf(recordsOf(await file.text(), file.name))) {
    const result = await change('garden', part);
    for (const key of Object.keys(total)) total[key] += result[key];
  }
  const away = total.notHere
    ? ` ${total.notHere.toLocaleString('en')} of them are about music that is not here now; they wait for it.`
    : '';
  return `${count(total.added, 'record')} of ${file.name} ${total.added === 1 ? 'was' : 'were'} added, `
    + `${total.known.toLocaleString('en')} ${total.known === 1 ? 'was' : 'were'} here already.${away}`;
}

/** Returns the part of the garden with the export and the import; `added()` is called after an import. */
export function fileBox(added) {
  const said = h('p', { class: 'soft', role: 'status' });
  const busy = (run) => async ({ currentTarget: button }) => {
    button.disabled = true;
    await run().catch(showError);
    button.disabled = false;
  };
  const field = h('input', {
    type: 'file',
    name: 'garden',
    hidden: true,
    'aria-label': 'A file of a garden',
    accept: '.md,.json,text/markdown,application/json',
  });
  field.addEventListener('change', async () => {
    if (!field.files[0]) return;
    said.textContent = `${field.files[0].name} is being added …`;
    try {
      said.textContent = await importFile(field.files[0]);
      added();
    } catch (error) {
      said.textContent = '';
      showError(error);
    }
    field.value = '';
  });
  return h('section', { class: 'group card garden-export garden-file' }, h('h2', { text: 'All of it as a file' }),
    h('p', {
      class: 'soft',
      text: 'Your notes, marks, todos, likes and themes: a text to read, or JSON. Both can be imported, here or in '
        + 'another household, and twice without harm.',
    }),
    h('div', { class: 'row wrap' },
      textButton('Export as text', 'down', busy(() => exportAs('garden.md', markdownOf, 'text/markdown'))),
      textButton('Export as JSON', 'down', busy(() => exportAs('garden.json', jsonOf, 'application/json'))),
      textButton('Import a file', 'up', () => field.click()), field), said);
}
