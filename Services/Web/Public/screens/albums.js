// All albums: a shelf over the whole catalogue, of which only the rows in sight are in the document.
import { read } from '../core/api.js';
import { h, reconcile, setText } from '../core/dom.js';
import { Places } from '../core/pages.js';
import { recall, remember } from '../core/prefs.js';
import { go } from '../core/router.js';
import { currentRoom, follow, look, store } from '../core/store.js';
import { count } from '../core/words.js';
import { Windowed, wireArrows } from '../core/windowed.js';
import { put } from '../parts/actions.js';
import { complain } from '../parts/banners.js';
import { choices, pill } from '../parts/buttons.js';
import { makeRecord, shelfShape, updateRecord } from '../parts/cards.js';
import { emptyCard, plainHead } from '../parts/heads.js';
import { letterStrip } from '../parts/letters.js';
import { emptyWords } from '../parts/sourcewords.js';

const sorts = [['name', 'artist'], ['added', 'newest here'], ['year', 'newest release'], ['played', 'last heard'], ['random', 'chance']];

/** A seed for the random order; it stays until another is asked for. */
function seed(isNew = false) {
  if (isNew || recall('seed') === null) remember('seed', Math.floor(Math.random() * 2 ** 31));
  return recall('seed');
}

function tagOf(text) {
  const [kind, ...name] = text.split(':');
  return { kind, name: name.join(':') };
}

/** The second line of a record: what the order is about, too. */
function underOf(album, sort) {
  return album && sort === 'year' && album.year ? `${album.year} · ${album.artist}` : album?.artist;
}

/**
 * What follows an album of the list. The order by last heard changes as music plays, so there the albums themselves are
 * named.
 */
function following(source, { sort, seed: drawn, tag }) {
  return (id) => {
    if (sort !== 'played') return { sort, ...(drawn ? { seed: drawn } : {}), ...(tag ? { tag: tagOf(tag) } : {}) };
    const all = Array.from({ length: Math.min(source.total, 2000) }, (_, index) => source.get(index)?.id).filter(Boolean);
    const at = Math.max(0, all.indexOf(id));
    return { albums: all.slice(at, at + 200) };
  };
}

function tools(sort, tag) {
  const sorter = choices('Sorted by', sorts, sort, (value) => {
    if (!tag) remember('sort', value);
    if (value === 'random') seed(true);
    go(`#/albums?${new URLSearchParams({ ...(tag ? { tag } : {}), sort: value })}`, true);
  }, 'sort');
  const shuffle = pill('Shuffle all', 'shuffle', () => put({ id: 'library:all', title: 'everything' }, 'now', { shuffle: true }));
  return [tag ? null : shuffle, sorter];
}

/** Opens the shelf; the query may narrow it to a word (`tag=genre:Jazz`) and sort it. */
export async function open({ query }) {
  const tag = query.get('tag');
  const sort = query.get('sort') ?? recall('sort', 'name');
  const title = tag ? tagOf(tag).name : 'All albums';
  const parameters = { sort, tag, seed: sort === 'random' ? seed() : null };
  const counted = h('p', { class: 'count', role: 'status' });
  const empty = h('div', { hidden: true });
  let generation = store.catalogue?.generation ?? null;
  let isRenewing = false;
  const source = new Places('albums', parameters, tag ? 1 : store.catalogue?.albums || 60, () => {
    if (source.error) complain(source.error);
    shelf.refresh();
    show();
  });
  const shelf = new Windowed({
    kind: 'shelf', label: title, measure: (width) => shelfShape(width), make: makeRecord,
    update: (element, album) => updateRecord(element, album, underOf(album, sort)),
  });
  wireArrows(shelf, () => source.total);
  const strip = letterStrip((index) => shelf.reach(index));
  const element = h('section', { class: 'place albums', 'aria-label': title }, plainHead(title, counted, ...tools(sort, tag)), empty, shelf.element, strip);

  function show() {
    const isEmpty = !source.get(0) && (tag ? source.total === 0 : store.catalogue?.albums === 0);
    setText(counted, source.get(0) || !tag ? count(source.get(0) ? source.total : store.catalogue?.albums ?? 0, 'album') : '');
    empty.hidden = !isEmpty;
    shelf.element.hidden = isEmpty;
    if (isEmpty) reconcile(empty, [emptyWords()], ({ words }) => words, ({ title: one, words, more }) => emptyCard(one, words, ...more()));
  }

  async function readIndex() {
    if (sort === 'random') return;
    try {
      strip.set(await read('albums/index', { sort, tag }), sort);
    } catch {
      strip.set(null); // Without it one scrolls.
    }
  }

  /** Reads what is looked at again, and keeps it where it is seen. */
  async function renew() {
    if (isRenewing) return;
    isRenewing = true;
    try {
      shelf.shift(await source.renew(shelf.first));
      await readIndex();
    } catch {
      generation = null; // The next word from the household tries again.
    } finally {
      isRenewing = false;
    }
    show();
  }

  let marked = null;
  const update = () => {
    const now = store.catalogue?.generation ?? null;
    const isStale = now !== null && now !== generation && store.link === 'open';
    if (isStale) {
      generation = now;
      renew();
    }
    const room = currentRoom();
    const mark = [room?.track?.albumID, room?.state, room?.away, store.link].join(' ');
    if (mark !== marked) shelf.refresh();
    marked = mark;
    show();
  };
  readIndex();
  let stop = () => {};
  return {
    title, element, lasting: true, reload: renew,
    show() {
      look(following(source, parameters));
      shelf.show(source);
    },
    shown() {
      shelf.start();
      stop = follow(update);
    },
    hide() {
      stop();
      shelf.stop();
    },
  };
}
