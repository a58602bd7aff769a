// The review of an album by a language model, as the second tab of the album's page.
import { albumPath, change, read } from '../core/api.js';
import { applyPalette } from '../core/colours.js';
import { h, setText } from '../core/dom.js';
import { ago } from '../core/format.js';
import { linkButton, textButton } from '../parts/controls.js';
import { emptyMessage } from '../parts/headers.js';
import { flag } from './words.js';

// The time in milliseconds after which the page asks again while a review is being written.
const pause = 2000;

function content(review, again) {
  const { summary, points = [], tenths, label, model, writtenAt } = review;
  return h('div', { class: 'review-body' },
    h('div', { class: 'row wrap review-head' },
      tenths === undefined || tenths === null
        ? null
        : h('p', { class: 'review-rating' }, h('b', { text: (tenths / 10).toFixed(1) }), ' of 10'),
      h('p', { class: 'review-label', text: label })),
    h('p', { class: 'review-summary', text: summary }),
    h('ul', { class: 'review-points' }, points.map((text) => h('li', { text }))),
    h('p', { class: 'soft review-origin', text: `Written by a model (${model}) ${ago(writtenAt)}. It may be wrong.` }),
    h('div', { class: 'row' }, again));
}

/** Returns the panel with the review of an album; `open()` shows it and has it written if there is none. */
export function reviewPanel(album) {
  const element = h('div', { class: 'review card' });
  const said = h('p', { class: 'unseen', role: 'status' });
  const path = `${albumPath(album.id)}/review`;
  let timer = 0;
  let isOpen = false;
  let [busy, isAsked] = [false, false];

  const button = (name) =>
    textButton(name, 'sync', () => ask(() => change(path, { isAgain: true })), { kind: 'quiet' });

  function failure(error) {
    const settings = linkButton('Settings of reviews', '#/settings/walls', 'settings');
    if (error.code === 'discovery.reviewsOff') return off(settings);
    return h('div', { class: 'review-problem', role: 'alert' },
      h('p', { text: error.message }),
      h('div', { class: 'row wrap' },
        textButton('Try again', 'sync', () => ask(() => change(path, { isAgain: true })), { kind: 'first' }),
        settings));
  }

  const off = (settings) => emptyMessage('Reviews are off',
    'A language model that you choose can write about your albums. One on your own machine will do.', settings);

  function show(status) {
    const isBeingMade = flag(status, 'BeingMade');
    const { review, problem } = status;
    const parts = [];
    if (isBeingMade) {
      parts.push(h('p', { class: 'review-wait' },
        h('span', { class: 'moon', 'aria-hidden': 'true' }),
        h('span', { text: review ? 'A new review is being written …' : 'The review is being written …' })));
    }
    if (problem && !isBeingMade) parts.push(failure(problem));
    if (review) parts.push(content(review, isBeingMade || !flag(status, 'On') ? null : button('Write it again')));
    else if (!isBeingMade && !problem && !flag(status, 'On')) parts.push(off(linkButton('Settings of reviews',
      '#/settings/walls', 'settings', 'first')));
    element.replaceChildren(...parts, said);
    setText(said, isBeingMade ? 'The review is being written.' : review ? 'The review is there.' : '');
    clearTimeout(timer);
    if (isBeingMade && isOpen) timer = setTimeout(() => ask(() => read(path)), pause);
    // Opening the tab has the first review written.
    else if (!isBeingMade && !review && !problem && flag(status, 'On') && !isAsked) {
      isAsked = true;
      ask(() => change(path, {}));
    }
  }

  async function ask(request) {
    if (busy) return;
    busy = true;
    let status = null;
    try {
      status = await request();
    } catch (error) {
      if (isOpen) {
        const kept = element.querySelector('.review-body');
        element.replaceChildren(failure(error), ...(kept ? [kept] : []), said);
      }
    }
    busy = false;
    if (status && isOpen) show(status);
  }

  return {
    element,
    open() {
      isOpen = true;
      // Without them the review has the colours of the album's header.
      import('../parts/covercolours.js').then(({ pairOf }) => pairOf(album))
        .then((pair) => pair && applyPalette(element, pair)).catch(() => {});
      if (!element.childElementCount) {
        element.append(h('p', { class: 'review-wait' },
          h('span', { class: 'moon', 'aria-hidden': 'true' }),
          h('span', { text: 'Loading …' })), said);
      }
      ask(() => read(path));
    },
    close() {
      isOpen = false;
      clearTimeout(timer);
    },
  };
}
