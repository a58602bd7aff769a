// Gives the page the colours and the texture of the theme that plays, in a form in which all text stays readable.
import { read } from '../core/api.js';
import { mix, readable } from '../core/colours.js';
import { setAttribute, setVars } from '../core/dom.js';
import { loadStyles } from '../core/stylesheets.js';

loadStyles('themes/themes.css');

const dark = matchMedia('(prefers-color-scheme: dark)');
// The page's own colours by its colour scheme; see style/base.css. `most` is the largest share of the theme's colour.
const own = {
  light: { wall: '#efe6d8', paper: '#fbf6ec', soft: '#624c3b', most: 0.5 },
  dark: { wall: '#1b1411', paper: '#271d17', soft: '#c4b09a', most: 0.3 },
};
const ratio = 4.6;
let worn = null;
let asked = 0;

/** Returns the colours of a look: a background on which soft text is readable, and accents that are readable on it. */
export function coloursOf({ first, second }, isDark) {
  const { wall: plain, paper, soft, most } = own[isDark ? 'dark' : 'light'];
  let wall = plain;
  for (let share = most; share > 0.02; share -= 0.04) {
    const tried = mix(plain, second, share);
    if (readable(soft, tried, ratio) === soft) {
      wall = tried;
      break;
    }
  }
  const accent = readable(readable(first, paper, ratio), wall, ratio);
  const light = '#fff7ec';
  return {
    '--wall': wall, '--accent': accent, '--on-accent': readable(light, accent, 4.5) === light ? light : '#1d120b',
  };
}

function wear() {
  const root = document.documentElement;
  setVars(root, worn ? coloursOf(worn, dark.matches) : { '--wall': null, '--accent': null, '--on-accent': null });
  setAttribute(root, 'data-texture', worn && worn.texture !== 'linen' ? worn.texture : null);
}

dark.addEventListener('change', wear);

/** Shows the look of the theme with a number; null for the page's own look. */
export async function dress(theme) {
  const turn = asked += 1;
  const look = theme === null ? null : (await read(`themes/${theme}`)).look;
  if (turn !== asked) return;
  worn = look;
  wear();
}
