// The problems of the library: every file, folder and cover that is not shown or not shown whole, with what to do.
import { read } from '../core/api.js';
import { h, reconcile, setAttribute, setMessage } from '../core/dom.js';
import { count } from '../core/format.js';
import { address } from '../core/router.js';
import { linkButton, moreButton } from '../parts/controls.js';
import { emptyMessage, pageHeader } from '../parts/headers.js';

const pageSize = 100;

/** The kinds of problems: their titles, and what they have in common. */
const kinds = {
  damaged: ['Damaged files', 'Their audio or their tags cannot be read, or their end is missing.'],
  unreadable: ['Files that may not be read', 'Lunara has no right to read them, or the disk does not answer.'],
  encoding: ['Files with tags in another encoding',
    'The settings of Lunara, on its machine, can name the encoding; they are then read again.'],
  untagged: ['Files without tags', 'They are listed by the names of their files and folders.'],
  cue: ['CUE sheets', 'Where a sheet cannot be used, its file plays as one track.'],
  cover: ['Covers', 'Another picture is shown, or none.'],
  folder: ['Folders', 'What is in them may be missing.'],
  source: ['Sources', 'They could not be read as a whole.'],
  unused: ['Files that are no music', 'They are neither music nor covers nor lyrics.'],
  ignored: ['Ignored files', 'They are hidden, or an ignore file leaves them out.'],
};
/** The kinds that are no problems, and are listed only where they are chosen. */
const leftOut = new Set(['unused', 'ignored']);
const order = Object.keys(kinds);
const kindTitle = (kind) => kinds[kind]?.[0] ?? kind;

function makeRow({ path, source, message, cause, track, code }) {
  const words = h('p');
  setMessage(words, message);
  return h('li', { class: 'problem-row', 'data-code': code },
    h('p', {}, h('code', { text: path ?? source })),
    words,
    cause ? h('p', { class: 'soft', text: cause }) : null,
    track ? h('p', {}, h('a', { class: 'link', href: address('track', track), text: 'Show the track' })) : null);
}

/** Opens the list; the query may contain a kind (`kind=damaged`) and the path of a folder. */
export async function open({ query, signal }) {
  const [kind, folder] = [query.get('kind'), query.get('folder')];
  const readPage = (after) => read('problems', { kind, folder, after, limit: pageSize }, after ? undefined : signal);
  const page = await readPage(null);
  const totals = new Map();
  for (const one of page.counts) totals.set(one.kind, (totals.get(one.kind) ?? 0) + one.count);
  const all = [...totals].reduce((sum, [one, number]) => sum + (leftOut.has(one) ? 0 : number), 0);
  const place = (one) => {
    const parameters = new URLSearchParams({ ...(one ? { kind: one } : {}), ...(folder ? { folder } : {}) });
    return `${address('problems')}${parameters.size ? `?${parameters}` : ''}`;
  };
  const pill = (one, title, number) => {
    const link = linkButton(`${title} (${number.toLocaleString('en')})`, place(one));
    setAttribute(link, 'aria-current', one === kind ? 'page' : null);
    return link;
  };
  const known = [...totals.keys()].sort((one, other) => order.indexOf(one) - order.indexOf(other));
  const filters = totals.size ? h('nav', { class: 'row wrap', 'aria-label': 'Kinds of problems' },
    pill(null, 'All', all),
    known.map((one) => pill(one, kindTitle(one), totals.get(one)))) : null;
  const body = h('div', { class: 'problem-kinds' });
  const more = moreButton(async () => {
    const next = await readPage(page.next);
    page.items.push(...next.items);
    page.next = next.next;
    show();
    return page.next;
  });
  more.hidden = !page.next;
  const makeGroup = (/** @type {[kind: string, items: any[]]} */ [one]) => h('section', { class: 'group' },
    h('h2', { text: kindTitle(one) }),
    kinds[one] ? h('p', { class: 'soft', text: kinds[one][1] }) : null,
    h('ul', { class: 'card problem-list', 'aria-label': kindTitle(one) }));
  const show = () => {
    const groups = [...Map.groupBy(page.items, (item) => item.kind)]
      .sort(([one], [other]) => order.indexOf(one) - order.indexOf(other));
    reconcile(body, groups,
      ([one]) => one, makeGroup,
      (element, [, items]) => reconcile(element.lastChild, items,
        (item) => `${item.code} ${item.path ?? ''} ${item.message}`,
        makeRow));
  };
  show();
  const none = page.items.length
    ? null
    : emptyMessage('No problems',
      kind || folder ? 'There is none of this kind.' : 'All files in your sources are read and shown.',
      linkButton('Sources', '#/settings/sources'));
  const element = h('section', { class: 'screen', 'aria-label': 'Problems' },
    pageHeader('Problems', all ? h('p', { class: 'count', text: count(all, 'problem') }) : null),
    folder ? h('p', { class: 'soft', text: `In ${folder}` }) : null,
    filters, none, body,
    h('p', { class: 'row' }, more));
  return { title: 'Problems', element };
}
