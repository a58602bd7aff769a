// What concerns this browser alone: the lock screen, keys, and signing out of the page.
import { change, read } from '../core/api.js';
import { h } from '../core/dom.js';
import { recall, remember } from '../core/prefs.js';
import { complain } from '../parts/banners.js';
import { pill, toggleRow } from '../parts/buttons.js';
import { showKeys } from '../parts/keys.js';
import { canLockScreen, isOnLockScreen, setLockScreen } from '../player/media.js';

/** The part of the settings. */
export async function part(signal) {
  const session = await read('session', {}, signal).catch(() => null);
  const lock = canLockScreen ? toggleRow('On this lock screen', isOnLockScreen(), (on, box) => {
    setLockScreen(on).catch(() => {
      box.checked = isOnLockScreen();
    });
  }, 'Shows and steers the room on this device’s lock screen. Browsers ask for sound of the page’s own: a silent loop plays.') : null;
  const keys = toggleRow('Keys', recall('keys', true), (on) => remember('keys', on), 'Single keys steer the room while no field is written in.');
  const leave = session?.needsPassword ? pill('Sign out of this page', null, () => change('session', {}, 'DELETE').then(() => location.reload()).catch(complain)) : null;
  return { element: h('div', {}, h('h2', { text: 'This browser' }), h('div', { class: 'card switches' }, lock, keys), h('div', { class: 'row wrap' }, pill('List of keys', 'keys', showKeys), leave)) };
}
