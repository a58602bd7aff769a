// The parts of discovery on the page of an album: a heart, a cross, and the review and the article as further tabs.
import { albumPath } from '../core/api.js';
import { h, setAttribute } from '../core/dom.js';
import { subscribe } from '../core/store.js';
import { onOpinion, opinionButton, startOpinions } from './opinions.js';
import { reviewPanel } from './review.js';
import { styled } from './style.js';
import { hasDiscovery } from './words.js';

/** Returns the panel of the article, which is loaded when it is needed. */
function aboutPanel(album) {
  const element = h('div', {});
  let isOpen = false;
  let panel = null;
  const load = () => {
    panel ??= import('../articles/article.js')
      .then(({ articlePanel }) => articlePanel(albumPath(album.id), album.title))
      .then((made) => {
        element.replaceChildren(made.element);
        return made;
      });
    return panel;
  };
  // Without it the album can still be played.
  const start = () => load().then((made) => (isOpen ? made.open() : made.prepare())).catch(() => {
    panel = null;
    const words = 'This part of the page cannot be loaded. Open it again when the page is connected.';
    element.replaceChildren(h('p', { class: 'soft', text: words }));
  });
  return {
    element,
    prepare: start,
    open() {
      isOpen = true;
      start();
    },
    close() {
      isOpen = false;
      panel?.then((made) => made.close()).catch(() => {});
    },
  };
}

function makeTabs(album, element, top) {
  const makePanel = (id, name) => h('div', { id, role: 'tabpanel', 'aria-label': name, hidden: true });
  const names = ['Tracks', 'Review', 'About'];
  const panels = names.map((name) => makePanel(`tab-${name.toLowerCase()}`, name));
  panels[0].className = 'album-body';
  panels[0].append(...[...element.children].filter((one) => one !== top));
  const [review, about] = [reviewPanel(album), aboutPanel(album)];
  panels[1].append(review.element);
  panels[2].append(about.element);
  const contents = [null, review, about];
  const tabs = names.map((name, at) => h('button', {
    type: 'button', class: 'pill', role: 'tab', 'aria-controls': panels[at].id, text: name, onclick: () => choose(at),
  }));
  const list = h('div', { class: 'row wrap tabs', role: 'tablist', 'aria-label': 'Album', onkeydown: (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -tabs.length, End: tabs.length }[event.key];
    if (!step) return;
    event.preventDefault();
    const at = Math.max(0, Math.min(tabs.length - 1, tabs.indexOf(document.activeElement) + step));
    choose(at);
    tabs[at].focus();
  } }, tabs);
  let chosen = 0;
  function choose(at) {
    contents[chosen]?.close();
    chosen = at;
    tabs.forEach((tab, index) => {
      setAttribute(tab, 'aria-selected', String(index === at));
      setAttribute(tab, 'tabindex', index === at ? '0' : '-1');
      panels[index].hidden = index !== at;
    });
    contents[at]?.open();
  }
  element.append(list, ...panels);
  choose(0);
  // The article is searched when the album is opened, so that it is there when somebody wants to read it.
  about.prepare();
  return { show: () => contents[chosen]?.open(), hide: () => contents[chosen]?.close() };
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
