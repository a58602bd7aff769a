"""The home screen: the shelf that stands first, and the reels that fill the width of the window or are absent."""
from case import PageCase
from modules import FAKE
from page import PHONE
from testhousehold import wait_for

LAPTOP = (1440, 900)
WIDE = (2560, 1440)

# Gives the screen albums of the household, of which the first ones were heard, in the order in which they are given;
# they were added in the opposite order.
FAKE_ALBUMS = """
    const [items, shelves, playlists] = arguments;
    window.fakeFetch('/api/v1/albums?', async (path) => {
      const isPlayed = new URL(path, location.href).searchParams.get('sort') === 'played';
      return window.json({ items: isPlayed ? items : [...items].reverse(), total: items.length });
    });
    window.fakeFetch('/api/v1/rediscovery', async () => window.json({ day: '2026-11-26', shelves }));
    window.fakeFetch('/api/v1/playlists', async () => window.json({ items: playlists }));
    window.fakeFetch('/api/v1/collections', async () => window.json({ items: [] }));"""

# The cards of the shelf: titles, the tops of the rows, and the edges of the covers.
SHELF = """
    const list = document.querySelector('.shelf');
    const places = [...list.children].filter((one) => one.getClientRects().length);
    const rows = new Map();
    for (const one of places) {
      const { top, left, right } = one.getBoundingClientRect();
      rows.set(Math.round(top), [...rows.get(Math.round(top)) ?? [], { left, right }]);
    }
    const box = list.getBoundingClientRect();
    return {
      titles: [...list.querySelectorAll('.record b')].map((one) => one.textContent),
      rows: [...rows.values()].map((row) => row.length),
      isFull: [...rows.values()].every((row) => Math.abs(row[0].left - box.left) < 2
        && row.at(-1).right > box.right - 40 && row.at(-1).right < box.right + 2),
      top: box.top, bottom: box.bottom, width: box.width, fits: document.documentElement.scrollWidth <= innerWidth,
      invites: Boolean(list.querySelector('.invite')),
    };"""


