// The part of the settings of this browser about the installed page: installing it, what is kept in this browser, and
// what an address without encryption forbids.
import { h, setText } from '../core/dom.js';
import { count } from '../core/format.js';
import { loadStyles } from '../core/stylesheets.js';
import { textButton } from '../parts/controls.js';
import { showBanner, showError } from '../parts/banners.js';
import { install, installState, onOffer } from './install.js';
import { forgetCovers } from './worker.js';

loadStyles('phone/settings.css');

const words = {
  installed: 'This page is installed on this device.',
  offered: 'On the home screen, Lunara has a window of its own, and links of music services can be shared to it.',
  apple: 'In the browser’s menu for sharing, choose “Add to Home Screen”. Lunara then has a window of its own.',
  menu: 'If this browser can install pages, its menu has “Install” or “Add to Home screen”.',
  plain: 'Browsers install this page, and open it without a connection, only from an encrypted address.',
};

/** Returns the steps to an encrypted address, for the person who looks after the machine with Lunara. */
function encryptionHelp() {
  const steps = [
    'Give the machine with Lunara a name that all devices in your home know, in the settings of your router.',
    'Make a certificate for that name, by an authority of your own, or by a public one if the name is a public one.',
    'Let every device trust your own authority: its certificate is opened on the device and added there.',
    'Set the files of the certificate and of its key in the settings of Lunara, and start Lunara again.',
  ];
  const more =
    'The chapter “An encrypted address” of “The page and its interface”, in Lunara’s documents, has each step '
      + 'with an example. A proxy that encrypts, in front of Lunara, does as well.';
  return h('details', { class: 'card add', id: 'encryption' },
    h('summary', { text: 'How this page gets an encrypted address' }),
    h('ol', { class: 'phone-steps' }, steps.map((text) => h('li', { text }))), h('p', { class: 'soft', text: more }));
}

/** Returns the row about what this browser keeps, with a button that deletes it. */
function keptRow() {
  const said = h('p', { class: 'soft', role: 'status' });
  const remove = textButton('Delete the kept covers', 'trash', async () => {
    try {
      await forgetCovers();
      showBanner('This browser keeps no covers any more.', { key: 'covers' });
      await show();
    } catch (error) {
      showError(error);
    }
  });
  async function show() {
    const covers = await caches.has('covers') ? (await (await caches.open('covers')).keys()).length : 0;
    const isKept = Boolean(navigator.serviceWorker.controller);
    setText(said, isKept
      ? `This browser keeps the page itself and ${count(covers, 'cover')}, so it opens at once. The music stays at `
        + 'home.'
      : 'From the next visit on, this browser keeps the page itself and the last covers.');
    remove.hidden = !covers;
  }
  return { element: h('div', {}, said, h('div', { class: 'row wrap' }, remove)), show };
}

/** Returns this part of the settings. */
export async function makePhoneSettings() {
  const said = h('p', { class: 'soft' });
  const button = textButton('Install Lunara', 'plus', () => install().catch(showError), { kind: 'first' });
  const kept = window.caches && navigator.serviceWorker ? keptRow() : null;
  const help = window.isSecureContext ? null : encryptionHelp();
  const update = () => {
    const state = installState();
    setText(said, words[state]);
    button.hidden = state !== 'offered';
  };
  let stop = () => {};
  const element = h('section', { class: 'phone-settings', 'aria-labelledby': 'on-this-device' },
    h('h3', { id: 'on-this-device', text: 'On this device' }),
    h('div', { class: 'card add' }, said, button, kept?.element), help);
  update();
  await kept?.show().catch(() => {}); // A browser that keeps nothing, as in a private window, has nothing to say.
  return {
    element,
    show() {
      stop = onOffer(update);
      update();
    },
    hide: () => stop(),
  };
}
