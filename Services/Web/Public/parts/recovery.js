// Reads again what could not be read for want of a connection, when it is back.
import { takeMissed } from '../core/api.js';
import { currentScreen, discardScreens, reopenScreen } from '../core/router.js';
import { store, subscribe } from '../core/store.js';
import { libraryIsAway } from './sources.js';

// The time in milliseconds after which the page looks if what it has read again has failed again, as a service that was
// restarted answers before the others do; doubled up to the last.
const pauses = { first: 2000, last: 30_000 };
// What a person does in the screen, which would be lost if it was made anew.
const inHand = '#main :is(textarea, input:not([type=search])):focus, .selection, dialog[open]:not(.sheet)';

let timer = 0;

/** Returns true if the person writes or chooses something in the screen. */
function isInHand() {
  const texts = [...document.querySelectorAll('#main textarea')];
  return Boolean(document.querySelector(inHand)) || texts.some(({ value }) => value);
}

/** Returns the buttons of the messages that something could not be read, as far as they are shown. */
const failures = () => [...document.querySelectorAll('#main .again')].filter((one) => one.checkVisibility());

/** Makes the screens anew. One in which a person writes stays, and only its messages of failures try again. */
async function readAgain() {
  discardScreens(true);
  if (currentScreen() && !isInHand()) {
    await reopenScreen().catch(() => {}); // It stays as it is, and is made anew after the next pause.
  } else {
    for (const button of failures()) button.click();
  }
}

async function recover(pause = pauses.first, isFirst = false) {
  clearTimeout(timer);
  if (store.link !== 'open') return;
  const hasMissed = takeMissed();
  // A part of the page that could not be loaded is no request that has failed.
  if (!hasMissed && !(isFirst && failures().length)) return;
  await readAgain();
  timer = setTimeout(() => recover(Math.min(pauses.last, pause * 2)), pause);
}

/** Starts to follow the connection. */
export function startRecovery() {
  let wasWell = true;
  subscribe(({ link }) => {
    const isWell = link === 'open' && !libraryIsAway();
    if (isWell && !wasWell) recover(pauses.first, true);
    wasWell = isWell;
  }, { whileHidden: true });
}
