"""The player and the full-screen view: their layout at every size, their light, and what can be done there."""
from selenium.webdriver.common.action_chains import ActionChains

from case import PageCase
from modules import FAKE
from page import Keys
from testhousehold import wait_for

SIZES = [(1440, 900), (820, 1180), (390, 844), (844, 390), (2560, 1440), (720, 450)]

# The controls that are not wholly in the window. Those of the panel may be below it, but not beside it.
CUT_OFF = """
    const shown = [...document.querySelectorAll(arguments[0])].filter((one) => one.getClientRects().length);
    return shown.filter((one) => {
      const box = one.getBoundingClientRect();
      const isBelow = !one.closest('.sheet-panel') && (box.top < -1 || box.bottom > innerHeight + 1);
      return box.left < -1 || box.right > innerWidth + 1 || isBelow;
    }).map((one) => `${one.className} ${one.getAttribute('aria-label') ?? one.textContent}`)"""

# The controls that are smaller than a finger.
SMALL = """
    const shown = [...document.querySelectorAll(arguments[0])].filter((one) => one.getClientRects().length);
    return shown.filter((one) => {
      const box = one.getBoundingClientRect();
      return box.height < 43.9 || box.width < 43.9;
    }).map((one) => `${one.className} ${one.getAttribute('aria-label') ?? one.textContent}`)"""

LYRICS = """
    window.fakeFetch('/lyrics', () => Promise.resolve(window.json({ source: 'file', lines: [
      { startSeconds: 0, text: 'The first line' }, { startSeconds: 30, text: 'The second line' }, { startSeconds: 60, text: 'The third line' }] })))"""


