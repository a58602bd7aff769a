// The page that is shown when Lunara cannot be reached: asks again every few seconds, and opens the page that was
// wanted when Lunara answers.

// The time in milliseconds between two tries, and the time after which one has failed.
const [pause, limit] = [2000, 5000];
const said = document.getElementById('said');
let isAsking = false;

async function isThere() {
  try {
    // @ts-expect-error TypeScript 4.8 does not know `timeout`.
    const signal = AbortSignal.timeout(limit);
    return (await fetch('/healthz', { cache: 'no-store', signal })).ok;
  } catch {
    return false;
  }
}

function showNetwork() {
  if (navigator.onLine) return;
  const why = document.getElementById('why');
  why.textContent = 'This device has no network now. The music comes from a machine in your home.';
}

/** Opens the wanted page if Lunara answers. `isWished` is true if a person pressed the button, who gets an answer. */
async function ask(isWished = false) {
  if (isWished) said.textContent = 'Asking …';
  if (isAsking) return;
  isAsking = true;
  const isBack = await isThere();
  isAsking = false;
  if (isBack) location.reload();
  else if (said.textContent === 'Asking …') {
    said.textContent = 'Lunara does not answer. The page opens by itself when it does.';
  }
}

showNetwork();
document.getElementById('again').addEventListener('click', () => ask(true));
for (const name of ['online', 'focus', 'pageshow']) addEventListener(name, () => ask());
document.addEventListener('visibilitychange', () => document.hidden || ask());
setInterval(() => document.hidden || ask(), pause);
