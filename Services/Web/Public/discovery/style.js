// Loads the look and the icons of discovery; a page that shows nothing of it does without.
import { loadStyles } from '../core/stylesheets.js';
import { addIcons } from '../parts/icons.js';

addIcons({
  dial: 'M5.6 18.4a9 9 0 1 1 12.8 0M12 12l4-4.5M12 13.2a1.2 1.2 0 1 0 0-2.4 1.2 1.2 0 0 0 0 2.4z',
  wish: 'M6.5 3.5h11v17L12 16l-5.5 4.5z',
  less: 'M4 7h16M7 12h10M10 17h4',
});

/** Resolves when the look is there, so that nothing is shown or measured without it. */
export const styled = Promise.all(['wall', 'places'].map((name) => loadStyles(`discovery/${name}.css`)));
