// The lock screen of this device: what the room plays, and its knobs. Browsers show it only while the page itself
// sounds, so a silent loop plays while a person has switched it on.
import { artPath } from '../core/api.js';
import { recall, remember } from '../core/prefs.js';
import { currentRoom, follow, positionOf } from '../core/store.js';
import { command } from '../parts/actions.js';

const session = navigator.mediaSession;
let audio = null;
let url = null;
let shown = null;

/** Whether this browser can show it. */
export const canLockScreen = Boolean(session && window.MediaMetadata);

/** Six seconds of silence as a WAV file: 3,000 samples of 8 bits a second. */
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

/** Whether it is switched on in this browser. */
export function isOnLockScreen() {
  return canLockScreen && recall('lockScreen', false);
}

/** Switches it on or off; only a person's tap may start sound. */
export async function setLockScreen(isOn) {
  remember('lockScreen', isOn);
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

function follows(room) {
  if (!audio) return;
  if (room?.state === 'playing' && audio.paused) audio.play().catch(() => {}); // Only after a tap; the next one starts it.
  if (room?.state !== 'playing' && !audio.paused) audio.pause();
}

function show() {
  if (!isOnLockScreen()) return;
  const room = currentRoom();
  const track = room?.track;
  follows(room);
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

/** Wires it to the store. */
export function startMedia() {
  if (!canLockScreen) return;
  const does = (name, body) => session.setActionHandler(name, (details) => command(typeof body === 'function' ? body(details) : body));
  does('play', { action: 'resume' });
  does('pause', { action: 'pause' });
  does('nexttrack', { action: 'next' });
  does('previoustrack', { action: 'previous' });
  does('seekto', ({ seekTime }) => ({ action: 'seek', seconds: seekTime }));
  does('seekbackward', ({ seekOffset }) => ({ action: 'skip', seconds: -(seekOffset ?? 15) }));
  does('seekforward', ({ seekOffset }) => ({ action: 'skip', seconds: seekOffset ?? 15 }));
  follow(show);
  addEventListener('pointerdown', () => {
    if (isOnLockScreen() && !audio) setLockScreen(true).catch(() => {});
  }, { once: true });
}
