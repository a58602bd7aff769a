// Making and changing themes.
import { change, read } from '../core/api.js';
import { h, setText } from '../core/dom.js';
import { discardScreens, navigate } from '../core/router.js';
import { loadStyles } from '../core/stylesheets.js';
import { showBanner, showError } from '../parts/banners.js';
import { choices, field, textButton } from '../parts/controls.js';
import { openMenu } from '../parts/menu.js';
import { editRules } from '../playlists/ruleeditor.js';

loadStyles('themes/themes.css');

const textures = [['linen', 'Linen'], ['wood', 'Wood'], ['paper', 'Paper'], ['velvet', 'Velvet'], ['plain', 'Plain']];
const usual = { first: '#9c3a1a', second: '#efe6d8', texture: 'linen' };

/** Stores a change of a theme, or a new one without an id; returns the theme. */
async function save(id, body) {
  const theme = id ? await change(`themes/${id}`, body, 'PUT') : await change('themes', body);
  discardScreens(true);
  return theme;
}

/**
 * Opens the dialog of a theme. `look` is the one to begin with, `adding` the albums of a new theme; `done(theme)` is
 * called after it was stored.
 */
export function editTheme(theme, { look = theme?.look ?? usual, adding = [] }, done) {
  const texture = choices('Texture', textures, look.texture, () => {});
  texture.querySelector('select').name = 'texture';
  const text = h('label', { class: 'field' },
    h('span', { text: 'Text' }),
    h('textarea', { name: 'text', maxlength: 1300 }));
  text.querySelector('textarea').value = theme?.text ?? '';
  const problem = h('p', { class: 'soft', role: 'status' });
  const form = h('form', { onsubmit: async (event) => {
    event.preventDefault();
    const values = Object.fromEntries(new FormData(form));
    const chosen = { first: values.first, second: values.second, texture: values.texture };
    try {
      const saved = await save(theme?.id, {
        title: String(values.title).trim(), text: values.text, look: chosen,
        ...(theme ? { revision: theme.revision } : {}),
        ...(adding.length ? { adding } : {}),
      });
      dialog.close();
      done(saved);
    } catch (error) {
      setText(problem, error.message);
    }
  } },
  field('Title', { name: 'title', value: theme?.title ?? '', required: true, maxlength: 100 }), text,
  h('div', { class: 'fields' },
    field('Accents', { name: 'first', type: 'color', value: look.first }),
    field('Background', { name: 'second', type: 'color', value: look.second }),
    texture),
  problem, h('div', { class: 'row' },
    h('button', { type: 'submit', class: 'pill first', text: 'Save' }),
    textButton('Cancel', null, () => dialog.close(), { kind: 'quiet' })));
  const dialog = h('dialog', { class: 'keys theme-form', 'aria-label': theme ? 'Change the theme' : 'New theme' },
    h('h2', { text: theme ? 'Change the theme' : 'New theme' }),
    form);
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

const open = ({ id }) => navigate(`#/theme/${id}`);

/** Makes a theme that is picked by hand. */
export const makeTheme = () => editTheme(null, {}, open);

/** Makes a theme of rules: its rules first, then the rest. */
export function makeRuleTheme() {
  editRules({ all: [{ is: { genre: '' } }], unit: 'albums' }, 'New theme',
    async (rules, title) => open(await save(null, { title: title || 'New theme', rules, look: usual })));
}

/** Changes the rules of a theme. */
export function changeThemeRules(theme, done) {
  editRules(JSON.parse(theme.rules), null,
    async (rules) => done(await save(theme.id, { rules, revision: theme.revision })));
}

/** Takes an album out of a theme, and offers to put it back, at the end. `done()` is called after each of both. */
export async function removeFromTheme(theme, album, done) {
  await save(theme.id, { removing: [album.id] });
  const putBack = () => save(theme.id, { adding: [album.id] }).then(done).catch(showError);
  showBanner(`“${album.title}” was removed from “${theme.title}”.`, {
    key: 'theme', action: { name: 'Undo', run: putBack },
  });
  done();
}

/** Deletes a theme, and offers to bring it back. */
export async function deleteTheme({ id, title }) {
  try {
    await change(`themes/${id}`, {}, 'DELETE');
    discardScreens(true);
    navigate('#/themes');
    const bringBack = async () => {
      await change(`themes/${id}/undo`, {});
      discardScreens(true);
      open({ id });
    };
    showBanner(`The theme “${title}” was deleted.`,
      { key: 'theme', action: { name: 'Undo', run: () => bringBack().catch(showError) } });
  } catch (error) {
    showError(error);
  }
}

/** Opens a menu of the themes to which an album can be added. */
export async function chooseTheme(album) {
  const from = document.activeElement;
  const { left = 80, top = 80 } = from?.getBoundingClientRect?.() ?? {};
  try {
    const { items } = await read('themes');
    const { first, second } = album.palette ?? {};
    const look = first ? { first, second, texture: 'linen' } : usual;
    openMenu('Add to theme', [
      ...items.filter(({ rules }) => !rules).map((theme) => ({
        name: theme.title, icon: 'themes',
        run: () => save(theme.id, { adding: [album.id] })
          .then(() => showBanner(`“${album.title}” was added to “${theme.title}”.`, { key: 'theme' }), showError),
      })),
      { name: 'New theme', icon: 'plus', run: () => editTheme(null, { look, adding: [album.id] }, open) },
    ], left, top, from);
  } catch (error) {
    showError(error);
  }
}
