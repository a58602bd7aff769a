// The preferences that this browser stores: the room, the order of lists, and switches.

const prefix = 'lunara.';
// Browsers can forbid storage. A preference is then kept until the page is closed.
const held = new Map();

/** Returns a preference, or `otherwise` if none is stored. */
export function preference(name, otherwise = null) {
  if (held.has(name)) return held.get(name);
  try {
    const text = localStorage.getItem(prefix + name);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/** Stores a preference. */
export function setPreference(name, value) {
  held.set(name, value);
  try {
    localStorage.setItem(prefix + name, JSON.stringify(value));
  } catch {
    // The preference is kept in `held` until the page is closed.
  }
}
