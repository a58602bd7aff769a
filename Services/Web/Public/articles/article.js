// The article of Wikipedia about an album or artist: its summary, the question of several pages, and its absence.
import { change, read } from '../core/api.js';
import { h, setText } from '../core/dom.js';
import { ago } from '../core/format.js';
import { loadStyles } from '../core/stylesheets.js';
import { linkButton, textButton } from '../parts/controls.js';
import { emptyMessage } from '../parts/headers.js';

const styled = loadStyles('articles/articles.css');

// The time in milliseconds after which the page asks again while an article is being searched.
const pause = 1500;
// The time in milliseconds after which a search that failed is made again when the page is opened.
const retry = 10 * 60_000;
// The number of letters from which a text is shortened, and the paragraphs that it shows then.
const [longText, shownParagraphs] = [900, 2];

const newPage = { target: '_blank', rel: 'noopener noreferrer' };
const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' });

function languageName(language) {
  try {
    return names.of(language);
  } catch {
    return language;
  }
}

/** Returns a link to a page outside; plain text where its address is none that is expected. */
function outside(text, address, label = null) {
  const isSafe = /^https:\/\/([a-z-]+\.wikipedia\.org|creativecommons\.org)\//.test(address ?? '');
  return isSafe ? h('a', { class: 'link', href: address, 'aria-label': label, text, ...newPage }) : h('span', { text });
}

const guessAddress = ({ language, title }) => `https://${language}.wikipedia.org/wiki/${encodeURIComponent(title)}`;

const waiting = (words) => h('p', { class: 'article-wait' },
  h('span', { class: 'moon', 'aria-hidden': 'true' }), h('span', { text: words }));

const settingsLink = (kind = '') => linkButton('Settings of articles', '#/settings/walls', 'settings', kind);

function off() {
  const words = 'Wikipedia can say what an album is about and who an artist is. It is asked once for each.';
  return emptyMessage('Articles are off', words, settingsLink('first'));
}

function textOf({ paragraphs = [], language }) {
  const text = h('div', { class: 'article-text', lang: language }, paragraphs.map((one) => h('p', { text: one })));
  const isLong = paragraphs.length > shownParagraphs && paragraphs.join('').length > longText;
  if (!isLong) return [text];
  text.classList.add('shortened');
  const more = textButton('Show all', 'down', () => {
    text.classList.remove('shortened');
    const next = text.children[shownParagraphs];
    next.tabIndex = -1;
    next.focus();
    tools.remove();
  }, { kind: 'quiet' });
  const tools = h('div', { class: 'row article-tools' }, more);
  return [text, tools];
}

function content(article, tools) {
  const { title, language, address, site, licence, licenceAddress, match, readAt } = article;
  const place = language === 'en' ? site : `${site} in ${languageName(language)}`;
  const matched = { name: 'found by its name', person: 'chosen by you' }[match];
  const facts = [`read ${ago(readAt)}`, matched].filter(Boolean).join(', ');
  return h('div', { class: 'article-body' }, h('h2', { text: title, lang: language }), textOf(article),
    h('p', { class: 'article-origin' }, outside(place, address, `${title} at ${place}`),
      outside(licence, licenceAddress), h('span', { text: facts })), tools);
}

/**
 * Returns the panel with the article under a path of the API, such as `albums/files%3Aa1`. `name` is the title of the
 * album or the name of the artist. `prepare()` has it searched, and `open()` also follows the search.
 */
