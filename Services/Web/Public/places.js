// The places of the page and their addresses: the shelf, an album, a search. Back and forward work as everywhere.
import { openAlbum } from './album.js';
import { complain } from './banners.js';
import { albumPath } from './records.js';
import { openSearch } from './search.js';
import { openShelf } from './shelf.js';

const part = (id) => document.getElementById(id);
const calm = matchMedia('(prefers-reduced-motion: reduce)');
const scrolled = new Map();
let current = { name: 'shelf', address: '#/' };
let opening = null;

function parse(address) {
  const [, name, ...rest] = address.split('/');
  try {
    if (name === 'album' && rest.length) return { name: 'album', id: decodeURIComponent(rest.join('/')), address };
    if (name === 'search' && rest.length) return { name: 'found', words: decodeURIComponent(rest.join('/')), address };
  } catch {
    // An address that is not well-formed leads to the shelf.
  }
  return { name: 'shelf', address: '#/' };
}

function swap(place, moveFocus) {
  for (const name of ['shelf', 'album', 'found']) part(name).hidden = name !== place.name;
  part('back').hidden = place.name === 'shelf';
  if (place.name === 'shelf' && document.activeElement !== part('search-words')) part('search-words').value = '';
  if (place.name === 'album') part('search-words').value = '';
  // On small screens the deck stands above the library: what was asked for is brought into sight.
  const landing = scrolled.get(place.address) ?? (place.name === 'shelf' ? 0 : part('library').offsetTop);
  scrollTo({ top: landing, behavior: 'instant' });
  if (moveFocus) document.querySelector(`#${place.name} [tabindex="-1"]`)?.focus({ preventScroll: true });
}

/** The cover that a record and its album share, so that it can glide from one to the other. */
function shared(place, before) {
  const album = [place, before].find((one) => one.name === 'album');
  if (!album) return null;
  const side = place === album ? before : place;
  const link = part(side.name).querySelector(`[href="${CSS.escape(albumPath(album.id))}"]`);
  return link?.querySelector('.cover') ?? null;
}

function glide(place, before, change) {
  if (!document.startViewTransition || calm.matches) return change();
  const small = shared(place, before);
  const name = (element) => element?.style.setProperty('view-transition-name', 'sleeve');
  const clear = (element) => element?.style.removeProperty('view-transition-name');
  const large = () => document.querySelector('#album .cover');
  if (place.name === 'album') name(small);
  else if (before.name === 'album') name(large());
  const transition = document.startViewTransition(() => {
    clear(small);
    clear(large());
    change();
    name(place.name === 'album' ? large() : small);
  });
  return transition.finished.finally(() => {
    clear(small);
    clear(large());
  });
}

async function visit(first = false) {
  const place = parse(location.hash || '#/');
  opening?.abort();
  const control = new AbortController();
  opening = control;
  const before = current;
  scrolled.set(before.address, scrollY);
  try {
    if (place.name === 'album') await openAlbum(place.id, control.signal);
    if (place.name === 'shelf') openShelf();
    if (place.name === 'found') await openSearch(place.words, control.signal);
  } catch (error) {
    if (error.name === 'AbortError') return;
    complain(error);
    // Nothing stands at that address, so it does not stay in the bar either.
    history.replaceState(null, '', first ? '#/' : current.address);
    if (first) visit(true);
    return;
  }
  if (control.signal.aborted) return;
  current = place;
  const typing = document.activeElement === part('search-words');
  const change = () => swap(place, !first && !typing && place.name !== before.name);
  if (first || place.name === before.name || typing) change();
  else glide(place, before, change);
}

/** Goes to a place; `instead` replaces the address so that typing leaves no trail. */
export function go(address, instead = false) {
  if ((location.hash || '#/') === address) return;
  if (instead && parse(address).name === current.name) {
    history.replaceState(null, '', address);
    visit();
  } else {
    location.hash = address;
  }
}

/** Opens the place of the address and follows it from then on. */
export function startPlaces() {
  history.scrollRestoration = 'manual';
  addEventListener('hashchange', () => visit());
  visit(true);
}
