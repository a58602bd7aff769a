// Concerts of the artists that one plays, by date: everywhere, or near a place that this browser remembers. Plugins are
// asked for the artists only, and are never told the place.
import { read } from '../core/api.js';
import { h, setText } from '../core/dom.js';
import { count } from '../core/format.js';
import { preference, setPreference } from '../core/preferences.js';
import { loadStyles } from '../core/stylesheets.js';
import { showError } from '../parts/banners.js';
import { concertGroups } from './concertrows.js';
import { choices, field, textButton } from '../parts/controls.js';
import { emptyMessage, failureMessage, pageHeader } from '../parts/headers.js';

loadStyles('plugins/found.css');

// The pause in milliseconds after which is asked again while plugins answer.
const pause = 3000;
const usual = { near: '', within: 50, months: 6 };
const spans = [[1, 'this month'], [3, 'three months'], [6, 'half a year'], [12, 'a year'], [24, 'two years']];

/** Returns a place such as `47.07,15.44` out of what a person typed; null for no place. */
function placeOf(text) {
  const found = /^\s*(-?\d+(?:\.\d+)?)\s*[,; ]\s*(-?\d+(?:\.\d+)?)\s*$/.exec(text);
  const [latitude, longitude] = (found ?? []).slice(1).map(Number);
  return found && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? `${latitude},${longitude}` : null;
}

/** Asks the browser where it is. */
const here = () => new Promise((resolve, reject) => {
  if (!navigator.geolocation || !isSecureContext) {
    throw new Error('The browser tells its place to pages with an encrypted connection only. Type the place as '
      + 'latitude, longitude.');
  }
  const found = ({ coords }) => resolve(`${coords.latitude.toFixed(3)},${coords.longitude.toFixed(3)}`);
  const refused = () => reject(new Error('The browser does not tell its place. Type it as latitude, longitude.'));
  navigator.geolocation.getCurrentPosition(found, refused, { timeout: 15_000 });
});

/** Opens the screen. */
export async function open() {
  let wanted = { ...usual, ...preference('concerts', {}) };
  let control = null;
  let timer = 0;
  const said = h('p', { class: 'count', role: 'status' });
  const notes = h('div', { class: 'soft' });
  const list = h('div', {});
  const place = field('Near (latitude, longitude)', {
    name: 'near', value: wanted.near, placeholder: '47.07, 15.44', inputmode: 'text',
  });
  const within = field('Within, in km', {
    name: 'within', type: 'number', min: '1', max: '20000', value: String(wanted.within),
  });
  const months = choices('In', spans, String(wanted.months), (value) => choose({ months: Number(value) }));
  const [placeBox, withinBox] = [place, within].map((one) => one.querySelector('input'));

  const show = (found) => {
    list.replaceChildren(...concertGroups(found.concerts));
    setText(said,
      found.waiting
        ? `Plugins are being asked for ${count(found.waiting, 'artist')} …`
        : count(found.concerts.length, 'concert'));
    const texts = [
      found.unplaced
        ? `${count(found.unplaced, 'concert')} more: plugins do not say where exactly. Without a place all are listed.`
        : null,
      ...found.failures.map(({ name, error }) => `${name}: ${error.cause ?? error.message}`),
    ];
    notes.replaceChildren(...texts.filter(Boolean).map((text) => h('p', { text })));
    if (!found.concerts.length && !found.waiting) {
      list.replaceChildren(emptyMessage('No concerts',
        wanted.near
          ? 'Nothing is known near this place in this time. Choose a longer distance or time.'
          : 'Plugins know of no concert of the artists that were played in the last six months.'));
    }
  };

  let isRead = false;
  async function load() {
    clearTimeout(timer);
    if (!isRead) setText(said, 'Loading …');
    control?.abort();
    control = new AbortController();
    const { near, within: km, months: number } = wanted;
    try {
      const found = await read('concerts', { months: number, ...(near ? { near, within: km } : {}) }, control.signal);
      isRead = true;
      if (list.contains(document.activeElement)) element.querySelector('h1').focus({ preventScroll: true });
      show(found);
      if (found.waiting) timer = setTimeout(load, pause);
    } catch (error) {
      if (error.name === 'AbortError') return;
      setText(said, '');
      list.replaceChildren(failureMessage('The concerts could not be read', error, load,
        h('a', { class: 'pill', href: '#/settings/plugins', text: 'Plugins' })));
    }
  }

  function choose(changes) {
    wanted = { ...wanted, ...changes };
    setPreference('concerts', wanted);
    load();
  }

  placeBox.addEventListener('change', () => {
    const near = placeBox.value.trim() ? placeOf(placeBox.value) : '';
    placeBox.setCustomValidity(near === null ? 'Type a latitude and a longitude, such as 47.07, 15.44.' : '');
    if (near === null) placeBox.reportValidity();
    else choose({ near });
  });
  withinBox.addEventListener('change',
    () => withinBox.reportValidity() && withinBox.value && choose({ within: Number(withinBox.value) }));
  const locate = textButton('Where I am', 'info', async () => {
    try {
      const near = await here();
      placeBox.value = near;
      choose({ near });
    } catch (error) {
      showError(error);
    }
  });
  const everywhere = textButton('Everywhere', null, () => {
    placeBox.value = '';
    choose({ near: '' });
  }, { kind: 'quiet' });
  const tools = h('form', {
    class: 'card concert-tools', 'aria-label': 'Which concerts', onsubmit: (event) => event.preventDefault(),
  }, place, within, months, locate, everywhere);
  const element = h('section', { class: 'screen', 'aria-label': 'Concerts' },
    pageHeader('Concerts', said),
    tools, list, notes);
  return {
    title: 'Concerts', element, isLive: true,
    show: load,
    hide() {
      clearTimeout(timer);
      control?.abort();
    },
  };
}

/** Returns the concerts of an artist as a part of another screen; it is empty until there are some. */
export function concertsOf(artist) {
  const element = h('section', { class: 'group', hidden: true }, h('h2', { text: 'Concerts' }));
  read('concerts', { artist }).then(({ concerts }) => {
    element.append(...concertGroups(concerts, 'h3'));
    element.hidden = !concerts.length;
  }).catch(() => {}); // The screen works without concerts.
  return element;
}
