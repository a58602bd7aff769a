// A conversation with a plugin that has a language model: what is said, and what the service answers.
import { count } from '../core/format.js';

/** A conversation as one screen shows it. The service keeps it for an hour, so a later screen can go on with it. */
export class Conversation {
  #kept;
  #service;
  #seen = 0;
  #isFollowing = false;

  /**
   * `kept` has the `id` by which the service knows the conversation, null for none, and stays while screens come and
   * go. `service` has `read` and `change` of core/api.js.
   */
  constructor(kept, service) {
    this.#kept = kept;
    this.#service = service;
  }

  get hasBegun() {
    return this.#kept.id !== null;
  }

  /** Begins anew with the next words. */
  forget() {
    this.#kept.id = null;
    this.#seen = 0;
  }

  /** Says something to a plugin about a room, which may be null. */
  async say(words, plugin, room) {
    const { id } = this.#kept;
    const body = { words, plugin, ...(id ? { conversation: id } : {}), ...(room ? { room } : {}) };
    this.#kept.id = (await this.#service.change('chats', body)).conversation;
  }

  /**
   * Follows the conversation until the plugin has answered, or `isShown()` is false. `add(messages)` shows messages,
   * and `confirmed(text)` resolves to true if the person agrees to something. Returns the error of the plugin, or null.
   */
  async follow({ isShown, add, confirmed }) {
    if (this.#isFollowing) return null;
    this.#isFollowing = true;
    try {
      while (isShown() && this.hasBegun) {
        const { id } = this.#kept;
        const state = await this.#service.read(`chats/${id}`, { from: this.#seen });
        // The person has begun anew meanwhile.
        if (this.#kept.id !== id) continue;
        add(state.messages);
        this.#seen = state.first + state.messages.length;
        if (state.question) {
          const isAgreed = await confirmed(state.question.text);
          await this.#service.change(`chats/${id}/answer`, { question: state.question.id, isAgreed });
        } else if (!state.busy && this.#seen >= state.count) return state.error ?? null;
      }
      return null;
    } finally {
      this.#isFollowing = false;
    }
  }
}

/** Returns the words for a queue that a plugin has made. */
export function madeWords(name, tracks, unwanted) {
  const left = unwanted ? `; ${count(unwanted, 'unwanted track')} left out` : '';
  return `${name} made a queue of ${count(tracks, 'track')}${left}.`;
}
