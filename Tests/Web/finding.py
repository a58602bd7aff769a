"""Finding music: the search with its best result, the command palette, orders and filters, genres, and places one has left."""
import pathlib
import re

from selenium.webdriver.common.action_chains import ActionChains

from case import PageCase
from findingfakes import COLLECTIONS, SEARCH, TRACKS
from page import DESKTOP, PHONE, Keys
from testhousehold import wait_for

PUBLIC = pathlib.Path(__file__).resolve().parents[2] / "Services/Web/Public"

# The first link or button of the card or row that has the focus, as text.
FOCUSED = "return document.activeElement.closest('[data-key], .best-card')?.querySelector('b')?.textContent ?? document.activeElement.id"


class Finding(PageCase):
    """The search, the palette, the orders of long lists, and genres."""

    def setUp(self):
        super().setUp()
        self.scripts = []

    def tearDown(self):
        for one in self.scripts:
            self.page.remove_script(one)
        super().tearDown()

    def fake(self, script):
        """Runs a script before those of each page that is opened."""
        self.scripts.append(self.page.add_script(script))

    def press_keys(self, modifier, key):
        ActionChains(self.page.driver).key_down(modifier).send_keys(key).key_up(modifier).perform()

    def focused(self, words):
        self.page.wait(f"the focus at {words}", f"return (() => {{ {FOCUSED} }})() === arguments[0]", words)

    def test_a_search_shows_its_best_result_first_and_songs_before_albums(self):
        page = self.page
        self.fake(SEARCH)
        page.open("search")
        page.write("#search-words", "nigth")
        page.has(".count", "Searched for “light” instead of “nigth”.")
        page.has(".track b", "First Light")
        page.write("#search-words", "record 00")
        page.has(".best-words b", "Record 00")
        heads = page.run("return [...document.querySelectorAll('.search .group:not([hidden]) h2')].map((one) => one.textContent)")
        self.assertEqual(heads[0], "Best result")
        self.assertLess(heads.index("Albums"), heads.index("Genres and years"))
        page.has(".search .chip", "Folk Rock3 albums")
        self.assertLess(page.run("return document.querySelectorAll('.search .album-grid .record').length"), 15)
        page.write("#search-words", "light")
        page.has(".track b", "First Light")
        self.assertEqual(page.run("return document.querySelectorAll('.search .track').length"), 6)
        page.press(".group > .pill", "Show all")
        page.wait("all songs are there", "return document.querySelectorAll('.search .track').length > 6")
        page.write("#search-words", "1970s")
        page.has(".search .chip", "1970s26 albums")
        page.write("#search-words", "kestrel")
        page.has(".best-words b", "Kestrel")
        page.has(".search .chip", "KestrelComposer, Producer")

    def test_searches_are_moved_through_and_opened_by_keys_and_remembered(self):
        page = self.page
        self.fake(SEARCH)
        page.open("albums")
        page.has(".record:not(.shimmering)")
        page.keys("/")
        self.focused("search-words")
        page.keys("record 001")
        page.has(".best-words b", "Record 001")
        page.keys(Keys.ARROW_DOWN)
        self.focused("Record 001")
        page.keys(Keys.ESCAPE)
        self.focused("search-words")
        page.keys(Keys.ENTER)
        page.has(".album h1", "Record 001")
        page.keys("/")
        page.has(".recent .chip", "record 001")
        self.assertEqual(page.axe(), [])
        page.press(".recent .chip", "record 001")
        page.has(".best-words b", "Record 001")
        page.go("search")
        page.press(".recent .pill", "Clear")
        page.wait("none is left", "return document.querySelector('.recent').hidden && document.activeElement.id === 'search-words'")
        page.press(".banner-act", "Undo")
        page.has(".recent .chip", "record 001")
        page.press(".recent .pill", "Clear")
        page.wait("none is left", "return document.querySelector('.recent').hidden")

    def test_arrow_keys_move_through_the_rows_and_cards_of_every_list(self):
        page = self.page
        page.open(f"album/{self.albums[0]['id']}")
        page.has(".track b")
        rows = page.run("return [...document.querySelectorAll('.track-words b')].map((one) => one.textContent)")
        page.run("document.querySelector('.track-play').focus()")
        page.keys(Keys.ARROW_DOWN)
        self.focused(rows[1])
        page.keys(Keys.ARROW_DOWN)
        self.focused(rows[2])
        page.keys(Keys.ARROW_UP)
        self.focused(rows[1])
        page.go(f"artist/{self.albums[0]['artistID']}")
        # On a phone two records stand beside each other.
        page.resize(PHONE)
        count = len([album for album in self.albums if album["artistID"] == self.albums[0]["artistID"]])
        self.assertGreater(count, 3)
        titles = page.wait("the albums", """
            const all = [...document.querySelectorAll('.album-grid .record b')].map((one) => one.textContent);
            return all.length === arguments[0] && all.every(Boolean) ? all : null""", count)
        page.run("document.querySelector('.album-grid .record-link').focus()")
        page.keys(Keys.ARROW_RIGHT)
        self.focused(titles[1])
        page.keys(Keys.ARROW_DOWN)
        self.focused(titles[3])

    def test_the_command_palette_leads_to_places_and_plays_what_is_named(self):
        page = self.page
        self.fake(SEARCH)
        page.open("albums")
        page.has(".record:not(.shimmering) a").send_keys(Keys.NULL)
        self.press_keys(Keys.CONTROL, "k")
        page.has(".palette [aria-selected=true] b")
        page.keys("gen")
        page.has(".palette [aria-selected=true] b", "Genres")
        self.assertEqual(page.axe(), [])
        page.keys(Keys.ENTER)
        page.has("h1", "Genres and decades")
        self.press_keys(Keys.CONTROL, "k")
        # What is typed before the palette is there goes elsewhere.
        page.has(".palette [aria-selected=true] b")
        page.keys("play record 007")
        page.has(".palette [aria-selected=true] b", "Play Record 007")
        page.keys(Keys.ENTER)
        wait_for(lambda: (self.household.room("kitchen").get("track") or {}).get("album"), "Record 007 plays",
                 equals="Record 007")
        self.press_keys(Keys.CONTROL, "k")
        page.has(".palette [aria-selected=true] b")
        page.keys("pau")
        page.has(".palette [aria-selected=true] b", "Pause")
        page.keys(Keys.ENTER)
        wait_for(lambda: self.household.room("kitchen")["state"], "the kitchen is paused", equals="paused")
        self.press_keys(Keys.CONTROL, "k")
        page.has(".palette")
        page.keys("steer stu")
        page.has(".palette [aria-selected=true] b", "Steer Study")
        page.keys(Keys.ESCAPE)
        page.wait("it is closed", "return !document.querySelector('.palette')")

    def test_the_command_palette_stops_the_music_and_refreshes_the_sources(self):
        self.play(0)
        page = self.page
        page.open("albums")
        page.wait("it plays", "return document.body.dataset.state === 'playing'")
        self.press_keys(Keys.CONTROL, "k")
        page.has(".palette [aria-selected=true] b")
        page.keys("stop")
        page.has(".palette [aria-selected=true] b", "Stop")
        page.keys(Keys.ENTER)
        wait_for(lambda: self.household.room("kitchen")["state"], "the music stops", equals="idle")
        self.press_keys(Keys.CONTROL, "k")
        page.has(".palette [aria-selected=true] b")
        page.keys("refresh")
        page.has(".palette [aria-selected=true] b", "Refresh all sources")
        page.keys(Keys.ENTER)
        page.said("Refreshing all sources")

    def test_collections_are_sorted_by_title_or_size_and_the_order_is_kept(self):
        page = self.page
        self.fake(COLLECTIONS)
        page.open("collections")
        page.has(".count", "2 collections")
        titles = "return [...document.querySelectorAll('.record:not(.shimmering) b')].map((one) => one.textContent)"
        self.assertEqual(page.run(titles), ["Autumn", "Zebra"])
        page.has(".record small, .record-words span", "Pinned · 1 item")
        page.run("""
            const box = document.querySelector('.sort select');
            box.value = 'items';
            box.dispatchEvent(new Event('change', { bubbles: true }))""")
        page.wait("the largest is first", titles.replace("return ", "return '' + ") + " === 'Zebra,Autumn'")
        page.go("albums")
        page.go("collections")
        page.wait("the order is kept", titles.replace("return ", "return '' + ") + " === 'Zebra,Autumn'")

    def test_the_page_begins_with_the_screen_that_one_chose(self):
        page = self.page
        page.open("settings/browser")
        page.run("""
            const box = [...document.querySelectorAll('select')].find(({ options }) => options[1]?.value === 'wall');
            box.value = 'albums';
            box.dispatchEvent(new Event('change', { bubbles: true }))""")
        self.assertEqual(page.run("return localStorage.getItem('lunara.firstScreen')"), '"albums"')
        # Each new document of the tests begins without preferences.
        self.fake("if (location.protocol === 'http:') localStorage.setItem('lunara.firstScreen', '\"albums\"')")
        page.driver.get("about:blank")
        page.driver.get(page.address)
        page.wait("the albums are shown", "return document.body.dataset.here === '#/albums'")
        page.go("")
        page.has("h1", "Your music")
        page.open()
        page.has("h1", "Your music")

    def test_any_of_a_hundred_thousand_tracks_is_reached_by_its_letter_in_both_directions(self):
        page = self.page
        self.fake(TRACKS)
        page.open("tracks")
        page.has(".count", "100,000 tracks")
        page.has(".track b", "A song 0000")
        page.press(".jump-bar button", "X")
        page.has(".track b", "X song 0000")
        page.press(".direction")
        page.wait("the address has the order", "return location.hash === '#/tracks?sort=name&reversed=true'")
        page.has(".track b", "Y song 3999")
        page.press(".jump-bar button", "C")
        page.has(".track b", "C song 3999")
        self.assertLess(page.run("return document.getElementsByTagName('*').length"), 1600)
        # The order is kept for the place, and not for the albums.
        page.go("albums")
        page.has(".record:not(.shimmering)")
        page.go("tracks")
        page.has(".track b", "Y song 3999")
        self.assertTrue(page.run("return window.asked.some((one) => one.includes('tracks/index?sort=name&reversed=true'))"))

    def test_albums_are_sorted_in_both_directions_and_the_last_filter_is_offered_again(self):
        page = self.page
        self.fake(SEARCH)
        page.open("albums")
        page.has(".record:not(.shimmering)")
        page.run("const box = document.querySelector('.order select'); box.value = 'plays'; box.dispatchEvent(new Event('change'))")
        page.wait("the order is in the address", "return location.hash === '#/albums?sort=plays'")
        page.has(".direction[title^='Most played first']")
        page.press(".direction")
        page.wait("so is the direction", "return location.hash === '#/albums?sort=plays&reversed=true'")
        page.has(".direction[aria-pressed=true]")
        asked = page.run("return window.asked.filter((one) => one.includes('/albums?')).at(-1)")
        self.assertIn("sort=plays&reversed=true", asked)
        page.go("albums?sort=name")
        page.press(".filter-button")
        page.press(".filter [data-kind=genre]")
        page.press(".filter-row", "Folk")
        page.press(".filter .pill.first")
        page.has("h1", "Folk")
        page.go("albums?sort=name")
        page.press(".chips[aria-label='Last filter'] .chip")
        page.has("h1", "Folk")

    def test_artists_are_sorted_by_albums_and_narrowed_by_a_genre(self):
        page = self.page
        page.open("artists")
        page.has(".record:not(.shimmering)")
        page.run("""
            const box = [...document.querySelectorAll('.sort')].find((one) => one.textContent.startsWith('Sorted by')).querySelector('select');
            box.value = 'albums';
            box.dispatchEvent(new Event('change'))""")
        page.wait("the address has the order", "return location.hash === '#/artists?sort=albums'")
        counts = page.wait("all are counted", """
            if (document.querySelector('.shimmering')) return false;
            const found = [...document.querySelectorAll('.record-words span')].map((one) => Number.parseInt(one.textContent, 10));
            return found.length > 3 && found.every((one) => one > 0) && found""")
        self.assertEqual(counts, sorted(counts, reverse=True))
        page.wait("their pictures come", "return document.querySelector('.record .cover img.there')")
        page.press(".filter-button")
        page.press(".filter [data-kind=genre]")
        page.press(".filter-row", "Folk")
        page.press(".filter .pill.first", "Show artists")
        page.has(".chip", "Folk")
        page.has(".record:not(.shimmering)")
        self.assertEqual(page.run("return location.hash"), "#/artists?tag=genre%3AFolk&sort=albums")
        self.assertEqual(page.axe(), [])

    def test_artists_are_listed_in_both_directions(self):
        page = self.page
        last = self.household.ask("artists?limit=1&reversed=true")["items"][0]["name"]
        first = self.household.ask("artists?limit=1")["items"][0]["name"]
        page.open("artists")
        page.has(".record b", first)
        page.press(".direction")
        page.wait("the address has the order", "return location.hash === '#/artists?sort=name&reversed=true'")
        page.has(".record b", last)
        self.assertEqual(page.run("return document.querySelector('.record b').textContent"), last)
        self.assertEqual(page.run("return document.querySelector('.jump-bar button').textContent"), "Z")
        page.run("const box = document.querySelector('.order select'); box.value = 'albums'; box.dispatchEvent(new Event('change'))")
        page.wait("so is the other order", "return location.hash === '#/artists?sort=albums'")
        page.has(".direction[title^='Most albums first']")
        page.press(".direction")
        page.wait("it is turned around", "return location.hash === '#/artists?sort=albums&reversed=true'")
        counts = page.wait("all are counted", """
            if (document.querySelector('.shimmering')) return false;
            const found = [...document.querySelectorAll('.record-words span')].map((one) => Number.parseInt(one.textContent, 10));
            return found.length > 3 && found.every((one) => one > 0) && found""")
        self.assertEqual(counts, sorted(counts))
        # The order is kept for the place.
        page.go("albums")
        page.has(".record:not(.shimmering)")
        page.go("artists")
        page.has(".direction[title^='Fewest albums first'][aria-pressed=true]")
        self.assertEqual(page.axe(), [])

    def test_genres_and_decades_have_places_with_their_artists_and_covers(self):
        page = self.page
        page.open("genres")
        page.has(".genre-tile .cover :is(img.there, .drawn)")
        for place in ("genres", "genre/Folk", "decade/1970"):
            page.go(place)
            page.wait("it is filled", "return !document.querySelector('#main .shimmering')")
            self.assertEqual(page.axe(), [], place)
        page.go("genres")
        page.press(".genre-link", "Folk")
        page.has("h1", "Folk")
        page.has("#nav [aria-current=page]", "Genres")
        self.assertEqual(page.run("return location.hash"), "#/genre/Folk")
        page.press(".place-row .chip", "1970s")
        page.has("h1", "Folk, 1970s")
        page.run("history.back()")
        page.press(".place-row .chip")
        page.has(".screen.artist h1")

    def test_back_and_a_reload_lead_to_the_record_that_one_left(self):
        page = self.page
        page.open("albums")
        page.has(".record:not(.shimmering)")
        page.run("scrollTo({ top: 2200, behavior: 'instant' })")
        page.wait("a record in view", "return [...document.querySelectorAll('.record:not(.shimmering)')].some((one) => one.getBoundingClientRect().top > 100)")
        title = page.run("""
            const record = [...document.querySelectorAll('.record:not(.shimmering)')].find((one) => one.getBoundingClientRect().top > 100);
            record.querySelector('a').focus({ preventScroll: true });
            return record.querySelector('b').textContent""")
        top = page.run("return scrollY")
        page.keys(Keys.ENTER)
        page.has(".screen.album h1", title)
        page.run("history.back()")
        self.focused(title)
        self.assertEqual(page.run("return scrollY"), top)
        page.driver.refresh()
        page.wait("the page is ready", "return Boolean(document.getElementById('ready'))")
        self.focused(title)
        self.assertEqual(page.run("return scrollY"), top)

    def test_no_text_of_the_page_names_a_command(self):
        for file in [*PUBLIC.rglob("*.js"), PUBLIC / "index.html"]:
            for line in file.read_text().splitlines():
                code = re.sub(r"^\s*(//|\*|/\*).*", "", line)
                self.assertNotRegex(code, r"\blunara (?:[a-z]+ )*(?:up|doctor|sync|status|import|add|login)\b", file.name)

    def test_finding_is_whole_for_those_who_do_not_see_and_on_every_size(self):
        page = self.page
        self.fake(SEARCH)
        self.fake(TRACKS)
        complaints = []
        for scheme, size in [("light", DESKTOP), ("dark", PHONE)]:
            page.set_scheme(scheme, "reduce")
            page.resize(size)
            page.open("search?q=record")
            page.has(".best-link")
            for place in ("search?q=record", "tracks", "tracks?tag=genre:Folk&sort=added&reversed=true", "albums?sort=year&reversed=true", "genres", "genre/Folk"):
                page.go(place)
                page.wait("it is filled", "return !document.querySelector('#main .shimmering')")
                complaints += [f"{place}, {scheme}: {one}" for one in page.axe()]
                self.assertLessEqual(page.run("return document.documentElement.scrollWidth"), size[0], place)
        self.assertEqual(complaints, [])
