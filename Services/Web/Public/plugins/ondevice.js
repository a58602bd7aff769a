// Playing a track on a device of the person's own, by the program of a service there. It is that device that sounds,
// not a room.
import { change, read } from '../core/api.js';
import { h, setText } from '../core/dom.js';
import { showError } from '../parts/banners.js';
import { choices, textButton } from '../parts/controls.js';

/** Returns a button that plays a track on a device, and shows on which; null for a source that sounds otherwise. */
export function deviceButton({ plugin, name, kind, rank }, described) {
  if (kind !== 'device' || !rank) return null;
  const path = `plugins/${encodeURIComponent(plugin)}`;
  const badge = h('b', { class: 'plugin-badge on-device', hidden: true });
  const said = h('small', { class: 'soft', role: 'status' });
  const place = h('span', {});
  let chosen = null;
  const play = async () => {
    setText(said, `${name} is being asked …`);
    try {
      const { device } = await change(`${path}/play`, { described: [described], device: chosen ?? undefined });
      badge.hidden = false;
      setText(badge, `on ${device.name}`);
      setText(said, `${device.name} plays it with its own program, not a room.`);
    } catch (error) {
      setText(said, '');
      showError(error);
    }
  };
  const choose = textButton('Devices', null, async () => {
    setText(said, `${name} is being asked …`);
    try {
      const { devices, chosen: first } = await read(`${path}/devices`);
      setText(said, devices.length ? '' : `${name} is open on no device now. Open it on one.`);
      if (devices.length) {
        place.replaceChildren(choices('Device',
          devices.map((one) => [one.id, `${one.name}${one.isRestricted ? ' (takes no orders)' : ''}`]),
          chosen ?? first, (id) => { chosen = id; }));
      }
    } catch (error) {
      setText(said, '');
      showError(error);
    }
  }, { kind: 'quiet', label: `Devices of ${name}` });
  return h('span', { class: 'row wrap device' },
    textButton(`Play on your ${name} device`, 'play', play),
    choose, place, badge, said);
}
