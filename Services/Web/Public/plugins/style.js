// Loads the look of what plugins find; a page that shows nothing of it does without.
import { h } from '../core/dom.js';

document.head.append(h('link', { rel: 'stylesheet', href: 'plugins/found.css' }));
