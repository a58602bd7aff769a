// Choosing several albums of a grid, to play, queue, add, like or keep them together. A press on a card with Ctrl or
// Shift, or "Select" in its menu, begins.
import { change } from '../core/api.js';
import { setAttribute } from '../core/dom.js';
import { count, roomTitle } from '../core/format.js';
import { currentRoom } from '../core/store.js';
import { loadStyles } from '../core/stylesheets.js';
import { showBanner } from '../parts/banners.js';
import { setCardSelection, shownInCard } from '../parts/cards.js';
import { Selection } from '../parts/selection.js';

const styled = loadStyles('find/find.css');

// The most ids that one request plays or queues.
const mostIDs = 2000;

async function like(albums) {
  const { setOpinion } = await import('../discovery/opinions.js');
  let done = 0;
  for (const album of albums) done += await setOpinion(album, 'like') ? 1 : 0;
  if (!done) return;
  showBanner(`You like ${count(done, 'album')}.`, { key: 'liked', action: { name: 'Show', href: '#/likes' } });
}

async function keepAll(albums) {
  const room = currentRoom();
  if (!room) return;
  const path = `rooms/${encodeURIComponent(room.name)}/offline`;
  for (const { id } of albums) await change(`${path}/${encodeURIComponent(id)}`, {}, 'PUT');
  showBanner(`${count(albums.length, 'album')} will be kept in ${roomTitle(room.name)}.`,
    { key: 'offline', action: { name: 'Show', href: '#/settings/offline' } });
}

/** Returns albums as one item to queue or add; null for none. */
function itemOf(albums) {
  if (!albums.length) return null;
  const title = albums.length === 1 ? albums[0].title : count(albums.length, 'album');
  return { ids: albums.slice(0, mostIDs).map(({ id }) => id), title };
}

const buttons = (selection) => [
  ...selection.musicButtons(itemOf),
  selection.button('Like', 'likes', like),
  selection.button('Keep offline', 'down', keepAll),
];

function show(link, isChosen) {
  setAttribute(link, 'role', isChosen === null ? null : 'checkbox');
  setAttribute(link, 'aria-checked', isChosen === null ? null : String(isChosen));
}

const kind = {
  label: 'Selected albums', target: '.record-link', tell: setCardSelection, shown: shownInCard, show, buttons,
};

/** Begins to choose albums of a grid; `card` is the first one, and `source` has those that are not in the document. */
export async function startAlbumSelection(list, card, source) {
  await styled;
  new Selection(list, kind, source).begin(card);
}
