// Gives the page the colours and the texture of the theme that plays, in a form in which all text stays readable.
import { read } from '../core/api.js';
import { grounds, mix, readable, setWall } from '../core/colours.js';
import { setAttribute, setVars } from '../core/dom.js';
import { loadStyles } from '../core/stylesheets.js';

loadStyles('themes/themes.css');

const dark = matchMedia('(prefers-color-scheme: dark)');
// Colours of text and edges by the colour scheme (see style/base.css), and the largest share of the theme's colour in
// the wall.
const own = {
  light: { ...grounds.light, soft: '#624c3b', edge: '#8d745d', danger: '#a32a18', most: 0.5 },
  dark: { ...grounds.dark, soft: '#c4b09a', edge: '#8a755f', danger: '#ff9c86', most: 0.3 },
};
const none = { '--wall': null, '--edge': null, '--danger': null, '--accent': null, '--on-accent': null };
const ratio = 4.6;
let worn = null;
let asked = 0;

/** Returns the colours of a look: a background on which soft text is readable, and edges and accents that stand out. */
export function coloursOf({ first, second }, isDark) {
  const { wall: plain, paper, soft, edge, danger, most } = own[isDark ? 'dark' : 'light'];
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
    '--wall': wall,
    '--edge': readable(edge, wall, 3.1),
    '--danger': readable(danger, wall, ratio),
    '--accent': accent,
    '--on-accent': readable(light, accent, 4.5) === light ? light : '#1d120b',
  };
}

function wear() {
  const root = document.documentElement;
  const colours = worn ? coloursOf(worn, dark.matches) : none;
  setVars(root, colours);
  setWall(colours['--wall']);
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
