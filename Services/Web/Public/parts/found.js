// Loads what plugins find for rows of described tracks, once there is such a row: without one no page needs it.
import { showError } from './banners.js';

let loaded = null;
let isLoading = false;
// The rows that came before it was loaded, with what was said of them.
const waiting = new Map();

/** Shows in a row what plugins find for its track while the row is in view; see `plugins/resolving.js`. */
export function watchFound(element, track, options) {
  if (loaded) {
    loaded(element, track, options);
    return;
  }
  if (!track?.described) {
    waiting.delete(element);
    return;
  }
  waiting.set(element, [track, options]);
  if (isLoading) return;
  isLoading = true;
  import('../plugins/resolving.js').then((module) => {
    loaded = module.watchFound;
    for (const [row, said] of waiting) loaded(row, ...said);
    waiting.clear();
  }, (error) => {
    isLoading = false;
    waiting.clear();
    showError(error);
  });
}
