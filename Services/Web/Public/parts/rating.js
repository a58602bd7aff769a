// The rating with five stars in steps of a half: a slider for pointers, arrow keys and screen readers, drawn as stars.
import { h, setAttribute, setVars, svg } from '../core/dom.js';
import { rateItem } from './actions.js';

const star = 'M12 3.2l2.7 5.6 6.1.9-4.4 4.3 1 6.1L12 17.2l-5.4 2.9 1-6.1L3.2 9.7l6.1-.9z';

function said(stars) {
  if (!stars) return 'not rated';
  return `${stars} ${stars === 1 ? 'star' : 'stars'}`;
}

/** Returns the stars; `name` is the name of the rated item. */
export function rating(name) {
  const drawn = (kind) => svg('svg', { viewBox: '0 0 120 24', class: `stars-${kind}`, 'aria-hidden': 'true' },
    ...Array.from({ length: 5 }, (_, index) => svg('path', { d: star, transform: `translate(${index * 24} 0)` })));
  const slider = h('input', { type: 'range', min: 0, max: 5, step: 0.5, value: 0, 'aria-label': `Rating of ${name}` });
  const element = h('span', { class: 'stars' }, drawn('under'), drawn('over'), slider);
  const show = (stars) => {
    setVars(element, { '--share': `${(stars ?? 0) * 20}%` });
    setAttribute(slider, 'aria-valuetext', said(stars));
  };
  let id = null;
  let before = 0;
  slider.addEventListener('input', () => show(Number(slider.value)));
  slider.addEventListener('change', async () => {
    const [stars, rated] = [Number(slider.value), id];
    const isDone = await rateItem(rated, stars || null);
    // Another item may be shown meanwhile, such as the next track.
    if (id !== rated) return;
    if (isDone) {
      before = stars;
      return;
    }
    slider.value = before;
    show(before);
  });
  /** Shows the rating of an item. */
  element.set = (thing, called) => {
    if (slider.matches(':active')) return;
    const stars = thing.rating ?? 0;
    if (thing.id === id && stars === before) return;
    id = thing.id;
    before = stars;
    slider.value = stars;
    setAttribute(slider, 'aria-label', `Rating of ${called}`);
    show(stars);
  };
  show(0);
  return element;
}
