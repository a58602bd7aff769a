// The lyrics in the player. Lines with times follow the music, and a press on one plays from there.
import { read, trackPath } from '../core/api.js';
import { calm, h, setAttribute, setText } from '../core/dom.js';
import { currentRoom, positionOf, subscribe } from '../core/store.js';
import { command } from '../parts/actions.js';

const noLyrics = 'This track has no lyrics. They come from its tags, or from a file beside it that ends in .lrc.';
// The time in milliseconds for which the lines stay where a person has scrolled them.
const restTime = 5000;
const isTimed = ({ startSeconds }) => startSeconds !== undefined;

/** Returns the part of the player with the lyrics. `show(track)` shows those of a track, `hide()` ends following. */
export function makeLyrics() {
  const said = h('p', { class: 'soft lyrics-note' });
  const list = h('ol', { class: 'lyrics' });
  const scroll = h('div', { class: 'panel-scroll lyrics-scroll', tabindex: '0', role: 'group', 'aria-label': 'Lyrics' },
    said, list);
  const element = h('section', { class: 'panel-part', 'aria-label': 'Lyrics' }, scroll);
  // The id of the track that is shown: null for one outside of the library, undefined before any.
  let shown;
  let lines = [];
  let current = -1;
  let timer = 0;
  let scrolledAt = -restTime;
  let isOn = false;

  for (const kind of ['wheel', 'touchmove', 'keydown']) {
    scroll.addEventListener(kind, () => {
      scrolledAt = performance.now();
    }, { passive: true });
  }

  const seek = ({ startSeconds: seconds }) =>
    command({ action: 'seek', seconds, entry: currentRoom()?.entry ?? undefined });

  function draw({ lines: all, source }) {
    lines = all;
    current = -1;
    const areTimed = all.some(isTimed);
    const words = (text) => text || (areTimed ? '♪' : '\u00a0');
    const timed = (line) => h('button', {
      type: 'button', class: 'lyrics-line', text: words(line.text), 'aria-label': line.text || 'Pause',
      onclick: () => seek(line),
    });
    const plain = (line) => h('p', { text: words(line.text) });
    list.replaceChildren(...all.map((line) => h('li', {}, isTimed(line) ? timed(line) : plain(line))));
    const origin = { server: 'From the server of this track.', file: 'From the file beside the track.' }[source] ?? '';
    setText(said, areTimed ? '' : origin);
    scroll.scrollTo(0, 0);
    follow();
  }

  /** Marks the line that is sung, brings it to the middle, and waits for the next. */
  function follow() {
    clearTimeout(timer);
    const room = currentRoom();
    if (!isOn || document.hidden || !room || room.track?.id !== shown) return;
    const at = positionOf(room) + 0.12;
    const index = lines.findLastIndex((line) => isTimed(line) && line.startSeconds <= at);
    if (index !== current) {
      const before = list.children[current]?.firstElementChild;
      if (before) setAttribute(before, 'aria-current', null);
      current = index;
      const now = list.children[index];
      if (now) {
        setAttribute(now.firstElementChild, 'aria-current', 'true');
        if (performance.now() - scrolledAt > restTime) {
          const top = now.offsetTop - (scroll.clientHeight - now.offsetHeight) / 2;
          scroll.scrollTo({ top, behavior: calm.matches ? 'instant' : 'smooth' });
        }
      }
    }
    const next = lines.slice(index + 1).find(isTimed);
    if (next && room.rate > 0) timer = setTimeout(follow, Math.max(40, (next.startSeconds - at) / room.rate * 1000));
  }

  async function load(id) {
    list.replaceChildren();
    lines = [];
    if (!id) {
      setText(said, 'Tracks that are not in the library have no lyrics here.');
      return;
    }
    setText(said, 'Reading the lyrics …');
    try {
      const found = await read(`${trackPath(id)}/lyrics`);
      if (shown === id) draw(found);
    } catch (error) {
      if (shown !== id) return;
      setText(said, error.status === 404 ? noLyrics : error.message);
      if (error.status !== 404) shown = undefined; // The next change of the room tries again.
    }
  }

  element.show = (track) => {
    isOn = true;
    const id = track && !track.described ? track.id ?? null : null;
    if (id !== shown || !track) {
      shown = id;
      load(id);
    } else {
      follow();
    }
  };
  element.hide = () => {
    isOn = false;
    clearTimeout(timer);
  };
  subscribe(follow);
  document.addEventListener('visibilitychange', follow);
  return element;
}
