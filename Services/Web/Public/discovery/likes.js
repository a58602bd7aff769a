// The likes and dislikes of albums, and the services that are told of them.
import { change, read } from '../core/api.js';
import { h, setText } from '../core/dom.js';
import { ago, count } from '../core/format.js';
import { address } from '../core/router.js';
import { showBanner, showError } from '../parts/banners.js';
import { linkButton, moreButton, switchRow, textButton } from '../parts/controls.js';
import { setCover } from '../parts/cover.js';
import { pageHeader } from '../parts/headers.js';
import { onOpinion, setOpinion, startOpinions } from './opinions.js';
import { styled } from './style.js';
import { flag } from './words.js';

const pageLength = 100;
const kinds = {
  like: {
    title: 'Likes',
    empty: 'Press the heart of an album, on the wall or on its page. Walls and feeds then have more that is near it.',
  },
  dislike: {
    title: 'Dislikes',
    empty: 'The cross at a cover takes an album out of all walls and feeds. It stays everywhere else.',
  },
};

/** The names of services on screen. */
let titles = {};

function row(item, gone) {
  const isHere = item.isHere ?? item.here ?? true;
  const cover = h('span', { class: 'cover', 'aria-hidden': 'true' });
  setCover(cover, item);
  const takeBack = textButton('Take back', null, async () => {
    if (!await setOpinion(item, null)) return;
    showBanner(`The ${item.opinion} of “${item.title}” was taken back.`, {
      key: 'opinion', action: { name: 'Undo', run: () => setOpinion(item, item.opinion) },
    });
    gone();
  }, { kind: 'quiet', label: `Take the ${item.opinion} of ${item.title} back` });
  const title = isHere
    ? h('a', { class: 'link-plain', href: address('album', item.id), text: item.title })
    : h('span', { text: item.title });
  return h('li', { class: 'opinion-row', 'data-id': item.id },
    cover,
    h('div', { class: 'opinion-words' },
      h('b', {}, title),
      h('span', { text: [item.artist, item.year].filter(Boolean).join(' · ') }),
      h('small', { class: 'soft', text: `${isHere ? '' : 'Not in the library · '}${ago(item.at)}` }),
      (item.problems ?? []).map(({ service, error }) => h('small', {
        class: 'problem-line', text: `${titles[service] ?? service}: ${error.message}`,
      }))),
    takeBack);
}

function listOf(opinion) {
  const { title, empty } = kinds[opinion];
  const list = h('ul', { class: 'card opinion-rows', 'aria-label': title, hidden: true });
  const none = h('div', {});
  let next = null;
  const show = () => {
    list.hidden = !list.childElementCount;
    none.replaceChildren(...(list.hidden ? [h('p', { class: 'soft', text: empty })] : []));
  };
  const load = async (signal) => {
    const page = await read('opinions', { opinion, after: next, limit: pageLength }, signal);
    next = page.next ?? null;
    list.append(...page.items.map((item) => {
      const element = row(item, () => {
        element.remove();
        show();
      });
      return element;
    }));
    show();
    return Boolean(next);
  };
  const more = moreButton(load);
  return {
    element: h('section', { class: 'group' }, h('h2', { text: title }), none, list, h('p', { class: 'row' }, more)),
    async load(signal) {
      next = null;
      list.replaceChildren();
      more.hidden = !await load(signal);
    },
  };
}

function serviceRow(service, reload) {
  const isOn = flag(service, 'On');
  const set = (on) =>
    change(`opinions/sharing/${encodeURIComponent(service.service)}`, { isOn: on }, 'PUT').then(reload);
  const retry = textButton('Try again', 'sync',
    () => change('opinions/retry', { service: service.service }).then(() => {
      showBanner(`${service.title} is told again.`);
      return reload();
    }).catch(showError), { kind: 'quiet', label: `Tell ${service.title} again` });
  const facts = [
    service.waiting && `${count(service.waiting, 'opinion')} waiting`,
    service.failed && `${count(service.failed, 'opinion')} refused`,
  ].filter(Boolean).join(' · ');
  return h('li', { class: 'card source', 'data-health': service.problem ? 'problem' : null },
    switchRow(`Tell ${service.title}`, isOn, set, service.sends),
    facts ? h('p', { class: 'soft', text: facts }) : null,
    service.problem ? h('p', { class: 'source-line', text: service.problem.message }) : null,
    service.failed || service.problem ? h('div', { class: 'row' }, retry) : null);
}

/** Opens the screen. */
export async function open({ signal }) {
  await styled;
  const lists = [listOf('like'), listOf('dislike')];
  const services = h('ul', { class: 'cards' });
  const said = h('p', { class: 'soft' });
  const readServices = async (stop) => {
    const { services: all } = await read('opinions/sharing', {}, stop);
    titles = Object.fromEntries(all.map(({ service, title }) => [service, title]));
    services.replaceChildren(...all.map((one) => serviceRow(one, () => readServices())));
    setText(said,
      all.length
        ? 'An opinion is kept here first. A service that is switched on receives later ones, and keeps what it '
          + 'already received.'
        : 'No service can receive opinions.');
  };
  const reload = (stop) => readServices(stop).then(() => Promise.all(lists.map((one) => one.load(stop))));
  const element = h('section', { class: 'screen likes', 'aria-label': 'Likes' },
    pageHeader('Likes', null, linkButton('Wall', '#/wall', 'wall'), linkButton('Wish list', '#/wishes', 'wish')),
    lists.map((one) => one.element),
    h('section', { class: 'group' }, h('h2', { text: 'Telling services' }), said, services));
  await reload(signal);
  let stop = () => {};
  return {
    title: 'Likes', element,
    show({ back }) {
      startOpinions();
      if (back) reload().catch(showError);
      let soon = 0;
      const later = () => {
        clearTimeout(soon);
        soon = setTimeout(() => reload().catch(showError), 300);
      };
      stop = onOpinion(later);
    },
    hide: () => stop(),
  };
}
