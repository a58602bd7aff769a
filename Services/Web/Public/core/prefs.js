// What this browser remembers: the room, orders of lists, and what was switched on or off in it.

const prefix = 'lunara.';
// Storage can be forbidden; a choice then lasts as long as the page.
const held = new Map();

/** A choice, or `otherwise` where none was made. */
export function recall(name, otherwise = null) {
  if (held.has(name)) return held.get(name);
  try {
    const text = localStorage.getItem(prefix + name);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/** Keeps a choice. */
export function remember(name, value) {
  held.set(name, value);
  try {
    localStorage.setItem(prefix + name, JSON.stringify(value));
  } catch {
    // As above.
  }
}
