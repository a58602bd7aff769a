// The sheet of what plays: a large cover, the scrubber, every knob, the room, what comes next, stars. It opens over the
// page and is pulled down, or closed by Escape and by going back.
import { h, reconcile, setAttribute, setMessage, setText } from '../core/dom.js';
import { tint } from '../core/colour.js';
import { address, go, leaveOverlay } from '../core/router.js';
import { mark, setMark, shownState, stateName } from '../core/state.js';
import { currentRoom, follow, queueOf, store } from '../core/store.js';
import { roomTitle, span } from '../core/words.js';
import { steer } from '../core/api.js';
import { complain } from '../parts/banners.js';
import { knob, pillLink } from '../parts/buttons.js';
import { makeGlow, setCover } from '../parts/cover.js';
import { rating } from '../parts/rating.js';
import { paletteOf } from './palette.js';
import { wirePullDown } from './pulldown.js';
import { makeLine, moveEntry, updateLine } from './queuelines.js';
import { openRooms } from './roommenu.js';
import { scrubber, volume } from './sliders.js';
import * as knobs from './transport.js';

const upNext = 8;
const parts = {};
let dialog = null;

function build() {
  parts.blur = makeGlow('sheet-blur');
  parts.cover = h('span', { class: 'cover' });
  parts.mark = mark();
  parts.state = h('span');
  parts.title = h('h2', { tabindex: '-1' });
  parts.artist = h('p', { class: 'sheet-artist' });
  parts.album = h('a');
  parts.trouble = h('p', { class: 'trouble', hidden: true });
  parts.scrubber = scrubber();
  parts.stars = rating('this track');
  parts.room = h('button', { type: 'button', class: 'pill', 'aria-haspopup': 'menu', onclick: openRooms });
  parts.mute = knobs.muteKnob('small');
  parts.volume = volume(currentRoom, (body) => steer(currentRoom().name, body).catch(complain));
  parts.knobs = [knobs.shuffleKnob(), knobs.backKnob(), knobs.previousKnob(), knobs.playKnob(), knobs.nextKnob(), knobs.forwardKnob(), knobs.repeatKnob()];
  parts.next = h('ol', { class: 'lines' });
  parts.follows = h('p', { class: 'soft' });
  parts.handle = h('div', { class: 'sheet-head' }, h('span', { class: 'grip', 'aria-hidden': 'true' }), knob('down', 'Close the player', () => leaveOverlay()));
  const stand = h('div', { class: 'sheet-stand', 'aria-hidden': 'true' }, h('span', { class: 'disc' }, h('span', { class: 'disc-turn' })), parts.cover);
  dialog = h('dialog', { class: 'sheet', 'aria-label': 'Now playing' }, parts.blur,
    h('div', { class: 'sheet-roll' }, parts.handle,
      h('div', { class: 'sheet-main' }, stand,
        h('div', { class: 'sheet-words' }, h('p', { class: 'sheet-state', role: 'status' }, parts.mark, parts.state), parts.title, parts.artist,
          h('p', { class: 'sheet-album' }, parts.album), parts.trouble),
        parts.scrubber,
        h('div', { class: 'sheet-knobs', role: 'group', 'aria-label': 'Playback' }, parts.knobs),
        h('div', { class: 'sheet-foot' }, parts.room, h('span', { class: 'sheet-volume' }, parts.mute, parts.volume), parts.stars)),
      h('section', { class: 'sheet-next', 'aria-labelledby': 'next-title' },
        h('div', { class: 'row' }, h('h3', { id: 'next-title', text: 'Up next' }), pillLink('Queue', '#/queue', 'queue', 'quiet')), parts.next, parts.follows)));
  document.body.append(dialog);
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    leaveOverlay();
  });
  wirePullDown(dialog, [parts.handle, stand], leaveOverlay);
}

function showTrouble(room, state) {
  const trouble = state === 'error' ? room.message ?? '' : room?.notice?.message ?? '';
  const again = state === 'error' && room.retriesInSeconds !== undefined ? ' It tries again by itself.' : '';
  parts.trouble.hidden = !trouble;
  parts.trouble.classList.toggle('mild', state !== 'error');
  if (trouble) setMessage(parts.trouble, trouble + again);
}

function showNext(room) {
  const queue = queueOf(room);
  const from = (queue?.current ?? -1) + 1;
  const lines = (queue?.items ?? []).map((item, offset) => ({ item, index: queue.first + offset, current: queue.current, count: queue.count }))
    .filter(({ index }) => index >= from).slice(0, upNext);
  reconcile(parts.next, lines, ({ item }) => item.entry, () => makeLine({ moved: moveEntry }), updateLine);
  const left = (queue?.count ?? 0) - from - lines.length;
  const more = left > 0 ? `and ${left} more` : '';
  const end = queue?.continues ? 'Then more albums follow.' : lines.length ? '' : 'Nothing. This is the last one.';
  setText(parts.follows, [more && `… ${more}.`, end].filter(Boolean).join(' '));
}

function habits(room) {
  const { modes } = room ?? {};
  return [modes?.stopsAfterCurrent && 'stops after this one', room?.sleepsInSeconds && `sleeps in ${span(room.sleepsInSeconds)}`, modes?.muted && 'muted']
    .filter(Boolean).map((word) => ` · ${word}`).join('');
}

function show() {
  if (!dialog.open) return;
  const room = currentRoom();
  const state = shownState(room);
  const track = room?.track;
  setAttribute(dialog, 'data-state', state);
  setMark(parts.mark, state);
  setText(parts.state, stateName(state) + habits(room));
  setText(parts.title, track?.title ?? 'The turntable is free');
  setText(parts.artist, track?.artist ?? 'Pick a record from the shelf');
  setText(parts.album, track?.album ?? '');
  setAttribute(parts.album, 'href', track?.albumID ? address('album', track.albumID) : null);
  setCover(parts.cover, track ? { ...track, title: track.album, artist: track.albumArtist } : { title: 'Lunara' }, 1024);
  parts.blur.show(track?.art);
  paletteOf(track, (palette) => tint(dialog, palette));
  showTrouble(room, state);
  for (const one of [...parts.knobs, parts.mute]) one.show(room);
  parts.scrubber.show();
  parts.volume.show();
  parts.stars.hidden = !track?.id;
  if (track?.id) parts.stars.set(track, track.title);
  parts.room.hidden = !room;
  setText(parts.room, room ? roomTitle(room.name) : '');
  setAttribute(parts.room, 'aria-label', room ? `Room and output: ${roomTitle(room.name)}` : null);
  showNext(room);
}

/** Opens or closes the sheet. */
export function setSheet(isOpen) {
  if (!dialog || isOpen === dialog.open) return;
  if (isOpen) {
    dialog.showModal();
    show();
    dialog.querySelector('.sheet-roll').scrollTo(0, 0);
    parts.title.focus({ preventScroll: true });
  } else {
    dialog.close();
  }
}

/** Wires the sheet to the store. */
export function startSheet() {
  build();
  follow(show);
  setInterval(() => {
    if (dialog.open && !document.hidden && currentRoom()?.rate) parts.scrubber.show();
  }, 250);
  // A link inside leads to the page below.
  dialog.addEventListener('click', (event) => {
    const link = event.target.closest('a[href]');
    if (!link) return;
    event.preventDefault();
    go(link.getAttribute('href'));
  });
  return store;
}
