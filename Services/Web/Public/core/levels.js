// The levels of the bars that mark what plays. They change twice a second, together with the position, so that both are
// drawn in one frame. An animation of the style would be computed sixty times a second, even if it only jumps.
import { calm, setVars } from './dom.js';
import { currentRoom, positionOf } from './store.js';

// The heights of the three bars, one set after another.
const levels = [[.4, .9, .6], [.85, .5, 1], [.55, 1, .35], [1, .6, .75]];
// The time in seconds between two changes.
const step = .5;

let timer = 0;
let at = 0;
let isStarted = false;

/** Returns the marks in view that move: those in the player while it covers the page. */
function marks() {
  const player = document.querySelector('dialog.sheet[open]');
  return (player ?? document).querySelectorAll('.mark[data-state="playing"]');
}

/** Returns the time in milliseconds until half a second of the shown room is over. */
function untilNext() {
  const room = currentRoom();
  return room?.rate > 0 ? (step - positionOf(room) % step) / room.rate * 1000 + 15 : step * 1000;
}

function move() {
  clearTimeout(timer);
  timer = 0;
  if (document.hidden || calm.matches) return;
  const moving = marks();
  at = (at + 1) % levels.length;
  for (const mark of moving) {
    levels[at].forEach((level, index) => setVars(mark.children[index], { '--level': level }));
  }
  if (moving.length) moveLevels();
}

/** Moves the levels while any bars are shown. They stand still while the page is hidden. */
export function moveLevels() {
  if (!isStarted) {
    isStarted = true;
    document.addEventListener('visibilitychange', move);
    calm.addEventListener('change', move);
  }
  if (!document.hidden && !calm.matches) timer ||= setTimeout(move, untilNext());
}
