"""The history, the statistics and the facts of albums, with answers that the test gives: each place in its states."""
import datetime

from case import PageCase
from page import DESKTOP, PHONE, Keys
from wallanswers import ANSWERS, EVIL, failure

TODAY = datetime.date.today()
YEAR = str(TODAY.year)
SOUND = {"format": "flac", "isLossless": True, "bitDepth": 24, "sampleRate": 96000, "bitRate": 2700, "tracks": 4}
TEXTS = "return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent)"


def row(number, **more):
    return {"key": f"files:a{number}", "title": f"Record {number}", "artist": "Ada & <b>Bo</b>", "plays": 10 - number, "heardSeconds": 3600 * (10 - number),
            "isHere": True} | more


def steps(count):
    return [{"name": f"{YEAR}-{month + 1:02}", "plays": month, "heardSeconds": 900 * month, "genres": [month, 1]} for month in range(count)]


def statistics(**more):
    return {"from": f"{YEAR}-01-01", "to": TODAY.isoformat(), "firstDay": "2019-03-02",
            "totals": {"plays": 1204, "skips": 3, "heardSeconds": 452000, "artists": 41, "albums": 77, "tracks": 512, "firstHeard": 30, "days": 200},
            "before": {"plays": 1000, "skips": 3, "heardSeconds": 440000, "artists": 50, "albums": 70, "tracks": 500, "firstHeard": 0, "days": 210},
            "artists": [row(1, key="files:r1", title="Ada", artist=None)], "albums": [row(1, title=EVIL), row(2, isHere=False)],
            "tracks": [row(1, key="files:t1")], "genres": [row(1, key="Jazz", title="Jazz"), row(2, key="Folk", title="Folk")],
            "rediscovered": [row(3, lastBefore="2021-05-01T10:00:00Z")], "steps": steps(12), "hours": [600 * hour for hour in range(24)],
            "weekdays": [7200] * 6 + [9000]} | more


EMPTY = statistics(firstDay=None, before=None, artists=[], albums=[], tracks=[], genres=[], rediscovered=[], steps=[],
                   totals={"plays": 0, "skips": 0, "heardSeconds": 0, "artists": 0, "albums": 0, "tracks": 0, "firstHeard": 0, "days": 0})


def at(days_ago, hour=12):
    """Returns a moment some days ago, in the middle of the day wherever the browser is."""
    return f"{(TODAY - datetime.timedelta(days=days_ago)).isoformat()}T{hour:02}:00:00Z"


def listen(number, days_ago, **more):
    return {"listen": f"l{number}", "room": "kitchen", "id": f"files:t{number}", "albumID": "files:a1", "track": f"Song {number} {EVIL}", "artist": "Ada",
            "album": "Blue", "startedAt": at(days_ago), "heardSeconds": 180, "counted": True, "skipped": False} | more


LISTENS = [listen(1, 0), listen(2, 0, counted=False, skipped=True), listen(3, 1), listen(4, 40)]
COUNTS = {"items": [{"key": TODAY.isoformat(), "title": "", "plays": 2, "skips": 1}]}


