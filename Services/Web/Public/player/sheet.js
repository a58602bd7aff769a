// The player: a large cover in its own light, the position, all buttons, the room, the ratings, and beside them the
// queue, the lyrics and the notes. It covers the page, and is closed by pulling it down, by Escape or by going back.
import { forgetAlbums, withAlbum } from '../core/albumcache.js';
import { applyPalette } from '../core/colours.js';
import { h, setAttribute, setMessage, setText } from '../core/dom.js';
import { onFact } from '../core/events.js';
import { roomTitle, span } from '../core/format.js';
import { wireSwipes } from '../core/gestures.js';
import { setIndicator, shownState, stateIndicator, stateName } from '../core/playbackstate.js';
import { address, closeOverlay, navigate } from '../core/router.js';
import { currentRoom, subscribe } from '../core/store.js';
import { loadStyles } from '../core/stylesheets.js';
import { opinionButton, onOpinion, startOpinions } from '../discovery/opinions.js';
import { command, openArtist } from '../parts/actions.js';
import { showError } from '../parts/banners.js';
import { iconButton } from '../parts/controls.js';
import { setCover } from '../parts/cover.js';
import { addIcons, icon } from '../parts/icons.js';
import { rating } from '../parts/rating.js';
import { openRoomMenu } from '../parts/roomcontrols.js';
import { makeGlow } from '../parts/covercolours.js';
import { openPlayerMenu, openSleepMenu } from './menu.js';
import { makePanel } from './panel.js';
import { allButtons } from './playbackbuttons.js';
import { wirePullToClose } from './pulltoclose.js';
import { scrubber, volumeControl } from './sliders.js';
import { everyHalfSecond } from './ticker.js';

addIcons({ ambient: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5' });

const styled = loadStyles('player/sheet.css');

const parts = {};
let dialog = null;
let album = null;
// The sheet is opened only when its style is loaded, and may have been left until then.
let isWanted = false;

function buildWords() {
  parts.mark = stateIndicator();
  parts.state = h('span');
  parts.title = h('h2', { tabindex: '-1' });
  parts.artist = h('a', { class: 'sheet-artist' });
  parts.plugin = h('span', { class: 'soft' });
  parts.album = h('a', { class: 'sheet-album' });
  parts.problem = h('p', { class: 'problem', hidden: true });
  parts.like = opinionButton('like');
  parts.like.hidden = true;
  return h('div', { class: 'sheet-words' },
    h('p', { class: 'sheet-state', role: 'status' }, parts.mark, parts.state), parts.title,
    h('p', { class: 'sheet-by' }, parts.artist, parts.plugin), h('p', {}, parts.album), parts.problem);
}

function buildRatings() {
  parts.trackStars = rating('this track');
  parts.albumStars = rating('this album');
  const row = (name, stars) => h('p', { class: 'sheet-rating', hidden: true },
    h('span', { text: name, 'aria-hidden': 'true' }), stars);
  [parts.trackRating, parts.albumRating] = [row('Track', parts.trackStars), row('Album', parts.albumStars)];
  return h('div', { class: 'sheet-ratings' }, parts.trackRating, parts.albumRating, parts.like);
}

function build() {
  dialog = h('dialog', { class: 'sheet', 'aria-label': 'Now playing' });
  parts.glow = makeGlow(dialog);
  parts.cover = h('span', { class: 'cover' });
  parts.scrubber = scrubber();
  parts.roomName = h('span');
  parts.room = h('button', { type: 'button', class: 'pill', 'aria-haspopup': 'menu', onclick: openRoomMenu },
    icon('rooms'), parts.roomName);
  parts.volume = volumeControl('sheet-volume');
  parts.sleep = iconButton('sleep', 'Sleep timer', () => openSleepMenu(parts.sleep), 'small');
  parts.buttons = allButtons({ modes: 'small' });
  parts.panel = makePanel();
  parts.more = iconButton('more', 'More', () => openPlayerMenu(parts.more, album), 'small');
  for (const one of [parts.more, parts.sleep]) setAttribute(one, 'aria-haspopup', 'menu');
  const head = h('div', { class: 'sheet-head' }, iconButton('down', 'Close the player', () => closeOverlay(), 'small'),
    h('span', { class: 'grip', 'aria-hidden': 'true' }),
    iconButton('ambient', 'Full screen', () => navigate('#/ambient'), 'small'), parts.more);
  const frame = h('div', { class: 'sheet-cover', 'aria-hidden': 'true' }, h('span', { class: 'disc' }), parts.cover);
  dialog.append(parts.glow, h('div', { class: 'sheet-scroll' },
    head, h('div', { class: 'sheet-stage' }, frame),
    h('div', { class: 'sheet-main' }, buildWords(), buildRatings(), parts.scrubber,
      h('div', { class: 'sheet-buttons', role: 'group', 'aria-label': 'Playback' }, parts.buttons),
      h('div', { class: 'sheet-foot' }, parts.room, parts.volume, parts.sleep)),
    parts.panel));
  document.body.append(dialog);
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    closeOverlay();
  });
  wirePullToClose(dialog, [head, frame], closeOverlay);
  wireSwipes(frame, { left: () => command({ action: 'next' }), right: () => command({ action: 'previous' }) });
}