class Player(PageCase):
    """The player."""

    def open_player(self, size=None):
        page = self.page
        if size:
            page.resize(size)
        page.open("playing")
        page.has(".sheet[open] h2", "First Light")
        page.wait("its light is there", "return document.querySelector('.sheet .glow.there')")
        return page

    def swipe(self, selector, across, up=0):
        """Moves the pressed mouse over an element."""
        element = self.page.has(selector)
        chain = ActionChains(self.page.driver).click_and_hold(element)
        for _ in range(4):
            chain = chain.move_by_offset(across // 4, up // 4)
        chain.release().perform()

    def title(self):
        return (self.household.room("kitchen")["track"] or {}).get("title")

    def test_no_control_of_the_player_is_cut_off_or_small_at_any_size(self):
        self.play(0)
        # The track would be over before all sizes were seen.
        self.household.steer("kitchen", action="pause")
        for scheme in ("light", "dark"):
            self.page.set_scheme(scheme, "reduce")
            for size in SIZES:
                page = self.open_player(size)
                page.has(".sheet .queued b", "Long Shadow")
                controls = ".sheet button, .sheet a[href], .sheet input"
                self.assertEqual(page.run(CUT_OFF, controls), [], f"{size} {scheme}")
                self.assertEqual(page.run(SMALL, ".sheet button, .sheet-words a[href]"), [], f"{size} {scheme}")
                self.assertEqual(page.axe(), [], f"{size} {scheme}")

    def test_the_volume_of_the_bar_has_room_on_tablets(self):
        self.play(0)
        for width in (768, 820, 1024):
            self.page.resize((width, 1024))
            self.page.open("albums")
            self.page.has(".bar-room:not([hidden])")
            self.page.wait(f"the slider is wide enough at {width}", """
                return document.querySelector('.bar-volume input').getBoundingClientRect().width >= 76""")
            self.assertEqual(self.page.run(CUT_OFF, ".bar button, .bar input"), [], width)

    def test_long_names_push_no_control_out_of_the_window(self):
        self.play(0)
        for size in ((390, 844), (844, 390), (720, 450), (1440, 900)):
            page = self.open_player(size)
            self.household.steer("kitchen", action="pause")
            page.has(".sheet-state", "Paused")
            found = page.run_async(f"""
                const [selector, done] = arguments;
                const cutOff = function () {{ {CUT_OFF} }};
                import('/core/store.js').then(({{ store, applyEvent }}) => {{
                  const long = {{ title: 'Second movement: Andante cantabile con moto '.repeat(4), artist: 'Orchestra of Long Names '.repeat(4),
                    album: 'An album with a title that goes on '.repeat(4) }};
                  applyEvent('rooms', store.rooms.map((room) => (room.name === 'kitchen' ? {{ ...room, track: {{ ...room.track, ...long }} }} : room)));
                  requestAnimationFrame(() => setTimeout(() => done([document.querySelector('.sheet h2').textContent.length, cutOff(selector)])));
                }});""", ".sheet button, .sheet input")
            self.assertGreater(found[0], 100)
            self.assertEqual(found[1], [], size)
            self.household.steer("kitchen", action="resume")

    def test_the_cover_is_as_large_as_the_window_allows(self):
        self.play(0)
        for size, least in (((1440, 900), 640), ((2560, 1440), 1150), ((820, 1180), 480), ((390, 844), 320), ((844, 390), 300)):
            page = self.open_player(size)
            width = page.run("return document.querySelector('.sheet-cover').getBoundingClientRect().width")
            self.assertGreaterEqual(width, least, size)

    def test_the_light_of_the_cover_is_seen_and_text_on_it_is_readable(self):
        self.play(0)
        page = self.open_player((1440, 900))
        page.wait("the colours are there", "return document.querySelector('.sheet').style.getPropertyValue('--one')")
        found = page.run("""
            const glow = document.querySelector('.sheet .glow');
            const all = [...glow.getContext('2d').getImageData(0, 0, glow.width, glow.height).data];
            const pixels = Array.from({ length: all.length / 4 }, (_, at) => all.slice(at * 4, at * 4 + 3));
            return [Math.max(...pixels.map((one) => Math.max(...one) - Math.min(...one))), Math.min(...pixels.map((one) => Math.max(...one)))]""")
        self.assertGreater(found[0], 60, "it has colour")
        self.assertGreater(found[1], 40, "it is nowhere black")

    def test_the_menu_leads_to_the_artist_and_the_album_and_offers_the_rest(self):
        self.play(0)
        page = self.open_player()
        page.press(".sheet-head .knob[aria-label='More']")
        words = page.wait("the menu", "return [...document.querySelectorAll('.menu [role=menuitem]')].map((one) => one.textContent)")
        for word in ("Like the album", "Add to playlist", "Write a note", "Go to artist", "Go to album", "Sleep timer", "Full screen"):
            self.assertIn(word, words)
        page.press(".menu [role=menuitem]", "Go to artist")
        page.has("h1", self.albums[0]["artist"])
        self.assertIn("#/artist/", page.run("return location.hash"))
        page = self.open_player()
        page.press(".sheet-words .sheet-album")
        page.has("h1", self.albums[0]["title"])
        page = self.open_player()
        page.wait("the artist is a link", "return document.querySelector('.sheet-words .sheet-artist[href]')")
        page.press(".sheet-words .sheet-artist")
        page.has("h1", self.albums[0]["artist"])

    def test_the_heart_likes_the_album(self):
        self.play(0)
        page = self.page
        page.open("albums")
        page.run(FAKE)
        page.run("""
            window.sent = [];
            window.fakeFetch('/opinions/ids', () => Promise.resolve(window.json({ likes: [], dislikes: [], revision: 1 })));
            const passed = window.fetch;
            window.fetch = (path, options, ...rest) => {
              if (!String(path).endsWith('/opinion')) return passed(path, options, ...rest);
              window.sent.push(JSON.parse(options.body).opinion);
              return Promise.resolve(window.json({ before: null }));
            }""")
        page.go("playing")
        page.has(f".sheet .opinion[aria-label='Like {self.albums[0]['title']}'][aria-pressed=false]")
        page.press(".sheet .opinion.like")
        page.has(".sheet .opinion.like[aria-pressed=true]")
        page.press(".sheet-head .knob[aria-label='More']")
        page.press(".menu [role=menuitem]", "Like the album")
        page.has(".sheet .opinion.like[aria-pressed=false]")
        self.assertEqual(page.run("return window.sent"), ["like", None])

    def test_the_sleep_timer_is_set_and_ended(self):
        self.play(0)
        page = self.open_player()
        page.press(".sheet-foot .knob[aria-label='Sleep timer']")
        page.press(".menu [role=menuitem]", "In 30 minutes")
        wait_for(lambda: self.household.room("kitchen").get("sleepsInSeconds", 0) > 1700, "the timer runs")
        page.has(".sheet-state", "pauses in 30 minutes")
        page.has(".sheet-foot .knob[aria-label='Sleep timer'][aria-pressed=true]")
        page.press(".sheet-foot .knob[aria-label='Sleep timer']")
        page.press(".menu [role=menuitem]", "Off")
        wait_for(lambda: "sleepsInSeconds" not in self.household.room("kitchen"), "the timer has ended")

    def test_swipes_on_the_cover_and_the_bar_change_the_track_and_open_the_player(self):
        self.play(0)
        page = self.open_player((390, 844))
        self.swipe(".sheet-cover", -120)
        wait_for(self.title, "the next track", equals="Long Shadow")
        self.assertTrue(page.run("return document.querySelector('.sheet').open"), "a swipe does not close the player")
        self.swipe(".sheet-cover", 120)
        wait_for(self.title, "the track before", equals="First Light")
        page.open("albums")
        page.has(".bar-open b", "First Light")
        self.swipe(".bar-open", -120)
        wait_for(self.title, "the next track by the bar", equals="Long Shadow")
        self.assertEqual(page.run("return location.hash"), "#/albums")
        self.swipe(".bar-open", 0, -120)
        page.has(".sheet[open] h2", "Long Shadow")

    def test_the_bar_says_which_room_it_steers(self):
        self.play(0)
        page = self.page
        page.resize((390, 844))
        page.open("albums")
        page.has(".bar-where", "Kitchen")
        self.assertIn("Playing in Kitchen: First Light", page.run("return document.querySelector('.bar-open').getAttribute('aria-label')"))
        self.play(1, room="study")
        page.run("import('/core/store.js').then(({ chooseRoom }) => chooseRoom('study'))")
        page.has(".bar-where", "Study")

    def test_a_tablet_has_a_volume_which_the_wheel_turns(self):
        self.play(0)
        self.household.steer("kitchen", action="volume", percent=50)
        page = self.page
        page.resize((820, 1180))
        page.open("albums")
        slider = page.has(".bar .volume-slider")
        page.wait("it shows the volume", "return document.querySelector('.bar .volume-slider').value === '50'")
        self.assertEqual(page.run(CUT_OFF, ".bar button, .bar input"), [])
        self.assertEqual(page.run("""
            const boxes = [...document.querySelectorAll('.bar-open, .bar-buttons, .bar-room, .bar-volume, .bar-end > .knob')]
              .filter((one) => one.getClientRects().length).map((one) => one.getBoundingClientRect()).sort((one, other) => one.left - other.left);
            return boxes.slice(1).filter((box, index) => box.left < boxes[index].right - 1).length"""), 0, "nothing overlaps")
        turn = """arguments[0].dispatchEvent(new WheelEvent('wheel', { deltaY: arguments[1], bubbles: true, cancelable: true }))"""
        page.run(turn, slider, -100)
        wait_for(lambda: self.household.room("kitchen")["volume"], "louder", equals=53)
        page.run(turn, slider, 100)
        page.run(turn, slider, 100)
        wait_for(lambda: self.household.room("kitchen")["volume"], "quieter", equals=47)
        # A touchpad reports many small distances, of which five are one step here.
        page.run("""
            for (let count = 0; count < 12; count += 1) {
              arguments[0].dispatchEvent(new WheelEvent('wheel', { deltaY: -10, bubbles: true, cancelable: true }));
            }""", slider)
        wait_for(lambda: self.household.room("kitchen")["volume"], "two steps louder", equals=53)
        self.household.steer("kitchen", action="volume", percent=100)

    def test_knobs_have_one_order_everywhere(self):
        self.play(0)
        page = self.open_player()
        orders = page.run("""
            return ['.bar-buttons', '.sheet-buttons'].map((place) => [...document.querySelectorAll(`${place} .knob`)].map((one) => one.dataset.icon))""")
        self.assertEqual(orders[0], orders[1])
        self.assertEqual(orders[0], ["shuffle", "previous", "back", "pause", "forward", "next", "repeat"])

    def test_the_queue_in_the_player_is_changed_and_changes_are_undone(self):
        self.play(0)
        page = self.open_player((1440, 900))
        page.has(".panel-total", "3 tracks left · 6 minutes")
        page.run("arguments[0].focus()", page.has(".sheet .knob[aria-label='Remove Slow Water']"))
        page.keys(Keys.DELETE)
        wait_for(self.order, "it is removed", equals=["First Light", "Long Shadow", "Open Door"])
        page.has(".panel-total", "2 tracks left")
        page.wait("the next row has the focus", "return document.activeElement.getAttribute('aria-label') === 'Remove Open Door'")
        page.press(".sheet .banner .banner-act", "Undo")
        wait_for(self.order, "it is back in its place",
                 equals=["First Light", "Long Shadow", "Slow Water", "Open Door"])
        handle = page.has(".sheet .handle[aria-label^='Move Long Shadow']")
        page.run("arguments[0].focus()", handle)
        page.keys(Keys.ARROW_DOWN)
        wait_for(self.order, "it is one further down", equals=["First Light", "Slow Water", "Long Shadow", "Open Door"])
        page.wait("the move is announced", "return document.getElementById('announcer')?.textContent === 'Long Shadow is now at place 3 of 4.'")
        page.wait("the handle keeps the focus", "return document.activeElement.getAttribute('aria-label')?.startsWith('Move Long Shadow')")
        page.wait("the row is in its place", """
            return document.querySelectorAll('.sheet .handle')[1]?.getAttribute('aria-label').startsWith('Move Long Shadow')""")
        page.keys(Keys.ARROW_UP)
        wait_for(self.order, "it is back", equals=["First Light", "Long Shadow", "Slow Water", "Open Door"])
        page.press(".sheet .knob[aria-label='Clear the queue']")
        wait_for(self.order, "the queue is empty", equals=[])
        page.press(".sheet .banner .banner-act", "Undo")
        wait_for(lambda: len(self.order()), "the queue is back", equals=4)

    def test_a_row_is_dragged_in_the_player(self):
        self.play(0)
        page = self.open_player((1440, 900))
        handle = page.has(".sheet .handle[aria-label^='Move Open Door']")
        height = page.run("return document.querySelector('.sheet .queued').offsetHeight")
        ActionChains(page.driver).click_and_hold(handle).move_by_offset(0, -height).move_by_offset(0, -height).release().perform()
        wait_for(self.order, "it is two further up", equals=["First Light", "Open Door", "Long Shadow", "Slow Water"])

    def test_lyrics_follow_the_music_and_a_line_is_a_place_to_play_from(self):
        self.play(0)
        page = self.open_player((1440, 900))
        page.run(FAKE)
        page.run(LYRICS)
        page.press(".panel-tab", "Lyrics")
        page.has(".lyrics-line[aria-current]", "The first line")
        page.press(".lyrics-line", "The third line")
        wait_for(lambda: self.household.room("kitchen")["positionSeconds"] >= 59, "the room is at the third line")
        page.has(".lyrics-line[aria-current]", "The third line")
        self.assertEqual(page.axe(), [])
        self.household.steer("kitchen", action="seek", seconds=31)
        page.has(".lyrics-line[aria-current]", "The second line")

    def test_a_track_without_lyrics_says_so(self):
        self.play(0)
        page = self.open_player()
        page.press(".panel-tab", "Lyrics")
        page.has(".lyrics-note", "This track has no lyrics.")

    def test_forced_colours_take_the_light_away_and_keep_the_sliders(self):
        self.play(0)
        page = self.open_player((1440, 900))
        page.set_forced_colours()
        page.wait("the light is gone", "return getComputedStyle(document.querySelector('.sheet .glow')).display === 'none'")
        page.wait("the volume has the colour of the system", """
            return getComputedStyle(document.querySelector('.sheet .volume-slider')).getPropertyValue('--filled').includes('Highlight')""")
        page.set_scheme("light", "reduce")

    def test_the_parts_of_the_panel_are_chosen_by_arrow_keys(self):
        self.play(0)
        page = self.open_player((1440, 900))
        page.run("document.querySelector('.panel-tab[aria-selected=true]').focus()")
        page.keys(Keys.ARROW_LEFT)
        page.has(".panel-tab[aria-selected=true]", "Notes")
        page.has(".sheet-notes .pill", "Write a note")
        page.keys(Keys.ARROW_RIGHT)
        page.has(".panel-tab[aria-selected=true]", "Up next")


class Ambient(PageCase):
    """The full-screen view."""

    def test_it_shows_what_plays_and_what_is_next_keeps_the_screen_awake_and_is_left_by_escape(self):
        self.play(0)
        page = self.page
        page.open("albums")
        page.run("""
            window.locks = [];
            const wakeLock = { request: async (kind) => {
              const lock = { kind, released: false, release: async () => { lock.released = true; } };
              window.locks.push(lock);
              return lock;
            } };
            Object.defineProperty(navigator, 'wakeLock', { configurable: true, value: wakeLock })""")
        page.go("playing")
        page.has(".sheet[open] h2", "First Light")
        page.press(".sheet-head .knob[aria-label='Full screen']")
        page.has(".ambient h1", "First Light")
        page.has(".ambient-next", "Long Shadow")
        page.wait("the clock", "return /^[0-9]{2}:[0-9]{2}$/.test(document.querySelector('.ambient-clock').textContent)")
        page.wait("its light", "return document.querySelector('.ambient .glow.there')")
        page.wait("the screen is kept awake", "return window.locks.length === 1 && window.locks[0].kind === 'screen'")
        self.assertEqual(page.run("return ['.rail', '.bar'].map((one) => document.querySelector(one).getClientRects().length)"), [0, 0])
        page.press(".ambient .knob[aria-label='Next']")
        page.has(".ambient h1", "Long Shadow")
        self.assertEqual(page.axe(), [])
        page.keys(Keys.ESCAPE)
        page.has(".sheet[open] h2", "Long Shadow")
        page.wait("the screen may go dark", "return window.locks.every((lock) => lock.released)")

    def test_it_fits_every_window(self):
        self.play(0)
        page = self.page
        for scheme in ("light", "dark"):
            page.set_scheme(scheme, "reduce")
            for size in SIZES:
                page.resize(size)
                page.open("ambient")
                page.has(".ambient h1", "First Light")
                page.wait("its light", "return document.querySelector('.ambient .glow.there')")
                self.assertEqual(page.run(CUT_OFF, ".ambient button, .ambient h1, .ambient p, .ambient time, .ambient-cover"), [], f"{size} {scheme}")
                self.assertEqual(page.axe(), [], f"{size} {scheme}")

    def test_it_shows_the_room_of_its_address_and_says_when_nothing_plays(self):
        self.play(1, room="study")
        page = self.page
        page.open("ambient/study")
        page.has(".ambient-state", "Study")
        page.has(".ambient h1", "First Light")
        self.household.ask("rooms/study/queue", {"action": "clear"})
        page.has(".ambient h1", "Nothing is playing")
        # The tap that wakes the view presses no button; the next one does.
        self.assertEqual(page.run("""
            const button = document.querySelector(".ambient .knob[aria-label='Leave the full screen']");
            let presses = 0;
            button.addEventListener('click', () => { presses += 1; });
            document.querySelector('.ambient').classList.add('idle');
            return [1, 2].map(() => {
              button.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
              button.click();
              return presses;
            })"""), [0, 1])
        page.wait("the first screen", "return location.hash === '#/' || location.hash === ''")

    def test_a_card_leads_to_it(self):
        self.play(0)
        page = self.page
        page.driver.get(f"{page.address}/now/kitchen.html")
        link = page.wait("the link", "return document.querySelector('a')?.getAttribute('href')")
        self.assertEqual(link, "/#/ambient/kitchen")
        page.run("document.querySelector('a').click()")
        page.has(".ambient h1", "First Light")
