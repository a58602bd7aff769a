// The list of themes, and the screen of one: its cover, text and albums, in its colours.
import { change, read, readAllPages } from '../core/api.js';
import { applyPalette } from '../core/colours.js';
import { h, reconcile } from '../core/dom.js';
import { onFact } from '../core/events.js';
import { count } from '../core/format.js';
import { reopenScreen } from '../core/router.js';
import { setAlbumList, subscribe } from '../core/store.js';
import { loadStyles } from '../core/stylesheets.js';
import { albumMenu, enqueue } from '../parts/actions.js';
import { showError } from '../parts/banners.js';
import { makeAlbumCardWith, updateAlbumCard } from '../parts/cards.js';
import { iconButton, linkButton, textButton } from '../parts/controls.js';
import { setCover } from '../parts/cover.js';
import { coverHeader, emptyMessage, pageHeader } from '../parts/headers.js';
import { openMenu } from '../parts/menu.js';
import { changeThemeRules, deleteTheme, editTheme, makeRuleTheme, makeTheme, removeFromTheme } from './edits.js';

loadStyles('themes/themes.css');

const wordsOf = ({ albumCount, rules }) =>
  [count(albumCount, 'album'), rules && 'by rules'].filter(Boolean).join(' · ');

/** Calls `changed(fact)` after a theme was changed, here or elsewhere, and after facts were missed. */
const onChange = (changed) =>
  onFact((fact) => (fact.kind === 'library.theme-changed' || fact.kind === 'page.reset') && changed(fact));

function makeThemeCard() {
  const element = h('li', {});
  let shown = null;
  element.show = (theme) => {
    const now = JSON.stringify(theme);
    if (now === shown) return;
    const hadFocus = element.contains(document.activeElement);
    shown = now;
    const cover = h('span', { class: 'cover', 'aria-hidden': 'true' });
    setCover(cover, theme);
    element.replaceChildren(h('a', {
      class: 'theme-card', href: `#/theme/${theme.id}`, vars: { '--theme-first': theme.look.first },
    },
      cover,
      h('span', {}, h('b', { text: theme.title }), h('small', { text: wordsOf(theme) }))));
    if (hadFocus) element.firstElementChild.focus({ preventScroll: true });
  };
  return element;
}

/** Opens the list of themes. */
export async function openList({ signal }) {
  const list = h('ul', { class: 'theme-cards' });
  const none = emptyMessage('No themes',
    'A theme has albums that belong together for you, such as those of a summer, with colours of its own. Make one '
      + 'here, or add an album by its menu.');
  const draw = ({ items }) => {
    reconcile(list, items, ({ id }) => id, makeThemeCard, (one, theme) => one.show(theme));
    list.hidden = !items.length;
    none.hidden = Boolean(items.length);
  };
  draw(await read('themes', {}, signal));
  const load = () => read('themes').then(draw, showError);
  const tools = [
    textButton('New theme of rules', 'filter', makeRuleTheme, { kind: 'quiet' }),
    textButton('New theme', 'plus', makeTheme),
  ];
  const element = h('section', { class: 'screen', 'aria-label': 'Themes' },
    pageHeader('Themes', null, ...tools),
    list, none);
  let [stop, isOld] = [() => {}, false];
  return {
    title: 'Themes', element, isLive: true,
    show() {
      if (isOld) load();
      stop = onChange(load);
    },
    hide() {
      stop();
      isOld = true;
    },
  };
}

/** Opens the screen of a theme. */
export async function openTheme({ parts: [id], signal }) {
  const theme = await readAllPages(`themes/${encodeURIComponent(id)}`, ['albums'], signal);
  const { look, albums, missing } = theme;
  const item = {
    id: theme.playable,
    title: theme.title,
    art: theme.art,
    palette: { first: look.first, second: look.second, dark: look.second },
  };
  const again = () => reopenScreen().catch(showError);
  const more = iconButton('more', 'More', () => {
    const { left, bottom } = more.getBoundingClientRect();
    openMenu(theme.title, [
      { name: 'Play next', icon: 'queueNext', run: () => enqueue(item, 'next') },
      { name: 'Play later', icon: 'queueLater', run: () => enqueue(item, 'later') },
      { name: 'Delete the theme', icon: 'trash', run: () => deleteTheme(theme) },
    ], left, bottom + 4, more);
  });
  const head = coverHeader(item, {},
    h('p', { class: 'facts', text: wordsOf(theme) }), theme.text && h('p', { class: 'theme-text', text: theme.text }),
    h('div', { class: 'actions', role: 'group', 'aria-label': 'Actions' },
      textButton('Play', 'play', () => enqueue(item), { kind: 'first', label: `Play ${theme.title}` }),
      textButton('Shuffle', 'shuffle', () => enqueue(item, 'now', { shuffle: true })),
      textButton('Change', null, () => editTheme(theme, {}, again)),
      theme.rules && textButton('Rules', 'filter', () => changeThemeRules(theme, again)), more));
  const list = h('ul', { class: 'album-grid loose', 'aria-label': 'Albums', hidden: !albums.length });
  const chooseCover = (album) => change(`themes/${theme.id}`, { cover: album.id }, 'PUT').then(again, showError);
  const menuOf = (album) => [
    ...albumMenu(album), { name: 'Use this cover', icon: 'themes', run: () => chooseCover(album) },
    !theme.rules && {
      name: 'Remove from the theme', icon: 'remove',
      run: () => removeFromTheme(theme, album, again).catch(showError),
    },
  ].filter(Boolean);
  const show = () => reconcile(list, albums,
    (album) => album.id,
    () => makeAlbumCardWith(menuOf),
    (one, album) => updateAlbumCard(one, album));
  const element = h('section', { class: 'screen theme', 'aria-label': theme.title }, head, list,
    albums.length
      ? null
      : emptyMessage('No albums', theme.rules ? 'The rules find none.' : 'Add albums by their menus.'),
    missing.length ? h('section', { class: 'missing-albums' },
      h('h2', { text: 'Not here now' }),
      h('ul', {}, missing.map((name) => h('li', { text: name })))) : null);
  const gone = () => element.replaceChildren(pageHeader(theme.title),
    emptyMessage('This theme was deleted', 'Its albums stay in the library.', linkButton('All themes', '#/themes')));
  // This page's own changes are shown already; another device may have changed the theme as well.
  const changed = async ({ kind, id: one, isDeleted }) => {
    if (kind === 'library.theme-changed' && one !== theme.id) return;
    if (isDeleted) gone();
    else if ((await read(`themes/${theme.id}`)).revision > theme.revision) await again();
  };
  let stops = [];
  return {
    title: theme.title, element,
    show() {
      applyPalette(head, item.palette);
      setAlbumList(() => ({ albums: albums.map((album) => album.id) }));
      stops = [subscribe(show), onChange((fact) => changed(fact).catch(showError))];
    },
    hide() {
      for (const stop of stops) stop();
    },
  };
}