class Knowing(PageCase):
    def begin(self, answers, place, size=DESKTOP, scheme="light"):
        self.page.resize(size)
        self.page.set_scheme(scheme, "reduce")
        self.page.open("more")
        self.page.run(ANSWERS, answers)
        self.page.go(place)

    def sent(self, name):
        return self.page.run("return window.sent.filter((one) => one.name === arguments[0]).map((one) => one.query)", name)

    def test_statistics_show_the_sums_beside_those_before_and_each_plot_has_a_table(self):
        page = self.page
        self.begin({"GET statistics": statistics()}, "statistics")
        page.has(".total b", "126 hours")
        page.has(".total small", "204 more than")
        page.has(".total small", "9 fewer than")
        page.has(".statistics .count", YEAR)
        page.wait("the plots are drawn", "return document.querySelectorAll('.plot-box svg').length === 4")
        self.assertEqual(page.run("return document.querySelectorAll('.plot-box')[0].querySelectorAll('.plot-column').length"), 12)
        self.assertEqual(page.run("return document.querySelectorAll('.plot-box rect.series').length"), 23)
        self.assertEqual(page.run(TEXTS, ".plot-table caption"), ["Hours over time", "Genres over time", "Hours of the day", "Days of the week"])
        page.press(".plot summary", "As a table")
        page.has(".plot-table th", f"February {YEAR}")
        page.has(".top-row b", EVIL)
        self.assertEqual(page.run("return document.querySelector('a.top-row[href*=album]').getAttribute('href')"), "#/album/files%3Aa1")
        page.has("div.top-row small", "no longer here")
        page.has(".top-row small", "before that on 1 May 2021")
        for size in (DESKTOP, PHONE):
            page.resize(size)
            for scheme in ("light", "dark"):
                page.set_scheme(scheme, "reduce")
                self.assertEqual(page.axe(), [], f"{size} {scheme}")
            page.wait("nothing is cut off", "return document.documentElement.scrollWidth <= innerWidth")

    def test_a_period_of_statistics_is_chosen_and_stands_in_the_address(self):
        page = self.page
        self.begin({"GET statistics": statistics()}, "statistics")
        page.has(".periods [aria-current=page]", "This year")
        page.press(".periods a", "All time")
        page.has(".periods [aria-current=page]", "All time")
        self.assertEqual(page.run("return location.hash"), "#/statistics?period=all")
        page.wait("all time is asked for", "return window.sent.at(-1).query === 'limit=10'")
        page.run("""
            const field = document.querySelector('.periods select');
            field.value = '2021';
            field.dispatchEvent(new Event('change', { bubbles: true }));""")
        page.wait("a year is asked for", "return window.sent.at(-1).query.includes('from=2021-01-01&to=2021-12-31')")
        page.run("history.back()")
        page.has(".periods [aria-current=page]", "All time")

    def test_statistics_say_that_they_load_are_empty_or_failed(self):
        page = self.page
        self.begin({"GET statistics": EMPTY}, "statistics")
        page.has(".empty h2", "Nothing was heard yet")
        self.assertEqual(page.axe(), [])
        page.run("window.answers['GET statistics'] = arguments[0]", statistics(totals=EMPTY["totals"]))
        page.press(".periods a", "This week")
        page.has(".empty h2", "Nothing was heard in this period")
        page.run("window.answers['GET statistics'] = arguments[0]", failure("library.badDay", "No day."))
        page.press(".periods a", "This month")
        page.has(".empty[role=alert] p", "No day.")
        self.assertEqual(page.axe(), [])
        page.run("window.answers['GET statistics'] = arguments[0]", statistics())
        page.press(".empty .pill", "Try again")
        page.has(".total b", "1,204")
        page.run("""
            window.answers['GET statistics'] = undefined;
            const { fetch } = window;
            window.fetch = (path, ...rest) => (String(path).includes('/statistics') ? new Promise(() => {}) : fetch(path, ...rest));""")
        page.press(".periods a", "This year")
        page.has(".statistics .count", "Loading …")
        page.has(".statistics-body[aria-busy] .shimmer")

    def test_listens_stand_by_day_and_lead_to_their_music(self):
        page = self.page
        self.begin({"GET plays": {"items": LISTENS, "next": None}, "GET plays/counts": COUNTS}, "history")
        page.has(".history .count", "4 listens")
        days = page.run(TEXTS, ".listen-day:not([hidden])")
        self.assertEqual(len(days), 3)
        self.assertEqual(days[0], "Today")
        page.has(".listen-title", f"Song 1 {EVIL}")
        page.has(".listen-when", "skipped")
        page.has(".listen-when", "Kitchen")
        links = page.run("return [...document.querySelectorAll('.listen a[href]')].slice(0, 2).map((one) => one.getAttribute('href'))")
        self.assertEqual(links, ["#/track/files%3At1", "#/album/files%3Aa1"])
        page.run("document.querySelector('.listen-title[href]').focus()")
        page.keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
        page.wait("the focus is over the heading", "return document.activeElement.textContent.startsWith('Song 3')")
        for size in (DESKTOP, PHONE):
            page.resize(size)
            for scheme in ("light", "dark"):
                page.set_scheme(scheme, "reduce")
                self.assertEqual(page.axe(), [], f"{size} {scheme}")
            page.wait("nothing is cut off", "return document.documentElement.scrollWidth <= innerWidth")

    def test_a_day_of_the_calendar_is_chosen_by_press_and_by_key(self):
        page = self.page
        self.begin({"GET plays": {"items": LISTENS, "next": None}, "GET plays/counts": COUNTS}, "history")
        page.has(".calendar h2", YEAR)
        page.has(".calendar .soft", "2 plays on 1 day")
        today = TODAY.isoformat()
        self.assertEqual(page.run("return document.querySelectorAll('.year .day[tabindex=\"0\"]').length"), 1)
        self.assertIn("2 plays", page.run("return document.querySelector(`[data-day='${arguments[0]}']`).getAttribute('aria-label')", today))
        page.press(f".year [data-day='{today}']")
        page.has(".history-day b", "Today")
        page.wait("the day is chosen", "return document.querySelector(`[data-day='${arguments[0]}']`).getAttribute('aria-selected') === 'true'", today)
        self.assertTrue(any("since=" in query for query in self.sent("GET plays")))
        self.assertEqual(page.axe(), [])
        page.press(".history-day .pill", "All days")
        page.wait("no day is chosen", "return location.hash === '#/history' && !document.querySelector('.history-day b')")
        if TODAY.day > 1 or TODAY.month > 1:
            page.run("document.querySelector('.year .day[tabindex=\"0\"]').focus()")
            page.keys(Keys.ARROW_UP, Keys.ENTER)
            page.has(".history-day b", "Yesterday")
        page.press(".calendar .knob[aria-label='The year before']")
        page.has(".calendar h2", str(TODAY.year - 1))

    def test_on_a_phone_the_time_of_a_listen_stands_below_its_names(self):
        page = self.page
        self.begin({"GET plays": {"items": LISTENS, "next": None}, "GET plays/counts": COUNTS}, "history")
        page.has(".listen-title", "Song 1")
        for size in ((320, 640), PHONE, DESKTOP):
            page.resize(size)
            page.wait("no words cover others", """
                const rows = [...document.querySelectorAll('.listen:not(.with-day)')].filter((one) => one.querySelector('.listen-when').textContent);
                const boxOf = (row, part) => row.querySelector(part).getBoundingClientRect();
                return rows.length && rows.every((row) => {
                  const [words, when, all] = [boxOf(row, '.listen-words'), boxOf(row, '.listen-when'), row.getBoundingClientRect()];
                  const isApart = when.top >= words.bottom - 1 || when.left >= words.right - 1;
                  return isApart && words.top >= all.top && when.bottom <= all.bottom;
                })""")

    def test_history_is_narrowed_by_room_and_says_when_it_is_empty_or_failed(self):
        page = self.page
        self.begin({"GET plays": {"items": [], "next": None}, "GET plays/counts": {"items": []}}, "history")
        page.has(".empty h2", "Nothing was heard yet")
        self.assertEqual(page.axe(), [])
        page.wait("the rooms", "return document.querySelectorAll('.history-rooms option').length > 2")
        page.run("""
            const field = document.querySelector('.history-rooms select');
            field.value = 'study';
            field.dispatchEvent(new Event('change', { bubbles: true }));""")
        page.has(".empty p", "There are no listens in Study.")
        self.assertEqual(page.run("return location.hash"), "#/history?room=study")
        self.assertTrue(any("room=study" in query for query in self.sent("GET plays")))
        page.run("window.answers['GET plays'] = arguments[0]", failure("library.badCursor", "It failed."))
        page.press(".empty .pill", "All listens")
        page.has(".empty[role=alert] p", "It failed.")
        self.assertEqual(page.axe(), [])
        page.run("window.answers['GET plays'] = arguments[0]", {"items": LISTENS, "next": None})
        page.press(".empty .pill", "Try again")
        page.has(".listen-title", "Song 4")

    def test_an_album_shows_its_facts_and_reels_of_others(self):
        page, album = self.page, self.albums[4]
        whole = self.household.ask("albums/" + album["id"].replace(":", "%3A"))
        whole |= {"sound": [SOUND], "plays": 12, "lastPlayedAt": "2025-03-03T12:00:00Z", "addedAt": "2019-05-04T12:00:00Z", "sources": ["files", "plex"]}
        path = "GET albums/" + album["id"].replace(":", "%3A")
        near = {"id": self.albums[9]["id"], "title": self.albums[9]["title"], "artist": self.albums[9]["artist"], "signal": "history",
                "onShelf": True, "reason": "Also Jazz."}
        self.begin({path: whole, f"{path}/similar": {"items": [near]}}, f"album/{album['id']}")
        page.has(".facts", "FLAC, 24 bit, 96 kHz")
        page.has(".heard-line", "Heard 12 times, last on 3 March 2025 · added 4 May 2019 · from folders, plex")
        page.press(".release summary", "About this release")
        page.has(".release dd", "FLAC, 24 bit, 96 kHz")
        page.has(".album-reels h2", f"More by {album['artist']}")
        page.has(".album-reels h2", "Similar albums")
        page.has(".album-reels small", "Also Jazz.")
        self.assertNotIn(album["title"], page.run(TEXTS, ".album-reels .record b"))
        for scheme in ("light", "dark"):
            page.set_scheme(scheme, "reduce")
            self.assertEqual(page.axe(), [], scheme)

    def test_without_discovery_an_album_has_no_reel_of_similar_ones(self):
        page, album = self.page, self.albums[4]
        path = "GET albums/" + album["id"].replace(":", "%3A")
        self.begin({f"{path}/similar": failure("bus.away", "Away.")}, f"album/{album['id']}")
        page.has(".album-reels h2", "More by")
        self.assertNotIn("Similar albums", page.run(TEXTS, ".album-reels h2"))

    def test_the_arrows_move_between_the_tracks_of_an_album_and_the_menu_leads_to_the_artist(self):
        page, album = self.page, self.albums[4]
        page.open(f"album/{album['id']}")
        page.has(".album .track-play")
        # The code that moves the focus is loaded by the first of these keys.
        page.run("""
            const first = document.querySelector('.album .track-play');
            first.focus();
            for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp']) {
              first.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
            }""")
        has_focus = "return document.activeElement === document.querySelectorAll('.album .track-play')[arguments[0]]"
        page.wait("the second track", has_focus, 1)
        page.keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_UP)
        page.wait("the third track", has_focus, 2)
        page.open("tracks")
        page.has(".track:not(.shimmering) .track-play")
        page.run("document.querySelector('.track:not(.shimmering) .track-play').focus()")
        page.keys(".")
        page.press(".menu [role=menuitem]", "Go to artist")
        page.wait("the artist is open", "return location.hash.startsWith('#/artist/')")
        page.has(".artist h1")
