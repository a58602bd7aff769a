// The screen of an album: its cover and colours, actions, tracks, credits and editions.
import { cacheAlbum } from '../core/albumcache.js';
import { albumPath, readAllPages } from '../core/api.js';
import { applyPalette } from '../core/colours.js';
import { h, reconcile, setAttribute, setText } from '../core/dom.js';
import { onFact } from '../core/events.js';
import { count, span } from '../core/format.js';
import { shownState, stateName } from '../core/playbackstate.js';
import { currentRoom, subscribe } from '../core/store.js';
import { albumMenu, command, enqueue } from '../parts/actions.js';
import { makeOtherRow, movementTitle, rowsOf } from '../parts/albumrows.js';
import { iconButton, textButton } from '../parts/controls.js';
import { creditList } from '../parts/credits.js';
import { byLine, coverHeader, tagLinks } from '../parts/headers.js';
import { icon } from '../parts/icons.js';
import { offerMenu, openMenu } from '../parts/menu.js';
import { rating } from '../parts/rating.js';
import { datesOf, editionChoice, heardLine, releaseDetails, soundWords } from '../parts/release.js';
import { makeTrackRow, updateTrackRow } from '../parts/trackrow.js';
import { latePart, notesPart } from './lateparts.js';

/** Returns the button that plays the album, or pauses it while it plays. */
function playAlbumButton(album) {
  const element = textButton('Play', 'play', () => {
    const room = currentRoom();
    const isHere = room?.track?.albumID === album.id && ['playing', 'paused', 'buffering'].includes(room.state);
    if (isHere) command({ action: 'toggle' });
    else enqueue(album);
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
  const sound = album.sound?.length === 1 ? soundWords(album.sound[0]) : album.quality;
  const facts = [datesOf(album), album.edition, count(album.trackCount, 'track'), span(album.durationSeconds), sound]
    .filter(Boolean).join(' · ');
  const element = coverHeader(album, { disc: true },
    byLine(album), h('p', { class: 'facts', text: facts }), heardLine(album),
    h('div', { class: 'row' }, stars, state), tagLinks(album),
    h('div', { class: 'actions', role: 'group', 'aria-label': 'Actions' }, start,
      textButton('Play next', 'queueNext', () => enqueue(album, 'next')),
      textButton('Play later', 'queueLater', () => enqueue(album, 'later')),
      textButton('Shuffle', 'shuffle', () => enqueue(album, 'now', { shuffle: true })),
      iconButton('more', 'More', ({ currentTarget: button }) => {
        const { left, bottom } = button.getBoundingClientRect();
        openMenu(album.title, albumMenu(album, true), left, bottom + 4, button);
      })));
  offerMenu(element.querySelector('.cover-stand'), () => album.title, () => albumMenu(album, true), () => album);
  return element;
}

/** Opens the screen of an album. */
export async function open({ parts: [id], signal }) {
  const album = await readAllPages(albumPath(id), ['tracks'], signal);
  cacheAlbum(album);
  const stars = rating(album.title);
  stars.set(album, album.title);
  const start = playAlbumButton(album);
  const state = h('p', { class: 'head-state', role: 'status' });
  const top = head(album, stars, state, start);
  const list = h('ol', { class: 'lines card', 'aria-label': 'Tracks' });
  applyPalette(list, album.palette);
  const credits = creditList(album.credits, album.trackCount);
  const notes = notesPart(album);
  const near = h('div', { class: 'album-reels' });
  const element = h('section', { class: 'screen album', 'aria-label': album.title },
    top,
    releaseDetails(album),
    list, notes.element,
    credits && h('section', { class: 'group' }, h('h2', { text: 'Credits' }), credits), editionChoice(album), near);
  const rows = rowsOf(album);

  const show = () => {
    const room = currentRoom();
    const shown = room?.track?.albumID === album.id && room.state !== 'idle' ? shownState(room) : null;
    setAttribute(element, 'data-state', shown);
    setText(state, shown ? stateName(shown) : '');
    start.show(shown);
    reconcile(list, rows, ({ key }) => key, (line) => (line.track ? makeTrackRow() : makeOtherRow(line)),
      (one, { track, index, isInWork }) => track && updateTrackRow(one, track, {
        title: isInWork ? movementTitle(track) : track.title,
        under: track.artist === album.artist ? '' : track.artist,
        start: () => enqueue(album, 'now', { startAt: index, first: track }),
        artistID: track.artist === album.artist ? album.artistID : null, albumHere: album.id,
      }));
  };
  const handle = (fact) => {
    if (fact.kind !== 'library.rating-changed') return;
    if (fact.id === album.id) stars.set({ ...album, rating: fact.stars ?? null }, album.title);
    const track = album.tracks.find((one) => one.id === fact.id);
    if (track) track.rating = fact.stars ?? undefined;
  };
  // The heart, the cross and the review.
  const more = latePart(() =>
    import('../discovery/albumparts.js').then(({ addParts }) => addParts(album, element, top)));
  let reels = null;
  let stops = [];
  return {
    title: album.title, element,
    shown() {
      // Those of other albums come once the album itself is on screen.
      reels ??= latePart(() => import('../statistics/albumreels.js').then(({ addReels }) => addReels(near, album)));
      reels.show();
    },
    show() {
      stops = [subscribe(show), onFact(handle)];
      notes.show();
      more.show();
    },
    hide() {
      stops.forEach((stop) => stop());
      notes.hide();
      more.hide();
      reels?.hide();
    },
  };
}
