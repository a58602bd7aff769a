// Keeps a card up to date: reloads the page when the room's state differs from the shown one.

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

let stream = null;

function connect() {
  stream?.close();
  stream = new EventSource(`/now/${encodeURIComponent(room)}/events`);
  stream.addEventListener('card', (event) => update(JSON.parse(event.data)));
  stream.onerror = () => {
    // The browser reconnects by itself after a broken connection, but gives up after an error status. A service that
    // has just started answers with one, as it knows no rooms yet; so does a proxy while the service is not running.
    if (stream.readyState === EventSource.CLOSED) setTimeout(connect, 3000);
  };
}

connect();
// A browser keeps the last visited pages in memory for going back, but allows only six connections to a host for all
// pages.
addEventListener('pagehide', () => stream.close());
addEventListener('pageshow', ({ persisted }) => persisted && connect());
