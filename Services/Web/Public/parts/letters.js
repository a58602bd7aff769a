// Jumping in a long list: a strip of letters, years or months at its side, each leading to where it begins.
import { h, reconcile, setAttribute } from '../core/dom.js';

const most = 27;

/** Few enough marks to be hit: of many every so many is shown. */
function fewer(marks) {
  const step = Math.ceil(marks.length / most);
  return marks.filter((_, index) => index % step === 0);
}

/** Letters as they are written; digits are all called `#`. */
function called(name, sort) {
  if (sort !== 'name' && sort !== 'artists') return name;
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

/** A strip; `jump(index)` is called with the place of the first item. `set(index, sort)` fills it. */
export function letterStrip(jump) {
  const list = h('ul');
  const element = h('nav', { class: 'strip', 'aria-label': 'Jump to', hidden: true }, list);
  // A finger that slides along passes letter after letter.
  element.addEventListener('pointermove', (event) => {
    if (event.pointerType === 'mouse' || !event.buttons) return;
    const button = document.elementFromPoint(event.clientX, event.clientY)?.closest('.strip button');
    if (button && element.contains(button)) jump(Number(button.dataset.first));
  });
  element.set = (index, sort) => {
    const marks = index && index.total > 24 ? fewer(joined(index.marks, sort)) : [];
    element.hidden = marks.length < 3;
    setAttribute(element, 'data-long', sort === 'name' || sort === 'artists' ? null : 'yes');
    reconcile(list, marks, ({ name, first }) => `${name} ${first}`,
      ({ name, first, count }) => h('li', {}, h('button', {
        type: 'button', 'data-first': first, 'aria-label': [name, count].filter(Boolean).join(', '), text: name, onclick: () => jump(first),
      })));
  };
  return element;
}
