// Keeps a card up to date: it is drawn anew by the server whenever what it shows is no longer so.

const room = decodeURIComponent(location.pathname.replace(/^\/now\//, '').replace(/\.html$/, ''));
let shown = null;

function looks(card) {
  return JSON.stringify([card.state, card.away, card.message, card.track?.id, card.durationSeconds, card.palette]);
}

new EventSource(`/now/${encodeURIComponent(room)}/events`).addEventListener('card', (event) => {
  const card = JSON.parse(event.data);
  const at = performance.now() / 1000;
  const expected = shown && shown.position + (shown.rate > 0 ? (at - shown.at) * shown.rate : 0);
  const isSame = shown && shown.looks === looks(card) && Math.abs(expected - card.positionSeconds) < 2;
  if (shown && !isSame) location.reload();
  shown = { looks: looks(card), position: card.positionSeconds, rate: card.rate, at };
});
