// The settings: one screen with sections, each at its own address.
import { change, read } from '../core/api.js';
import { h, setAttribute } from '../core/dom.js';
import { preference, setPreference } from '../core/preferences.js';
import { showError } from '../parts/banners.js';
import { choices, switchRow, textButton } from '../parts/controls.js';
import { pageHeader } from '../parts/headers.js';
import { showShortcuts } from '../parts/shortcuts.js';
import { canLockScreen, isOnLockScreen, setLockScreen } from '../player/lockscreen.js';

/** Deletes the covers that this browser keeps. Without them, or without the module that keeps them, nothing is lost. */
const forgetCovers = () => import('../phone/worker.js').then(({ forgetCovers: forget }) => forget()).catch(() => {});

/**
 * Returns the section with the settings of this browser: the lock screen, shortcuts, the first screen, signing out, and
 * the installed page.
 */
async function makeBrowserSection(signal) {
  const session = await read('session', {}, signal).catch(() => null);
  const lock = canLockScreen ? switchRow('Lock screen of this device', isOnLockScreen(), (on, box) => {
    setLockScreen(on).catch(() => {
      box.checked = isOnLockScreen();
    });
  },
    'Shows and controls the room on the lock screen. Browsers allow that only to pages with sound, so the page plays '
      + 'a silent loop.')
    : null;
  const shortcuts = switchRow('Keyboard shortcuts', preference('keys', true),
    (on) => setPreference('keys', on),
    'Single keys control the room while you are not typing in a field.');
  const first = choices('First screen', [['', 'Home'], ['wall', 'Wall'], ['albums', 'Albums']],
    preference('firstScreen', ''), (name) => setPreference('firstScreen', name));
  const leave = session?.needsPassword
    ? textButton('Sign out of this page', null,
      () => change('session', {}, 'DELETE').then(forgetCovers).then(() => location.reload()).catch(showError))
    : null;
  const { makePhoneSettings } = await import('../phone/settings.js');
  const installed = await makePhoneSettings();
  const element = h('div', {}, h('h2', { text: 'This browser' }), h('div', { class: 'card switches' }, lock, shortcuts),
    h('div', { class: 'card add' }, first),
    h('div', { class: 'row wrap' }, textButton('List of shortcuts', 'keys', showShortcuts), leave), installed.element);
  return { ...installed, element };
}

/** @type {[name: string, title: string, make: (signal: AbortSignal) => Promise<any>][]} */
const sections = [
  ['sources', 'Music', async (signal) => (await import('../settings/sources.js')).makeSection(signal)],
  ['scrobbling', 'Scrobbling', async (signal) => (await import('../settings/scrobbling.js')).makeSection(signal)],
  ['providers', 'Playlists in step', async (signal) => (await import('../settings/providers.js')).makeSection(signal)],
  ['walls', 'Walls', async (signal) => (await import('../discovery/settings.js')).makeSection(signal)],
  ['garden', 'Garden', async (signal) => (await import('../settings/garden.js')).makeSection(signal)],
  ['plugins', 'Plugins', async (signal) => (await import('../settings/plugins.js')).makeSection(signal)],
  ['offline', 'Offline', async () => (await import('../settings/offline.js')).makeSection()],
  ['health', 'Health', async () => (await import('../settings/health.js')).makeSection()],
  ['browser', 'This browser', makeBrowserSection],
];

/** Opens the settings. */
export async function open() {
  const links = sections.map(([name, title]) => h('a', { class: 'pill', href: `#/settings/${name}`, text: title }));
  const room = h('a', { class: 'pill', href: '#/rooms', text: 'Rooms and sound' });
  const body = h('div', { class: 'settings' });
  const element = h('section', { class: 'screen', 'aria-label': 'Settings' }, pageHeader('Settings'),
    h('nav', { class: 'row wrap', 'aria-label': 'Settings' }, links.slice(0, 1), room, links.slice(1)), body);
  let section = null;
  let isShown = false;
  return {
    title: 'Settings', element, isLive: true,
    async enter({ parts: [name], signal }) {
      const at = Math.max(0, sections.findIndex(([one]) => one === name));
      const next = await sections[at][2](signal);
      section?.hide?.();
      section = next;
      links.forEach((link, index) => setAttribute(link, 'aria-current', index === at ? 'page' : null));
      body.replaceChildren(section.element);
      if (isShown) section.show?.();
    },
    show() {
      isShown = true;
      section?.show?.();
    },
    hide() {
      isShown = false;
      section?.hide?.();
    },
  };
}
