// The likes and dislikes of albums: the ids are kept here, and everything on screen follows them.
import { albumPath, change, read } from '../core/api.js';
import { setAttribute } from '../core/dom.js';
import { onFact } from '../core/events.js';
import { showBanner, showError } from '../parts/banners.js';
import { iconButton } from '../parts/controls.js';
import { flag } from './words.js';

const opinions = new Map();
const listeners = new Set();
// For each reading of the ids that has not ended: the changes since it began, as its answer may be older than they are.
const readings = new Set();
let revision = null;
let isStarted = false;
let isFollowing = false;

/** Returns `like`, `dislike`, or null for an album without an opinion. */
export function opinionOf(id) {
  return opinions.get(id) ?? null;
}

/** Calls `listener(id, opinion)` after each change. Returns the function that ends this. */
export function onOpinion(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function show(id, opinion) {
  if (opinionOf(id) === opinion) return;
  if (opinion) opinions.set(id, opinion);
  else opinions.delete(id);
  for (const listener of listeners) listener(id, opinion);
}

/** Sets an opinion, also on top of the ids that are being read. */
function set(id, opinion) {
  for (const changes of readings) changes.set(id, opinion);
  show(id, opinion);
}

/** Takes back an opinion that was set and refused; `former` is the one before it. */
function takeBack(id, former) {
  for (const changes of readings) changes.delete(id);
  show(id, former);
}

/** Reads the ids of all albums of which there is an opinion. */
async function readIDs() {
  const changes = new Map();
  readings.add(changes);
  try {
    await readAllIDs(changes);
  } finally {
    readings.delete(changes);
  }
}

async function readAllIDs(changes) {
  const found = new Map();
  let page = null;
  do {
    page = await read('opinions/ids', page ? { after: page.next } : { since: revision });
    if (flag(page, 'Same')) return;
    for (const id of page.likes) found.set(id, 'like');
    for (const id of page.dislikes) found.set(id, 'dislike');
  } while (page.next);
  revision = page.revision;
  for (const [id, opinion] of changes) found.set(id, opinion);
  for (const id of [...opinions.keys()]) if (!found.has(id)) show(id, null);
  for (const [id, opinion] of found) show(id, opinion);
}

/** Begins to follow the opinions of the household, once. */
export function startOpinions() {
  if (isStarted) return;
  isStarted = true;
  const load = () => readIDs().catch(() => {
    isStarted = false; // The next screen that shows opinions tries again.
  });
  load();
  if (isFollowing) return;
  isFollowing = true;
  onFact((fact) => {
    if (fact.kind === 'library.opinion-changed') set(fact.id, fact.opinion ?? null);
    else if (fact.kind === 'page.reset') load();
  });
}

/**
 * Gives an opinion of an album (`id`, `title`), or takes it back by null. After a dislike, Undo is offered. Returns
 * false after a failure, which is shown.
 */
export async function setOpinion({ id, title }, opinion) {
  const former = opinionOf(id);
  set(id, opinion);
  try {
    const { before = null } = await change(`${albumPath(id)}/opinion`, { opinion }, 'PUT') ?? {};
    if (opinion !== 'dislike') return true;
    showBanner(`“${title}” is in no wall or feed any more.`, {
      key: 'opinion', action: { name: 'Undo', run: () => setOpinion({ id, title }, before) },
    });
    return true;
  } catch (error) {
    takeBack(id, former);
    showError(error);
    return false;
  }
}

/** Returns a button that gives an opinion or takes it back: a heart for `like`, a cross for `dislike`. */
export function opinionButton(opinion, kind = '') {
  let album = null;
  const element = iconButton(opinion === 'like' ? 'likes' : 'close', '', (event) => {
    event.stopPropagation();
    if (album) setOpinion(album, opinionOf(album.id) === opinion ? null : opinion);
  }, `opinion ${opinion} ${kind}`);
  /** Shows the opinion of an album. */
  element.show = (shown) => {
    album = shown;
    const word = `${opinion === 'like' ? 'Like' : 'Dislike'} ${album?.title ?? ''}`;
    setAttribute(element, 'aria-label', word);
    setAttribute(element, 'title', opinion === 'like' ? 'Like' : 'Dislike');
    setAttribute(element, 'aria-pressed', String(Boolean(album) && opinionOf(album.id) === opinion));
  };
  return element;
}
