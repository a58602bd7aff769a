// The card of a tile: why the album is on the wall, and what can be done with it.
import { change } from '../core/api.js';
import { h } from '../core/dom.js';
import { dateWords } from '../core/format.js';
import { address, navigate } from '../core/router.js';
import { enqueue } from '../parts/actions.js';
import { showBanner, showError } from '../parts/banners.js';
import { iconButton, textButton } from '../parts/controls.js';
import { showDialog } from '../parts/dialogs.js';
import { setCover } from '../parts/cover.js';
import { links, wishButton } from './missing.js';
import { onOpinion, opinionButton } from './opinions.js';
import { evidenceOf, isOnShelf, signalOf } from './words.js';

/** Asks for fewer albums like one, or takes that back. */
async function showLess({ id, title }, undo = false) {
  try {
    await change(`discovery/less/${encodeURIComponent(id)}`, { isTakenBack: undo }, 'PUT');
    const words = undo
      ? `Albums like “${title}” may be shown again.`
      : `Fewer albums like “${title}” are shown for 90 days.`;
    showBanner(words, {
      key: 'less', action: undo ? null : { name: 'Undo', run: () => showLess({ id, title }, true) },
    });
  } catch (error) {
    showError(error);
  }
}

function albumActions(tile, close) {
  const album = { ...tile, trackCount: 0 };
  const then = (run) => () => {
    close();
    run();
  };
  const [heart, cross] = [opinionButton('like', 'small'), opinionButton('dislike', 'small')];
  const show = () => [heart, cross].forEach((one) => one.show(tile));
  show();
  const stop = onOpinion(show);
  const element = h('div', { class: 'reason-actions' },
    h('div', { class: 'row wrap' },
      textButton('Play', 'play', then(() => enqueue(album)), {
        kind: 'first', label: `Play ${tile.title}, and the wall after it`,
      }),
      textButton('Play next', 'queueNext', then(() => enqueue(album, 'next'))),
      textButton('Play later', 'queueLater', then(() => enqueue(album, 'later'))),
      heart, cross),
    h('div', { class: 'row wrap' }, textButton('Less like this', 'less', then(() => showLess(tile)), { kind: 'quiet' }),
      textButton('Album', 'albums', then(() => navigate(address('album', tile.id))), { kind: 'quiet' }),
      tile.artistID
        ? textButton('Artist', 'artists', then(() => navigate(address('artist', tile.artistID))), { kind: 'quiet' })
        : null));
  return { element, stop };
}

function missingActions(missing, close) {
  const artist = missing.artistID && textButton('Artist', 'artists', () => {
    close();
    navigate(address('artist', missing.artistID));
  }, { kind: 'quiet' });
  const buttons = h('div', { class: 'row wrap' }, wishButton(missing), artist);
  return { element: h('div', { class: 'reason-actions' }, links(missing), buttons), stop: () => {} };
}

/** Shows the card of a tile. */
export function showReason(tile) {
  if (!tile || document.querySelector('dialog.reason')) return;
  const { missing } = tile;
  const isHere = isOnShelf(tile);
  const close = () => dialog.close();
  const cover = h('span', { class: 'cover', 'aria-hidden': 'true' });
  setCover(cover, tile);
  const date = missing?.date ? dateWords(missing.date) : tile.year;
  const evidence = evidenceOf(tile.evidence);
  if (missing?.source && !tile.evidence?.source) evidence.push(['Named by', missing.source]);
  const actions = isHere ? albumActions(tile, close)
    : missing ? missingActions(missing, close)
    : { element: null, stop: () => {} };
  const dialog = h('dialog', { class: 'keys reason', 'aria-labelledby': 'reason-title' },
    h('div', { class: 'reason-head' },
      cover,
      h('div', { class: 'reason-words' }, h('h2', { id: 'reason-title', text: tile.title }),
        h('p', { text: tile.artist }), date ? h('p', { class: 'soft', text: String(date) }) : null,
        h('p', {
          class: 'signal',
          'data-signal': tile.signal,
          text: isHere ? signalOf(tile) : `Not in the library · ${signalOf(tile)}`,
        }))),
    h('p', { class: 'reason-sentence', text: tile.reason }),
    evidence.length ? h('dl', { class: 'reason-facts' },
      evidence.map(([name, value]) => h('div', {}, h('dt', { text: name }), h('dd', { text: value })))) : null,
    actions.element, iconButton('close', 'Close', close, 'small reason-close'));
  dialog.addEventListener('close', () => actions.stop());
  showDialog(dialog);
}
