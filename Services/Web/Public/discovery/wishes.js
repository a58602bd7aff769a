// The wish list: albums and artists that are not in the library. One leaves the list once it is there.
import { change, read } from '../core/api.js';
import { h, setText } from '../core/dom.js';
import { ago, count, dateWords } from '../core/format.js';
import { showBanner, showError } from '../parts/banners.js';
import { field, form, linkButton, moreButton, textButton } from '../parts/controls.js';
import { setCover } from '../parts/cover.js';
import { pageHeader } from '../parts/headers.js';
import { links } from './missing.js';
import { styled } from './style.js';

const pageLength = 100;

function row({ id, artist, album, providers = [], addedAt, releaseGroup, missing }, reload) {
  const name = album ?? artist;
  const cover = h('span', { class: 'cover', 'aria-hidden': 'true' });
  setCover(cover, { title: name, artist, art: missing?.art });
  const add = () => change('wishes', { artist, album, releaseGroup }).then(() => reload()).catch(showError);
  const remove = textButton('Remove', 'trash', async () => {
    try {
      await change(`wishes/${id}`, {}, 'DELETE');
      showBanner(`“${name}” is no longer wished for.`, { key: 'wish', action: { name: 'Undo', run: add } });
      await reload();
    } catch (error) {
      showError(error);
    }
  }, { kind: 'quiet', label: `Remove ${name}` });
  const facts = [
    `Wished ${ago(addedAt)}`, missing?.source && `named by ${missing.source}`,
    providers.length && `saved at ${providers.join(', ')}`,
  ];
  return h('li', { class: 'opinion-row wish-row' }, cover, h('div', { class: 'opinion-words' }, h('b', { text: name }),
    h('span', { text: [album ? artist : 'Everything of the artist', missing?.date && dateWords(missing.date)]
      .filter(Boolean).join(' · ') }),
    h('small', { class: 'soft', text: facts.filter(Boolean).join(' · ') }), missing ? links(missing) : null), remove);
}

/** Opens the screen. */
export async function open({ signal }) {
  await styled;
  const list = h('ul', { class: 'card opinion-rows', 'aria-label': 'Wishes' });
  const none = h('div', {},
    h('p', {
      class: 'soft',
      text: 'No wishes. Albums on the wall that you do not have can be put here, and what a linked service has and '
        + 'your library lacks is here as well.',
    }),
    h('div', { class: 'row wrap' }, linkButton('Settings of walls', '#/settings/walls', 'settings')));
  const number = h('p', { class: 'count' });
  let next = null;
  let turn = 0;
  const load = async (stop) => {
    const mine = turn;
    const page = await read('wishes', { after: next, limit: pageLength }, stop);
    if (mine !== turn) return Boolean(next); // The list was emptied meanwhile, and is being read from its beginning.
    next = page.next ?? null;
    list.append(...page.items.map((item) => row(item, reload)));
    list.hidden = !list.childElementCount;
    none.hidden = !list.hidden;
    setText(number,
      list.hidden ? ''
        : next ? `More than ${count(list.childElementCount, 'wish', 'wishes')}`
        : count(list.childElementCount, 'wish', 'wishes'));
    return Boolean(next);
  };
  const more = moreButton(load);
  const reload = async (stop) => {
    turn += 1;
    next = null;
    const at = [...list.children].findIndex((one) => one.contains(document.activeElement));
    list.replaceChildren();
    more.hidden = !await load(stop);
    if (at < 0 || document.activeElement !== document.body) return;
    // The wish that had the focus is gone. The next one gets it.
    const then = list.children[Math.min(at, list.childElementCount - 1)]?.querySelector('button')
      ?? list.closest('.screen')?.querySelector('h1');
    then?.focus({ preventScroll: true });
  };
  const add = form('An album or an artist', null,
    [
      field('Artist', { name: 'artist', required: true }),
      field('Album', { name: 'album' }, 'Empty for everything of the artist.'),
    ],
    'Add', async ({ artist, album }) => {
      await change('wishes', { artist, album: album || undefined });
      await reload();
    });
  await reload(signal);
  return {
    title: 'Wish list',
    element: h('section', { class: 'screen wishes', 'aria-label': 'Wish list' },
      pageHeader('Wish list', number, linkButton('Likes', '#/likes', 'likes')),
      none, list, h('p', { class: 'row' }, more),
      h('section', { class: 'group' }, h('h2', { text: 'Wish for something' }), add)),
    show({ back }) {
      if (back) reload().catch(showError);
    },
  };
}
