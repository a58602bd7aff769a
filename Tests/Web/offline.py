"""Albums that a room keeps on its disk: keeping them from menus, and the settings with progress and space."""
import urllib.parse

from case import ROOMS, PageCase
from testhousehold import wait_for


class Offline(PageCase):
    """Each test begins and ends with rooms that keep nothing."""

    def tearDown(self):
        super().tearDown()
        for room in ROOMS:
            for one in self.household.ask(f"rooms/{room}/offline")["items"]:
                self.household.ask(f"rooms/{room}/offline/{urllib.parse.quote(one['id'], safe='')}", {}, "DELETE")
            self.household.ask(f"rooms/{room}/offline", {"limit": None}, "PUT")
            self.household.ask(f"rooms/{room}/offline", {"connection": "unmetered"}, "PATCH")

    def kept(self):
        return [one for room in ROOMS for one in self.household.ask(f"rooms/{room}/offline")["items"]]

    def test_an_album_is_kept_from_its_menu_and_the_settings_show_it(self):
        page, album = self.page, self.albums[0]
        page.open(f"album/{album['id']}")
        page.press(".actions button[aria-label=More]")
        page.press(".menu [role=menuitem]", "Keep offline")
        page.said("1 album will be kept in")
        page.go("settings/offline")
        page.has(".source h3", album["title"])
        page.has(".source .source-line", "Whole")
        self.assertEqual([(one["state"], one["progress"], one["pinned"]) for one in self.kept()], [("whole", 1, False)])
        page.press(".source button", "Pin")
        page.has(".source button[aria-pressed=true]", "Pinned")
        page.press(".source button[aria-label^=Remove]")
        page.wait("the list is empty", "return !document.querySelector('.source')")
        self.assertEqual(self.kept(), [])

    def test_all_albums_of_an_artist_are_kept_and_what_is_there_is_skipped(self):
        page, album = self.page, self.albums[0]
        count = len([one for one in self.albums if one["artistID"] == album["artistID"]])
        page.open(f"artist/{album['artistID']}")
        page.press(".actions button", "Keep offline")
        page.said("will be kept in")
        page.press(".actions button", "Keep offline")
        page.said("there already.")
        self.assertGreaterEqual(len(self.kept()), min(count, 1))

    def test_the_connections_over_which_albums_are_fetched_are_chosen(self):
        page = self.page
        page.open("settings/offline")
        page.has(".settings [role=status]")
        choose = """
            const box = [...document.querySelectorAll('.settings select')].find((one) => [...one.options].some(({ value }) => value === 'wifi'));
            if (!box) return false;
            box.value = 'wifi';
            box.dispatchEvent(new Event('change', { bubbles: true }));
            return true;"""
        page.wait("the choice", choose)
        chosen = lambda: [self.household.ask(f"rooms/{room}/offline")["state"].get("connection") for room in ROOMS]
        wait_for(lambda: "wifi" in chosen(), "the room takes Wi-Fi only")

    def test_the_space_is_chosen(self):
        page = self.page
        page.open("settings/offline")
        page.has(".settings [role=status]")
        page.wait("a limit is chosen", """
            const box = [...document.querySelectorAll('select')].find((one) => [...one.options].some(({ value }) => value === '16'));
            if (!box) return false;
            box.value = '16';
            box.dispatchEvent(new Event('change'));
            return true""")
        page.wait("it is said", "return document.querySelector('.settings [role=status]').textContent.includes('16 GB')")
