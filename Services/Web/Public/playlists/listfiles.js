// List files on the page: M3U, PLS, XSPF, JSPF and JSON, chosen or dropped, become playlists.
import { change } from '../core/api.js';
import { h } from '../core/dom.js';
import { count } from '../core/format.js';
import { address, navigate } from '../core/router.js';
import { showBanner, showError } from '../parts/banners.js';

const endings = ['.m3u', '.m3u8', '.pls', '.xspf', '.jspf', '.json', '.nsp'];
// The most bytes that the service takes, with room for the escapes of JSON.
const longest = 7 << 20;

/** Returns the text of a file, whose encoding is not said. */
async function textOf(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const mark = bytes[0] * 256 + bytes[1];
  if (mark === 0xfffe || mark === 0xfeff) {
    return new TextDecoder(mark === 0xfffe ? 'utf-16le' : 'utf-16be').decode(bytes);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Says what an import found, with a way to the playlist. */
function tell(made) {
  const missing = made.missingCount
    ? ` ${made.missingCount} of them ${made.missingCount === 1 ? 'is' : 'are'} not in the library.`
    : '';
  const left = made.problems.length ? ` ${count(made.problems.length, 'entry', 'entries')} could not be read.` : '';
  showBanner(`Made the playlist ${made.title} with ${count(made.trackCount, 'entry', 'entries')}.${missing}${left}`,
    { action: { name: 'Open', run: () => navigate(address('playlist', made.id)) } });
}

/** Makes a playlist of each of some files. */
async function importFiles(files) {
  for (const file of files) {
    try {
      if (file.size > longest) throw new Error(`${file.name} is too large for the page. Divide it into several files.`);
      tell(await change('playlist-files', { name: file.name, text: await textOf(file) }));
    } catch (error) {
      showError(error);
    }
  }
}

/** Lets a person choose list files. */
export function chooseFiles() {
  const field = h('input', { type: 'file', multiple: true, accept: endings.join() });
  field.addEventListener('change', () => importFiles([...field.files]));
  field.click();
}

/** Makes list files that are dropped on a screen playlists. */
export function wireDrop(screen) {
  const hasFiles = (event) => event.dataTransfer?.types.includes('Files');
  const mark = (isOver) => screen.classList.toggle('drop-here', isOver);
  screen.addEventListener('dragover', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    mark(true);
  });
  screen.addEventListener('dragleave', (event) => screen.contains(event.relatedTarget) || mark(false));
  screen.addEventListener('drop', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    mark(false);
    importFiles([...event.dataTransfer.files]);
  });
}
