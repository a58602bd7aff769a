// The conversation with a plugin that has a language model, and queues that plugins make by words.
import { change, play, read } from '../core/api.js';
import { h, setText } from '../core/dom.js';
import { count } from '../core/format.js';
import { currentRoom } from '../core/store.js';
import { offersAsking } from '../parts/asking.js';
import { showBanner, showError } from '../parts/banners.js';
import { choices, linkButton, textButton } from '../parts/controls.js';
import { emptyMessage, pageHeader } from '../parts/headers.js';
import { offerUndo, rememberQueue } from '../parts/queueundo.js';

// The conversation that goes on when a person comes back to this screen; the service keeps it for an hour.
let conversation = null;
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

/** Opens the screen. */
export async function open({ signal }) {
  const { plugins } = await read('plugins', {}, signal);
  const used = plugins.filter(offersAsking);
  if (!used.length) {
    return { title: 'Ask', element: h('section', { class: 'screen', 'aria-label': 'Ask' }, pageHeader('Ask'),
      emptyMessage('Nobody to ask',
        'A plugin with a language model can play, queue and make playlists for you. None is switched on.',
        linkButton('Plugins', '#/settings/plugins', 'settings'))) };
  }
  const named = (id) => used.find((one) => one.id === id) ?? used[0];
  chosen = named(chosen).id;
  const can = (name) => named(chosen).functions.includes(name);
  const list = h('ol', { class: 'chat' });
  const log = h('div', { role: 'log', 'aria-label': 'Conversation' }, list);
  const said = h('p', { class: 'soft', role: 'status' });
  const box = h('input', {
    type: 'text',
    name: 'words',
    'aria-label': 'What you want to say',
    placeholder: 'Something quiet for the evening',
    autocomplete: 'off',
    maxlength: '2000',
    required: true,
  });
  const send = h('button', { type: 'submit', class: 'pill first', text: 'Send' });
  const make = textButton('Make a queue', 'queue', () => generate());
  const anew = textButton('Begin anew', 'close', () => {
    conversation = null;
    seen = 0;
    list.replaceChildren();
    setText(said, '');
    box.focus();
  }, { kind: 'quiet' });
  let isShown = false;
  let isFollowing = false;
  let seen = 0;

  const busy = (isBusy, words = '') => {
    for (const one of [send, make, anew]) one.disabled = isBusy;
    setText(said, words);
  };

  function add(messages) {
    list.append(...messages.map(bubble));
    list.lastElementChild?.scrollIntoView?.({ block: 'nearest' });
  }

  /** Follows the conversation until the plugin has answered, or until another screen is shown. */
  async function follow() {
    if (isFollowing) return;
    isFollowing = true;
    try {
      while (isShown && conversation) {
        const id = conversation;
        const state = await read(`chats/${id}`, { from: seen });
        if (conversation !== id) continue;
        add(state.messages);
        seen = state.first + state.messages.length;
        if (state.question) {
          const agreed = await confirmed(state.question.text);
          await change(`chats/${id}/answer`, { question: state.question.id, agreed });
        } else if (!state.busy && seen >= state.count) {
          if (state.error) showError(Object.assign(new Error(state.error.message), { code: state.error.code }));
          return;
        }
      }
    } finally {
      isFollowing = false;
    }
  }

  async function attempt(words, run) {
    busy(true, words);
    try {
      await run();
    } catch (error) {
      if (error.code === 'resolver.unknownConversation') conversation = null;
      if (error.name !== 'AbortError') showError(error);
    }
    busy(false);
  }

  const talk = () => attempt(`${named(chosen).name} is being asked …`, async () => {
    const words = box.value.trim();
    if (!words) return;
    const state = await change('chats', {
      words,
      plugin: chosen,
      ...(conversation ? { conversation } : {}),
      ...(currentRoom() ? { room: currentRoom().name } : {}),
    });
    box.value = '';
    conversation = state.conversation;
    await follow();
  });

  const generate = () => attempt(`${named(chosen).name} is making a queue …`, async () => {
    const words = box.value.trim();
    if (!words) {
      showBanner('Say what the queue should be like.');
      return;
    }
    const { tracks, name, unwanted } = await change('generate', { words, plugin: chosen });
    const described = tracks.map(({ title, artist, album }) => ({ title, artist, ...(album ? { album } : {}) }));
    const former = rememberQueue(currentRoom());
    const done = await play([], { room: currentRoom()?.name ?? null, described });
    offerUndo(done.room, former, `The queue was replaced by one that ${name} made.`, done.queue.revision);
    box.value = '';
    add([
      { role: 'person', text: words },
      {
        role: 'action',
        text: `${name} made a queue of `
          + `${count(done.tracks, 'track')}${unwanted ? `; ${count(unwanted, 'unwanted track')} left out` : ''}.`,
      },
    ]);
  });

  const update = () => {
    send.hidden = !can('chat');
    make.hidden = !can('generate');
  };
  const choice = used.length > 1 ? choices('Plugin', used.map(({ id, name }) => [id, name]), chosen, (id) => {
    chosen = id;
    conversation = null;
    seen = 0;
    list.replaceChildren();
    update();
  }) : null;
  const form = h('form', { class: 'ask-form row wrap', onsubmit: (event) => {
    event.preventDefault();
    if (can('chat')) talk();
    else generate();
  } }, box, send, make, anew);
  update();
  const hint = h('p', {
    class: 'soft',
    text: 'Your words, and the names of music that the plugin looks up here, go to the server of '
      + `${used.map(({ name }) => name).join(' or ')}.`,
  });
  const element = h('section', { class: 'screen ask', 'aria-label': 'Ask' },
    pageHeader('Ask'),
    hint, choice, log, said, form);
  return {
    title: 'Ask', element,
    show() {
      isShown = true;
      if (conversation) attempt('', follow);
    },
    shown() {
      box.focus({ preventScroll: true });
    },
    hide() {
      isShown = false;
    },
  };
}
