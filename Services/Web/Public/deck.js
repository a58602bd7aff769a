// The deck: what the chosen room plays, and the knobs that steer it.
import { edit, steer } from './api.js';
import { complain } from './banners.js';
import { setCover } from './cover.js';
import { setAttribute, setMessage, setText } from './dom.js';
import { setIcon } from './icons.js';
import { currentRoom, follow, positionOf, queueOf, store } from './store.js';
import { clock, roomTitle, span } from './words.js';

const part = (id) => document.getElementById(id);
const names = { idle: 'Nothing playing', buffering: 'Buffering', playing: 'Playing', paused: 'Paused', error: 'Stopped by an error' };

/** The state a person sees: the room's own, unless the room or the service cannot be heard of. */
function shownState(room) {
  if (!room) return store.settled && store.link === 'open' ? 'none' : 'waiting';
  if (room.away || store.link === 'lost') return 'away';
  return names[room.state] ? room.state : 'unknown';
}

function stateName(state, room) {
  if (state === 'none') return 'No room';
  if (state === 'waiting') return 'Looking around';
  if (state === 'away') return 'Reconnecting';
  return names[state] ?? room.state;
}

function command(body) {
  const room = currentRoom();
  if (room) steer(room.name, body).catch(complain);
}

/** Plays or pauses; with nothing current the queue starts from its top. */
export function toggle() {
  const room = currentRoom();
  if (!room) return;
  if (room.state === 'playing' || room.state === 'buffering') command({ action: 'pause' });
  else if (room.track) command({ action: 'resume' });
  else if (queueOf(room)?.count) command({ action: 'jump', index: 0 });
}

/** Goes to the next track. */
export function next() {
  command({ action: 'next' });
}

// While a person drags, the slider is theirs; afterwards their value stands until the room has answered.
const held = { seek: null, volume: null };

function hold(name, value) {
  held[name] = { value, until: performance.now() + 1500 };
}

function heldValue(name) {
  if (held[name] && performance.now() > held[name].until) held[name] = null;
  return held[name]?.value ?? null;
}

function fill(slider, share) {
  slider.style.setProperty('--at', `${(Math.max(0, Math.min(1, share)) * 100).toFixed(2)}%`);
}

function showPosition(room) {
  const slider = part('seek');
  const length = room?.durationSeconds ?? 0;
  const at = heldValue('seek') ?? (room?.track ? positionOf(room) : 0);
  setText(part('elapsed'), clock(at));
  setText(part('length'), clock(length));
  if (slider.matches(':active') === false) slider.value = at;
  fill(slider, length ? at / length : 0);
  setAttribute(slider, 'aria-valuetext', `${clock(at)} of ${clock(length)}`);
  part('mini').style.setProperty('--at', `${length ? (at / length) * 100 : 0}%`);
}

function showVolume(room) {
  const slider = part('volume');
  const value = heldValue('volume') ?? room?.volume ?? 0;
  if (slider.matches(':active') === false) slider.value = value;
  fill(slider, value / (room?.modes?.maxVolume ?? 100));
  setAttribute(slider, 'aria-valuetext', `${value} percent`);
}

function showWords(room, state) {
  const track = room?.track;
  const idle = state === 'none' ? 'No room is here' : state === 'waiting' ? 'One moment' : 'The turntable is free';
  const hint = state === 'none' ? 'Start one with lunara up' : state === 'waiting' || !store.catalogue?.albums ? '' : 'Pick a record from the shelf';
  setText(part('now-title'), track ? track.title : idle);
  setText(part('now-artist'), track ? track.artist : hint);
  const album = part('now-album');
  setText(album, track ? track.album : '');
  setAttribute(album, 'href', track ? `#/album/${encodeURIComponent(track.albumID)}` : null);
  showTrouble(room, state);
  document.title = track && (state === 'playing' || state === 'buffering')
    ? `${track.title} – ${track.artist}` : 'Lunara';
  setText(part('mini-title'), track ? track.title : '');
  setText(part('mini-artist'), track ? `${track.artist} · ${roomTitle(room.name)}` : '');
}

const pauses = { sleep: 'Paused, as the machine went to sleep.', output: 'Paused, as its output went away.' };

/** What is wrong or not as usual, and when it is tried again. */
function showTrouble(room, state) {
  const words = [];
  if (state === 'error') words.push(room.message ?? '');
  if (state === 'error' && room.retriesInSeconds !== undefined) {
    const left = Math.ceil(Math.max(0, room.retriesInSeconds - (performance.now() - room.heardAt) / 1000));
    words.push(left ? `Tries again in ${left} s.` : 'Trying again …');
  }
  if (state !== 'away' && room?.notice) words.push(room.notice.message);
  if (state === 'paused' && pauses[room.interruption]) words.push(pauses[room.interruption]);
  const trouble = part('trouble');
  trouble.hidden = !words.length;
  trouble.classList.toggle('mild', state !== 'error');
  setMessage(trouble, words.join(' '));
}

/** What the state's name is followed by: what the room does by itself. */
function habits(room) {
  const words = [];
  if (room?.modes?.muted) words.push('muted');
  if (room?.modes?.stopsAfterCurrent) words.push('stops after this one');
  if (room?.sleepsInSeconds !== undefined) {
    words.push(`sleeps in ${span(room.sleepsInSeconds - (performance.now() - room.heardAt) / 1000)}`);
  }
  return words.length ? `, ${words.join(', ')}` : '';
}

