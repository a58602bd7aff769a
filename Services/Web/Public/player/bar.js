// The bar at the bottom: what plays, how far it is, and the nearest knobs. It is there while something is queued, and
// opens to the sheet.
import { h, setAttribute, setText, setVars } from '../core/dom.js';
import { tint } from '../core/colour.js';
import { go, here, onPlace } from '../core/router.js';
import { mark, setMark, shownState, stateName } from '../core/state.js';
import { currentRoom, follow, positionOf, queueOf, store } from '../core/store.js';
import { roomTitle } from '../core/words.js';
import { steer } from '../core/api.js';
import { complain } from '../parts/banners.js';
import { knob } from '../parts/buttons.js';
import { setCover } from '../parts/cover.js';
import { offerMenu } from '../parts/menu.js';
import { trackMenu } from '../parts/things.js';
import { openRooms } from './roommenu.js';
import { scrubber, volume } from './sliders.js';
import * as knobs from './transport.js';
import { paletteOf } from './palette.js';

const parts = {};

function build() {
  parts.cover = h('span', { class: 'cover', 'aria-hidden': 'true' });
  parts.mark = mark();
  parts.title = h('b');
  parts.under = h('span');
  parts.open = h('button', { type: 'button', class: 'bar-open', 'aria-haspopup': 'dialog', onclick: () => go('#/playing') },
    parts.cover, h('span', { class: 'bar-words' }, parts.title, h('span', { class: 'bar-under' }, parts.mark, parts.under)));
  offerMenu(parts.open, () => currentRoom()?.track?.title ?? '', () => currentRoom()?.track?.id && trackMenu(currentRoom().track));
  parts.scrubber = scrubber();
  parts.volume = volume(currentRoom, (body) => steer(currentRoom().name, body).catch(complain));
  parts.room = h('button', { type: 'button', class: 'pill bar-room', 'aria-haspopup': 'menu', onclick: openRooms });
  parts.knobs = [knobs.shuffleKnob('small wide'), knobs.previousKnob('wide'), knobs.backKnob('small roomy'), knobs.playKnob(), knobs.forwardKnob('small roomy'), knobs.nextKnob(), knobs.repeatKnob('small wide')];
  parts.mute = knobs.muteKnob('small');
  parts.bar = h('section', { class: 'bar', 'aria-label': 'Now playing', hidden: true },
    h('div', { class: 'bar-line', 'aria-hidden': 'true' }),
    parts.open,
    h('div', { class: 'bar-middle' }, h('div', { class: 'bar-knobs', role: 'group', 'aria-label': 'Playback' }, parts.knobs), parts.scrubber),
    h('div', { class: 'bar-end' }, parts.room, h('span', { class: 'bar-volume' }, parts.mute, parts.volume),
      knob('queue', 'Queue', () => go('#/queue'), 'small')));
  document.getElementById('bar').replaceWith(parts.bar);
}

function move() {
  const room = currentRoom();
  const all = room?.durationSeconds ?? 0;
  setVars(parts.bar, { '--at': `${all && room.track ? Math.min(100, positionOf(room) / all * 100).toFixed(2) : 0}%` });
  parts.scrubber.show();
}

/** On the place of the album that plays its cover is large already, and its progress would be said twice. */
function showPlace() {
  const id = currentRoom()?.track?.albumID;
  // A person may have written the address by hand.
  const isHome = Boolean(id) && [`#/album/${encodeURIComponent(id)}`, `#/album/${id}`].includes(here());
  parts.bar.classList.toggle('at-home', isHome);
}

function show() {
  const room = currentRoom();
  const state = shownState(room);
  const track = room?.track;
  const isThere = Boolean(track) || Boolean(queueOf(room)?.count);
  parts.bar.hidden = !isThere;
  document.body.classList.toggle('has-bar', isThere);
  setAttribute(document.body, 'data-state', state);
  if (!isThere) return;
  setAttribute(parts.bar, 'data-state', state);
  const name = stateName(state);
  setText(parts.title, track?.title ?? 'Ready to play');
  const trouble = state === 'error' ? room.message ?? name : null;
  setText(parts.under, trouble ?? (state === 'playing' ? track?.artist ?? '' : [name, track?.artist].filter(Boolean).join(' · ')));
  setAttribute(parts.open, 'aria-label', `${name}: ${track ? `${track.title} by ${track.artist}` : 'nothing yet'}. Open the player`);
  setMark(parts.mark, state);
  setCover(parts.cover, track ? { ...track, title: track.album, artist: track.albumArtist } : {});
  paletteOf(track, (palette) => tint(parts.bar, palette));
  for (const one of [...parts.knobs, parts.mute]) one.show(room);
  parts.volume.show();
  setText(parts.room, roomTitle(room.name));
  setAttribute(parts.room, 'aria-label', `Room: ${roomTitle(room.name)}`);
  parts.room.hidden = store.rooms.length < 2;
  showPlace();
  move();
}

/** Wires the bar to the store. */
export function startBar() {
  build();
  follow(show);
  onPlace(showPlace);
  setInterval(() => {
    if (!document.hidden && currentRoom()?.rate) move();
  }, 250);
}
