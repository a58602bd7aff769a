// The sheet with the full player: a large cover, the position, all buttons, the room, the next tracks, the rating. It
// covers the page, and is closed by pulling it down, by Escape or by going back.
import { forgetAlbums, withAlbum } from '../core/albumcache.js';
import { sendCommand } from '../core/api.js';
import { applyPalette } from '../core/colours.js';
import { h, reconcile, setAttribute, setMessage, setText } from '../core/dom.js';
import { onFact } from '../core/events.js';
import { roomTitle, span } from '../core/format.js';
import { wirePullToClose } from '../core/gestures.js';
import { setIndicator, shownState, stateIndicator, stateName } from '../core/playbackstate.js';
import { address, closeOverlay, navigate } from '../core/router.js';
import { currentRoom, queueOf, subscribe } from '../core/store.js';
import { showError } from '../parts/banners.js';
import { iconButton, linkButton } from '../parts/controls.js';
import { makeCoverGlow, setCover } from '../parts/cover.js';
import { rating } from '../parts/rating.js';
import { openRoomMenu } from '../parts/roomcontrols.js';
import * as buttons from './playbackbuttons.js';
import { makeQueueRow, moveEntry, updateQueueRow } from './queuerows.js';
import { scrubber, volume } from './sliders.js';

const nextLimit = 8;
const parts = {};
let dialog = null;
let notes = null;

function build() {
  parts.blur = makeCoverGlow('sheet-blur');
  parts.cover = h('span', { class: 'cover' });
  parts.mark = stateIndicator();
  parts.state = h('span');
  parts.title = h('h2', { tabindex: '-1' });
  parts.artist = h('p', { class: 'sheet-artist' });
  parts.album = h('a');
  parts.problem = h('p', { class: 'problem', hidden: true });
  parts.scrubber = scrubber();
  parts.trackStars = rating('this track');
  parts.albumStars = rating('this album');
  parts.trackRating = h('p', { class: 'sheet-rating', hidden: true }, h('span', { text: 'Track', 'aria-hidden': 'true' }), parts.trackStars);
  parts.albumRating = h('p', { class: 'sheet-rating', hidden: true }, h('span', { text: 'Album', 'aria-hidden': 'true' }), parts.albumStars);
  parts.room = h('button', { type: 'button', class: 'pill', 'aria-haspopup': 'menu', onclick: openRoomMenu });
  parts.mute = buttons.muteButton('small');
  parts.volume = volume(currentRoom, (body) => sendCommand(currentRoom().name, body).catch(showError));
  parts.buttons = [buttons.shuffleButton(), buttons.backButton(), buttons.previousButton(), buttons.playButton(), buttons.nextButton(), buttons.forwardButton(), buttons.repeatButton()];
  parts.notes = h('div', { class: 'sheet-notes' });
  parts.next = h('ol', { class: 'lines' });
  parts.follows = h('p', { class: 'soft' });
  parts.handle = h('div', { class: 'sheet-head' }, h('span', { class: 'grip', 'aria-hidden': 'true' }), iconButton('down', 'Close the player', () => closeOverlay()));
  const frame = h('div', { class: 'sheet-cover', 'aria-hidden': 'true' }, h('span', { class: 'disc' }, h('span', { class: 'disc-turn' })), parts.cover);
  dialog = h('dialog', { class: 'sheet', 'aria-label': 'Now playing' }, parts.blur,
    h('div', { class: 'sheet-scroll' }, parts.handle,
      h('div', { class: 'sheet-main' }, frame,
        h('div', { class: 'sheet-words' }, h('p', { class: 'sheet-state', role: 'status' }, parts.mark, parts.state), parts.title, parts.artist,
          h('p', { class: 'sheet-album' }, parts.album), parts.problem),
        parts.scrubber,
        h('div', { class: 'sheet-buttons', role: 'group', 'aria-label': 'Playback' }, parts.buttons),
        h('div', { class: 'sheet-foot' }, parts.room, h('span', { class: 'sheet-volume' }, parts.mute, parts.volume), h('div', { class: 'sheet-ratings' }, parts.trackRating, parts.albumRating)), parts.notes),
      h('section', { class: 'sheet-next', 'aria-labelledby': 'next-title' },
        h('div', { class: 'row' }, h('h3', { id: 'next-title', text: 'Up next' }), linkButton('Queue', '#/queue', 'queue', 'quiet')), parts.next, parts.follows)));
  document.body.append(dialog);
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    closeOverlay();
  });
  wirePullToClose(dialog, [parts.handle, frame], closeOverlay);
}

