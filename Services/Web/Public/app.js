// The page: wires its parts together.
import { forgetAlbum, startAlbum } from './album.js';
import { dismiss, say } from './banners.js';
import { startDeck, toggle } from './deck.js';
import { go, startPlaces } from './places.js';
import { startQueue } from './queue.js';
import { startRooms } from './rooms.js';
import { startSearch } from './search.js';
import { startShelf } from './shelf.js';
import { connect, follow } from './store.js';

const part = (id) => document.getElementById(id);

/** Says that the service is gone, until it is back. */
function watchLink() {
  follow(({ link }) => {
    if (link === 'lost') say('The connection to Lunara is lost. Trying again …', { key: 'link', kind: 'wait', lasting: true });
    if (link === 'open') dismiss('link');
  });
}

/** An album that is open is read again on its next visit when the catalogue has changed. */
function watchCatalogue() {
  let generation = null;
  follow(({ catalogue }) => {
    if (generation !== null && catalogue && catalogue.generation !== generation) forgetAlbum();
    generation = catalogue?.generation ?? generation;
  });
}

function wireKeys() {
  const busy = 'input, select, textarea, button, a, summary, [contenteditable]';
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.key === ' ' && !event.target.closest?.(busy)) {
      event.preventDefault();
      toggle();
    } else if (event.key === '/' && !event.target.closest?.('input, select, textarea')) {
      event.preventDefault();
      part('search-words').focus();
    }
  });
  part('skip').addEventListener('click', () => part('library').querySelector('.place:not([hidden]) [tabindex="-1"]')?.focus());
}

/** On small screens a bar at the bottom takes over when the deck is scrolled away. */
function wireMini() {
  new IntersectionObserver(([deck]) => {
    part('mini').hidden = deck.isIntersecting;
  }).observe(part('controls'));
  part('mini-open').addEventListener('click', () => scrollTo({ top: 0, behavior: 'smooth' }));
}

startDeck();
startRooms();
startQueue();
startShelf();
startAlbum();
startSearch(go);
startPlaces();
wireKeys();
wireMini();
watchLink();
watchCatalogue();
connect((notice) => say(notice.message, { key: notice.code, kind: 'error' }));
