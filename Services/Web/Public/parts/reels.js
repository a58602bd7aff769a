// Reels: rows of cards that are scrolled sideways, and that are shown only if they fill the width of the window.
import { h, reconcile } from '../core/dom.js';
import { linkButton } from './controls.js';

/**
 * Returns a reel. `make()` returns an empty card, and `update(card, item)` fills it. `href` is the address of all such
 * items, and `reason` says why the reel is there. A reel shows only as many items as fill whole widths, and none if
 * there are fewer, unless `mustFill` is false.
 */
export function makeReel(title, { make, update, href = null, reason = null, mustFill = true }) {
  const list = h('ul', { class: 'carousel', 'aria-label': title, tabindex: '0' });
  const heading = h('h2', { text: title });
  const element = h('section', { class: `carousel-box${reason ? ' explained' : ''}`, hidden: true },
    href ? h('div', { class: 'row between' }, heading, linkButton('All', href, null, 'quiet')) : heading,
    reason && h('p', { class: 'why', text: reason }), list);
  let items = [];
  let columns = 0;
  const show = () => {
    const shown = !mustFill || !columns ? items : items.slice(0, items.length - items.length % columns);
    element.hidden = !columns || !shown.length;
    if (!element.hidden) reconcile(list, shown, ({ id }) => id, make, update);
  };
  return {
    element, show,
    /** Shows other items. */
    set(now) {
      items = now;
      show();
    },
    /** Shows as many items as fill whole widths of so many columns. */
    fit(now) {
      if (now === columns) return;
      columns = now;
      show();
    },
  };
}
