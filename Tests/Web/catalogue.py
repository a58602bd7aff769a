"""Finding music on the page: the grid of albums, search, menus, addresses."""
import pathlib
import re
import shutil

from selenium.webdriver.common.action_chains import ActionChains

from case import ALBUMS, IN_SIGHT, PageCase
from testhousehold import wait_for
from page import Keys

PUBLIC = pathlib.Path(__file__).resolve().parents[2] / "Services/Web/Public"

# The cards in view, with their corners.
SEEN = """
    return [...document.querySelectorAll('.record')].map((one) => [one, one.getBoundingClientRect()])
      .filter(([, box]) => box.bottom > 0 && box.top < innerHeight)
      .map(([one, box]) => `${one.textContent} ${Math.round(box.left)} ${Math.round(box.top)}`).join()"""


def as_by_aaron(source, target):
    """Copies a track into an album that is sorted first. The names are as long as those that they replace."""
    with open(source, "rb") as file:
        data = file.read()
    with open(target, "wb") as file:
        file.write(data.replace(b"Amber Vale", b"Aaron Aard").replace(b"Record 001", b"Record 000"))


class Catalogue(PageCase):
    """The grid of albums, and the ways to them."""

    def test_the_same_address_is_never_put_into_the_history_twice(self):
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

    def test_a_long_list_keeps_few_nodes_in_the_document(self):
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
        last = self.household.ask(f"albums?first={ALBUMS - 1}&limit=1")["items"][0]
        page.has(".record b", last["title"])
        page.press(".jump-bar button", "K")
        page.has(".record-words span", "Kestrel")

    def check_unmoved(self, before):
        """Checks that all cards in view are where they were, once the page has handled the change."""
        try:
            wait_for(lambda: self.page.run(SEEN), "all is where it was", equals=before)
        except AssertionError:
            self.assertEqual(self.page.run(SEEN), before)

    def test_a_person_stays_where_they_look_when_the_catalogue_changes(self):
        page = self.page
        page.open("albums")
        page.has(".record:not(.shimmering)")
        page.run("scrollTo({ top: 1800, behavior: 'instant' })")
        page.wait("what is in sight is there", IN_SIGHT)
        before = page.run(SEEN)
        # This album is sorted before all others, so that the index of each changes.
        folder = self.music / "new"
        shutil.copytree(self.music / "00000", folder, copy_function=as_by_aaron)
        try:
            self.household.ask("sync", {})
            self.household.wait_for_albums(ALBUMS + 1)
            page.has(".count", f"{ALBUMS + 1} albums")
            page.wait("what is in sight is there", IN_SIGHT)
            self.check_unmoved(before)
        finally:
            shutil.rmtree(folder)
            self.household.ask("sync", {})
            self.household.wait_for_albums(ALBUMS)
        page.has(".count", f"{ALBUMS} albums")
        self.check_unmoved(before)

    def test_search_finds_in_the_whole_catalogue_as_one_types(self):
        page = self.page
        page.open("search")
        page.has("#search-words")
        page.run("document.getElementById('search-words').focus()")
        page.keys("record 1")
        page.has(".record b", "Record 1")
        page.keys(Keys.BACKSPACE * 8, "slow wat")
        page.has(".track b", "Slow Water")
        page.wait("nothing of the words before is left", "return ![...document.querySelectorAll('#main .record b')].some((one) => one.textContent.startsWith('Record'))")
        page.keys(Keys.BACKSPACE * 8, "kestrel")
        page.press(".record-link b", "Kestrel")
        page.has("h1", "Kestrel")
        page.has(".album-grid .record b", "Record")

    def test_the_first_screens_come_in_one_script_and_no_part_of_it_is_asked_for_again(self):
        page = self.page
        document = (PUBLIC / "index.html").read_text()
        parts = re.findall(r'rel="(?:modulepreload|stylesheet)" href="([^"]+)"', document)
        self.assertGreater(len(parts), 50)
        page.open("albums")
        page.has(".record:not(.shimmering) b", "Record")
        page.has_the_rest()
        for place, sight in [("", ".shelf .record b"), ("search", "#search-words"), ("more", ".more-link")]:
            page.go(place)
            page.has(sight)
        loaded = page.run("return performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname.slice(1))")
        self.assertIn("app.js", loaded)
        self.assertIn("player/sheet.js", loaded)
        self.assertEqual([name for name in loaded if name.endswith(".css")].count("style/first.css"), 1)
        self.assertEqual(set(parts) & set(loaded), set())
