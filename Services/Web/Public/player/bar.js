// The bar at the bottom with the current track, its progress and the main buttons. It says which room it steers, and
// opens the player: by a press, or by a swipe up. It is shown while a track is current or left to play.
import { withAlbum } from '../core/albumcache.js';
import { applyPalette } from '../core/colours.js';
import { h, setAttribute, setText } from '../core/dom.js';
import { roomTitle } from '../core/format.js';
import { wireSwipes } from '../core/gestures.js';
import { setIndicator, shownState, stateIndicator, stateName } from '../core/playbackstate.js';
import { navigate } from '../core/router.js';
import { currentRoom, positionOf, queueOf, store, subscribe } from '../core/store.js';
import { command, trackMenu } from '../parts/actions.js';
import { iconButton } from '../parts/controls.js';
import { setCover } from '../parts/cover.js';
import { offerMenu } from '../parts/menu.js';
import { openRoomMenu } from '../parts/roomcontrols.js';
import { allButtons } from './playbackbuttons.js';
import { progressLine, scrubber, volumeControl } from './sliders.js';
import { everyHalfSecond } from './ticker.js';

const parts = {};
// The lightest wood of the bar, on which the colours of the cover are readable.
const dark = matchMedia('(prefers-color-scheme: dark)');
const wood = () => (dark.matches ? '#432b17' : '#764a2a');
let colours = null;

/** Gives the bar the colours of the cover. What finds them is not needed for the first picture of the page. */
function colour(track) {
  if (document.hidden) return;
  const idle = () => new Promise((done) => (window.requestIdleCallback ?? setTimeout)(done));
  colours ??= idle().then(() => import('../parts/covercolours.js'));
  const now = currentRoom()?.track ?? track;
  colours.then(({ showCoverColours }) => showCoverColours(parts.bar, now, wood())).catch(() => {
    colours = null; // The next track tries again.
  });
}

function build() {
  parts.cover = h('span', { class: 'cover', 'aria-hidden': 'true' });
  parts.mark = stateIndicator();
  parts.title = h('b');
  parts.under = h('span');
  parts.where = h('span', { class: 'bar-where' });
  parts.open = h('button', {
    type: 'button', class: 'bar-open', 'aria-haspopup': 'dialog', onclick: () => navigate('#/playing'),
  },
    parts.cover, h('span', { class: 'bar-words' }, parts.title,
      h('span', { class: 'bar-under' }, parts.mark, parts.where, parts.under)));
  const menu = () => currentRoom()?.track?.id && trackMenu(currentRoom().track);
  offerMenu(parts.open, () => currentRoom()?.track?.title ?? '', menu);
  wireSwipes(parts.open, {
    left: () => command({ action: 'next' }), right: () => command({ action: 'previous' }),
    up: () => navigate('#/playing'),
  });
  parts.scrubber = scrubber();
  parts.volume = volumeControl('bar-volume');
  parts.room = h('button', { type: 'button', class: 'pill bar-room', 'aria-haspopup': 'menu', onclick: openRoomMenu });
  parts.buttons = allButtons({ modes: 'small wide', jumps: 'small roomy', previous: 'wide' });
  parts.line = progressLine('bar-line');
  const buttons = h('div', { class: 'bar-buttons', role: 'group', 'aria-label': 'Playback' }, parts.buttons);
  parts.bar = h('section', { class: 'bar', 'aria-label': 'Now playing', hidden: true }, parts.line, parts.open,
    h('div', { class: 'bar-middle' }, buttons, parts.scrubber),
    h('div', { class: 'bar-end' }, parts.room, parts.volume,
      iconButton('queue', 'Queue', () => navigate('#/queue'), 'small')));
  document.getElementById('bar').replaceWith(parts.bar);
}

function move() {
  const room = currentRoom();
  const all = room?.durationSeconds ?? 0;
  parts.line.fill(all && room.track ? positionOf(room) / all : 0);
  parts.scrubber.show();
}

function show() {
  const room = currentRoom();
  const state = shownState(room);
  const track = room?.track;
  const isThere = Boolean(track) || Number.isInteger(queueOf(room)?.nextIndex);
  parts.bar.hidden = !isThere;
  document.body.classList.toggle('has-bar', isThere);
  setAttribute(document.body, 'data-state', state);
  if (!isThere) return;
  setAttribute(parts.bar, 'data-state', state);
  const name = stateName(state);
  setText(parts.title, track?.title ?? 'Ready to play');
  const problem = state === 'error' ? room.message ?? name : null;
  setText(parts.under, problem ?? [state !== 'playing' && name, track?.artist].filter(Boolean).join(' · '));
  const where = store.rooms.length > 1 ? roomTitle(room.name) : '';
  setText(parts.where, where);
  const what = track ? `${track.title} by ${track.artist}` : 'no track';
  setAttribute(parts.open, 'aria-label', `${name}${where && ` in ${where}`}: ${what}. Open the player`);
  setIndicator(parts.mark, state);
  setCover(parts.cover, track ? { ...track, title: track.album, artist: track.albumArtist } : {});
  withAlbum(parts.bar, track, (album) => applyPalette(parts.bar, album?.palette));
  colour(track);
  for (const one of [...parts.buttons, parts.volume]) one.show(room);
  setText(parts.room, roomTitle(room.name));
  setAttribute(parts.room, 'aria-label', `Room: ${roomTitle(room.name)}`);
  parts.room.hidden = store.rooms.length < 2;
  move();
}

/** Builds the bar, and keeps it up to date. */
export function startBar() {
  build();
  subscribe(show);
  dark.addEventListener('change', () => colour(currentRoom()?.track));
  everyHalfSecond(move);
}