function showModes(room, reachable) {
  const modes = room?.modes;
  const press = (id, name, on, label) => {
    setIcon(part(id), name);
    setAttribute(part(id), 'aria-pressed', on ? 'true' : 'false');
    setAttribute(part(id), 'aria-label', label);
    setAttribute(part(id), 'title', label);
    part(id).disabled = !reachable || !modes;
  };
  const mixed = modes?.order === 'tracks' || modes?.order === 'albums';
  const repeats = modes?.repeat ?? 'off';
  press('shuffle', 'shuffle', mixed, mixed ? 'Undo the shuffle' : 'Shuffle the queue');
  press('repeat', repeats === 'one' ? 'repeatOne' : 'repeat', repeats !== 'off', `Repeat: ${repeats}`);
  press('mute', modes?.muted ? 'muted' : 'volume', Boolean(modes?.muted), modes?.muted ? 'Unmute' : 'Mute');
  setAttribute(part('volume'), 'max', modes?.maxVolume ?? 100);
}

function showCover(room) {
  const track = room?.track;
  for (const id of ['cover', 'mini-cover']) {
    const frame = part(id);
    if (track) setCover(frame, track.art, track.album, track.albumArtist, true);
    else if (frame.dataset.cover) {
      frame.replaceChildren();
      delete frame.dataset.cover;
    }
  }
  part('turntable').classList.toggle('bare', !track);
}

function showKnobs(room, state) {
  const sounding = room?.state === 'playing' || room?.state === 'buffering';
  const startable = Boolean(room?.track) || Boolean(queueOf(room)?.count);
  const reachable = Boolean(room) && state !== 'away';
  for (const id of ['toggle', 'mini-toggle']) {
    setIcon(part(id), sounding ? 'pause' : 'play');
    setAttribute(part(id), 'aria-label', sounding ? 'Pause' : state === 'error' ? 'Try again' : 'Play');
    part(id).disabled = !reachable || !startable;
  }
  for (const id of ['previous', 'next', 'mini-next']) part(id).disabled = !reachable || !room.track;
  part('seek').disabled = !reachable || !room.track || !room.durationSeconds;
  setAttribute(part('seek'), 'max', Math.max(1, Math.floor(room?.durationSeconds ?? 1)));
  part('volume').disabled = !reachable;
  showModes(room, reachable);
  part('mini').classList.toggle('nothing', !room?.track);
}

function show() {
  const room = currentRoom();
  const state = shownState(room);
  for (const id of ['deck', 'mini']) setAttribute(part(id), 'data-state', state);
  setText(part('state-name'), stateName(state, room) + (state === 'away' ? '' : habits(room)));
  showWords(room, state);
  showCover(room);
  showKnobs(room, state);
  showPosition(room);
  showVolume(room);
}

/** Moves the progress between two words from the room, four times a second and only while it can be seen. */
function move() {
  const room = currentRoom();
  if (document.hidden) return;
  if (room?.rate) showPosition(room);
  if (room?.retriesInSeconds !== undefined) showTrouble(room, shownState(room));
}

/** Wires a slider: `during` hears it at most eight times a second while it moves, `after` once it rests. */
function wireSlider(id, during, after) {
  const slider = part(id);
  let timer = 0;
  const settle = () => {
    clearTimeout(timer);
    timer = 0;
  };
  slider.addEventListener('input', () => {
    hold(id, Number(slider.value));
    show();
    timer ||= setTimeout(() => {
      settle();
      during(Number(slider.value));
    }, 125);
  });
  slider.addEventListener('change', () => {
    settle();
    hold(id, Number(slider.value));
    after(Number(slider.value));
  });
}

/** Wires the deck to the store and to its knobs. */
export function startDeck() {
  setIcon(part('previous'), 'previous');
  setIcon(part('next'), 'next');
  setIcon(part('mini-next'), 'next');
  part('toggle').addEventListener('click', toggle);
  part('mini-toggle').addEventListener('click', toggle);
  part('next').addEventListener('click', next);
  part('mini-next').addEventListener('click', next);
  part('previous').addEventListener('click', () => command({ action: 'previous' }));
  part('shuffle').addEventListener('click', () => {
    const room = currentRoom();
    const order = room?.modes?.order === 'queued' ? 'tracks' : 'queued';
    if (room) edit(room.name, { action: 'order', order }).catch(complain);
  });
  part('repeat').addEventListener('click', () => {
    const mode = { off: 'all', all: 'one' }[currentRoom()?.modes?.repeat] ?? 'off';
    command({ action: 'repeat', mode });
  });
  part('mute').addEventListener('click', () => command({ action: 'mute', on: !currentRoom()?.modes?.muted }));
  wireSlider('seek', () => {}, (seconds) => command({ action: 'seek', seconds }));
  const volume = (percent) => command({ action: 'volume', percent });
  wireSlider('volume', volume, volume);
  let track = null;
  follow(() => {
    const entry = currentRoom()?.entry ?? null;
    if (entry !== track) held.seek = null;
    track = entry;
    show();
  });
  setInterval(move, 250);
}