export async function articlePanel(path, name) {
  await styled;
  const element = h('div', { class: 'article card', tabindex: '-1' });
  const said = h('p', { class: 'unseen', role: 'status' });
  const at = `${path}/article`;
  let timer = 0;
  let [busy, isOpen, isAsked] = [false, false, false];
  // The status that is on screen, as text: only another one is drawn, so that nothing that has the focus is replaced.
  let drawn = null;

  const again = () => ask(() => change(at, { isAgain: true }), true);
  const choose = (page) => ask(() => change(at, { page }, 'PUT'), true);
  const againButton = (kind = 'quiet') => textButton('Search again', 'sync', again, { kind });

  function failure(problem) {
    if (problem.code === 'discovery.articlesOff') return off();
    return h('div', { class: 'article-problem', role: 'alert' }, h('p', { text: problem.message }),
      h('div', { class: 'row wrap' }, textButton('Try again', 'sync', again, { kind: 'first' }), settingsLink()));
  }

  function question(guesses, isOn) {
    const rows = guesses.map((guess) => h('li', { class: 'guess' }, h('b', { text: guess.title, lang: guess.language }),
      guess.about ? h('span', { text: guess.about, lang: guess.language }) : null,
      h('div', { class: 'row wrap' },
        isOn ? textButton('This one', 'check', () => choose(guess), { label: `This one: ${guess.title}` }) : null,
        outside(`Look at it (${languageName(guess.language)})`, guessAddress(guess), `Look at ${guess.title}`))));
    return h('div', { class: 'article-question' }, h('h2', { text: `Which page is about ${name}?` }),
      h('p', { class: 'soft', text: 'Wikipedia has pages with this name, and it is not certain which one is right.' }),
      h('ul', { class: 'guesses' }, rows),
      isOn ? h('div', { class: 'row wrap' }, textButton('None of these', 'remove', () => choose(null)),
        againButton()) : null);
  }

  function none({ searchedAt, isOn }) {
    if (!isOn) return off();
    const words = searchedAt ? `Wikipedia was searched ${ago(searchedAt)}, and no page is certainly about it.`
      : 'Wikipedia was not searched for it.';
    return emptyMessage('No article', words, againButton(''));
  }

  function draw(status) {
    const { article, guesses = null, isBeingSearched, problem, isOn } = status;
    const parts = [];
    if (isBeingSearched) parts.push(waiting('The article is being searched …'));
    else if (problem) parts.push(failure(problem));
    if (article) {
      const tools = h('div', { class: 'row wrap article-tools' }, againButton(),
        textButton('This is a wrong page', 'remove', () => choose(null), { kind: 'quiet' }));
      parts.push(content(article, isOn && !isBeingSearched ? tools : null));
    }
    if (guesses && !isBeingSearched) parts.push(question(guesses, isOn));
    if (!parts.length) parts.push(none(status));
    element.replaceChildren(...parts, said);
    const words = isBeingSearched ? 'The article is being searched.' : guesses ? `Which page is about ${name}?`
      : article ? 'The article is there.' : '';
    setText(said, words);
  }

  function show(status) {
    const { article, guesses, isBeingSearched, problem, isOn, searchedAt } = status;
    const text = JSON.stringify(status);
    if (text !== drawn) draw(status);
    drawn = text;
    clearTimeout(timer);
    const isOld = problem && Date.now() - new Date(searchedAt ?? 0).getTime() > retry;
    if (isBeingSearched && isOpen) timer = setTimeout(() => ask(() => read(at)), pause);
    else if (isOn && !article && !guesses && (!problem || isOld) && !isBeingSearched && !isAsked) {
      // The service searches only what it has not searched lately.
      isAsked = true;
      ask(() => change(at, {}));
    }
  }

  /** Sends a request and shows its answer. After a press of a button, which is gone then, the panel has the focus. */
  async function ask(request, isPressed = false) {
    if (busy) return;
    busy = true;
    let status = null;
    try {
      status = await request();
    } catch (error) {
      drawn = null;
      const kept = element.querySelector('.article-body');
      element.replaceChildren(failure(error), ...(kept ? [kept] : []), said);
    }
    busy = false;
    if (status) show(status);
    if (isPressed && isOpen) element.focus({ preventScroll: true });
  }

  function prepare() {
    isAsked = false;
    if (!element.childElementCount) element.append(waiting('Loading …'), said);
    ask(() => read(at));
  }

  return {
    element,
    prepare,
    open() {
      isOpen = true;
      prepare();
    },
    close() {
      isOpen = false;
      clearTimeout(timer);
    },
  };
}
