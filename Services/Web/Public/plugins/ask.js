// The conversation with a plugin that has a language model, and queues that plugins make by words.
import { change, play, read } from '../core/api.js';
import { h, setText } from '../core/dom.js';
import { currentRoom } from '../core/store.js';
import { offersAsking } from '../parts/asking.js';
import { showBanner, showError } from '../parts/banners.js';
import { choices, linkButton, textButton } from '../parts/controls.js';
import { emptyMessage, pageHeader } from '../parts/headers.js';
import { offerUndo, rememberQueue } from '../parts/queueundo.js';
import { Conversation, madeWords } from './conversation.js';

// The conversation that goes on when a person comes back to this screen, and the plugin that was chosen.
const kept = { id: null };
let chosen = null;

/** Asks before something is cleared or deleted. Returns true if the person agrees. */
function confirmed(text) {
  return new Promise((resolve) => {
    const answer = (isAgreed) => () => {
      dialog.returnValue = isAgreed ? 'yes' : '';
      dialog.close(dialog.returnValue);
    };
    const dialog = h('dialog', { class: 'keys', 'aria-labelledby': 'chat-question' },
      h('h2', { id: 'chat-question', text }),
      h('div', { class: 'row wrap' },
        textButton('Do not', null, answer(false), { kind: 'first' }),
        textButton('Do it', null, answer(true), { kind: 'quiet' })));
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

function bubble({ role, text, failed }) {
  return h('li', { class: `chat-${role}`, 'data-failed': failed ? 'true' : null },
    role === 'action' ? h('small', { class: 'soft', text: failed ? `Not done: ${text}` : text }) : h('p', { text }));
}

function nobodyToAsk() {
  return h('section', { class: 'screen', 'aria-label': 'Ask' }, pageHeader('Ask'), emptyMessage('Nobody to ask',
    'A plugin with a language model can play, queue and make playlists for you. None is switched on.',
    linkButton('Plugins', '#/settings/plugins', 'settings')));
}

/** Returns the parts of the screen; `act` has what its controls do: `send`, `generate`, `begin` and `choose`. */
function makeView(used, act) {
  const list = h('ol', { class: 'chat' });
  const log = h('div', { role: 'log', 'aria-label': 'Conversation' }, list);
  const said = h('p', { class: 'soft', role: 'status' });
  const box = /** @type {HTMLInputElement} */ (h('input', {
    type: 'text',
    name: 'words',
    'aria-label': 'What you want to say',
    placeholder: 'Something quiet for the evening',
    autocomplete: 'off',
    maxlength: '2000',
    required: true,
  }));
  const send = h('button', { type: 'submit', class: 'pill first', text: 'Send' });
  const make = textButton('Make a queue', 'queue', act.generate);
  const anew = textButton('Begin anew', 'close', act.begin, { kind: 'quiet' });
  const choice = used.length > 1
    ? choices('Plugin', used.map(({ id, name }) => [id, name]), chosen, act.choose) : null;
  const form = h('form', { class: 'ask-form row wrap', onsubmit: (event) => {
    event.preventDefault();
    act.send();
  } }, box, send, make, anew);
  const hint = h('p', {
    class: 'soft',
    text: 'Your words, and the names of music that the plugin looks up here, go to the server of '
      + `${used.map(({ name }) => name).join(' or ')}.`,
  });
  const element = h('section', { class: 'screen ask', 'aria-label': 'Ask' }, pageHeader('Ask'),
    hint, choice, log, said, form);
  return { element, list, said, box, send, make, buttons: [send, make, anew] };
}

function add({ list }, messages) {
  list.append(...messages.map(bubble));
  list.lastElementChild?.scrollIntoView?.({ block: 'nearest' });
}

/** Plays a queue that a plugin makes by words. Returns what is added to the conversation. */
async function playGenerated(words) {
  const { tracks, name, unwanted } = await change('generate', { words, plugin: chosen });
  const described = tracks.map(({ title, artist, album }) => ({ title, artist, ...(album ? { album } : {}) }));
  const former = rememberQueue(currentRoom());
  const done = await play([], { room: currentRoom()?.name ?? null, described });
  offerUndo(done.room, former, `The queue was replaced by one that ${name} made.`, done.queue.revision);
  return [{ role: 'person', text: words }, { role: 'action', text: madeWords(name, done.tracks, unwanted) }];
}

/** Opens the screen. */
export async function open({ signal }) {
  const { plugins } = await read('plugins', {}, signal);
  const used = plugins.filter(offersAsking);
  if (!used.length) return { title: 'Ask', element: nobodyToAsk() };
  const named = (id) => used.find((one) => one.id === id) ?? used[0];
  chosen = named(chosen).id;
  const can = (name) => named(chosen).functions.includes(name);
  const conversation = new Conversation(kept, { read, change });
  let isShown = false;

  async function attempt(words, run) {
    const setBusy = (isBusy) => view.buttons.forEach((one) => { one.disabled = isBusy; });
    setBusy(true);
    setText(view.said, words);
    try {
      await run();
    } catch (error) {
      if (error.code === 'resolver.unknownConversation') conversation.forget();
      if (error.name !== 'AbortError') showError(error);
    }
    setBusy(false);
    setText(view.said, '');
  }

  async function follow() {
    const error = await conversation.follow({
      isShown: () => isShown, add: (messages) => add(view, messages), confirmed,
    });
    if (error) showError(Object.assign(new Error(error.message), { code: error.code }));
  }

  const talk = () => attempt(`${named(chosen).name} is being asked …`, async () => {
    const words = view.box.value.trim();
    if (!words) return;
    await conversation.say(words, chosen, currentRoom()?.name ?? null);
    view.box.value = '';
    await follow();
  });

  const generate = () => attempt(`${named(chosen).name} is making a queue …`, async () => {
    const words = view.box.value.trim();
    if (!words) {
      showBanner('Say what the queue should be like.');
      return;
    }
    const messages = await playGenerated(words);
    view.box.value = '';
    add(view, messages);
  });

  const beginAnew = () => {
    conversation.forget();
    view.list.replaceChildren();
  };

  const showButtons = () => {
    view.send.hidden = !can('chat');
    view.make.hidden = !can('generate');
  };

  const view = makeView(used, {
    generate,
    send: () => (can('chat') ? talk() : generate()),
    begin() {
      beginAnew();
      setText(view.said, '');
      view.box.focus();
    },
    choose(id) {
      chosen = id;
      beginAnew();
      showButtons();
    },
  });
  showButtons();
  return {
    title: 'Ask', element: view.element,
    show() {
      isShown = true;
      if (conversation.hasBegun) attempt('', follow);
    },
    shown() {
      view.box.focus({ preventScroll: true });
    },
    hide() {
      isShown = false;
    },
  };
}
