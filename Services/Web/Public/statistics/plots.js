// Plots as inline SVG, drawn for the width that they have. Each has a table with the same numbers, which a screen
// reader reads and everybody can open.
import { h, rem, svg } from '../core/dom.js';

const text = (content, attributes) => {
  const element = svg('text', attributes);
  element.textContent = content;
  return element;
};

const titled = (element, words) => {
  const title = svg('title');
  title.textContent = words;
  element.append(title);
  return element;
};

/** Returns a round number that is at least as great: 1, 2, 2.5 or 5 times a power of ten. */
function roundUp(number) {
  if (number <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(number));
  return [1, 2, 2.5, 5, 10].find((step) => step * power >= number) * power;
}

/** Returns a rectangle with round corners at its top. */
function column(x, top, width, height, kind) {
  return svg('rect', {
    x: x.toFixed(1), y: top.toFixed(1), width: width.toFixed(1), height: Math.max(0, height).toFixed(1),
    rx: Math.min(3, width / 4, height / 2).toFixed(1), class: kind,
  });
}

/** Returns every which label is shown, so that labels of a width in pixels do not overlap. */
const stepOf = (count, space, width) => Math.max(1, Math.ceil((count * width) / Math.max(1, space)));

/**
 * Draws columns, each of one or several parts that stand on each other. `columns` are `{ label, said, parts }`, of
 * which `parts` are numbers; `format` writes a number of the axis.
 */
function drawColumns(width, { columns, format, height, labelWidth, classOf }) {
  const unit = rem();
  const [left, bottom, top] = [3.6 * unit, 1.6 * unit, .6 * unit];
  const space = Math.max(60, width - left);
  const tall = height * unit - bottom - top;
  const sums = columns.map(({ parts }) => parts.reduce((sum, one) => sum + one, 0));
  const most = roundUp(Math.max(...sums, 0));
  const picture = svg('svg', {
    viewBox: `0 0 ${width} ${height * unit}`, width, height: height * unit, 'aria-hidden': 'true', focusable: 'false',
  });
  // A middle line whose number reads like another one would only confuse.
  const isPlain = new Set([0, .5, 1].map((share) => format(most * share))).size === 3;
  for (const share of isPlain ? [0, .5, 1] : [0, 1]) {
    const y = top + tall * (1 - share);
    picture.append(svg('line', { x1: left, x2: width, y1: y, y2: y, class: share ? 'plot-line' : 'plot-base' }),
      text(format(most * share), { x: left - .5 * unit, y: y + .32 * unit, class: 'plot-number' }));
  }
  const each = space / Math.max(1, columns.length);
  const thick = Math.max(1, Math.min(each * .78, 3.2 * unit));
  const every = stepOf(columns.length, space, labelWidth * unit);
  columns.forEach(({ label, said, parts }, index) => {
    const middle = left + each * (index + .5);
    let y = top + tall;
    const group = titled(svg('g', { class: 'plot-column' }), said);
    parts.forEach((one, part) => {
      const size = (one / most) * tall;
      if (size <= 0) return;
      y -= size;
      group.append(column(middle - thick / 2, y, thick, size, classOf(part)));
    });
    // The whole column answers to the pointer, also where it is low.
    group.append(svg('rect', { x: left + each * index, y: top, width: each, height: tall, class: 'plot-hit' }));
    picture.append(group);
    const isLast = index + every > columns.length - 1;
    if (index % every === 0 && !(isLast && middle + labelWidth * unit * .4 > width)) {
      picture.append(text(label, { x: middle, y: height * unit - .3 * unit, class: 'plot-label' }));
    }
  });
  return picture;
}

/** Returns a table of numbers: `head` are the names of its columns, and the first cell of each row names the row. */
export function table(caption, head, rows) {
  return h('table', { class: 'plot-table' }, h('caption', { class: 'unseen', text: caption }),
    h('thead', {}, h('tr', {}, head.map((name) => h('th', { scope: 'col', text: name })))),
    h('tbody', {}, rows.map(([name, ...cells]) => h('tr', {}, h('th', { scope: 'row', text: name }),
      cells.map((cell) => h('td', { text: String(cell) }))))));
}

/** Returns a picture that is drawn again when its width changes. */
function drawn(draw) {
  const box = h('div', { class: 'plot-box' });
  let last = 0;
  const size = new ResizeObserver(() => {
    const width = Math.floor(box.clientWidth);
    if (!width || width === last) return;
    last = width;
    box.replaceChildren(draw(width));
  });
  size.observe(box);
  return box;
}

/**
 * Returns a plot of columns with its title and its table. `columns` are `{ label, said, parts }`, `rows` the rows of
 * the table with the names `head`. With `names` the parts have a legend.
 */
export function columnPlot({
  title, words = null, columns, format, head, rows, names = null, height = 13, labelWidth = 4,
}) {
  const classOf = (part) => (names ? `series series-${part % 8}` : 'plot-bar');
  const legend = names && h('ul', { class: 'plot-legend', 'aria-hidden': 'true' },
    names.map((name, part) => h('li', {}, h('i', { class: classOf(part) }), h('span', { text: name }))));
  return h('section', { class: 'plot card' },
    h('h2', { text: title }), words && h('p', { class: 'soft', text: words }),
    drawn((width) => drawColumns(width, { columns, format, height, labelWidth, classOf })), legend,
    h('details', {}, h('summary', { text: 'As a table', 'aria-label': `${title} as a table` }),
      h('div', { class: 'plot-scroll', tabindex: '0', role: 'region', 'aria-label': `${title}, table` },
        table(title, head, rows))));
}
