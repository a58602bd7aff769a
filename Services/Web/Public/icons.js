// The few pictograms of the page, drawn on a grid of 24.
import { svg } from './dom.js';

const paths = {
  play: 'M8 5.2v13.6c0 .8.9 1.3 1.6.8l10-6.8c.6-.4.6-1.2 0-1.6l-10-6.8C8.9 3.9 8 4.4 8 5.2z',
  pause: 'M7.5 4.5h2.6c.5 0 .9.4.9.9v13.2c0 .5-.4.9-.9.9H7.5c-.5 0-.9-.4-.9-.9V5.4c0-.5.4-.9.9-.9zm6.4 0h2.6c.5 0 .9.4.9.9v13.2c0 .5-.4.9-.9.9h-2.6c-.5 0-.9-.4-.9-.9V5.4c0-.5.4-.9.9-.9z',
  next: 'M5 6.3v11.4c0 .8.9 1.2 1.5.8l8-5.7v5.3c0 .6.4 1 1 1h1.3c.6 0 1-.4 1-1V5.9c0-.6-.4-1-1-1h-1.3c-.6 0-1 .4-1 1v5.3l-8-5.7C5.9 5.1 5 5.5 5 6.3z',
  previous: 'M19 6.3v11.4c0 .8-.9 1.2-1.5.8l-8-5.7v5.3c0 .6-.4 1-1 1H7.2c-.6 0-1-.4-1-1V5.9c0-.6.4-1 1-1h1.3c.6 0 1 .4 1 1v5.3l8-5.7c.6-.4 1.5 0 1.5.8z',
  volume: 'M4 9.5v5c0 .4.3.7.7.7h2.9l4.2 3.6c.5.4 1.2.1 1.2-.5V5.7c0-.6-.7-.9-1.2-.5L7.6 8.8H4.7c-.4 0-.7.3-.7.7zm12.1-1.2a5 5 0 0 1 0 7.4m2.5-10a8.6 8.6 0 0 1 0 12.6',
  queueNext: 'M4 6h10M4 11h6M4 16h6m4-4 5 3.5-5 3.5z',
  queueLater: 'M4 6h16M4 11h16M4 16h7m6-2v6m-3-3h6',
  close: 'M6 6l12 12M18 6 6 18',
  shuffle: 'M4 7h3.5c5 0 4 10 9 10H20m0 0-2.5-2.5M20 17l-2.5 2.500M4 17h3.500c1.6 0 2.6-1 3.4-2.400M13 9.400C13.8 8 14.9 7 16.5 7H20m0 0-2.5-2.500M20 7l-2.5 2.5',
  repeat: 'M5 11V9.500A2.5 2.5 0 0 1 7.5 7H19m0 0-2.5-2.500M19 7l-2.5 2.500M19 13v1.500a2.5 2.5 0 0 1-2.5 2.500H5m0 0 2.5 2.500M5 17l2.5-2.5',
  repeatOne: 'M5 11V9.500A2.5 2.5 0 0 1 7.5 7H19m0 0-2.5-2.500M19 7l-2.5 2.500M19 13v1.500a2.5 2.5 0 0 1-2.5 2.500H5m0 0 2.5 2.500M5 17l2.5-2.500M11 10.800l1.5-.9v4.4',
  muted: 'M4 9.500v5c0 .4.3.7.7.7h2.900l4.2 3.600c.5.4 1.2.1 1.2-.5V5.700c0-.6-.7-.9-1.2-.5L7.6 8.800H4.700c-.4 0-.7.3-.7.7zm12 .5 4.5 4.500m0-4.500L16 14.5',
};
const outlined = new Set(['queueNext', 'queueLater', 'close', 'shuffle', 'repeat', 'repeatOne']);

/** A pictogram that takes the colour of its text and is silent to screen readers. */
export function icon(name) {
  const shape = svg('path', { d: paths[name] });
  if (outlined.has(name)) shape.setAttribute('class', 'line');
  if (name === 'volume' || name === 'muted') shape.setAttribute('class', 'both');
  return svg('svg', { viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true', 'data-icon': name }, shape);
}

/** Puts a pictogram into a button, once. */
export function setIcon(button, name) {
  if (button.dataset.icon === name) return;
  button.dataset.icon = name;
  button.replaceChildren(icon(name));
}
