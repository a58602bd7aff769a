// The light markup of notes: paragraphs, *emphasis* and addresses. A note may contain anything, so it is shown by text
// nodes only.
import { h } from '../core/dom.js';

// An address ends before the punctuation of the sentence that it is in.
const marked = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]'*])|\*([^\s*](?:[^*\n]*[^\s*])?)\*/giu;

function link(text) {
  return h('a', { class: 'link', href: text, target: '_blank', rel: 'noopener noreferrer', text });
}

/** Returns the parts of a text: strings and elements. */
function partsOf(text) {
  const parts = [];
  let from = 0;
  for (const { 0: whole, 1: address, 2: stressed, index } of text.matchAll(marked)) {
    parts.push(text.slice(from, index), address ? link(address) : h('em', { text: stressed }));
    from = index + whole.length;
  }
  return [...parts, text.slice(from)].filter((part) => part !== '');
}

/** Returns the paragraphs of a note. Each is written in the direction of its script. */
export function paragraphs(text) {
  return text.split(/\n\s*\n/).filter((part) => part.trim()).map((part) => h('p', { dir: 'auto' }, partsOf(part)));
}
