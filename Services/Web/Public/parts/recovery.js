// Retries failed reads when the connection is back.
import { takeMissed } from '../core/api.js';
import { currentScreen, discardScreens, reopenScreen } from '../core/router.js';
import { store, subscribe } from '../core/store.js';
import { libraryIsAway } from './sources.js';

// The time in milliseconds after which the page checks for retried reads that failed again, because a restarted service
// answers before the others do. It doubles up to the last value.
const pauses = { first: 2000, last: 30_000 };
// Input and dialogs on the screen that a new screen would lose.
const inHand = '#main :is(textarea, input:not([type=search])):focus, .selection, dialog[open]:not(.sheet)';

let timer = 0;

/** Returns true if the person writes or chooses something in the screen. */
function isInHand() {
  const texts = [.../** @type {NodeListOf<HTMLTextAreaElement>} */ (document.querySelectorAll('#main textarea'))];
  return Boolean(document.querySelector(inHand)) || texts.some(({ value }) => value);
}

/** Returns the buttons of the messages that something could not be read, as far as they are shown. */
const failures = () => [...document.querySelectorAll('#main .again')].filter((one) => one.checkVisibility());

/** Makes the screens anew. One in which a person writes stays, and only its messages of failures try again. */
async function readAgain() {
  discardScreens(true);
  if (currentScreen() && !isInHand()) {
    await reopenScreen().catch(() => {}); // The screen stays, and is opened again after the next pause.
  } else {
    for (const button of failures()) button.click();
  }
}

async function recover(pause = pauses.first, isFirst = false) {
  clearTimeout(timer);
  if (store.link !== 'open') return;
  const hasMissed = takeMissed();
  // A part of the page that could not be loaded does not count as a failed request.
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
