// An album: its cover and colours, what can be done with it, its tracks with the one that plays.
import { albumPath, readWhole } from '../core/api.js';
import { h, reconcile, setAttribute, setText, setVars } from '../core/dom.js';
import { address } from '../core/router.js';
import { shownState, stateName } from '../core/state.js';
import { currentRoom, follow, onFact } from '../core/store.js';
import { count, span } from '../core/words.js';
import { command, put } from '../parts/actions.js';
import { pill } from '../parts/buttons.js';
import { coverHead, tagPills } from '../parts/heads.js';
import { icon } from '../parts/icons.js';
import { offerMenu } from '../parts/menu.js';
import { rating } from '../parts/rating.js';
import { albumMenu } from '../parts/things.js';
import { makeTrack, updateTrack } from '../parts/lines.js';
import { notePalette } from '../player/palette.js';

function lines(album) {
  const several = new Set(album.tracks.map(({ disc }) => disc)).size > 1;
  const result = [];
  album.tracks.forEach((track, index) => {
    if (several && track.disc !== album.tracks[index - 1]?.disc) result.push({ key: `disc ${track.disc}`, disc: track.disc });
    result.push({ key: `${track.id} ${index}`, track, index });
  });
  return result;
}

/** The pill that plays the album, or pauses it while it plays. */
function startPill(album) {
  const element = pill('Play', 'play', () => {
    const room = currentRoom();
    const isHere = room?.track?.albumID === album.id && ['playing', 'paused', 'buffering'].includes(room.state);
    if (isHere) command({ action: 'toggle' });
    else put(album);
  }, { kind: 'first' });
  element.show = (state) => {
    const label = state === 'playing' || state === 'buffering' ? 'Pause' : 'Play';
    setText(element.querySelector('span'), label);
    const picture = icon(label === 'Pause' ? 'pause' : 'play');
    if (element.firstChild.dataset.icon !== picture.dataset.icon) element.firstChild.replaceWith(picture);
    setAttribute(element, 'aria-label', `${label} ${album.title}`);
  };
  return element;
}

function head(album, stars, state, start) {
  const facts = [album.year, count(album.trackCount, 'track'), span(album.durationSeconds)].filter(Boolean).join(' · ');
  const by = album.artistID ? h('a', { href: address('artist', album.artistID), text: album.artist }) : h('span', { text: album.artist });
  const element = coverHead(album, { disc: true },
    h('p', { class: 'by' }, by), h('p', { class: 'facts', text: facts }), h('div', { class: 'row' }, stars, state),
    tagPills(album),
    h('div', { class: 'actions', role: 'group', 'aria-label': 'What to do with this album' }, start,
      pill('Play next', 'queueNext', () => put(album, 'next')), pill('Play later', 'queueLater', () => put(album, 'later')),
      pill('Shuffle', 'shuffle', () => put(album, 'now', { shuffle: true }))));
  offerMenu(element.querySelector('.cover-stand'), () => album.title, () => albumMenu(album, true));
  return element;
}

/** Opens an album's place. */
export async function open({ parts: [id], signal }) {
  const album = await readWhole(albumPath(id), ['tracks'], signal);
  notePalette(album.id, album.palette);
  const stars = rating(album.title);
  stars.set(album, album.title);
  const start = startPill(album);
  const state = h('p', { class: 'head-state', role: 'status' });
  const top = head(album, stars, state, start);
  const list = h('ol', { class: 'lines card', 'aria-label': 'Tracks' });
  for (const name of ['--tint', '--tint-words', '--tint-two']) setVars(list, { [name]: top.style.getPropertyValue(name) || null });
  const element = h('section', { class: 'place album', 'aria-label': album.title }, top, list);

  const show = () => {
    const room = currentRoom();
    const shown = room?.track?.albumID === album.id && room.state !== 'idle' ? shownState(room) : null;
    setAttribute(element, 'data-state', shown);
    setText(state, shown ? stateName(shown) : '');
    start.show(shown);
    reconcile(list, lines(album), ({ key }) => key,
      (line) => (line.track ? makeTrack() : h('li', { class: 'disc-name', text: `Disc ${line.disc}` })),
      (one, { track, index }) => track && updateTrack(one, track, {
        under: track.artist === album.artist ? '' : track.artist, start: () => put(album, 'now', { startAt: index, first: track }),
        artistID: track.artist === album.artist ? album.artistID : null, albumHere: album.id,
      }));
  };
  const hear = (fact) => {
    if (fact.kind !== 'library.rating-changed') return;
    if (fact.id === album.id) stars.set({ ...album, rating: fact.stars ?? null }, album.title);
    const track = album.tracks.find((one) => one.id === fact.id);
    if (track) track.rating = fact.stars ?? undefined;
  };
  let stops = [];
  return {
    title: album.title, element,
    show() {
      stops = [follow(show), onFact(hear)];
    },
    hide: () => stops.forEach((stop) => stop()),
  };
}
