// The menu of the player: what can be done with the track, the album and the room that are shown.
import { sendCommand } from '../core/api.js';
import { span } from '../core/format.js';
import { navigate } from '../core/router.js';
import { currentRoom } from '../core/store.js';
import { opinionOf, setOpinion } from '../discovery/opinions.js';
import { command, trackMenu } from '../parts/actions.js';
import { showBanner, showError } from '../parts/banners.js';
import { openMenu } from '../parts/menu.js';

const minutes = [15, 30, 45, 60, 90];

/** Opens the choices of the sleep timer of the shown room. */
export function openSleepMenu(button) {
  const room = currentRoom();
  if (!room) return;
  const stopsAfter = room.modes?.stopsAfterCurrent ?? false;
  const afterAlbum = room.modes?.stopsAfterAlbum ?? false;
  const set = (seconds) => {
    const words = seconds ? `The music fades out and pauses in ${span(seconds)}.` : 'The sleep timer is off.';
    sendCommand(room.name, { action: 'sleep', ...(seconds ? { seconds } : {}) })
      .then(() => showBanner(words, { key: 'sleep' })).catch(showError);
  };
  const items = [
    ...minutes.map((one) => ({ name: `In ${span(one * 60)}`, icon: 'sleep', run: () => set(one * 60) })),
    {
      name: 'After this track', icon: 'sleep', isOn: stopsAfter,
      run: () => command({ action: 'stop-after-current', on: !stopsAfter }),
    },
    {
      name: 'After this album', icon: 'sleep', isOn: afterAlbum,
      run: () => command({ action: 'stop-after-album', on: !afterAlbum }),
    },
    room.sleepsInSeconds && { name: 'Off', icon: 'close', run: () => set(null) },
  ].filter(Boolean);
  const box = button.getBoundingClientRect();
  openMenu('Pause the music', items, box.left, box.bottom + 4, button);
}

/** Opens the menu at a button. `album` is that of the track, if it is known. */
export function openPlayerMenu(button, album) {
  const room = currentRoom();
  const track = room?.track ?? null;
  const left = room?.sleepsInSeconds;
  // On an album of several artists, that of the track is another one than that of the album.
  const isOwn = album?.artist === track?.artist;
  const every = track ? trackMenu(track, { artistID: isOwn ? album?.artistID : null }) : [];
  const items = every.filter(({ name }) => !/^Play/.test(name));
  if (album) {
    const isLiked = opinionOf(album.id) === 'like';
    const like = () => setOpinion(album, isLiked ? null : 'like');
    items.unshift({ name: 'Like the album', icon: 'likes', isOn: isLiked, run: like });
  }
  const sleep = left ? `Sleep timer: ${span(left)} left` : 'Sleep timer';
  items.push({ name: sleep, icon: 'sleep', run: () => openSleepMenu(button) });
  items.push({ name: 'Full screen', icon: 'ambient', run: () => navigate('#/ambient') });
  const box = button.getBoundingClientRect();
  openMenu(track?.title ?? 'The player', items, box.right - 250, box.bottom + 4, button);
}
