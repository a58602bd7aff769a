// The motion of a wall: sixteen tiles scatter and the others fade when the grid changes, and pills slide. Nothing moves
// for a person who prefers that, and everything settles at once when another change begins.
import { calm } from '../core/dom.js';

// All times are in milliseconds.
const scattered = 16;
const scatterTime = 400;
const tileTime = 250;
const fadeTime = 150;
const jitter = 40;
const pillTime = 400;
const pillShift = 60;
const riseTime = 500;

/**
 * Returns the tiles that scatter: `[{ index, delay }]`, at most 16 of `count`. Two groups of them take turns, one from
 * the beginning on and one from the end back.
 */
export function scatterPlan(count, random = Math.random) {
  const many = Math.min(scattered, count);
  const places = Array.from({ length: many }, (_, at) => Math.floor(at * count / many));
  const half = Math.ceil(many / 2);
  const [first, second] = [places.slice(0, half), places.slice(half).reverse()];
  const turns = first.flatMap((index, at) => (at < second.length ? [index, second[at]] : [index]));
  const step = many > 1 ? (scatterTime - tileTime) / (many - 1) : 0;
  return turns.map((index, at) => ({ index, delay: at * step + random() * jitter }));
}

/** The animations that run. A new change settles them. */
export class Motion {
  #running = [];
  #timers = new Map();

  #animate(element, frames, options) {
    const animation = element.animate(frames, { fill: 'both', ...options });
    this.#running.push(animation);
    return animation.finished.catch(() => {});
  }

  async #all(done) {
    const mine = this.#running;
    await Promise.all(done);
    return mine;
  }

  #tiles(elements, isIn) {
    const small = { opacity: 0, transform: 'scale(.01)' };
    const whole = { opacity: 1, transform: 'none' };
    const plan = new Map(scatterPlan(elements.length).map(({ index, delay }) => [index, delay]));
    return elements.map((element, index) => (plan.has(index)
      ? this.#animate(element, isIn ? [small, whole] : [whole, small], {
        delay: plan.get(index), duration: tileTime, easing: isIn ? 'ease-out' : 'ease-in',
      })
      : this.#animate(element, { opacity: isIn ? [0, 1] : [1, 0] }, { duration: fadeTime })));
  }

  /** Lets the tiles in view leave. They stay invisible until the grid has changed. */
  async exit(elements) {
    if (calm.matches || !elements.length) return;
    await this.#all(this.#tiles(elements, false));
  }

  /** Lets the tiles in view arrive. */
  async enter(elements) {
    if (calm.matches || !elements.length) return;
    for (const one of await this.#all(this.#tiles(elements, true))) one.cancel();
  }

  /** Lets pills slide out downwards, or in from below, one after the other. */
  async slide(pills, isIn) {
    if (calm.matches || !pills.length) return;
    const duration = pillTime / 2;
    const step = pills.length > 1 ? (pillTime - duration) / (pills.length - 1) : 0;
    const [there, away] = [{ opacity: 1, transform: 'none' }, { opacity: 0, transform: `translateY(${pillShift}px)` }];
    const done = pills.map((pill, at) => this.#animate(pill, isIn ? [away, there] : [there, away],
      { delay: at * step, duration, easing: 'ease-in-out' }));
    const running = await this.#all(done);
    if (isIn) for (const one of running) one.cancel();
  }

  /** Lets the controls rise when the first wall is there. */
  async rise(element) {
    if (calm.matches) return;
    // A spring with a small bounce.
    await this.#animate(element, [{ opacity: 0, transform: 'translateY(1.5rem)' }, { opacity: 1, transform: 'none' }],
      { duration: riseTime, easing: 'cubic-bezier(.3, 1.35, .5, 1)' });
  }

  /** Waits; `settle` ends the waiting. */
  wait(milliseconds) {
    if (calm.matches) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        resolve();
      }, milliseconds);
      this.#timers.set(timer, resolve);
    });
  }

  /** Ends all motion at once. */
  settle() {
    for (const one of this.#running) one.cancel();
    this.#running = [];
    for (const [timer, resolve] of this.#timers) {
      clearTimeout(timer);
      resolve();
    }
    this.#timers.clear();
  }
}
