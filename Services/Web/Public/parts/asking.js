// Shows the entry of the navigation for asking while there is a plugin with which one can talk, or that makes queues by
// words.
import { read } from '../core/api.js';
import { onNavigate } from '../core/router.js';

/** Returns true for a plugin that can be asked. */
export const offersAsking = ({ enabled, consent, functions }) =>
  enabled && !consent && (functions.includes('chat') || functions.includes('generate'));

/** Shows or hides the link to the screen `ask`, at the start and whenever a person leaves the settings. */
export function watchAsking(link) {
  let former = 'settings';
  const look = async () => {
    try {
      link.hidden = !(await read('plugins')).plugins.some(offersAsking);
    } catch {
      link.hidden = true;
    }
  };
  link.hidden = true;
  onNavigate((address) => {
    const name = address.replace(/^#\/?/, '').split(/[/?]/)[0];
    if (former === 'settings' && name !== 'settings' || name === 'ask') look();
    former = name;
  });
}
