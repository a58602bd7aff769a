#!/usr/bin/env python3
"""What a person does with the page, done in chromium on a household of two rooms. Usage: tests.py PROGRAMS [TEST…]

Nothing here depends on how fast a machine is: each step waits for what it needs to see, and ends after a minute.
"""
import pathlib
import sys
import tempfile
import unittest

from selenium.webdriver.common.action_chains import ActionChains

from house import House, wait_for
from music import make_music
from page import DESK, PHONE, Keys, Page

ALBUMS = 240
PLACES = ["", "albums", "artists", "tracks", "playlists", "search?q=light", "queue", "rooms", "settings/sources",
          "settings/scrobbling", "settings/health", "settings/browser", "more", "welcome", "playing"]

# Whether the rows in sight are filled: none is missing in the middle of the window, and none waits.
IN_SIGHT = """
    const records = [...document.querySelectorAll('.record')].filter((one) => {
      const box = one.getBoundingClientRect();
      return box.bottom > 0 && box.top < innerHeight;
    });
    return records.length > 9 && !document.querySelector('.shimmering')"""


class PageTests(unittest.TestCase):
    programs = None

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory(prefix="lunara-music-")
        cls.addClassCleanup(cls.scratch.cleanup)
        root = pathlib.Path(cls.scratch.name)
        make_music(root / "music", root, ALBUMS)
        cls.house = cls.enterClassContext(House(cls.programs, root / "music"))
        cls.house.wait_for_albums(ALBUMS)
        cls.page = cls.enterClassContext(Page(cls.house.address))
        cls.page.wear("light")
        cls.albums = cls.house.ask("albums?limit=200")["items"]

    def setUp(self):
        for room in self.house.rooms:
            self.house.ask(f"rooms/{room}/queue", {"action": "clear"})
            self.house.steer(room, action="repeat", mode="off")

    def tearDown(self):
        self.assertEqual(self.page.complaints(), [])

    def play(self, index=0, room="kitchen", at=0):
        self.house.ask("play", {"ids": [self.albums[index]["id"]], "room": room, "startAt": at})
        wait_for(lambda: self.house.room(room)["state"] == "playing", f"{room} plays")

    def test_an_album_is_played_from_the_grid_and_its_states_are_seen(self):
        page = self.page
        page.open("albums")
        page.has(".record:not(.shimmering) b", self.albums[1]["title"])
        page.run("""
            window.seen = [];
            new MutationObserver(() => window.seen.push(document.body.dataset.state))
              .observe(document.body, { attributes: true, attributeFilter: ['data-state'] })""")
        page.run("document.querySelectorAll('.record .quick')[1].click()")
        page.wait("it plays", "return window.seen.includes('playing')")
        seen = page.run("return window.seen")
        self.assertIn("buffering", seen)
        self.assertLess(seen.index("buffering"), seen.index("playing"))
        page.has(".bar b", "First Light")
        page.has(".record[data-state='playing'] b", self.albums[1]["title"])
        page.press(".bar .knob.main")
        page.wait("it is paused everywhere", """
            return document.body.dataset.state === 'paused' && document.querySelector('.record[data-state="paused"]')
              && document.querySelector('.bar-under').textContent.includes('Paused')""")
        self.assertEqual(self.house.room("kitchen")["track"]["albumID"], self.albums[1]["id"])

    def test_an_album_has_its_place_where_the_playing_track_is_marked(self):
        self.play(0)
        page = self.page
        page.open("albums")
        page.press(".record-link b", self.albums[0]["title"])
        page.has("h1", self.albums[0]["title"])
        page.has(".track-play[aria-current] b", "First Light")
        self.assertIn("album/", page.run("return location.hash"))
        page.press(".track-play b", "Slow Water")
        page.has(".track-play[aria-current] b", "Slow Water")
        page.run("history.back()")
        page.has("h1", "All albums")
        page.run("history.forward()")
        page.has("h1", self.albums[0]["title"])

    def test_the_same_place_is_never_put_into_the_history_twice(self):
        page = self.page
        page.open("albums")
        before = page.run("return history.state.step")
        page.run("for (let n = 0; n < 3; n += 1) document.querySelector('#nav a[data-name=albums]').click()")
        page.go("search")
        page.has("#search-words")
        page.keys("light")
        page.has(".track b", "First Light")
        page.wait("the address has the words", "return location.hash.includes('q=light')")
        self.assertEqual(page.run("return history.state.step"), before + 1)

    def test_the_scrubber_seeks(self):
        self.play(0)
        page = self.page
        page.open("playing")
        page.has(".sheet[open] h2", "First Light")
        page.run("""
            const box = document.querySelector('.sheet .scrubber input');
            box.value = 60;
            for (const name of ['input', 'change']) box.dispatchEvent(new Event(name, { bubbles: true }))""")
        wait_for(lambda: self.house.room("kitchen")["positionSeconds"] >= 58, "the room is at 1:00")
        page.wait("the page shows it", "return document.querySelector('.sheet .times span').textContent.startsWith('1:')")
        self.assertGreaterEqual(page.run("return document.querySelector('.sheet .scrubber input').getBoundingClientRect().height"), 54)

    def test_the_sheet_is_a_place_that_is_closed_by_escape_and_pulled_down(self):
        self.play(0)
        page = self.page
        page.open("albums")
        page.press(".bar-open")
        page.has(".sheet[open] h2", "First Light")
        page.keys(Keys.ESCAPE)
        page.wait("it is closed", "return !document.querySelector('.sheet[open]') && location.hash === '#/albums'")
        page.press(".bar-open")
        grip = page.has(".sheet[open] .sheet-stand")
        ActionChains(page.driver).click_and_hold(grip).move_by_offset(0, 90).move_by_offset(0, 120).release().perform()
        page.wait("it is gone", "return !document.querySelector('.sheet[open]') && location.hash === '#/albums'")

    def order(self):
        return [item["title"] for item in self.house.ask("rooms/kitchen/queue")["items"]]

    def test_the_queue_is_reordered_by_keys_and_by_drag(self):
        self.play(0)
        page = self.page
        page.open("queue")
        handle = page.has(".handle[aria-label^='Move Long Shadow']")
        page.run("arguments[0].focus()", handle)
        page.keys(Keys.ARROW_DOWN)
        wait_for(lambda: self.order() == ["First Light", "Slow Water", "Long Shadow", "Open Door"], "it is one further down")
        page.wait("the page shows it", "return document.querySelectorAll('.queued b')[2]?.textContent === 'Long Shadow'")
        handle = page.has(".handle[aria-label^='Move Open Door']")
        height = page.run("return document.querySelector('.queued').offsetHeight")
        ActionChains(page.driver).click_and_hold(handle).move_by_offset(0, -height).move_by_offset(0, -height).release().perform()
        wait_for(lambda: self.order() == ["First Light", "Open Door", "Slow Water", "Long Shadow"], "it is two further up")
        page.press(".knob[aria-label='Remove Slow Water']")
        wait_for(lambda: self.order() == ["First Light", "Open Door", "Long Shadow"], "one is removed")
        page.wait("the page shows three", "return document.querySelectorAll('.queued').length === 3")

    def test_the_music_moves_to_another_room(self):
        self.play(0)
        page = self.page
        page.open("rooms")
        page.press(".room .pill", "Move the music")
        page.press(".menu [role=menuitem]", "Study")
        wait_for(lambda: self.house.room("study")["state"] == "playing", "the study plays")
        page.has(".banner", "The music goes on in Study")
        self.assertEqual(self.house.room("kitchen")["track"], None)

    def test_the_menu_comes_by_right_click_and_by_key(self):
        page = self.page
        page.open("albums")
        record = page.has(".record:not(.shimmering)")
        ActionChains(page.driver).context_click(record).perform()
        page.has(".menu [role=menuitem]", "Play next")
        page.keys(Keys.ESCAPE)
        page.wait("it is closed", "return !document.querySelector('.menu')")
        page.run("arguments[0].querySelector('a').focus()", record)
        page.keys(".")
        page.press(".menu [role=menuitem]", "Go to artist")
        page.has("h1", self.albums[0]["artist"])

    def test_keys_steer_and_are_listed(self):
        self.play(0)
        page = self.page
        page.open("albums")
        page.keys(" ")
        wait_for(lambda: self.house.room("kitchen")["state"] == "paused", "the room is paused")
        page.keys("?")
        page.has("dialog.keys h2", "Keys")
        page.keys(Keys.ESCAPE)
        page.keys("/")
        page.wait("the box has the focus", "return document.activeElement.id === 'search-words'")

    def test_a_long_shelf_keeps_few_nodes_in_the_document(self):
        page = self.page
        page.open("albums")
        page.has(".record:not(.shimmering)")
        most = 0
        height = page.run("return document.documentElement.scrollHeight")
        for step in range(0, 21):
            page.run("scrollTo({ top: arguments[0], behavior: 'instant' })", height * step / 20)
            page.wait("what is in sight is there", IN_SIGHT)
            most = max(most, page.run("return document.getElementsByTagName('*').length"))
        self.assertLess(most, 1600)
        last = self.house.ask(f"albums?first={ALBUMS - 1}&limit=1")["items"][0]
        page.has(".record b", last["title"])
        page.press(".strip button", "K")
        page.has(".record-words span", "Kestrel")

    def test_a_person_stays_where_they_look_when_the_catalogue_changes(self):
        page = self.page
        page.open("albums")
        page.has(".record:not(.shimmering)")
        page.run("scrollTo({ top: 3000, behavior: 'instant' })")
        page.wait("what is in sight is there", IN_SIGHT)
        where = "return [...document.querySelectorAll('.record')].map((one) => one.textContent + Math.round(one.getBoundingClientRect().top)).join()"
        before = page.run(where)
        self.house.ask("sync", {})
        source = wait_for(lambda: self.house.ask("sources")["items"], "the sources")
        self.assertEqual(source[0]["albums"], ALBUMS)
        self.assertEqual(page.run(where), before)

    def test_what_was_shown_stays_when_the_library_is_killed(self):
        page = self.page
        page.open("albums")
        page.has(".record:not(.shimmering) b", self.albums[0]["title"])
        self.house.kill("library")
        page.has(".banner", "The library is not answering")
        page.has(".record:not(.shimmering) b", self.albums[0]["title"])
        self.house.start("library", ["lunara-library"])
        page.wait("the banner goes", "return !document.querySelector('.banner[data-key=library]')")
        self.house.wait_for_albums(ALBUMS)

    def test_events_go_on_after_the_page_lost_its_service(self):
        self.play(0)
        page = self.page
        page.open("albums")
        page.wait("it plays", "return document.body.dataset.state === 'playing'")
        self.house.kill_service("web")
        wait_for(lambda: len(self.house.maybe("rooms") or []) == 2, "the rooms are met")
        self.house.steer("kitchen", action="pause")
        page.wait("the page has heard it", "return document.body.dataset.state === 'paused'")
        page.has(".record:not(.shimmering)")

    def test_nothing_is_wrong_for_those_who_do_not_see(self):
        self.play(0)
        page = self.page
        album, artist = self.albums[0]["id"], self.albums[0]["artistID"]
        complaints = []
        for scheme, size in [("light", DESK), ("dark", PHONE)]:
            page.wear(scheme, "reduce")
            page.resize(size)
            page.open("albums")
            for place in [*PLACES, f"album/{album}", f"artist/{artist}"]:
                page.go(place)
                if place == "playing":
                    page.has(".sheet[open] h2")
                complaints += [f"{place or 'home'}, {scheme}: {one}" for one in page.axe()]
        page.wear("light")
        page.resize(DESK)
        self.assertEqual(complaints, [])

    def test_text_of_twice_the_size_fits_a_phone(self):
        page = self.page
        page.resize(PHONE)
        for place in ["", "albums", "album/" + self.albums[0]["id"], "queue", "rooms", "settings/sources", "playing"]:
            page.open(place)
            page.run("document.documentElement.style.fontSize = '200%'")
            page.wait("it is laid out", "return document.querySelector('#main .place')")
            self.assertLessEqual(page.run("return document.documentElement.scrollWidth"), PHONE[0], place)
        page.resize(DESK)


if __name__ == "__main__":
    PageTests.programs = sys.argv.pop(1)
    unittest.main(argv=["browser", *[word if "." in word else f"PageTests.{word}" for word in sys.argv[1:]]], verbosity=2)
