"""Accessibility: axe-core on every screen, and text of twice the size."""
from case import PageCase
from page import DESKTOP, PHONE

SCREENS = ["", "albums", "artists", "tracks", "playlists", "search?q=light", "queue", "rooms", "settings/sources",
          "settings/scrobbling", "settings/providers", "settings/plugins", "settings/offline", "settings/health", "settings/browser", "more", "welcome", "playing"]


class Access(PageCase):
    """Checks every screen."""

    def test_nothing_is_wrong_for_those_who_do_not_see(self):
        self.play(0)
        page = self.page
        album, artist = self.albums[0]["id"], self.albums[0]["artistID"]
        complaints = []
        for scheme, size in [("light", DESKTOP), ("dark", PHONE)]:
            page.set_scheme(scheme, "reduce")
            page.resize(size)
            page.open("albums")
            for place in [*SCREENS, f"album/{album}", f"artist/{artist}"]:
                page.go(place)
                if place == "playing":
                    page.has(".sheet[open] h2")
                complaints += [f"{place or 'home'}, {scheme}: {one}" for one in page.axe()]
        self.assertEqual(complaints, [])

    def test_text_of_twice_the_size_fits_a_phone(self):
        self.play(0)
        page = self.page
        page.resize(PHONE)
        page.open("albums")
        page.run("document.documentElement.style.fontSize = '200%'")
        for place in ["", "albums", "album/" + self.albums[0]["id"], "queue", "rooms", "settings/sources", "welcome", "playing"]:
            page.go(place)
            page.wait("it is laid out", "return document.querySelector('#main .screen')")
            self.assertLessEqual(page.run("return document.documentElement.scrollWidth"), PHONE[0], place)
