// The wish list: albums that are not on the shelf, and those that have come onto it since.
import { read } from '../core/api.js';
import { h } from '../core/dom.js';
import { ago, count, dateWords } from '../core/format.js';
import { address } from '../core/router.js';
import { linkButton } from '../parts/controls.js';
import { setCover } from '../parts/cover.js';
import { emptyMessage, pageHeader } from '../parts/headers.js';
import { links, wishButton } from './missing.js';
import { styled } from './style.js';
import { isNotRunning } from './words.js';

function row({ album, at, id }) {
  const cover = h('span', { class: 'cover', 'aria-hidden': 'true' });
  setCover(cover, album);
  const title = id ? h('a', { class: 'link-plain', href: address('album', id), text: album.title }) : h('span', { text: album.title });
  return h('li', { class: 'opinion-row' }, cover, h('div', { class: 'opinion-words' }, h('b', {}, title), h('span', { text: [album.artist, album.date && dateWords(album.date)].filter(Boolean).join(' · ') }),
    h('small', { class: 'soft', text: `${id ? 'In the library now · ' : ''}Wished ${ago(at)}${album.source ? ` · named by ${album.source}` : ''}` }), links(album)), wishButton({ ...album, isWished: true }));
}

/** Opens the screen. */
export async function open({ signal }) {
  await styled;
  const wishes = await read('discovery/wishes', {}, signal).then((found) => found.wishes).catch((error) => {
    if (isNotRunning(error)) return [];
    throw error;
  });
  const body = wishes.length ? h('ul', { class: 'card opinion-rows', 'aria-label': 'Wishes' }, wishes.map(row))
    : emptyMessage('No wishes yet', 'Walls can have albums that are not on your shelf. Their cards have a button that puts them here. The settings of walls switch them on.', linkButton('Settings of walls', '#/settings/walls', 'settings', 'first'));
  return {
    title: 'Wish list',
    element: h('section', { class: 'screen wishes', 'aria-label': 'Wish list' }, pageHeader('Wish list', wishes.length ? h('p', { class: 'count', text: count(wishes.length, 'album') }) : null, linkButton('Likes', '#/likes', 'likes')), body),
  };
}
