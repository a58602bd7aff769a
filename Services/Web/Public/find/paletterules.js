// The command palette decides which entries match the words, in which order, and what keys choose.

/** Returns how well an entry fits words: 0 for not at all, more for words at the beginning of its name. */
function fit({ name, words }, text) {
  if (!text) return 1;
  const [title, all] = [name.toLowerCase(), `${name} ${words}`.toLowerCase()];
  if (title.startsWith(text)) return 3;
  const parts = all.split(/\s+/);
  if (!text.split(/\s+/).every((word) => parts.some((part) => part.startsWith(word)))) return 0;
  return parts.slice(0, title.split(/\s+/).length).some((part) => part.startsWith(text.split(/\s+/)[0])) ? 2 : 1;
}

/** Returns the entries that fit words, the best ones first. */
export function fitting(entries, text) {
  return entries.map((entry) => ({ entry, grade: fit(entry, text) })).filter(({ grade }) => grade > 0)
    .sort((one, other) => other.grade - one.grade).map(({ entry }) => entry);
}

/** Returns the name of what words ask for, and if they ask to play it, as “play NAME” does. */
export function wishOf(text) {
  const [, verb, name] = /^(play )?(.*)$/i.exec(text);
  return { isToPlay: Boolean(verb), name };
}

/** Returns the index of the entry that a key chooses after another one of `count`; null for other keys. */
export function chosenAfter(key, chosen, count) {
  const last = count - 1;
  switch (key) {
    case 'ArrowDown': return chosen >= last ? 0 : chosen + 1;
    case 'ArrowUp': return chosen <= 0 ? last : chosen - 1;
    case 'PageDown': return Math.min(last, chosen + 8);
    case 'PageUp': return Math.max(0, chosen - 8);
    default: return null;
  }
}
