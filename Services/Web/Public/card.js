// Keeps a card up to date: it is drawn anew by the server whenever what it shows is no longer so.

const room = decodeURIComponent(location.pathname.replace(/^\/now\//, '').replace(/\.html$/, ''));
let shown = null;
let isDrawing = false;

function looks(card) {
  return JSON.stringify([card.state, card.away, card.message, card.track?.id, card.durationSeconds, card.palette]);
}

// The page that is shown stays until there is another: one that the browser shows instead would have no way back.
async function drawAnew() {
  isDrawing = true;
  try {
    const answer = await fetch(location.href, { method: 'HEAD', cache: 'no-store' });
    if (answer.ok) {
      location.reload();
      return;
    }
  } catch {
    // It is away for a moment, and asked again below.
  }
  setTimeout(drawAnew, 3000);
}

function hear(card) {
  const at = performance.now() / 1000;
  const expected = shown && shown.position + (shown.rate > 0 ? (at - shown.at) * shown.rate : 0);
  const isSame = shown && shown.looks === looks(card) && Math.abs(expected - card.positionSeconds) < 2;
  if (shown && !isSame && !isDrawing) drawAnew();
  shown = { looks: looks(card), position: card.positionSeconds, rate: card.rate, at };
}

let stream = null;

function connect() {
  stream?.close();
  stream = new EventSource(`/now/${encodeURIComponent(room)}/events`);
  stream.addEventListener('card', (event) => hear(JSON.parse(event.data)));
  stream.onerror = () => {
    // The browser tries again by itself after a broken connection, yet gives up on an answer it does not like: the
    // service begins without its rooms, and a proxy answers for one that is away.
    if (stream.readyState === EventSource.CLOSED) setTimeout(connect, 3000);
  };
}

connect();
// A browser keeps the last pages for going back to them, and gives a host no more than six connections for all.
addEventListener('pagehide', () => stream.close());
addEventListener('pageshow', ({ persisted }) => persisted && connect());
