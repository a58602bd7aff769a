// Installing the page on this device: the browser's own offer where it makes one, and what a person can do elsewhere.
import { preference, setPreference } from '../core/preferences.js';
import { showBanner } from '../parts/banners.js';

let offer = null;
const listeners = new Set();

function changed() {
  for (const listener of listeners) listener();
}

/** Calls `listener` when the offer of the browser comes or goes. Returns the function that ends this. */
export function onOffer(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns true if the browser can install the page now. */
function canInstall() {
  return Boolean(offer);
}

/** Has the browser ask if the page is to be installed. An offer can be used once. */
export async function install() {
  const used = offer;
  offer = null;
  changed();
  await used?.prompt();
}

/** Keeps the offer of the browser for the settings. A touch screen is told of it once. */
export function keepOffer(event) {
  offer = event;
  changed();
  if (!matchMedia('(pointer: coarse)').matches || preference('installHint', false)) return;
  setPreference('installHint', true);
  showBanner('Lunara can be on the home screen of this device, with a window of its own.', {
    key: 'install', action: { name: 'Install', run: install },
  });
}

/**
 * Returns how this page stands with installing: `installed`, `offered` (the browser does it), `apple` (by the menu for
 * sharing), `plain` (the address is not encrypted), or `menu` (by the menu of the browser, if it can at all).
 */
export function installState() {
  if (matchMedia('(display-mode: standalone)').matches || navigator.standalone) return 'installed';
  if (canInstall()) return 'offered';
  // Safari on iPhone and iPad has this property, and no other browser.
  if (navigator.standalone === false) return 'apple';
  return window.isSecureContext ? 'menu' : 'plain';
}

addEventListener('appinstalled', () => {
  offer = null;
  changed();
});
