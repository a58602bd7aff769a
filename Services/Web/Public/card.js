// Keeps a card up to date: reloads the page when the room's state differs from the shown one, and stops and fades the
// picture while the connection is lost.

const room = decodeURIComponent(location.pathname.replace(/^\/now\//, '').replace(/\.html$/, ''));
let shown = null;
let isReloading = false;

function appearance(card) {
  return JSON.stringify([card.state, card.away, card.message, card.track?.id, card.durationSeconds, card.palette]);
}

// The page is reloaded only when the server answers: the browser's own error page would never reload itself.
async function reload() {
  isReloading = true;
  try {
    const answer = await fetch(location.href, { method: 'HEAD', cache: 'no-store' });
    if (answer.ok) {
      location.reload();
      return;
    }
  } catch {
    // The server does not answer now; the timer below tries again.
  }
  setTimeout(reload, 3000);
}

function update(card) {
  const at = performance.now() / 1000;
  const expected = shown && shown.position + (shown.rate > 0 ? (at - shown.at) * shown.rate : 0);
  const isSame = shown && shown.appearance === appearance(card) && Math.abs(expected - card.positionSeconds) < 2;
  if (shown && !isSame && !isReloading) reload();
  shown = { appearance: appearance(card), position: card.positionSeconds, rate: card.rate, at };
}

/** Opens the full-screen view of the room by a press anywhere on the card. */
function addLink() {
  const link = document.createElement('a');
  link.href = `/#/ambient/${encodeURIComponent(room)}`;
  link.setAttribute('aria-label', 'Open the full screen of this room');
  Object.assign(link.style, { position: 'fixed', inset: '0' });
  document.body.append(link);
}

addLink();

let stream = null;
// The seconds since the last event. The service sends one at least every 2 s, so a longer silence means that it is
// frozen or the network is cut, which the browser itself does not notice.
let silence = 0;
const silenceLimit = 5;

function setConnected(isNow) {
  document.documentElement.dataset.connection = isNow ? 'open' : 'lost';
  const picture = document.querySelector('svg');
  if (isNow) picture?.unpauseAnimations();
  else picture?.pauseAnimations();
}

function markHeard() {
  silence = 0;
  setConnected(true);
}

function connect() {
  stream?.close();
  silence = 0;
  stream = new EventSource(`/now/${encodeURIComponent(room)}/events`);
  stream.addEventListener('card', (event) => {
    markHeard();
    update(JSON.parse(event.data));
  });
  stream.addEventListener('heartbeat', markHeard);
  stream.onerror = () => {
    // The browser reconnects by itself after a broken connection, but gives up after an error status. A service that
    // has just started answers with one, as it knows no rooms yet; so does a proxy while the service is not running.
    if (stream.readyState === EventSource.CLOSED) setTimeout(connect, 3000);
  };
}

connect();
setInterval(() => {
  silence += 1;
  if (silence < silenceLimit) return;
  setConnected(false);
  connect();
}, 1000);
// A browser keeps the last visited pages in memory for going back, but allows only six connections to a host for all
// pages.
addEventListener('pagehide', () => stream.close());
addEventListener('pageshow', ({ persisted }) => persisted && connect());
