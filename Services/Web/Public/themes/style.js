// Loads the look of themes: their screens, and the textures that the page takes on.
import { h } from '../core/dom.js';

document.head.append(h('link', { rel: 'stylesheet', href: 'themes/themes.css' }));
