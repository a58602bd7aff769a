// Functions that build and update the document. Text is always set as textContent, as titles may contain markup.

/**
 * Returns a new element. Properties that begin with `on` are event listeners, `text` is the text, `vars` are custom
 * properties of the style, and all others are attributes. Children that are null are left out, and nested lists of
 * children are flattened.
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'text') element.textContent = value;
    else if (name === 'vars') setVars(element, value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat(2).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Returns a new SVG element. */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Sets the text of an element only if it differs, so that nothing is laid out or announced again without need. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Shows a message of a service in an element; text between backquotes is shown as code. */
export function setMessage(element, message) {
  if (element.dataset.message === message) return;
  element.dataset.message = message;
  element.replaceChildren(...message.split('`').map((part, index) => (index % 2 ? h('code', { text: part }) : part)));
}

/** Sets an attribute only if it differs; null removes it. */
export function setAttribute(element, name, value) {
  if (value === null || value === undefined) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}

/** Sets custom properties of an element's style; null removes one. */
export function setVars(element, vars) {
  for (const [name, value] of Object.entries(vars)) {
    if (value === null || value === undefined) element.style.removeProperty(name);
    else if (element.style.getPropertyValue(name) !== String(value)) element.style.setProperty(name, value);
  }
}

/**
 * Makes the children of `parent` match `items`. A child with the same key stays the same element; it is moved only if
 * the order has changed, and updated in place.
 * @template Item
 * @param {Element} parent
 * @param {Item[]} items
 * @param {(item: Item, index: number) => unknown} keyOf
 * @param {(item: Item) => any} make
 * @param {(element: any, item: Item) => unknown} [update]
 */
export function reconcile(parent, items, keyOf, make, update = () => {}) {
  const keys = items.map((item, at) => String(keyOf(item, at)));
  const wanted = new Set(keys);
  const old = new Map();
  // Elements that go are removed first: one that is moved instead would lose the focus, and be laid out again.
  for (const child of [...parent.children]) {
    const { key } = /** @type {HTMLElement} */ (child).dataset;
    if (wanted.has(key) && !old.has(key)) old.set(key, child);
    else child.remove();
  }
  let place = parent.firstElementChild;
  items.forEach((item, at) => {
    const key = keys[at];
    let child = old.get(key);
    if (child) {
      old.delete(key);
    } else {
      child = make(item);
      child.dataset.key = key;
    }
    update(child, item);
    if (child === place) place = place.nextElementSibling;
    else parent.insertBefore(child, place);
  });
}

/** Returns the font size of the page in pixels, which is the unit `rem` of the style. */
export function rem() {
  return parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
}

/** The media query that matches if the person prefers little motion. */
export const calm = matchMedia('(prefers-reduced-motion: reduce)');
