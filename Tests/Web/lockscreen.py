"""The lock screen of the device, which browsers show from the page's media session."""
from case import PageCase
from testhousehold import wait_for

# Records the handlers of the buttons, which a page can set but not read.
RECORD = """
    window.buttons = {};
    const { setActionHandler } = MediaSession.prototype;
    MediaSession.prototype.setActionHandler = function (name, handler) {
      if (handler) window.buttons[name] = handler; else delete window.buttons[name];
      return setActionHandler.call(this, name, handler);
    };
    window.positions = [];
    const { setPositionState } = MediaSession.prototype;
    MediaSession.prototype.setPositionState = function (...state) {
      window.positions.push(state[0] ?? null);
      return setPositionState.apply(this, state);
    }"""

IS_EMPTY = """
    const { metadata, playbackState } = navigator.mediaSession;
    return metadata === null && playbackState === 'none' && !Object.keys(window.buttons).length && window.positions.at(-1) === null"""

SHOWS = """
    const { metadata, playbackState } = navigator.mediaSession;
    return playbackState === arguments[0] && metadata?.title === arguments[1] && metadata.artist.startsWith(arguments[2])"""


class LockScreen(PageCase):
    """What the media session says. Each test begins with the lock screen switched on, while the first album plays."""

    def setUp(self):
        super().setUp()
        self.play(0)
        page = self.page
        self.artist = self.albums[0]["artist"]
        page.open("settings/browser")
        page.run(RECORD)
        page.press(".switch-row", "Lock screen of this device")
        self.shows("playing", "First Light", self.artist)

    def shows(self, state, title, artist):
        self.page.wait(f"it shows {state}, {title}, {artist}", SHOWS, state, title, artist)

    def is_empty(self):
        self.page.wait("nothing is on it", IS_EMPTY)

    def test_it_shows_the_track_with_its_cover_and_its_buttons_work(self):
        page = self.page
        self.assertTrue(page.run("return navigator.mediaSession.metadata.artwork.every(({ src }) => src.includes('/api/v1/art/'))"))
        self.assertIn("nexttrack", page.run("return Object.keys(window.buttons)"))
        page.run("window.buttons.pause({})")
        self.shows("paused", "First Light", self.artist)
        page.run("window.buttons.nexttrack({})")
        page.wait("it is the next one", "return navigator.mediaSession.metadata.title === 'Long Shadow'")

    def test_nothing_is_left_on_it_after_a_stop(self):
        self.household.steer("kitchen", action="stop")
        self.is_empty()
        self.household.steer("kitchen", action="resume")
        self.shows("playing", "First Light", self.artist)
        self.assertIn("pause", self.page.run("return Object.keys(window.buttons)"))

    def test_nothing_is_left_on_it_at_the_end_of_the_queue(self):
        self.household.steer("kitchen", action="jump", index=3)
        self.household.steer("kitchen", action="next")
        self.is_empty()

    def test_nothing_is_left_on_it_when_it_is_switched_off(self):
        self.page.press(".switch-row", "Lock screen of this device")
        self.is_empty()

    def test_nothing_is_left_on_it_when_the_page_is_left(self):
        """Signing out loads the page anew as well."""
        self.assertTrue(self.page.run("dispatchEvent(new PageTransitionEvent('pagehide'));" + IS_EMPTY))

    def test_buffering_errors_and_a_lost_connection_are_shown_as_such(self):
        page = self.page
        # The states as the event stream sends them; the room itself plays on.
        page.run("""
            window.say = async (change) => {
              const { applyEvent, store } = await import('/core/store.js');
              applyEvent('rooms', store.rooms.map((room) => (room.name === 'kitchen' ? { ...room, ...change } : room)));
            };
            window.say({ state: 'buffering', rate: 0 })""")
        self.shows("playing", "First Light", "Buffering … · " + self.artist)
        self.assertIsNone(page.run("return window.positions.at(-1)"))
        page.run("window.say({ state: 'error', rate: 0, message: 'The file is gone.' })")
        self.shows("paused", "First Light", "Error: The file is gone.")
        self.assertIsNone(page.run("return window.positions.at(-1)"))
        page.run("import('/core/store.js').then(({ setLink }) => setLink('lost'))")
        self.shows("paused", "First Light", "Reconnecting …")
        self.household.steer("kitchen", action="pause")
        wait_for(lambda: self.household.room("kitchen")["state"], "the room is paused", equals="paused")
