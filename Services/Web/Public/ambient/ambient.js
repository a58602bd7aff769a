// The full-screen view of what plays, for a tablet on the wall or a screen across the room: the cover in its light, the
// clock, the title and the next track. While it is shown, the screen stays awake where the browser can do that.
import { h, setAttribute, setText, setVars } from '../core/dom.js';
import { roomTitle, timeOfDay } from '../core/format.js';
import { wireSwipes } from '../core/gestures.js';
import { shownState, stateName } from '../core/playbackstate.js';
import { navigate } from '../core/router.js';
import { chooseRoom, currentRoom, positionOf, queueOf, subscribe } from '../core/store.js';
import { loadStyles } from '../core/stylesheets.js';
import { command } from '../parts/actions.js';
import { iconButton } from '../parts/controls.js';
import { setCover } from '../parts/cover.js';
import { makeGlow } from '../parts/covercolours.js';
import { nextButton, playButton, previousButton } from '../player/playbackbuttons.js';
import { progressLine } from '../player/sliders.js';
import { everyHalfSecond } from '../player/ticker.js';
import { canStayAwake, keepAwake, letSleep } from './awake.js';
import { driftAt, nextWords, untilNextMinute } from './words.js';

const styled = loadStyles('ambient/ambient.css');

// The buttons vanish after this time in milliseconds without a touch, a key or a motion of the mouse.
const idleTime = 4000;
// The time in milliseconds after which a tap that wakes the view has ended.
const tapTime = 600;

/** Goes back to where the view was opened, or to the first screen. */
function leave() {
  if (history.state?.under) history.back();
  else navigate('#/', true);
}

/** Returns the parts of the view. */
function makeView() {
  const cover = h('span', { class: 'cover' });
  const clock = h('time', { class: 'ambient-clock' });
  const title = h('h1', { tabindex: '-1' });
  const by = h('p', { class: 'ambient-by' });
  const album = h('p', { class: 'ambient-album' });
  const next = h('p', { class: 'ambient-next' }, h('span', { text: 'Next' }), h('span'));
  const state = h('p', { class: 'ambient-state', role: 'status' });
  const line = progressLine('ambient-line');
  const buttons = [previousButton(), playButton(), nextButton()];
  const awake = h('p', {
    class: 'ambient-awake', hidden: canStayAwake(),
    text: 'This screen may go dark: browsers keep it awake over https only.',
  });
  const close = iconButton('down', 'Leave the full screen', leave, 'small');
  const controls = h('div', { class: 'ambient-controls' }, close, buttons, awake);
  const stage = h('div', { class: 'ambient-stage' }, h('div', { class: 'ambient-cover', 'aria-hidden': 'true' }, cover),
    h('div', { class: 'ambient-words' }, clock, h('div', { class: 'ambient-now' }, state, title, by, album), next));
  const element = h('section', { class: 'screen ambient', 'aria-label': 'Full screen' });
  const glow = makeGlow(element);
  element.append(glow, stage, line, controls);
  wireSwipes(stage, { left: () => command({ action: 'next' }), right: () => command({ action: 'previous' }) });
  return { element, glow, stage, cover, clock, title, by, album, next, state, line, buttons, controls };
}

function showPosition({ line }) {
  const room = currentRoom();
  line.fill(room?.track && room.durationSeconds ? positionOf(room) / room.durationSeconds : 0);
}

/** Shows what the room plays. */
function show(view) {
  const room = currentRoom();
  const track = room?.track ?? null;
  const shown = shownState(room);
  setAttribute(view.element, 'data-state', shown);
  view.element.classList.toggle('silent', !track);
  const said = shown !== 'playing' && shown !== 'idle' && stateName(shown);
  setText(view.state, [said, room && roomTitle(room.name)].filter(Boolean).join(' · '));
  setText(view.title, track?.title ?? 'Nothing is playing');
  setText(view.by, track?.artist ?? '');
  setText(view.album, track?.album ?? '');
  if (track) setCover(view.cover, { ...track, title: track.album, artist: track.albumArtist }, 1024);
  view.glow.show(track);
  const coming = track ? nextWords(queueOf(room)) : '';
  setText(view.next.lastChild, coming);
  view.next.hidden = !coming;
  for (const one of view.buttons) one.show(room);
  showPosition(view);
}

/** Opens the view. Its address may name a room: `#/ambient/kitchen`. */
export async function open() {
  await styled;
  const view = makeView();
  const { element, stage, clock, controls } = view;
  let minute = 0;
  let idle = 0;
  let wasFull = false;
  let stops = [];

  function showClock() {
    clearTimeout(minute);
    const now = new Date();
    setText(clock, timeOfDay(now));
    setAttribute(clock, 'datetime', timeOfDay(now));
    setVars(stage, { '--drift': driftAt(now) });
    if (!document.hidden) minute = setTimeout(showClock, untilNextMinute(now));
  }

  function wake() {
    element.classList.remove('idle');
    clearTimeout(idle);
    idle = setTimeout(() => element.classList.add('idle'), idleTime);
  }

  let wokenAt = -tapTime;

  /** Notes when a tap wakes the view while nobody sees its buttons. */
  function touched({ timeStamp }) {
    const areHidden = element.classList.contains('idle') && !controls.querySelector(':focus-visible');
    wokenAt = areHidden ? timeStamp : -tapTime;
    wake();
  }

  // The tap that wakes the view presses nothing.
  element.addEventListener('click', (event) => {
    if (event.timeStamp - wokenAt >= tapTime) return;
    event.preventDefault();
    event.stopPropagation();
  }, { capture: true });

  const listeners = {
    keydown: (event) => {
      wake();
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      event.preventDefault();
      leave();
    },
    pointermove: wake, pointerdown: touched,
    visibilitychange: showClock,
    // Escape ends the full screen of the browser before the page hears of it.
    fullscreenchange: () => {
      if (wasFull && !document.fullscreenElement) leave();
      wasFull = Boolean(document.fullscreenElement);
    },
  };

  return {
    title: 'Full screen', element, isLive: true,
    enter({ parts }) {
      if (parts[0] && parts[0] !== currentRoom()?.name) chooseRoom(parts[0]);
    },
    shown() {
      for (const [name, run] of Object.entries(listeners)) document.addEventListener(name, run);
      stops = [subscribe(() => show(view)), everyHalfSecond(() => showPosition(view))];
      showClock();
      wake();
      keepAwake();
      // It needs a press, so a view that was opened by its address stays in its window.
      document.documentElement.requestFullscreen?.({ navigationUI: 'hide' }).catch(() => {});
    },
    hide() {
      for (const [name, run] of Object.entries(listeners)) document.removeEventListener(name, run);
      for (const stop of stops) stop();
      clearTimeout(minute);
      clearTimeout(idle);
      letSleep();
      wasFull = false;
      if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
    },
  };
}
