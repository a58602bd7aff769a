// The lock screen of this device, with the current track and buttons. Browsers show the track there only for a page
// that plays sound, so the page plays a silent loop if a person has switched this on.
import { artPath } from '../core/api.js';
import { preference, setPreference } from '../core/preferences.js';
import { currentRoom, positionOf, subscribe } from '../core/store.js';
import { command } from '../parts/actions.js';

const session = navigator.mediaSession;
let audio = null;
let url = null;
let shown = null;

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

/** Switches the lock screen on or off. Browsers start sound only after a tap or click. */
export async function setLockScreen(isOn) {
  setPreference('lockScreen', isOn);
  if (!isOn) {
    audio?.pause();
    if (session) session.metadata = null;
    shown = null;
    return;
  }
  url ??= URL.createObjectURL(silence());
  audio ??= Object.assign(new Audio(url), { loop: true });
  show();
  if (currentRoom()?.state === 'playing') await audio.play();
}

function updateLoop(room) {
  if (!audio) return;
  if (room?.state === 'playing' && audio.paused) audio.play().catch(() => {}); // Without a tap the browser may refuse; the next change tries again.
  if (room?.state !== 'playing' && !audio.paused) audio.pause();
}

function show() {
  if (!isOnLockScreen()) return;
  const room = currentRoom();
  const track = room?.track;
  updateLoop(room);
  session.playbackState = !track ? 'none' : room.state === 'playing' ? 'playing' : 'paused';
  if (track && shown !== room.entry) {
    shown = room.entry;
    session.metadata = new MediaMetadata({
      title: track.title, artist: track.artist, album: track.album,
      artwork: track.art ? [{ src: artPath(track.art, 1024), sizes: '1024x1024' }, { src: artPath(track.art, 300), sizes: '300x300' }] : [],
    });
  }
  if (track && room.durationSeconds) {
    const position = Math.min(positionOf(room), room.durationSeconds);
    session.setPositionState?.({ duration: room.durationSeconds, position, playbackRate: 1 });
  }
}

/** Keeps the lock screen up to date. */
export function startLockScreen() {
  if (!canLockScreen) return;
  const handle = (name, body) => session.setActionHandler(name, (details) => command(typeof body === 'function' ? body(details) : body));
  handle('play', { action: 'resume' });
  handle('pause', { action: 'pause' });
  handle('nexttrack', { action: 'next' });
  handle('previoustrack', { action: 'previous' });
  handle('seekto', ({ seekTime }) => ({ action: 'seek', seconds: seekTime }));
  handle('seekbackward', ({ seekOffset }) => ({ action: 'skip', seconds: -(seekOffset ?? 15) }));
  handle('seekforward', ({ seekOffset }) => ({ action: 'skip', seconds: seekOffset ?? 15 }));
  subscribe(show);
  addEventListener('pointerdown', () => {
    if (isOnLockScreen() && !audio) setLockScreen(true).catch(() => {});
  }, { once: true });
}
