// Scrobble services as the scrobbler describes them: their names, and what a person needs to sign in.
import { read } from '../core/api.js';
import { h } from '../core/dom.js';
import { setKinds, store } from '../core/store.js';

/** Reads the services that can receive scrobbles. */
export async function readServices(signal) {
  const { items } = await read('scrobbles/services', {}, signal);
  setKinds({ services: items });
  return items;
}

/** Returns the title of a service, or its kind if the title is not known. */
export function serviceTitle(kind) {
  return store.services.find((one) => one.kind === kind)?.title ?? kind;
}

/** Returns the hint for signing in at a service: a sentence, and a link to the service's page. */
export function serviceHint({ hint, page }) {
  const link = page && h('a', {
    class: 'link', href: page, target: '_blank', rel: 'noopener noreferrer', text: `Open ${new URL(page).host}`,
  });
  return [hint, hint && link ? ' ' : null, link].filter(Boolean);
}
