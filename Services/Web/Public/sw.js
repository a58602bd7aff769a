// The service worker: keeps the files of the page and the last covers in this browser, so that the page opens at once
// and says plainly when Lunara cannot be reached. It never answers requests for data, only those for the page's own
// files and for covers.
//
// The service sends two lines before this file: `version`, which differs for any two states of the page's files, and
// `tags`, the hash of each file by its name. All files that a worker keeps have the hashes of its version, and a page
// gets all of its files from one worker, so no page ever mixes two versions.

const shellName = `shell-${version}`;
const coversName = 'covers';
// The largest number of covers that are kept; the one that was used longest ago goes first.
const coverLimit = 1000;
// The time in milliseconds after which a cover that is used counts as used again.
const coverFreshness = 86_400_000;
// The time in milliseconds after which the service counts as unreachable.
const reachLimit = 5000;
// The time in milliseconds for which opening the page waits for a new version.
const updateLimit = 8000;
// The time in milliseconds within which an open page says if it is being left.
const answerLimit = 1000;
// Files that the page does not need without a connection: cards of rooms, and what the system or few letters need.
const isLeftOut = (name) => /^(sw\.js|card\.js|manifest\.webmanifest)$|\.png$|-other\.woff2$/.test(name);
const shell = Object.keys(tags).filter((name) => !isLeftOut(name));
const shellNames = new Set(shell);
// The fetches of covers that have no answer yet, by their abort controllers.
const loadingCovers = new Set();
let storedCovers = 0;

/** Returns the hash of bytes, as in the tags of the service (FNV-1a with 64 bits, in base 36). */
function hash(bytes) {
  let [high, low] = [0xcbf29ce4, 0x84222325];
  for (const byte of bytes) {
    low = (low ^ byte) >>> 0;
    const product = low * 0x1b3;
    high = (high * 0x1b3 + Math.floor(product / 0x1_0000_0000) + low * 0x100) >>> 0;
    low = product >>> 0;
  }
  return (BigInt(high) << 32n | BigInt(low)).toString(36);
}

async function keepFile(cache, name) {
  const answer = await fetch(`/${name}`, { cache: 'no-cache' });
  if (!answer.ok) throw new Error(`${name} was answered with ${answer.status}`);
  const copy = answer.clone();
  if (hash(new Uint8Array(await answer.arrayBuffer())) !== tags[name]) throw new Error(`${name} is of another version`);
  await cache.put(`/${name}`, copy);
}

/** Keeps all files of this version, two at a time, so that the page itself is not held up. Fails if one is missing. */
async function install() {
  const cache = await caches.open(shellName);
  const waiting = [...shell];
  const work = async () => {
    while (waiting.length) await keepFile(cache, waiting.pop());
  };
  try {
    await Promise.all([work(), work()]);
  } catch (error) {
    await caches.delete(shellName);
    throw error;
  }
}

/** Deletes the files of former versions. Pages that were opened with one of them reload themselves. */
async function activate() {
  const former = (await caches.keys()).filter((name) => name.startsWith('shell-') && name !== shellName);
  await Promise.all(former.map((name) => caches.delete(name)));
  if (former.length) await self.clients.claim();
}

/**
 * Returns the version of the files that the service has now; null if it does not answer, and undefined if a proxy asks
 * for a sign-in first.
 */
async function versionOfService() {
  try {
    // @ts-expect-error TypeScript 4.8 does not know `timeout`.
    const signal = AbortSignal.timeout(reachLimit);
    const answer = await fetch('/sw.js', { method: 'HEAD', cache: 'no-store', redirect: 'manual', signal });
    if (answer.type === 'opaqueredirect' || answer.status === 401 || answer.status === 403) return undefined;
    if (!answer.ok) return null;
    return /^(?:W\/)?"([0-9a-z]+)/.exec(answer.headers.get('ETag') ?? '')?.[1] ?? version;
  } catch {
    return null;
  }
}

/** Returns true if an open page is being left, and also if it does not answer: the offline page never does. */
function isLeft(client) {
  return new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => done(data);
    setTimeout(() => done(true), answerLimit);
    client.postMessage('isLeft', [port2]);
  });
}

/**
 * Returns true if no other page is open. The browser leaves out the page that is being opened, but still counts the
 * document that it replaces, which is the visible one. A page in another tab is hidden. One in another window may be
 * visible, so it is asked.
 */
