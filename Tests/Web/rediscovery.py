"""The shelves of the day on the home screen, and an album by chance."""
from case import PageCase
from modules import FAKE
from page import PHONE
from testhousehold import wait_for


class Rediscovery(PageCase):
    """The answer with the shelves is made from albums of the household, as a new household has no history."""

    def shelf(self, kind, title, albums, reason="Never heard."):
        return {"shelf": kind, "title": title, "reason": f"{title}, as a rule.", "items": [one | {"reason": reason} for one in albums]}

    def open_home(self, shelves):
        self.page.open("more")
        self.page.run(FAKE)
        self.page.run("""
            const [shelves] = arguments;
            window.fakeFetch('/api/v1/rediscovery', () => Promise.resolve(window.json({ day: '2026-11-26', shelves })));""", shelves)
        self.page.go("")

    def test_the_shelves_of_the_day_say_why_each_album_is_there(self):
        page, albums = self.page, self.albums
        self.open_home([
            self.shelf("chance", "By chance", albums[:1], "Drawn for the day. Never heard."),
            self.shelf("on-this-day", "On this day", albums[1:8], "A year ago today it came into the library."),
            self.shelf("forgotten", "Not heard for long, and loved", albums[8:20], "You gave it 4.5 stars, and have not heard it for 2 years."),
            self.shelf("unheard", "Here, and never heard", albums[20:24])])
        page.has(".chance h2", albums[0]["title"])
        page.has(".chance .why", "Drawn for the day.")
        self.assertEqual(len(page.run("return [...document.querySelectorAll('.this-day li')]")), 4)
        page.has(".this-day small", "A year ago today")
        page.has(".explained h2", "Not heard for long, and loved")
        # Five covers fill the width of this window, so ten of the twelve are shown.
        page.wait("two widths of covers", "return document.querySelectorAll('.explained:not([hidden]) .record').length === 10")
        page.has(".explained .record small", "You gave it 4.5 stars")
        label = page.run("return document.querySelector('.explained .record a').getAttribute('aria-label')")
        self.assertIn("have not heard it for 2 years", label)
        # A reel of four albums would not fill it.
        self.assertFalse(page.run("return document.body.innerText.includes('Here, and never heard')"))
        for scheme in ("light", "dark"):
            page.set_scheme(scheme, "reduce")
            self.assertEqual(page.axe(), [])
        page.resize(PHONE)
        self.assertEqual(page.axe(), [])
        self.assertTrue(page.run("return document.documentElement.scrollWidth <= innerWidth"))
        page.press(".chance .pill", "Play")
        wait_for(lambda: (self.household.room("kitchen")["track"] or {}).get("albumID") == albums[0]["id"], "the album of the day plays")

    def test_without_shelves_home_has_its_other_rows(self):
        self.open_home([])
        self.page.has(".carousel[aria-label='Recently added'] .record")
        self.page.wait("the place of the shelves is hidden", "return document.querySelector('.rediscovery').hidden")

    def test_an_address_with_an_album_by_chance_waits_for_a_press(self):
        page = self.page
        page.open("random")
        title = page.has(".random h1").text
        self.assertEqual(self.household.room("kitchen")["state"], "idle")
        self.assertEqual(page.axe(), [])
        page.press(".random .pill", "Another one")
        page.wait("another album", "return document.querySelector('.random h1')?.textContent !== arguments[0]", title)
        title = page.has(".random h1").text
        page.press(".random .pill", "Go to album")
        page.has(".album h1", title)
        page.run("history.back()")
        page.has(".random h1", title)
        self.assertEqual(self.household.room("kitchen")["state"], "idle")
        page.press(".random .pill", "Play")
        wait_for(lambda: (self.household.room("kitchen")["track"] or {}).get("album"), "the album plays", equals=title)

    def test_one_press_at_home_plays_an_album_by_chance(self):
        page = self.page
        page.open()
        page.press(".home .pill", "Random album")
        wait_for(lambda: self.household.room("kitchen")["track"], "an album plays")
        first = self.household.room("kitchen")["track"]["album"]
        page.press(".home .pill", "Random album")
        wait_for(lambda: (self.household.room("kitchen")["track"] or {}).get("album") not in (None, first), "another album plays")
        page.has("#nav a[href='#/random']")
