// The list of musical works, all or of one composer, and the screen of one work with its recordings.
import { read, readAllPages } from '../core/api.js';
import { h, reconcile, setText } from '../core/dom.js';
import { count } from '../core/format.js';
import { CursorList } from '../core/lists.js';
import { address, navigate } from '../core/router.js';
import { subscribe } from '../core/store.js';
import { VirtualList, wireArrows } from '../core/virtuallist.js';
import { enqueue } from '../parts/actions.js';
import { movementTitle } from '../parts/albumrows.js';
import { linkButton, textButton } from '../parts/controls.js';
import { personLink } from '../parts/credits.js';
import { emptyMessage, pageHeader } from '../parts/headers.js';
import { listFailure } from '../find/listfailure.js';
import { makeLetterBar } from '../find/jumpbar.js';
import { makeLinkRow, updateLinkRow } from '../parts/linkrow.js';
import { makeTrackRow, updateTrackRow } from '../parts/trackrow.js';
import { rowShape } from './tracks.js';

/** Opens the list; the query may contain the id of a composer and the letter at which it starts. */
export async function openList({ query, signal }) {
  const [composer, from] = [query.get('composer'), query.get('from')];
  const name = composer ? (await read(`artists/${encodeURIComponent(composer)}`, {}, signal)).name : null;
  const title = name ? `Works of ${name}` : 'Works';
  const text = h('p', { class: 'count', role: 'status' });
  const none = h('div', { hidden: true },
    emptyMessage('No works', 'The tags of your music name no works. Programs such as MusicBrainz Picard write them.'));
  const failure = listFailure('The works could not be read');
  const source = new CursorList('works', { composer, startingAt: from }, () => {
    lines.element.hidden = failure.show(source);
    none.hidden = !(source.isComplete && !source.items.length);
    setText(text, from ? `from ${from.toUpperCase()}` : source.isComplete ? count(source.items.length, 'work') : '');
    jumpBar.hidden = !from && source.isComplete && source.items.length < 30;
    lines.refresh();
  });
  const lines = new VirtualList({
    kind: 'lines card', label: title, measure: rowShape, make: () => makeLinkRow('works'),
    update: (element, work) => updateLinkRow(element, work, work && {
      href: address('work', work.id),
      under: [composer ? null : work.composer?.name, count(work.trackCount, 'track')].filter(Boolean).join(' · '),
    }),
  });
  wireArrows(lines, () => source.items.length);
  const jumpBar = makeLetterBar((letter) => {
    const all = new URLSearchParams({ ...(composer ? { composer } : {}), ...(letter ? { from: letter } : {}) });
    navigate(`#/works${all.size ? `?${all}` : ''}`, true);
  });
  const composers = linkButton('Composers', `${address('artists')}?role=composer`, 'artists');
  return {
    title,
    element: h('section', { class: 'screen artists', 'aria-label': title }, pageHeader(title, text, composers), none,
      failure, lines.element, jumpBar),
    show: () => lines.show(source), shown: () => lines.start(), hide: () => lines.stop(),
  };
}

/** Returns the id of a work, which an address may also name by its title and its composer. */
async function idOf([id], query, signal) {
  if (id) return id;
  const title = query.get('title');
  const { items } = await read('works', { composer: query.get('composer'), startingAt: title, limit: 20 }, signal);
  const found = items.find((work) => work.title === title) ?? items[0];
  if (!found) throw new Error(`The library knows no work “${title}” any more.`);
  return found.id;
}

/** Opens the screen of a work: its recordings, one album after the other. */
export async function openWork({ parts, query, signal }) {
  const id = await idOf(parts, query, signal);
  const work = await readAllPages(`works/${encodeURIComponent(id)}`, ['tracks'], signal);
  const recordings = [...Map.groupBy(work.tracks, ({ albumID }) => albumID).values()];
  const lists = recordings.map((tracks) => ({
    tracks, list: h('ol', { class: 'lines card', 'aria-label': tracks[0].album }),
  }));
  const groups = lists.map(({ tracks: [first], list }) => h('section', { class: 'group' },
    h('h2', {}, h('a', { href: address('album', first.albumID), text: first.album })),
    h('p', { class: 'soft', text: [first.albumArtist, first.year].filter(Boolean).join(' · ') }), list));
  const show = () => {
    for (const { tracks, list } of lists) {
      reconcile(list, tracks,
        ({ id: one }) => one,
        () => makeTrackRow({ cover: true }),
        (one, track) => updateTrackRow(one, track, { title: movementTitle(track), under: track.artist }));
    }
  };
  const facts = [
    work.composer ? personLink(work.composer) : null,
    work.composer ? ' · ' : null,
    count(recordings.length, 'recording'),
    ' · ',
    count(work.trackCount, 'track'),
  ];
  const header = h('header', { class: 'head' },
    h('h1', { text: work.title, tabindex: '-1' }),
    h('p', { class: 'count' }, facts.filter(Boolean)),
    h('div', { class: 'head-tools' },
      textButton('Play all', 'play', () => enqueue(work), { kind: 'first' }),
      textButton('Play later', 'queueLater', () => enqueue(work, 'later'))));
  let stop = () => {};
  return {
    title: work.title, element: h('section', { class: 'screen', 'aria-label': work.title }, header, groups),
    show() {
      stop = subscribe(show);
    },
    hide: () => stop(),
  };
}
