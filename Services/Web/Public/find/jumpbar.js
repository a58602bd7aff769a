// The bar at the side of a long list with letters, years or months, with which a person jumps to their first items.
import { h, reconcile, setAttribute } from '../core/dom.js';

const isByLetters = (sort) => sort === 'name' || sort === 'title' || sort === 'artists';

const most = 27;

/** Returns at most 27 of the marks, at equal distances, so that each is large enough to be hit. */
function fewer(marks) {
  const step = Math.ceil(marks.length / most);
  return marks.filter((_, index) => index % step === 0);
}

/** Returns the label of a mark; all digits have the label `#`. */
function called(name, sort) {
  if (!isByLetters(sort)) return name;
  return /^\d/.test(name) ? '#' : name.toUpperCase();
}

function joined(marks, sort) {
  const result = [];
  for (const mark of marks) {
    const name = called(mark.name, sort);
    if (result.at(-1)?.name === name) result.at(-1).count += mark.count;
    else result.push({ ...mark, name });
  }
  return result;
}

const letters = [...'abcdefghijklmnopqrstuvwxyz'];

/**
 * Returns a bar with all letters, for a list that can begin at any; calls `jump(letter)`, with null for the beginning.
 */
export function makeLetterBar(jump) {
  const bar = makeJumpBar((index) => jump(letters[index - 1] ?? null));
  bar.set({ total: 100, marks: ['#', ...letters].map((name, first) => ({ name, first })) }, 'artists');
  return bar;
}

/** Returns a bar, which `set(index, sort)` fills; calls `jump(first)` with the index of the first item of a mark. */
export function makeJumpBar(jump) {
  const list = h('ul');
  const element = h('nav', { class: 'jump-bar', 'aria-label': 'Jump to', hidden: true }, list);
  // A finger that slides along the bar jumps to each mark under it.
  element.addEventListener('pointermove', (event) => {
    if (event.pointerType === 'mouse' || !event.buttons) return;
    const button = document.elementFromPoint(event.clientX, event.clientY)?.closest('.jump-bar button');
    if (button && element.contains(button)) jump(Number(button.dataset.first));
  });
  element.set = (index, sort) => {
    const marks = index && index.total > 24 ? fewer(joined(index.marks, sort)) : [];
    element.hidden = marks.length < 3;
    setAttribute(element, 'data-long', isByLetters(sort) ? null : 'yes');
    reconcile(list, marks, ({ name, first }) => `${name} ${first}`,
      ({ name, first, count }) => h('li', {}, h('button', {
        type: 'button', 'data-first': first, 'aria-label': [name, count].filter(Boolean).join(', '), text: name,
          onclick: () => jump(first),
      })));
  };
  return element;
}
