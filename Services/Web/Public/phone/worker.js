// The service worker in this page (sw.js): registers it, offers a new version of the page, and passes orders to it.
// Browsers allow workers only to pages that are encrypted or of this device itself.
import { store, subscribe } from '../core/store.js';
import { showBanner } from '../parts/banners.js';

const workers = navigator.serviceWorker;
const path = '/sw.js';
// The time in milliseconds for which the page counts as being left once the browser opens another address in its place.
// If that becomes a download, the page stays.
const leavingTime = 10_000;

/** Sends an order to the worker, if there is one. */
export function order(name) {
  workers?.controller?.postMessage(name);
}

/** Deletes the covers that this browser keeps, after the person has signed out. */
export async function forgetCovers() {
  await window.caches?.delete('covers');
}

/** Returns the address of the worker, by the one policy that the content policy of the page allows. */
function address() {
  const policy = window.trustedTypes?.createPolicy('lunara-worker', {
    createScriptURL(one) {
      if (one !== path) throw new TypeError('There is no other worker.');
      return one;
    },
  });
  return policy?.createScriptURL(path) ?? path;
}

/** Offers the version that waits, if there is one, to a page that another version answers for. */
export function offer(registration, isControlled = Boolean(workers.controller)) {
  if (!registration.waiting || !isControlled) return;
  showBanner('A newer version of this page is ready.', {
    key: 'version', lasting: true,
    action: { name: 'Load it', run: () => registration.waiting?.postMessage('activate') },
  });
}

/** Loads the page anew, but not while a person is typing. */
function reload() {
  const field = /** @type {HTMLInputElement} */ (document.activeElement);
  const isTyping = field?.matches('input, textarea') && field.value && !field.matches('[type=checkbox], [type=range]');
  if (isTyping) field.addEventListener('blur', () => location.reload(), { once: true });
  else location.reload();
}

/** Tells the worker, when it asks, if the page is being left or loaded anew: then it needs its version no more. */
function answerWorker() {
  let leftAt = -Infinity;
  addEventListener('beforeunload', () => {
    leftAt = performance.now();
  });
  // Safari on iPhone and iPad, which alone has this property, says nothing before it leaves a page.
  const isSilent = navigator.standalone !== undefined;
  workers.addEventListener('message', ({ data, ports }) => {
    if (data === 'isLeft') ports[0].postMessage(isSilent || performance.now() - leftAt < leavingTime);
  });
}

/** Registers the worker, and follows its versions. */
export async function startWorker() {
  if (!workers) return;
  answerWorker();
  // The first worker of a browser changes nothing for the page that registers it.
  const isControlled = Boolean(workers.controller);
  const registration = await workers.register(address(), { updateViaCache: 'none' });
  offer(registration);
  registration.addEventListener('updatefound', () => {
    const next = registration.installing;
    next?.addEventListener('statechange', () => offer(registration));
  });
  if (isControlled) workers.addEventListener('controllerchange', reload, { once: true });
  let link = store.link;
  subscribe(() => {
    if (store.link === link) return;
    if (store.link === 'lost') order('lost');
    // The service may have been away for an update.
    if (store.link === 'open') registration.update().catch(() => {}); // The browser looks again by itself.
    link = store.link;
  }, { whileHidden: true });
}