function showProblem(room, state) {
  const preview = room?.preview ? `Preview, from ${room.plugin}.` : '';
  const problem = state === 'error' ? room.message ?? '' : room?.notice?.message ?? preview;
  const again = state === 'error' && room.retriesInSeconds !== undefined ? ' Lunara will try again by itself.' : '';
  parts.problem.hidden = !problem;
  parts.problem.classList.toggle('mild', state !== 'error');
  if (problem) setMessage(parts.problem, problem + again);
}

function showNext(room) {
  const queue = queueOf(room);
  const from = (queue?.current ?? -1) + 1;
  const lines = (queue?.items ?? []).map((item, offset) => ({
    item, index: queue.first + offset, current: queue.current, count: queue.count, itemAt: (index) => queue.items[index - queue.first],
  }))
    .filter(({ index }) => index >= from).slice(0, nextLimit);
  reconcile(parts.next, lines, ({ item }) => item.entry, () => makeQueueRow({ moved: moveEntry }), updateQueueRow);
  const left = (queue?.count ?? 0) - from - lines.length;
  const more = left > 0 ? `and ${left} more` : '';
  const end = queue?.continues ? 'Then more albums follow.' : lines.length || !from ? '' : 'This is the last track in the queue.';
  setText(parts.follows, [more && `… ${more}.`, end].filter(Boolean).join(' '));
}

/** Shows the notes of a track's album. What shows them is loaded when the player is first opened. */
function showNotes(track) {
  notes ??= import('../garden/playing.js').then(({ makePlayingNotes }) => makePlayingNotes(parts.notes));
  notes.then((show) => show(track)).catch(() => {
    notes = null;
  });
}

/** Shows the colours of a track's album, and both ratings, which are newer in the album than in the queue. */
function showAlbum(track) {
  // Until the album is read, a tap must not rate the track or album before.
  parts.trackRating.hidden = !track?.id;
  if (track?.id && parts.ratedTrack !== track.id) parts.trackStars.set(track, track.title);
  if (parts.ratedAlbum !== track?.albumID) parts.albumRating.hidden = true;
  [parts.ratedTrack, parts.ratedAlbum] = [track?.id, track?.albumID];
  withAlbum(dialog, track, (album) => {
    applyPalette(dialog, album?.palette);
    const current = album?.tracks.find(({ id }) => id === track?.id) ?? track;
    if (current?.id) parts.trackStars.set(current, current.title);
    parts.albumRating.hidden = !album;
    if (album) parts.albumStars.set(album, album.title);
  });
}

function modeText(room) {
  const { modes } = room ?? {};
  return [modes?.stopsAfterCurrent && 'stops after this track', room?.sleepsInSeconds && `pauses in ${span(room.sleepsInSeconds)}`, modes?.muted && 'muted']
    .filter(Boolean).map((word) => ` · ${word}`).join('');
}

function show() {
  if (!dialog.open) return;
  const room = currentRoom();
  const state = shownState(room);
  const track = room?.track;
  setAttribute(dialog, 'data-state', state);
  setIndicator(parts.mark, state);
  setText(parts.state, stateName(state) + modeText(room));
  setText(parts.title, track?.title ?? 'Nothing is playing');
  setText(parts.artist, track ? [track.artist, room?.plugin && `from ${room.plugin}`].filter(Boolean).join(' · ') : 'Choose an album to play');
  setText(parts.album, track?.album ?? '');
  setAttribute(parts.album, 'href', track?.albumID ? address('album', track.albumID) : null);
  setCover(parts.cover, track ? { ...track, title: track.album, artist: track.albumArtist } : { title: 'Lunara' }, 1024);
  parts.blur.show(track?.art);
  showAlbum(track);
  showNotes(track);
  showProblem(room, state);
  for (const one of [...parts.buttons, parts.mute]) one.show(room);
  parts.scrubber.show();
  parts.volume.show();
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
    dialog.querySelector('.sheet-scroll').scrollTo(0, 0);
    parts.title.focus({ preventScroll: true });
  } else {
    dialog.close();
  }
}

/** Builds the sheet, and keeps it up to date. */
export function startSheet() {
  build();
  subscribe(show);
  onFact(({ kind }) => {
    if (kind !== 'library.rating-changed') return;
    forgetAlbums();
    show();
  });
  setInterval(() => {
    if (dialog.open && !document.hidden && currentRoom()?.rate) parts.scrubber.show();
  }, 250);
  // A link in the sheet opens its screen below, and the sheet closes.
  dialog.addEventListener('click', (event) => {
    const link = event.target.closest('a[href]');
    if (!link) return;
    event.preventDefault();
    navigate(link.getAttribute('href'));
  });
}
