// One clock for everything that moves with the music: it ticks when half a second of the track is over, together with
// the levels of core/levels.js. It stands still while nothing plays and while the page is hidden, so that neither costs
// anything.
import { currentRoom, positionOf, subscribe } from '../core/store.js';

// The time in seconds between two ticks.
const step = 0.5;

const listeners = new Set();
let timer = 0;
let isStarted = false;

const isNeeded = () => listeners.size > 0 && !document.hidden && (currentRoom()?.rate ?? 0) > 0;

function schedule() {
  clearTimeout(timer);
  timer = 0;
  if (!isNeeded()) return;
  const room = currentRoom();
  const left = (step - positionOf(room) % step) / room.rate;
  timer = setTimeout(() => {
    for (const run of listeners) run();
    schedule();
  }, left * 1000 + 15);
}

/** Calls `run` twice a second while the shown room plays. Returns the function that ends this. */
export function everyHalfSecond(run) {
  listeners.add(run);
  if (!isStarted) {
    isStarted = true;
    subscribe(schedule);
    document.addEventListener('visibilitychange', () => {
      // Positions that stood still meanwhile catch up at once.
      if (!document.hidden) for (const one of listeners) one();
      schedule();
    });
  }
  schedule();
  return () => {
    listeners.delete(run);
    schedule();
  };
}
