// The bar at the bottom with the current track, its progress and the main buttons. It opens the sheet. It is shown while
// a track is current or left to play.
import { withAlbum } from '../core/albumcache.js';
import { sendCommand } from '../core/api.js';
import { applyPalette } from '../core/colours.js';
import { h, setAttribute, setText, setVars } from '../core/dom.js';
import { roomTitle } from '../core/format.js';
import { setIndicator, shownState, stateIndicator, stateName } from '../core/playbackstate.js';
import { currentAddress, navigate, onNavigate } from '../core/router.js';
import { currentRoom, positionOf, queueOf, store, subscribe } from '../core/store.js';
import { trackMenu } from '../parts/actions.js';
import { showError } from '../parts/banners.js';
import { iconButton } from '../parts/controls.js';
import { setCover } from '../parts/cover.js';
import { offerMenu } from '../parts/menu.js';
import { openRoomMenu } from '../parts/roomcontrols.js';
import * as buttons from './playbackbuttons.js';
import { scrubber, volume } from './sliders.js';

const parts = {};

function build() {
  parts.cover = h('span', { class: 'cover', 'aria-hidden': 'true' });
  parts.mark = stateIndicator();
  parts.title = h('b');
  parts.under = h('span');
  parts.open = h('button', { type: 'button', class: 'bar-open', 'aria-haspopup': 'dialog', onclick: () => navigate('#/playing') },
    parts.cover, h('span', { class: 'bar-words' }, parts.title, h('span', { class: 'bar-under' }, parts.mark, parts.under)));
  offerMenu(parts.open, () => currentRoom()?.track?.title ?? '', () => currentRoom()?.track?.id && trackMenu(currentRoom().track));
  parts.scrubber = scrubber();
  parts.volume = volume(currentRoom, (body) => sendCommand(currentRoom().name, body).catch(showError));
  parts.room = h('button', { type: 'button', class: 'pill bar-room', 'aria-haspopup': 'menu', onclick: openRoomMenu });
  parts.buttons = [buttons.shuffleButton('small wide'), buttons.previousButton('wide'), buttons.backButton('small roomy'), buttons.playButton(), buttons.forwardButton('small roomy'), buttons.nextButton(), buttons.repeatButton('small wide')];
  parts.mute = buttons.muteButton('small');
  parts.bar = h('section', { class: 'bar', 'aria-label': 'Now playing', hidden: true },
    h('div', { class: 'bar-line', 'aria-hidden': 'true' }),
    parts.open,
    h('div', { class: 'bar-middle' }, h('div', { class: 'bar-buttons', role: 'group', 'aria-label': 'Playback' }, parts.buttons), parts.scrubber),
    h('div', { class: 'bar-end' }, parts.room, h('span', { class: 'bar-volume' }, parts.mute, parts.volume),
      iconButton('queue', 'Queue', () => navigate('#/queue'), 'small')));
  document.getElementById('bar').replaceWith(parts.bar);
}

function move() {
  const room = currentRoom();
  const all = room?.durationSeconds ?? 0;
  setVars(parts.bar, { '--at': `${all && room.track ? Math.min(100, positionOf(room) / all * 100).toFixed(2) : 0}%` });
  parts.scrubber.show();
}

/**
 * Marks the bar on the screen of the album that plays: there the style hides the progress line and the position slider.
 */
function updateForScreen() {
  const id = currentRoom()?.track?.albumID;
  // An address that a person typed may not be encoded.
  const isOnAlbum = Boolean(id) && [`#/album/${encodeURIComponent(id)}`, `#/album/${id}`].includes(currentAddress());
  parts.bar.classList.toggle('at-home', isOnAlbum);
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
  setText(parts.under, problem ?? (state === 'playing' ? track?.artist ?? '' : [name, track?.artist].filter(Boolean).join(' · ')));
  setAttribute(parts.open, 'aria-label', `${name}: ${track ? `${track.title} by ${track.artist}` : 'no track'}. Open the player`);
  setIndicator(parts.mark, state);
  setCover(parts.cover, track ? { ...track, title: track.album, artist: track.albumArtist } : {});
  withAlbum(parts.bar, track, (album) => applyPalette(parts.bar, album?.palette));
  for (const one of [...parts.buttons, parts.mute]) one.show(room);
  parts.volume.show();
  setText(parts.room, roomTitle(room.name));
  setAttribute(parts.room, 'aria-label', `Room: ${roomTitle(room.name)}`);
  parts.room.hidden = store.rooms.length < 2;
  updateForScreen();
  move();
}

/** Builds the bar, and keeps it up to date. */
export function startBar() {
  build();
  subscribe(show);
  onNavigate(updateForScreen);
  setInterval(() => {
    if (!document.hidden && currentRoom()?.rate) move();
  }, 250);
}
