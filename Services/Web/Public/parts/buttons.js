// The buttons of the page: pills with words, knobs with a picture alone, and switches.
import { h, setAttribute, setText } from '../core/dom.js';
import { icon, setIcon } from './icons.js';

/** A pill: `kind` is empty, `first` for what most people want, or `quiet`. */
export function pill(name, picture, run, { kind = '', label = null } = {}) {
  return h('button', { type: 'button', class: `pill ${kind}`, 'aria-label': label, onclick: run }, picture && icon(picture), h('span', { text: name }));
}

/** A pill that leads elsewhere. */
export function pillLink(name, href, picture = null, kind = '') {
  return h('a', { class: `pill ${kind}`, href }, picture && icon(picture), h('span', { text: name }));
}

/** A round button with a picture. */
export function knob(picture, label, run, kind = '') {
  const element = h('button', { type: 'button', class: `knob ${kind}`, 'aria-label': label, title: label, onclick: run });
  setIcon(element, picture);
  return element;
}

/** Gives a knob another picture and name. */
export function setKnob(element, picture, label) {
  setIcon(element, picture);
  setAttribute(element, 'aria-label', label);
  setAttribute(element, 'title', label);
}

/** A switch with words beside it; `run` hears whether it is on. */
export function toggleRow(name, isOn, run, hint = null) {
  const words = h('span', { class: 'switch-words' }, h('span', { text: name }), hint && h('small', { text: hint }));
  const box = h('input', { type: 'checkbox', role: 'switch', class: 'switch', onchange: (event) => run(event.target.checked, event.target) });
  box.checked = isOn;
  return h('label', { class: 'switch-row' }, words, box);
}

/** Shows another state of a switch row. */
export function setToggle(row, isOn, name = null) {
  const box = row.querySelector('input');
  if (document.activeElement !== box || box.checked !== isOn) box.checked = isOn;
  if (name) setText(row.querySelector('.switch-words > span'), name);
}

/** A field with its name above. */
export function field(name, properties = {}) {
  const box = h('input', { type: 'text', autocomplete: 'off', spellcheck: 'false', ...properties });
  return h('label', { class: 'field' }, h('span', { text: name }), box);
}

/** A field of choices: `[[value, name]]`. */
export function choices(name, options, value, run, kind = 'field') {
  const box = h('select', { onchange: (event) => run(event.target.value, event.target) }, options.map(([one, words]) => h('option', { value: one, text: words })));
  box.value = value;
  return h('label', { class: kind }, h('span', { text: name }), box);
}
