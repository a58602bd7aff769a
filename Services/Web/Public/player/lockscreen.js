// The lock screen of this device, with the current track and buttons. Browsers show the track there only for a page
// that plays sound, so the page plays a silent loop if a person has switched this on.
import { artPath } from '../core/api.js';
import { shownState } from '../core/playbackstate.js';
import { preference, setPreference } from '../core/preferences.js';
import { currentRoom, positionOf, subscribe } from '../core/store.js';
import { command } from '../parts/actions.js';

const session = navigator.mediaSession;
let audio = null;
let url = null;
let shown = null;
let isStarted = false;

/** True if this browser supports it. */
export const canLockScreen = Boolean(session && window.MediaMetadata);

/** Returns six seconds of silence as a WAV file with 3,000 8-bit samples per second. */
function silence() {
  const count = 18_000;
  const view = new DataView(new ArrayBuffer(44 + count));
  const text = (at, word) => [...word].forEach((letter, index) => view.setUint8(at + index, letter.charCodeAt(0)));
  text(0, 'RIFF');
  view.setUint32(4, 36 + count, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, 3000, true);
  view.setUint32(28, 3000, true);
  view.setUint16(32, 1, true);
  view.setUint16(34, 8, true);
  text(36, 'data');
  view.setUint32(40, count, true);
  for (let at = 44; at < 44 + count; at += 1) view.setUint8(at, 128);
  return new Blob([view.buffer], { type: 'audio/wav' });
}

/** Returns true if the lock screen is switched on in this browser. */
export function isOnLockScreen() {
  return canLockScreen && preference('lockScreen', false);
}

/** @type {Partial<Record<MediaSessionAction, (details: MediaSessionActionDetails) => object>>} */
const handlers = {
  play: () => ({ action: 'resume' }),
  pause: () => ({ action: 'pause' }),
  stop: () => ({ action: 'stop' }),
  nexttrack: () => ({ action: 'next' }),
  previoustrack: () => ({ action: 'previous' }),
  seekto: ({ seekTime }) => ({ action: 'seek', seconds: seekTime }),
  seekbackward: ({ seekOffset }) => ({ action: 'skip', seconds: -(seekOffset ?? 15) }),
  seekforward: ({ seekOffset }) => ({ action: 'skip', seconds: seekOffset ?? 15 }),
};

/** Sets the handlers of the buttons, or removes them. */
function setHandlers(areOn) {
  for (const [name, body] of Object.entries(handlers)) {
    try {
      session.setActionHandler(/** @type {MediaSessionAction} */ (name),
        areOn ? (details) => command(body(details)) : null);
    } catch {
      // This browser does not know the button.
    }
  }
}

/** Removes the track, its picture and the buttons from the lock screen, and ends the silent loop. */
export function clearLockScreen() {
  audio?.pause();
  if (!canLockScreen || shown === null) return;
  shown = null;
  session.metadata = null;
  session.playbackState = 'none';
  session.setPositionState?.();
  setHandlers(false);
}

/** Returns the lines of the lock screen: buffering, errors and a lost connection are shown before the artist. */
function linesOf(room, state) {
  const { title, artist, album } = room.track;
  const note = {
    buffering: 'Buffering …', error: `Error: ${room.message ?? 'the room cannot play'}`, away: 'Reconnecting …',
  }[state];
  return { title, artist: [note, artist].filter(Boolean).join(' · '), album };
}

function updateLoop(state) {
  // Without a connection the loop goes on as it is, as a page without sound is not woken in the background.
  if (!audio || state === 'away') return;
  const isOn = state === 'playing' || state === 'buffering';
  // Without a tap the browser may refuse; the next change tries again.
  if (isOn && audio.paused) audio.play().catch(() => {});
  if (!isOn && !audio.paused) audio.pause();
}

function show() {
  const room = currentRoom();
  const state = shownState(room);
  if (!isOnLockScreen() || !room?.track || state === 'idle') {
    clearLockScreen();
    return;
  }
  updateLoop(state);
  const { art } = room.track;
  const lines = linesOf(room, state);
  const now = JSON.stringify([lines, art]);
  if (shown === null) setHandlers(true);
  if (shown !== now) {
    shown = now;
    const artwork = [1024, 300].map((size) => ({ src: artPath(art, size), sizes: `${size}x${size}` }));
    session.metadata = new MediaMetadata({ ...lines, artwork: art ? artwork : [] });
  }
  session.playbackState = state === 'playing' || state === 'buffering' ? 'playing' : 'paused';
  const duration = room.durationSeconds;
  // Without a position the lock screen shows no progress, which it would otherwise calculate by itself.
  if (!duration || !['playing', 'paused'].includes(state)) session.setPositionState?.();
  else session.setPositionState?.({ duration, position: Math.min(positionOf(room), duration), playbackRate: 1 });
}

/** Switches the lock screen on or off. Browsers start sound only after a tap or click. */
export async function setLockScreen(isOn) {
  startLockScreen();
  setPreference('lockScreen', isOn);
  if (isOn) {
    url ??= URL.createObjectURL(silence());
    audio ??= Object.assign(new Audio(url), { loop: true });
  }
  show();
  if (isOn && currentRoom()?.state === 'playing') await audio.play();
}

/** Starts to keep the lock screen up to date, unless that was started before. */
export function startLockScreen() {
  if (!canLockScreen || isStarted) return;
  isStarted = true;
  subscribe(show, { whileHidden: true });
  addEventListener('pagehide', clearLockScreen);
  addEventListener('pointerdown', () => {
    if (isOnLockScreen() && !audio) setLockScreen(true).catch(() => {});
  }, { once: true });
}
