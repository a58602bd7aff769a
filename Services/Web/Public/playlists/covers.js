// The cover of a playlist: a picture that a person chooses or drops, made small enough to be sent.
import { change, playlistPath } from '../core/api.js';
import { h } from '../core/dom.js';
import { reopenScreen } from '../core/router.js';
import { showError } from '../parts/banners.js';
import { openMenu } from '../parts/menu.js';
import { offerUndoOf } from './playlistedits.js';

// The longest side of a picture that is sent, in pixels.
const longest = 1000;

/** Returns a picture as base64 of a JPEG that is not larger than needed. */
async function shrunk(file) {
  const picture = await createImageBitmap(file).catch(() => {
    throw new Error(`${file.name} cannot be shown. Choose a picture in JPEG, PNG or WebP.`);
  });
  const scale = Math.min(1, longest / Math.max(picture.width, picture.height));
  const canvas = h('canvas', { width: Math.round(picture.width * scale), height: Math.round(picture.height * scale) });
  const context = canvas.getContext('2d');
  // A picture may have clear parts, and a JPEG has none.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/jpeg', 0.9).split(',')[1];
}

async function send(playlist, run, words) {
  try {
    await run();
    await reopenScreen();
    offerUndoOf(playlist, words, () => reopenScreen().catch(showError));
  } catch (error) {
    showError(error);
  }
}

const path = ({ id }) => `${playlistPath(id)}/cover`;

/** Makes a picture the cover of a playlist. */
const setCoverOf = (playlist, file) =>
  send(playlist, async () => change(path(playlist), { picture: await shrunk(file) }, 'PUT'), 'The cover was changed.');

function choose(playlist) {
  const field = h('input', { type: 'file', accept: 'image/jpeg,image/png,image/webp' });
  field.addEventListener('change', () => field.files[0] && setCoverOf(playlist, field.files[0]));
  field.click();
}

/** Returns true if a person gave the playlist its cover. */
export const hasOwnCover = ({ art }) => String(art ?? '').startsWith('lunara:');

/** Opens the menu of the cover. */
export function openCoverMenu(playlist, button) {
  const { left, bottom } = button.getBoundingClientRect();
  openMenu('Cover', [
    { name: 'Choose a picture', icon: 'plus', run: () => choose(playlist) },
    hasOwnCover(playlist) && {
      name: 'Remove the cover',
      icon: 'trash',
      run: () => send(playlist, () => change(path(playlist), {}, 'DELETE'), 'The cover was removed.'),
    },
  ].filter(Boolean), left, bottom, button);
}

/** Lets a person drop a picture on the cover. */
export function wireCoverDrop(frame, playlist) {
  const hasFiles = (event) => event.dataTransfer?.types.includes('Files');
  frame.addEventListener('dragover', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    frame.classList.add('drop-here');
  });
  frame.addEventListener('dragleave', () => frame.classList.remove('drop-here'));
  frame.addEventListener('drop', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    frame.classList.remove('drop-here');
    if (event.dataTransfer.files[0]) setCoverOf(playlist, event.dataTransfer.files[0]);
  });
}