async function isOnlyPage() {
  const all = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (!all.length) return true;
  return all.length === 1 && all[0].visibilityState === 'visible' && isLeft(all[0]);
}

/** Resolves when a worker has kept all its files or has failed, or after `updateLimit`. */
function isSettled(worker) {
  return new Promise((done) => {
    const check = () => {
      if (worker.state !== 'installing') done();
    };
    worker.addEventListener('statechange', check);
    setTimeout(done, updateLimit);
    check();
  });
}

/** Fetches the new version, and has it take over. Returns false if that fails. */
async function update() {
  try {
    await self.registration.update();
    const next = self.registration.installing ?? self.registration.waiting;
    if (!next) return false;
    await isSettled(next);
    if (next.state !== 'installed') return false;
    next.postMessage('activate');
    return true;
  } catch {
    return false;
  }
}

/**
 * Answers the opening of a page: with this version, a page that waits for the new one, or the offline page. Before a
 * proxy that asks for a sign-in the browser opens the page itself, so that a person can sign in.
 */
async function openPage(request) {
  const cache = await caches.open(shellName);
  const newest = await versionOfService();
  if (newest === undefined) return fetch(request);
  if (newest === null) return await cache.match('/offline.html') ?? Response.error();
  if (newest !== version && await isOnlyPage() && await update()) return cache.match('/renew.html');
  return await cache.match('/index.html') ?? fetch(request);
}

/** Answers with a file of this version. One that the browser has deleted is fetched again. */
async function openFile(name) {
  const cache = await caches.open(shellName);
  const kept = await cache.match(`/${name}`);
  if (kept) return kept;
  await keepFile(cache, name);
  return cache.match(`/${name}`);
}

async function keepCover(cache, url, answer) {
  const headers = new Headers(answer.headers);
  headers.set('Lunara-Kept', String(Date.now()));
  // A cover that is put again is the last of all keys.
  await cache.delete(url);
  await cache.put(url, new Response(await answer.blob(), { headers }));
  storedCovers += 1;
  if (storedCovers % 50 !== 1) return;
  const urls = await cache.keys();
  await Promise.all(urls.slice(0, Math.max(0, urls.length - coverLimit)).map((one) => cache.delete(one)));
}

/** Answers with a cover. A changed one has another address, so a kept one never has to be asked for again. */
async function openCover(event) {
  const { request } = event;
  const cache = await caches.open(coversName);
  const kept = await cache.match(request.url, { ignoreVary: true });
  // Without space on the disk the cover is shown all the same.
  const keep = (answer) => event.waitUntil(keepCover(cache, request.url, answer).catch(() => {}));
  if (kept) {
    if (Date.now() - Number(kept.headers.get('Lunara-Kept')) > coverFreshness) keep(kept.clone());
    return kept;
  }
  const control = new AbortController();
  const abort = () => control.abort();
  request.signal.addEventListener('abort', abort);
  loadingCovers.add(control);
  try {
    const answer = await fetch(request, { signal: control.signal });
    if (answer.status === 200) keep(answer.clone());
    return answer;
  } catch {
    // The page wants the cover no more, or the service is away: the page tries again by itself.
    return Response.error();
  } finally {
    loadingCovers.delete(control);
    request.signal.removeEventListener('abort', abort);
  }
}

// The orders of the page (phone/worker.js).
const orders = {
  /** Takes over from the former version. */
  activate: () => self.skipWaiting(),
  /** Ends the fetches of covers that a lost connection would hold for long. */
  lost() {
    for (const control of loadingCovers) control.abort();
  },
  /** Deletes the covers, as the person has signed out. */
  forget: () => caches.delete(coversName),
};

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(activate()));
self.addEventListener('message', (event) => event.waitUntil(Promise.resolve(orders[event.data]?.())));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  const name = pathname.slice(1);
  if (request.mode === 'navigate') {
    // The same addresses as those for which the service sends index.html.
    if (!name.includes('.') && !/^(api|now|healthz|metrics)(\/|$)/.test(name)) event.respondWith(openPage(request));
  } else if (shellNames.has(name)) event.respondWith(openFile(name));
  else if (name.startsWith('api/v1/art/')) event.respondWith(openCover(event));
});
