// The parts of discovery on the page of an album: a heart, a cross, and the review as a second tab.
import { h, setAttribute } from '../core/dom.js';
import { subscribe } from '../core/store.js';
import { onOpinion, opinionButton, startOpinions } from './opinions.js';
import { reviewPanel } from './review.js';
import { styled } from './style.js';
import { hasDiscovery } from './words.js';

function makeTabs(album, element, top) {
  const panels = [h('div', { class: 'album-body', id: 'tab-tracks', role: 'tabpanel', 'aria-label': 'Tracks', hidden: false }), h('div', { id: 'tab-review', role: 'tabpanel', 'aria-label': 'Review', hidden: true })];
  panels[0].append(...[...element.children].filter((one) => one !== top));
  const review = reviewPanel(album);
  panels[1].append(review.element);
  const tabs = ['Tracks', 'Review'].map((name, at) => h('button', { type: 'button', class: 'pill', role: 'tab', 'aria-controls': panels[at].id, text: name, onclick: () => choose(at) }));
  const list = h('div', { class: 'row tabs', role: 'tablist', 'aria-label': 'Album', onkeydown: (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -1, End: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const at = Math.max(0, Math.min(1, tabs.indexOf(document.activeElement) + step));
    choose(at);
    tabs[at].focus();
  } }, tabs);
  let chosen = 0;
  function choose(at) {
    chosen = at;
    tabs.forEach((tab, index) => {
      setAttribute(tab, 'aria-selected', String(index === at));
      setAttribute(tab, 'tabindex', index === at ? '0' : '-1');
      panels[index].hidden = index !== at;
    });
    if (at === 1) review.open();
    else review.close();
  }
  element.append(list, ...panels);
  choose(0);
  return { show: () => chosen === 1 && review.open(), hide: () => review.close() };
}

/** Adds the heart, the cross and the review to the page of an album; `top` is its header. */
export async function addParts(album, element, top) {
  await styled;
  const buttons = [opinionButton('like'), opinionButton('dislike')];
  top.querySelector('.stars').after(...buttons);
  const show = () => buttons.forEach((one) => one.show(album));
  show();
  let tabs = null;
  let stops = [];
  return {
    show() {
      startOpinions();
      show();
      tabs?.show();
      // A household without walls has no reviews.
      const addTabs = (state) => {
        if (!tabs && hasDiscovery(state)) tabs = makeTabs(album, element, top);
      };
      stops = [onOpinion(show), subscribe(addTabs)];
    },
    hide() {
      stops.forEach((stop) => stop());
      tabs?.hide();
    },
  };
}
