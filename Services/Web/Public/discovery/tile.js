// The tiles of a wall: a cover that opens its album, with buttons that appear when a person points at it.
import { h, setAttribute, setText } from '../core/dom.js';
import { setIndicator, stateIfCurrent, stateIndicator, stateName } from '../core/playbackstate.js';
import { address, navigate } from '../core/router.js';
import { currentRoom } from '../core/store.js';
import { enqueue } from '../parts/actions.js';
import { iconButton } from '../parts/controls.js';
import { setCover } from '../parts/cover.js';
import { offerMenu } from '../parts/menu.js';
import { opinionButton, opinionOf } from './opinions.js';
import { showReason } from './reason.js';
import { isOnShelf } from './words.js';

// The tiles that elements show, and the buttons of those that have some.
const current = new WeakMap();
const tools = new WeakMap();

/** Returns the album of a tile as the player takes it: after an album that plays now, the wall goes on. */
export const albumOf = ({ id, title, artist, artistID, art = null }) => ({
  id, title, artist, artistID, art, trackCount: 0,
});

/** Opens the album of a tile, or the card of one that is not in the library. */
function openTile(tile) {
  if (isOnShelf(tile)) navigate(address('album', tile.id));
  else showReason(tile);
}

function showTools([cross, heart, play], tile) {
  cross.show(tile);
  heart.show(tile);
  setAttribute(play, 'aria-label', `Play ${tile.title}`);
  setAttribute(play, 'title', `Play ${tile.title}, and the wall after it`);
}

/** Makes the buttons of a tile once they are needed: most tiles are never pointed at. */
function addTools(element) {
  const tile = current.get(element);
  if (!tile || !isOnShelf(tile)) return null;
  if (!tools.has(element)) {
    const made = [
      opinionButton('dislike'),
      opinionButton('like'),
      iconButton('play', '', () => enqueue(albumOf(current.get(element))), 'quick'),
    ];
    made.forEach((one) => setAttribute(one, 'tabindex', '-1'));
    tools.set(element, made);
    element.append(h('span', { class: 'tile-tools' }, made));
  }
  showTools(tools.get(element), tile);
  return tools.get(element);
}

/** Returns an empty tile; `updateTile` fills it. */
export function makeTile() {
  const of = () => current.get(element);
  const open = h('button', { type: 'button', class: 'tile-open', onclick: () => openTile(of()) },
    h('span', { class: 'cover', 'aria-hidden': 'true' }),
    h('span', { class: 'tile-words', 'aria-hidden': 'true' }, h('b'), h('span')),
    h('span', {
      class: 'tile-badge', 'aria-hidden': 'true', hidden: true, text: 'Not in the library',
    }), stateIndicator());
  const element = h('li', { class: 'tile' }, open);
  offerMenu(element, () => of()?.title ?? '', () => {
    showReason(of());
    return true;
  }, () => (isOnShelf(of()) ? albumOf(of()) : null));
  // Tab goes through the buttons of the tile that has the focus only.
  const setReachable = (isReachable) =>
    tools.get(element)?.forEach((one) => setAttribute(one, 'tabindex', isReachable ? '0' : '-1'));
  element.addEventListener('pointerenter', ({ pointerType }) => pointerType !== 'touch' && addTools(element));
  element.addEventListener('focusin', () => addTools(element) && setReachable(true));
  element.addEventListener('focusout', ({ relatedTarget }) => element.contains(relatedTarget) || setReachable(false));
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'i' || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    showReason(of());
  });
  return element;
}

/** Fills a tile, and marks the one whose album plays. */
export function updateTile(element, tile) {
  current.set(element, tile);
  const open = element.firstChild;
  const [cover, words, badge, mark] = open.children;
  const isHere = isOnShelf(tile);
  const room = currentRoom();
  const state = isHere ? stateIfCurrent(room, room?.track?.albumID === tile.id) : null;
  setCover(cover, tile);
  setText(words.children[0], tile.title);
  setText(words.children[1], tile.artist);
  badge.hidden = isHere;
  setAttribute(open, 'aria-label',
    [`${tile.title} by ${tile.artist}`, !isHere && 'not in the library', state && stateName(state)]
      .filter(Boolean).join(', '));
  setIndicator(mark, state);
  setAttribute(element, 'data-state', state);
  setAttribute(element, 'data-missing', isHere ? null : 'yes');
  const made = tools.get(element);
  if (made) made[0].parentElement.hidden = !isHere;
  if (isHere && (made || opinionOf(tile.id) === 'like')) addTools(element);
}