class Home(PageCase):
    """The answers are made from albums of the household, as a new household has heard nothing."""

    def tearDown(self):
        self.page.open("more")
        super().tearDown()

    def open_home(self, total, heard=0, size=LAPTOP, shelves=(), playlists=()):
        page = self.page
        page.resize(size)
        page.open("more")
        page.run(FAKE)
        items = [one | ({"lastPlayedAt": f"2026-11-2{9 - at}T10:00:00Z"} if at < heard else {"lastPlayedAt": None})
                 for at, one in enumerate(self.albums[:total])]
        page.run(FAKE_ALBUMS, items, list(shelves), list(playlists))
        page.go("")
        page.has(".shelf .record b", "Record")
        page.wait("what is below is there", "return !document.querySelector('.below.waits')")

    def shelf(self):
        self.page.wait("the shelf is read", "return !document.querySelector('.shelf .shimmering')")
        return self.page.run(SHELF)

    def reels(self):
        return self.page.run("""
            return [...document.querySelectorAll('.home .carousel')].filter((one) => one.getClientRects().length)
              .map((one) => one.getAttribute('aria-label'))""")

    def reel(self, kind, title, albums):
        return {"shelf": kind, "title": title, "reason": f"{title}, as a rule.",
                "items": [one | {"reason": "Never heard."} for one in albums]}

    def test_home_begins_with_full_rows_of_covers_at_every_size(self):
        for size, most in ((LAPTOP, 12), (PHONE, 9), (WIDE, 27)):
            with self.subTest(size):
                self.open_home(60, heard=9, size=size)
                shelf = self.shelf()
                self.assertTrue(shelf["isFull"], shelf)
                self.assertEqual(len(set(shelf["rows"])), 1, shelf["rows"])
                self.assertIn(len(shelf["rows"]), (2, 3))
                self.assertLessEqual(len(shelf["titles"]), most)
                self.assertGreater(shelf["width"], size[0] * 0.75)
                self.assertLess(shelf["top"], 100, "the covers come right below a small header")
                self.assertTrue(shelf["fits"])
                self.assertFalse(shelf["invites"])
                self.assertEqual(self.page.axe(), [])

    def test_the_shelf_has_what_was_played_last_and_then_what_was_added_last_without_repeats(self):
        self.open_home(60, heard=9)
        shelf = self.shelf()
        columns = shelf["rows"][0]
        half = -(-len(shelf["rows"]) // 2) * columns
        every = [one["title"] for one in self.albums[:60]]
        self.assertEqual(shelf["titles"][:half], every[:half])
        self.assertEqual(shelf["titles"][half:], every[::-1][:len(shelf["titles"]) - half])
        self.assertEqual(len(set(shelf["titles"])), len(shelf["titles"]))
        self.page.has(".shelf .record small", "Played")
        self.page.has(".shelf .record small", "Added")
        on_shelf = set(shelf["titles"])
        added = self.page.run("""
            return [...document.querySelectorAll('[aria-label="Recently added"] b')].map((one) => one.textContent)""")
        self.assertEqual(len(added) % columns, 0)
        self.assertFalse(on_shelf & set(added), "a reel has no album of the shelf")

    def test_with_nothing_heard_the_shelf_has_what_was_added_last(self):
        self.open_home(40)
        shelf = self.shelf()
        every = [one["title"] for one in self.albums[:40]]
        self.assertEqual(shelf["titles"], every[::-1][:len(shelf["titles"])])
        reasons = "return document.querySelectorAll('.shelf .record small:not(:empty)').length"
        self.assertEqual(self.page.run(reasons), 0)

    def test_few_albums_stand_large_and_fill_the_first_screen(self):
        for total, size in ((1, LAPTOP), (3, LAPTOP), (6, LAPTOP), (3, PHONE), (7, PHONE), (3, WIDE)):
            with self.subTest(total=total, size=size):
                self.open_home(total, size=size)
                shelf = self.shelf()
                self.assertEqual(len(shelf["titles"]), total)
                self.assertTrue(shelf["isFull"], shelf)
                self.assertTrue(shelf["fits"])
                self.assertGreater(shelf["bottom"], size[1] * 0.45, "the shelf fills about half of the window")
                self.assertEqual(self.reels(), [])
                self.assertEqual(self.page.axe(), [])

    def test_the_free_places_of_the_last_row_invite_to_play_one_by_chance(self):
        self.open_home(1)
        self.page.press(".shelf .invite", "Play one by chance")
        wait_for(lambda: self.household.room("kitchen")["track"], "an album plays")

    def test_reels_fill_the_width_or_are_absent_also_when_the_window_changes(self):
        page = self.page
        six = self.reel("unheard", "Here, and never heard", self.albums[20:26])
        two = self.reel("forgotten", "Not heard for long, and loved", self.albums[26:28])
        playlist = {"id": "made", "title": "Sunday", "trackCount": 3}
        self.open_home(60, heard=4, shelves=[six, two], playlists=[playlist])
        self.assertEqual(self.reels(), ["Here, and never heard", "Recently added", "Playlists"])
        # Five covers fill the width, so that the sixth would stand alone on the next.
        self.assertEqual(page.run("return document.querySelectorAll('.explained .record').length"), 5)
        page.resize(WIDE)
        seen = "return document.querySelector('[aria-label=\"Here, and never heard\"]').getClientRects().length > 0"
        page.wait("the reel of six albums is absent", f"{seen} === false")
        self.assertEqual(self.reels(), ["Recently added", "Playlists"])
        page.resize(PHONE)
        page.wait("the reel is there again", seen)
        page.wait("all are shown", "return document.querySelectorAll('.explained:not([hidden]) .record').length === 6")
        for label in self.reels():
            if label == "Playlists":
                continue
            edge = page.run("""
                const list = document.querySelector(`[aria-label="${arguments[0]}"]`);
                const rights = [...list.children].map((one) => one.getBoundingClientRect().right);
                const { right } = document.querySelector('.shelf').getBoundingClientRect();
                return Math.max(...rights.filter((one) => one <= innerWidth)) - right""", label)
            self.assertLess(abs(edge), 40, f"{label} has whole covers over the width")

    def test_what_comes_late_leaves_the_shelf_in_its_place(self):
        page = self.page
        page.resize(LAPTOP)
        page.open("more")
        page.run(FAKE)
        page.run(FAKE_ALBUMS, self.albums[:60], [self.reel("chance", "By chance", self.albums[:1])], [])
        page.run("""
            const { fetch } = window;
            const held = new Promise((go) => { window.letGo = go; });
            window.fetch = (path, ...rest) => (String(path).includes('/api/v1/') && /albums|rediscovery/.test(path)
              ? held.then(() => fetch(path, ...rest)) : fetch(path, ...rest));""")
        page.go("")
        page.has(".shelf .shimmering .cover-frame")
        before = page.run(SHELF)
        page.run("window.letGo()")
        page.has(".chance h2", self.albums[0]["title"])
        after = self.shelf()
        for what in ("top", "bottom", "rows"):
            self.assertEqual(before[what], after[what])

    def test_coming_back_to_home_leads_to_the_record_that_was_left(self):
        page = self.page
        self.open_home(60, heard=3)
        title = self.shelf()["titles"][6]
        page.run("""
            const link = document.querySelectorAll('.shelf .record-link')[6];
            link.focus();
            link.click();""")
        page.has(".album h1", title)
        page.run("history.back()")
        page.wait("the record has the focus", """
            const { activeElement } = document;
            return activeElement.matches('.shelf .record-link') && activeElement.textContent.includes(arguments[0])""",
                  title)

    def test_a_shelf_that_cannot_be_read_says_so_and_is_read_again(self):
        page = self.page
        page.open("more")
        page.run(FAKE)
        page.run("""
            window.fails = true;
            const { fetch } = window;
            window.fakeFetch('/api/v1/albums?', (path) => (window.fails
              ? Promise.reject(new TypeError('cut')) : fetch(path)));""")
        page.go("")
        page.has(".home .empty h2", "Your shelf could not be read")
        page.run("window.fails = false")
        page.press(".home .empty button", "Try again")
        page.has(".shelf .record b", "Record")
