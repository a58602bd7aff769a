// Loads the look of the shelves of the day and of an album by chance.
import { h } from '../core/dom.js';

document.head.append(h('link', { rel: 'stylesheet', href: 'rediscovery/rediscovery.css' }));
