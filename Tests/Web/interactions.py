"""Interactions that belong to no single place: what is dragged anywhere, keys, gestures, and rooms."""
from selenium.webdriver.common.action_chains import ActionChains

from case import PageCase
from modules import FAKE
from page import PHONE, Keys
from testhousehold import wait_for

# Drags an element as a mouse does, and drops it on the place with a name.
DROP = """
    window.dropOn = async (from, name) => {
      const data = new DataTransfer();
      const said = { bubbles: true, cancelable: true, dataTransfer: data };
      const send = (on, kind) => on.dispatchEvent(new DragEvent(kind, said));
      send(from, 'dragstart');
      const find = () => [...document.querySelectorAll('.drop-target')].find((one) => one.textContent === name);
      while (!find()) await new Promise((done) => setTimeout(done, 20));
      send(find(), 'dragover');
      if (!find().classList.contains('over')) throw new Error('it is not marked');
      send(find(), 'drop');
      send(from, 'dragend');
    };"""


class Interactions(PageCase):
    """Each test begins with empty queues."""

    def playing(self, room="kitchen"):
        return (self.household.room(room)["track"] or {}).get("albumID")

    def test_what_is_dropped_on_the_queue_is_added_and_taken_back(self):
        page = self.page
        page.open("albums")
        page.has(".record:not(.shimmering) b", self.albums[0]["title"])
        page.run(DROP)
        page.run("window.dropOn(document.querySelector('.record .record-link'), 'Queue')")
        wait_for(lambda: len(self.order()), "the album is queued", equals=4)
        page.wait("the places are gone", "return !document.querySelector('.drop-targets')")
        page.press(".banner-act", "Undo")
        wait_for(self.order, "it is taken back", equals=[])
        for place in ("tracks", f"album/{self.albums[0]['id']}", "search?q=Light"):
            page.go(place)
            page.has("li.track:not(.shimmering) b", "First Light")
            page.run("""
                const rows = [...document.querySelectorAll('li.track:not(.shimmering)')];
                const row = rows.find((one) => one.textContent.includes('First Light'));
                window.dropOn(row, 'Queue')""")
            wait_for(self.order, f"a track of {place} is queued", equals=["First Light"])
            self.household.ask("rooms/kitchen/queue", {"action": "clear"})

    def test_what_is_dropped_on_another_room_plays_there_and_its_queue_is_restored(self):
        self.play(1, room="study")
        page = self.page
        page.open("albums")
        page.has(".record:not(.shimmering) b", self.albums[0]["title"])
        page.wait("the page knows the room", """
            const isThere = ({ name, track }) => name === 'study' && track;
            return import('/core/store.js').then(({ store }) => store.rooms.some(isThere))""")
        page.run(DROP)
        page.run("window.dropOn(document.querySelector('.record .record-link'), 'Play in Study')")
        wait_for(lambda: self.playing("study") == self.albums[0]["id"], "the album plays there")
        page.said("plays in Study.")
        page.press(".banner-act", "Undo")
        wait_for(lambda: self.playing("study") == self.albums[1]["id"], "the former queue is there again")
        self.assertEqual(self.order(), [], "the shown room is left alone")

    def test_rows_and_covers_are_dragged_by_the_mouse(self):
        page = self.page
        title = self.albums[0]["title"]
        # A browser without a window has no pointer.
        script = page.add_script("""
            const real = window.matchMedia.bind(window);
            window.matchMedia = (query) => real(query === '(pointer: fine)' ? 'all' : query);""")
        self.addCleanup(page.remove_script, script)
        for place, selector, text, at in (
                # The left edge of a row is no word, but the button itself.
                ("tracks", ".track-play", "First Light", "left"), ("albums", ".record-link", title, "centre")):
            page.open(place)
            one = page.has(f"li:not(.shimmering) > {selector}", text)
            page.run("arguments[0].scrollIntoView({ block: 'center' })", one)
            start = 4 - one.size["width"] // 2 if at == "left" else 0
            mouse = ActionChains(page.driver).move_to_element_with_offset(one, start, 0).click_and_hold()
            for _ in range(4):
                mouse = mouse.move_by_offset(9, 5)
            mouse.perform()
            page.has(".drop-target", "Queue")
            ActionChains(page.driver).release().perform()

    def test_an_artist_is_dragged_as_well(self):
        page = self.page
        page.open("artists")
        page.run(DROP)
        page.has(".artist-grid li:not(.shimmering) b", self.albums[0]["artist"])
        page.run("window.dropOn(document.querySelector('.artist-grid li:not(.shimmering) a'), 'Queue')")
        wait_for(lambda: len(self.order()) >= 4, "the music of the artist is queued")

    def test_keys_lead_to_the_player_the_queue_and_the_full_screen_and_steer_the_room(self):
        self.play(0)
        page = self.page
        page.open("albums")
        page.wait("it plays", "return document.body.dataset.state === 'playing'")
        page.has(".record:not(.shimmering)")
        page.keys("n")
        page.wait("the player is open",
                  "return location.hash === '#/playing' && document.querySelector('.sheet[open]')")
        page.keys("n")
        page.wait("it is closed",
                  "return location.hash === '#/albums' && !document.querySelector('.sheet[open]')")
        page.keys("m")
        wait_for(lambda: self.household.room("kitchen")["modes"]["muted"], "the room is muted")
        page.wait("the page has heard it", """
            return import('/core/store.js').then(({ currentRoom }) => currentRoom().modes.muted)""")
        page.keys("m")
        wait_for(lambda: not self.household.room("kitchen")["modes"]["muted"], "it is heard again")
        ActionChains(page.driver).key_down(Keys.SHIFT).send_keys(Keys.ARROW_RIGHT).key_up(Keys.SHIFT).perform()
        wait_for(lambda: self.household.room("kitchen")["track"]["title"], "the next track plays", equals="Long Shadow")
        page.keys(Keys.ARROW_RIGHT)
        wait_for(lambda: self.household.room("kitchen")["positionSeconds"] >= 15, "it goes forward")
        ActionChains(page.driver).key_down(Keys.SHIFT).send_keys(Keys.ARROW_LEFT).key_up(Keys.SHIFT).perform()
        wait_for(lambda: self.household.room("kitchen")["positionSeconds"] < 15, "it goes back")
        page.keys("q")
        page.wait("the queue is shown", "return document.body.dataset.here === '#/queue'")
        page.keys("f")
        page.has(".ambient")
        page.keys(Keys.ESCAPE)
        page.wait("the queue is shown again", "return document.body.dataset.here === '#/queue'")
        page.keys("s")
        wait_for(lambda: self.household.room("kitchen")["state"], "the music stops", equals="idle")

    def test_a_key_opens_the_menu_of_the_card_with_the_focus(self):
        page = self.page
        page.open("albums")
        page.has(".record:not(.shimmering) b", self.albums[0]["title"])
        page.run("document.querySelector('.record .record-link').focus()")
        page.keys(".")
        page.has(".menu [role=menuitem]", "Play next")
        page.keys(Keys.ESCAPE)
        page.wait("the card has the focus again", "return document.activeElement.matches('.record .record-link')")

    def test_keys_can_be_switched_off_and_do_nothing_in_fields(self):
        page = self.page
        page.open("search")
        page.wait("the field has the focus", "return document.activeElement.id === 'search-words'")
        page.keys("q")
        page.wait("it is a letter", "return document.getElementById('search-words').value === 'q'")
        page.go("settings/browser")
        page.press(".switch-row", "Keyboard shortcuts")
        page.wait("it is off", "return localStorage.getItem('lunara.keys') === 'false'")
        page.run("document.activeElement.blur()")
        page.keys("q")
        page.keys("?")
        self.assertEqual(page.run("return [location.hash, document.querySelector('dialog.keys')]"),
                         ["#/settings/browser", None])

    def test_words_that_were_just_typed_do_not_bring_a_person_back(self):
        page = self.page
        for place in ["search", "notes"]:
            with self.subTest(place=place):
                page.open(place)
                page.has("input[type=search]")
                page.run(FAKE)
                # The next place answers long after the words were to become a part of the address.
                page.run("""
                    const later = () => new Promise((done) => setTimeout(() => done(window.json({ needsPassword: false })), 1500));
                    window.fakeFetch('/api/v1/session', later);
                    const box = document.querySelector('#main input[type=search]');
                    box.value = 'moon';
                    box.dispatchEvent(new Event('input', { bubbles: true }));
                    location.hash = '#/settings/browser';""")
                page.has("#main h2", "This browser")
                self.assertEqual(page.run("return [location.hash, document.body.dataset.here]"), ["#/settings/browser"] * 2)

    def test_the_first_stop_of_the_tab_key_leads_past_the_navigation(self):
        page = self.page
        page.open("albums")
        page.has(".record:not(.shimmering)")
        page.run("document.activeElement.blur()")
        page.keys(Keys.TAB)
        self.assertEqual(page.run("return document.activeElement.id"), "skip")
        page.keys(Keys.ENTER)
        page.wait("the title has the focus", "return document.activeElement.matches('#main h1')")

    def test_the_page_is_pulled_down_to_read_the_sources_again(self):
        page = self.page
        page.resize(PHONE)
        page.set_touch(True)
        self.addCleanup(page.set_touch, False)
        page.open("more")
        page.has(".more-link")
        page.touch([(195, 50 + 6 * step) for step in range(8)])
        self.assertFalse(page.run("return window.said.some(({ words }) => words.includes('all sources'))"),
                         "a short pull does nothing")
        page.touch([(195, 50 + 30 * step) for step in range(12)])
        page.said("Refreshing all sources")

    def test_a_deleted_playlist_is_brought_back(self):
        made = self.household.ask("playlists", {"title": "Gone", "ids": [self.albums[0]["id"]]})
        self.addCleanup(lambda: self.household.ask(f"playlists/{made['id']}", {}, "DELETE"))
        page = self.page
        page.open(f"playlist/{made['id']}")
        page.press(".actions .pill", "Delete")
        page.said("Deleted Gone.")
        page.press(".banner-act", "Undo")
        page.has("h1", "Gone")
        wait_for(lambda: len(self.household.ask(f"playlists/{made['id']}")["entries"]), "its tracks are there",
                 equals=4)

    def test_another_room_is_shown_and_its_volume_is_set_in_the_list_of_rooms(self):
        self.play(0, room="study")
        page = self.page
        page.open("rooms")
        page.has(".room .room-now", "First Light")
        page.press(".room .knob[aria-label='Mute Study']")
        wait_for(lambda: self.household.room("study")["modes"]["muted"], "the study is muted")
        page.press(".room .knob[aria-label='Mute Study'][aria-pressed=true]")
        wait_for(lambda: not self.household.room("study")["modes"]["muted"], "it is heard again")
        page.press(".room .knob[aria-label='Pause in Study']")
        wait_for(lambda: self.household.room("study")["state"], "the study is paused", equals="paused")
        page.press(".room .pill", "Show on this page")
        page.wait("the bar steers the study", "return document.querySelector('.bar').textContent.includes('Study')")
