// Links and words that another app has shared with the installed page.

/** Makes a link, or words, the address of a search for them. */
export function openShared() {
  const shared = new URLSearchParams(location.search);
  const texts = ['link', 'text', 'title'].map((name) => shared.get(name)?.trim()).filter(Boolean);
  if (!texts.length) return;
  // Many apps send a link within a text.
  const words = texts.join(' ').match(/\bhttps?:\/\/\S+/)?.[0] ?? texts[0];
  history.replaceState(null, '', `/#/search?q=${encodeURIComponent(words)}`);
}
