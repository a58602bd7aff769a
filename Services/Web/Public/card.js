// Keeps a card up to date: reloads it when the room's state differs from the one that is shown.

const room = decodeURIComponent(location.pathname.replace(/^\/now\//, '').replace(/\.html$/, ''));
let shown = null;
let isReloading = false;

function appearance(card) {
  return JSON.stringify([card.state, card.away, card.message, card.track?.id, card.durationSeconds, card.palette]);
}

// The page is reloaded only when the server answers: an error page of the browser would stay for good.
async function reload() {
  isReloading = true;
  try {
    const answer = await fetch(location.href, { method: 'HEAD', cache: 'no-store' });
    if (answer.ok) {
      location.reload();
      return;
    }
  } catch {
    // The server does not answer now, and is asked again below.
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
    // The browser reconnects by itself after a broken connection, but gives up after an error status: a service that has just
    // started knows no rooms yet, and a proxy answers for one that is not running.
    if (stream.readyState === EventSource.CLOSED) setTimeout(connect, 3000);
  };
}

connect();
// A browser keeps the last pages for going back, and allows six connections to a host for all of them.
addEventListener('pagehide', () => stream.close());
addEventListener('pageshow', ({ persisted }) => persisted && connect());
