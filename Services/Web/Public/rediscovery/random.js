// An album by chance: a screen that shows one and waits, and a press that plays one at once.
import { read } from '../core/api.js';
import { h } from '../core/dom.js';
import { count, span } from '../core/format.js';
import { address } from '../core/router.js';
import { setAlbumList } from '../core/store.js';
import { loadStyles } from '../core/stylesheets.js';
import { albumMenu, enqueue } from '../parts/actions.js';
import { showError } from '../parts/banners.js';
import { linkButton, textButton } from '../parts/controls.js';
import { byLine, coverHeader } from '../parts/headers.js';
import { offerMenu } from '../parts/menu.js';

loadStyles('rediscovery/rediscovery.css');

/** Plays an album by chance in the shown room. */
export async function playRandom() {
  try {
    await enqueue(await read('random'));
  } catch (error) {
    showError(error);
  }
}

/** Returns what is shown of an album; `again` draws another one. */
function view(album, again) {
  const facts = [album.year, count(album.trackCount, 'track'), span(album.durationSeconds)].filter(Boolean).join(' · ');
  const element = coverHeader(album, { disc: true }, byLine(album),
    h('p', { class: 'facts', text: facts }),
    h('p', { class: 'facts', text: album.reason }),
    h('div', { class: 'actions', role: 'group', 'aria-label': 'Actions' },
      textButton('Play', 'play', () => enqueue(album), { kind: 'first', label: `Play ${album.title}` }),
      textButton('Another one', 'random', again), linkButton('Go to album', address('album', album.id), 'albums')));
  offerMenu(element.querySelector('.cover-stand'), () => album.title, () => albumMenu(album), () => album);
  return element;
}

/**
 * Opens the screen of an album by chance. An address never starts music, as links may come from elsewhere: only a press
 * in the page does.
 */
export async function open({ signal }) {
  const element = h('section', { class: 'screen random', 'aria-label': 'An album by chance' });
  const draw = (album) => element.replaceChildren(view(album, again));
  const again = async () => {
    try {
      draw(await read('random'));
      element.querySelector('h1').focus();
    } catch (error) {
      showError(error);
    }
  };
  draw(await read('random', {}, signal));
  const list = { sort: 'random', seed: Math.floor(Math.random() * 2 ** 31) };
  let isNew = true;
  return {
    title: 'An album by chance', element, isLive: true,
    // Going back shows the same album; a link shows another one.
    show({ back }) {
      setAlbumList(() => list);
      if (!isNew && !back) again();
      isNew = false;
    },
  };
}