function showProblem(room, state) {
  const preview = room?.preview ? `Preview, from ${room.plugin}.` : '';
  const problem = state === 'error' ? room.message ?? '' : room?.notice?.message ?? preview;
  const again = state === 'error' && room.retriesInSeconds !== undefined ? ' Lunara will try again by itself.' : '';
  parts.problem.hidden = !problem;
  parts.problem.classList.toggle('mild', state !== 'error');
  if (problem) setMessage(parts.problem, problem + again);
}

/**
 * Returns the address of a track's artist, who on an album of several artists is another one than that of the album; a
 * search if only the name is known. Returns null for a track that is not in the library.
 */
function artistPlace(track) {
  if (!track) return '#/albums';
  const own = track.artists?.find(({ id }) => id)?.id ?? (album?.artist === track.artist ? album?.artistID : null);
  if (own) return address('artist', own);
  return album ? `${address('search')}?q=${encodeURIComponent(track.artist)}` : null;
}

/**
 * Shows the artist, the colours and the heart of a track's album, and both ratings, which are newer in the album than
 * in the queue.
 */
function showAlbum(track) {
  // Until the album is read, a tap must not rate or like the track or album before, or lead to its artist.
  parts.trackRating.hidden = !track?.id;
  if (track?.id && parts.ratedTrack !== track.id) parts.trackStars.set(track, track.title);
  if (parts.ratedAlbum !== track?.albumID) {
    album = null;
    parts.albumRating.hidden = parts.like.hidden = true;
  }
  if (parts.ratedTrack !== track?.id) setAttribute(parts.artist, 'href', artistPlace(track));
  [parts.ratedTrack, parts.ratedAlbum] = [track?.id, track?.albumID];
  withAlbum(dialog, track, (found) => {
    album = found;
    applyPalette(dialog, album?.palette);
    setAttribute(parts.artist, 'href', artistPlace(track));
    parts.like.hidden = !album;
    if (album) parts.like.show(album);
    const current = album?.tracks.find(({ id }) => id === track?.id) ?? track;
    if (current?.id) parts.trackStars.set(current, current.title);
    parts.albumRating.hidden = !album;
    if (album) parts.albumStars.set(album, album.title);
  });
}

function modeText(room) {
  const { modes } = room ?? {};
  const sleep = room?.sleepsInSeconds && `pauses in ${span(room.sleepsInSeconds)}`;
  return [modes?.stopsAfterCurrent && 'stops after this track',
    modes?.stopsAfterAlbum && 'stops after this album', sleep, modes?.muted && 'muted']
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
  setText(parts.artist, track?.artist ?? 'Choose an album to play');
  setText(parts.plugin, room?.plugin ? `from ${room.plugin}` : '');
  setText(parts.album, track?.album ?? '');
  setAttribute(parts.album, 'href', track?.albumID ? address('album', track.albumID) : null);
  const shown = track ? { ...track, title: track.album, artist: track.albumArtist } : { title: 'Lunara' };
  setCover(parts.cover, shown, 1024);
  parts.glow.show(track ?? null);
  showAlbum(track);
  showProblem(room, state);
  for (const one of [...parts.buttons, parts.volume]) one.show(room);
  parts.scrubber.show();
  parts.sleep.disabled = !room || Boolean(room.away);
  setAttribute(parts.sleep, 'aria-pressed', Boolean(
    room?.sleepsInSeconds || room?.modes?.stopsAfterCurrent || room?.modes?.stopsAfterAlbum));
  parts.room.hidden = !room;
  setText(parts.roomName, room ? roomTitle(room.name) : '');
  setAttribute(parts.room, 'aria-label', room ? `Room and output: ${roomTitle(room.name)}` : null);
  parts.panel.show(track ?? null);
}

/** Messages are shown over the player while it is open; a dialog would hide what stands outside of it. */
function moveBanners(isOpen) {
  const banners = document.getElementById('banners').parentElement;
  if (isOpen) dialog.append(banners);
  else document.getElementById('skip').after(banners);
}

/** Opens or closes the sheet. */
export async function setSheet(isOpen) {
  isWanted = isOpen;
  if (!dialog || isOpen === dialog.open) return;
  if (isOpen) {
    await styled;
    if (!isWanted || dialog.open) return;
    dialog.showModal();
    moveBanners(true);
    startOpinions();
    show();
    dialog.querySelector('.sheet-scroll').scrollTo(0, 0);
    parts.title.focus({ preventScroll: true });
  } else {
    moveBanners(false);
    parts.panel.hide();
    dialog.close();
  }
}

/** Builds the sheet, and keeps it up to date. */
export function startSheet() {
  build();
  subscribe(show);
  onOpinion(() => album && parts.like.show(album));
  onFact(({ kind }) => {
    if (kind !== 'library.rating-changed') return;
    forgetAlbums();
    show();
  });
  everyHalfSecond(() => {
    if (!dialog.open) return;
    parts.scrubber.show();
    parts.panel.tick();
  });
  // A link in the sheet opens its screen below, and the sheet closes.
  dialog.addEventListener('click', (event) => {
    const link = event.target.closest('a[href]');
    if (!link) return;
    event.preventDefault();
    const href = link.getAttribute('href');
    if (link === parts.artist && href.startsWith(address('search'))) openArtist(currentRoom().track).catch(showError);
    else navigate(href);
  });
}
