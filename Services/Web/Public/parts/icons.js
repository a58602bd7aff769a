// The icons of the page, drawn on a grid of 24.
import { svg } from '../core/dom.js';

const paths = {
  play: 'M8 5.2v13.6c0 .8.9 1.3 1.6.8l10-6.8c.6-.4.6-1.2 0-1.6l-10-6.8C8.9 3.9 8 4.4 8 5.2z',
  pause: 'M7.5 4.5h2.6c.5 0 .9.4.9.9v13.2c0 .5-.4.9-.9.9H7.5c-.5 0-.9-.4-.9-.9V5.4c0-.5.4-.9.9-.9zm6.4 0h2.6c.5 0 .9.4.9.9v13.2c0 .5-.4.9-.9.9h-2.6c-.5 0-.9-.4-.9-.9V5.4c0-.5.4-.9.9-.9z',
  stop: 'M7.4 6.5h9.2c.5 0 .9.4.9.9v9.2c0 .5-.4.9-.9.9H7.4c-.5 0-.9-.4-.9-.9V7.4c0-.5.4-.9.9-.9z',
  next: 'M5 6.3v11.4c0 .8.9 1.2 1.5.8l8-5.7v5.3c0 .6.4 1 1 1h1.3c.6 0 1-.4 1-1V5.9c0-.6-.4-1-1-1h-1.3c-.6 0-1 .4-1 1v5.3l-8-5.7C5.9 5.1 5 5.5 5 6.3z',
  previous: 'M19 6.3v11.4c0 .8-.9 1.2-1.5.8l-8-5.7v5.3c0 .6-.4 1-1 1H7.2c-.6 0-1-.4-1-1V5.9c0-.6.4-1 1-1h1.3c.6 0 1 .4 1 1v5.3l8-5.7c.6-.4 1.5 0 1.5.8z',
  volume: 'M4 9.5v5c0 .4.3.7.7.7h2.9l4.2 3.6c.5.4 1.2.1 1.2-.5V5.7c0-.6-.7-.9-1.2-.5L7.6 8.8H4.7c-.4 0-.7.3-.7.7zm12.1-1.2a5 5 0 0 1 0 7.4m2.5-10a8.6 8.6 0 0 1 0 12.6',
  queueNext: 'M4 6h10M4 11h6M4 16h6m4-4 5 3.5-5 3.5z',
  queueLater: 'M4 6h16M4 11h16M4 16h7m6-2v6m-3-3h6',
  close: 'M6 6l12 12M18 6 6 18',
  shuffle: 'M4 7h3.5c5 0 4 10 9 10H20m0 0-2.5-2.5M20 17l-2.5 2.5M4 17h3.5c1.6 0 2.6-1 3.4-2.4M13 9.4C13.8 8 14.9 7 16.5 7H20m0 0-2.5-2.5M20 7l-2.5 2.5',
  repeat: 'M5 11V9.5A2.5 2.5 0 0 1 7.5 7H19m0 0-2.5-2.5M19 7l-2.5 2.5M19 13v1.5a2.5 2.5 0 0 1-2.5 2.5H5m0 0 2.5 2.5M5 17l2.5-2.5',
  repeatOne: 'M5 11V9.5A2.5 2.5 0 0 1 7.5 7H19m0 0-2.5-2.5M19 7l-2.5 2.5M19 13v1.5a2.5 2.5 0 0 1-2.5 2.5H5m0 0 2.5 2.5M5 17l2.5-2.5M11 10.8l1.5-.9v4.4',
  muted: 'M4 9.5v5c0 .4.3.7.7.7h2.9l4.2 3.6c.5.4 1.2.1 1.2-.5V5.7c0-.6-.7-.9-1.2-.5L7.6 8.8H4.7c-.4 0-.7.3-.7.7zm12 .5 4.5 4.5m0-4.5L16 14.5',
};
// The icons that are drawn as lines instead of filled.
const lines = {
  home: 'M4 8.5h16v11H4zM6.5 5.5h11M9 2.8h6',
  albums: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  artists: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20c.6-4 3.5-6 7.5-6s6.9 2 7.5 6',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.3 15.3 20 20',
  tracks: 'M9 17.5V5l10-2v12.5M9 17.5a2.8 2.5 0 1 1-5.6 0 2.8 2.5 0 0 1 5.6 0zM19 15.5a2.8 2.5 0 1 1-5.6 0 2.8 2.5 0 0 1 5.6 0z',
  genres: 'M4 8l8-4 8 4-8 4zM4 12.2l8 4 8-4M4 16.4l8 4 8-4',
  collections: 'M7 4h10M5.5 7.5h13M4 11h16v9H4z',
  playlists: 'M4 6h12M4 11h12M4 16h7M18 9v8.5M18 17.5a2 1.8 0 1 1-4 0 2 1.8 0 0 1 4 0zM18 9l3 1.5',
  queue: 'M4 5h16M4 10h16M4 15h7M4 20h7M14 14.5v6l5.5-3z',
  rooms: 'M7 3h10v18H7zM12 17.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM12 7.5a1 1 0 1 0 0-2 1 1 0 0 0 0 2z',
  settings: 'M4 7h9M17 7h3M15 9.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4zM4 17h3M11 17h9M9 19.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4z',
  more: 'M5.5 12h.01M12 12h.01M18.5 12h.01',
  back: 'M4.5 4v5h5M5 9a8 8 0 1 1-1 5',
  forward: 'M19.5 4v5h-5M19 9a8 8 0 1 0 1 5',
  plus: 'M12 5v14M5 12h14',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  remove: 'M6 6l12 12M18 6 6 18',
  drag: 'M5 9h14M5 15h14',
  pin: 'M9 3.5h6l-1 6 3.5 3.5h-11L10 9.5zM12 13v7.5',
  sync: 'M19.5 4v5h-5M4.5 20v-5h5M19 9A8 8 0 0 0 5.5 7M5 15a8 8 0 0 0 13.5 2',
  up: 'M6 15l6-6 6 6',
  down: 'M6 9l6 6 6-6',
  left: 'M15 5l-7 7 7 7',
  keys: 'M3 6.5h18v11H3zM7 10h.01M11 10h.01M15 10h.01M8 14h8',
  trash: 'M5 7h14M10 7V4.5h4V7M7 7l1 13h8l1-13',
  filter: 'M4 6h16M7 12h10M10 18h4',
  info: 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM12 11v5.5M12 7.5h.01',
  folders: 'M3.5 6.5h6l2 2.5h9v10h-17z',
  works: 'M6 3.5h9l4 4V20.5H6zM9 17v-6l6-1v6M9 17a1.2 1 0 1 1-2.4 0 1.2 1 0 0 1 2.4 0zM15 16a1.2 1 0 1 1-2.4 0 1.2 1 0 0 1 2.4 0z',
  right: 'M9 5l7 7-7 7',
  exclude: 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM6 6l12 12',
  problems: 'M12 4 21 19.5H3zM12 10v4.5M12 17h.01',
  concerts: 'M4 9V6h16v3a3 3 0 0 0 0 6v3H4v-3a3 3 0 0 0 0-6zM14 6v2.5M14 11v2M14 15.5V18',
  ask: 'M4 5h16v11H10l-4 4v-4H4zM8 9h8M8 12h5',
  wall: 'M3.5 3.5h17v17h-17zM9.2 3.5v17M14.8 3.5v17M3.5 9.2h17M3.5 14.8h17',
  likes: 'M12 20C9 18 3.5 14 3.5 8.8 3.5 6 5.6 4 8 4c1.7 0 3.1.9 4 2.4C12.9 4.9 14.3 4 16 4c2.4 0 4.5 2 4.5 4.8C20.5 14 15 18 12 20z',
  random: 'M5 5h14v14H5zM9 9h.01M15 9h.01M12 12h.01M9 15h.01M15 15h.01',
  themes: 'M12 3.5a8.5 8.5 0 1 0 0 17c1.6 0 1.8-1.2 1.2-2.2-.8-1.4 0-2.8 1.6-2.8H18a2.5 2.5 0 0 0 2.5-2.5c0-5.3-3.8-9.5-8.5-9.5zM8 10h.01M12 7.5h.01M16 10h.01',
  history: 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM12 7.5V12l3.5 2',
  statistics: 'M4 20h16M7 20v-6M12 20V6M17 20v-9',
  garden: 'M12 20.5V11M12 14c0-4.5-2.7-7-7.5-7 0 4.5 3 7 7.5 7zM12 11c0-4.2 2.6-6.5 7.5-6.5 0 4.5-3 6.5-7.5 6.5z',
  sleep: 'M19.5 14.5A8 8 0 1 1 10 4.5a6.5 6.5 0 0 0 9.5 10z',
};
Object.assign(paths, lines);
const outlined = new Set([...Object.keys(lines), 'queueNext', 'queueLater', 'close', 'shuffle', 'repeat', 'repeatOne']);

// The icons that were made, of which each further one is a copy: a list makes the same ones for each of its rows.
const made = new Map();

/** Adds icons that are drawn as lines. */
export function addIcons(more) {
  Object.assign(paths, more);
  for (const name in more) {
    outlined.add(name);
    made.delete(name);
  }
}

function make(name) {
  const shape = svg('path', { d: paths[name] });
  if (outlined.has(name)) shape.setAttribute('class', 'line');
  if (name === 'volume' || name === 'muted') shape.setAttribute('class', 'both');
  return svg('svg', { viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true', 'data-icon': name }, shape);
}

/** Returns an icon in the colour of the text around it, hidden from screen readers. */
export function icon(name) {
  if (!made.has(name)) made.set(name, make(name));
  return made.get(name).cloneNode(true);
}

/** Sets the icon of a button, if it has another one. */
export function setIcon(button, name) {
  if (button.dataset.icon === name) return;
  button.dataset.icon = name;
  button.replaceChildren(icon(name));
}
