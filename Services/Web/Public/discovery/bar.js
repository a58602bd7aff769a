// The bar over a wall, one row of fixed height: the wall and the genres of the library, or a chosen genre with its
// subcategories.
import { h, setAttribute } from '../core/dom.js';
import { navigate } from '../core/router.js';
import { icon } from '../parts/icons.js';
import { wallAddress } from './words.js';

/** Returns the bar; `tool` is the control at its end. */
export function makeBar(motion, tool) {
  const pills = h('ul', { class: 'wall-pills', 'aria-label': 'Wall and genres' });
  const element = h('div', { class: 'wall-bar' }, pills, tool);
  let genres = [];
  let place = { genre: null, subs: [] };
  let turn = 0;

  const link = (name, genre, isLit) => h('a', {
    class: 'pill', href: wallAddress(genre), 'aria-current': isLit ? 'page' : null, text: name,
  });

  function choose(sub) {
    const subs = place.subs.includes(sub) ? place.subs.filter((one) => one !== sub) : [...place.subs, sub];
    navigate(wallAddress(place.genre, subs), true);
  }

  function chosen({ name, subcategories = [] }) {
    const cross = h('button', {
      type: 'button', class: 'pill first', 'aria-label': `${name}: back to the wall`,
      onclick: () => navigate(wallAddress()),
    }, h('span', { text: name }), icon('close'));
    const subs = subcategories.map((sub) => h('button', {
      type: 'button',
      class: 'pill',
      'data-sub': sub.id,
      'aria-pressed': String(place.subs.includes(sub.id)),
      onclick: () => choose(sub.id),
    }, h('span', { text: sub.name })));
    return [cross, ...subs];
  }

  const isHeld = (sub, { id, name }) => sub === id || sub.toLowerCase() === name.toLowerCase();

  function content() {
    const genre = genres.find((one) => isHeld(place.genre ?? '', one));
    if (genre) return chosen(genre);
    if (place.genre) return chosen({ name: place.genre });
    return [link('Wall', null, true), ...genres.map(({ id, name }) => link(name, id, false))];
  }

  function draw() {
    const hadFocus = pills.contains(document.activeElement);
    pills.replaceChildren(...content().map((pill) => h('li', {}, pill)));
    pills.scrollLeft = 0;
    if (hadFocus) pills.querySelector('a, button')?.focus({ preventScroll: true });
  }

  function mark() {
    for (const pill of pills.querySelectorAll('[aria-pressed]')) {
      setAttribute(pill, 'aria-pressed', String(place.subs.includes(pill.dataset.sub)));
    }
  }

  const setBusy = (isBusy) => {
    element.inert = isBusy;
  };

  return {
    element,
    /** Sets the genres that the library has. */
    setGenres(found) {
      genres = found;
      draw();
    },
    /** Shows the place; the pills of another genre slide in if `isMoving`. */
    async show(next, isMoving) {
      const isSame = place.genre === next.genre;
      place = next;
      if (isSame && pills.childElementCount) {
        mark();
        return;
      }
      const mine = turn += 1;
      if (isMoving) {
        // An inert bar would lose the focus, which belongs to the first pill afterwards.
        const hadFocus = pills.contains(document.activeElement);
        setBusy(true);
        await motion.slide([...pills.children], false);
        if (mine === turn) {
          draw();
          await motion.slide([...pills.children], true);
        }
        if (mine !== turn) return;
        setBusy(false);
        if (hadFocus) pills.querySelector('a, button')?.focus({ preventScroll: true });
        return;
      }
      setBusy(false);
      draw();
    },
    /** Dims the bar while the albums of other subcategories are read. */
    setDimmed(isDimmed) {
      element.classList.toggle('dimmed', isDimmed);
    },
  };
}
