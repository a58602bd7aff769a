// The end of a queue: the switch for continuing, and the albums that follow, under their own heading.
import { editQueue } from '../core/api.js';
import { h, setText } from '../core/dom.js';
import { currentRoom } from '../core/store.js';
import { switchRow } from '../parts/controls.js';
import { hintOf } from './queuerules.js';

/** Returns the end of a queue around `rows`, the element of the items with which it continues. */
export function makeFollowing(rows) {
  let isSending = false;
  const heading = h('h2', { text: 'Then more albums' });
  const turn = (isOn) => {
    isSending = true;
    return editQueue(currentRoom().name, { action: 'continue', on: isOn }).finally(() => {
      isSending = false;
    });
  };
  const line = switchRow('Continue with more albums', false, turn, ' ');
  const [box, hint] = [line.querySelector('input'), line.querySelector('small')];
  const element = h('section', { class: 'following', 'aria-label': 'After the queue' }, heading, line, rows);
  /** Shows the end of a queue; `hasRows` says if there are items with which it has continued. */
  element.show = (queue, hasRows) => {
    element.hidden = !queue?.count;
    if (element.hidden) return;
    const isOn = queue.continues || hasRows;
    heading.hidden = !isOn;
    rows.hidden = !hasRows;
    if (!isSending) box.checked = isOn;
    setText(hint, hintOf(queue.continuation, isOn, hasRows));
  };
  return element;
}
