// Keeps the screen of this device awake, where the browser can do that: over https, and on the machine itself.

let lock = null;
let isWanted = false;

/** Returns true if this browser can keep the screen awake for this page. */
export const canStayAwake = () => 'wakeLock' in navigator;

async function ask() {
  if (!isWanted || document.hidden || !canStayAwake() || (lock && !lock.released)) return;
  try {
    const got = await navigator.wakeLock.request('screen');
    if (isWanted) lock = got;
    else await got.release();
  } catch {
    lock = null; // The battery is low, or the page has just been hidden. The next time it is seen tries again.
  }
}

/** Keeps the screen awake until `letSleep` is called. */
export function keepAwake() {
  isWanted = true;
  // The browser ends the lock when the page is hidden.
  document.addEventListener('visibilitychange', ask);
  ask();
}

/** Lets the screen go dark again. */
export function letSleep() {
  isWanted = false;
  document.removeEventListener('visibilitychange', ask);
  lock?.release().catch(() => {}); // It has ended already.
  lock = null;
}
