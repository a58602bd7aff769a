"""What plugins find for rows in view, what a pasted address names."""
import json
import shutil
import subprocess
import time

from plugincase import PluginCase
from testhousehold import wait_for

# It needs a while for titles with "Slow", and notes what it is asked for.
FINDER = {
    "manifest": {"id": "tape", "name": "Tape", "version": "1.0", "color": "#b03060", "hosts": ["tape.example"]},
    "capabilities": {"resolve": True, "urlLookup": True},
    "settings": {"configurable": {}},
    "urlPatterns": ["tape.example/album/*"],
    "implementation": {
        "resolve": """async (artist, title, album, config) => {
            console.log('asked: ' + title);
            if (title.includes('Slow')) await new Promise((done) => setTimeout(done, 1500));
            if (title.includes('Nothing')) return null;
            if (title.includes('Fails')) throw new Error('no luck');
            const source = { type: 'direct', url: 'https://tape.example/a.mp3' };
            return { id: 'x', title: title.includes('Known') ? title : title + ' (Live)', artist, source, confidence: title.includes('Known') ? 1 : 0.95 };
        }""",
        "lookupAlbum": """async (address, config) => {
            window.open('https://tape.example/help');
            return { name: 'Seven', artist: 'Ada', tracks: ['One', 'Two', 'Three'].map((title) => ({ id: title, title, artist: 'Ada', duration: 60 })) };
        }""",
    }}


SHOWS = {
    "manifest": {"id": "shows", "name": "Shows", "version": "1.0", "type": "meta-service", "hosts": ["shows.example"]},
    "capabilities": {"concerts": True},
    "settings": {"configurable": {}},
    "implementation": {
        "searchArtistEvents": """async (artist, config) => artist !== '%(artist)s' ? [] : [
            { date: '%(day)s', venue: { name: 'Dom', city: 'Graz', latitude: 47.07, longitude: 15.44 }, ticketUrl: 'https://shows.example/1' },
            { date: '%(day)s', venue: { name: 'Arena', city: 'Vienna', latitude: 48.21, longitude: 16.37 } }]"""
    }}


class InView(PluginCase):
    """The household has a resolver, and each test installs the plugin that it needs."""

    def playlist(self, titles):
        made = self.household.ask("playlists", {"title": "Wanted", "described": [{"title": title, "artist": "Ada"} for title in titles]})
        self.addCleanup(lambda: self.household.ask(f"playlists/{made['id']}", {}, "DELETE"))
        return made["id"]

    def open_list(self, titles):
        self.page.open(f"playlist/{self.playlist(titles)}")

    def asked(self):
        return [line.split("asked: ")[1] for line in self.log("tape") if "asked: " in line]

    def test_rows_in_view_have_the_badges_of_plugins_or_are_grey(self):
        page = self.page
        self.install(FINDER)
        self.open_list(["Song", "Nothing here", "Fails", "Known"])
        # They come in any order.
        page.has(".track[data-found=found] b", "Song")
        page.has(".track[data-found=nothing] b", "Nothing here")
        page.has(".track[data-found=failed] b", "Fails")
        page.has(".track[data-found=found] b", "Known")
        self.assertEqual(page.run("""
            const badge = document.querySelector('.found-badge');
            const { width, height, backgroundColor, opacity } = getComputedStyle(badge);
            const label = badge.parentElement.getAttribute('aria-label');
            return [width, height, backgroundColor, opacity, label]"""),
                         ["8px", "8px", "rgb(176, 48, 96)", "1", "Song: Found by Tape, 95 %. Show the sources"])
        self.assertFalse(page.run("return document.querySelector('.missing[data-found=found] .track-words').matches('.x') || getComputedStyle(document.querySelector('.missing[data-found=found] .track-words')).fontStyle === 'italic'"))
        self.assertEqual(page.axe(), [])
        page.press(".track[data-found=found] .found")
        page.has("dialog .plugin-badge", "Tape")
        page.press("dialog button", "Wrong song")
        page.has("dialog small", "you called it the wrong song")
        # A person's decision is seen at the row at once.
        page.wait("the row is grey", "return document.querySelectorAll('.track[data-found=nothing]').length === 2")
        page.press("dialog button", "Close")

    def test_rows_that_leave_the_view_are_given_up(self):
        page = self.page
        self.install(FINDER)
        self.open_list([f"Slow {number}" for number in range(80)])
        page.has(".track[data-found=asking] .found-asking")
        wait_for(lambda: len(self.asked()) >= 4, "the first rows are asked for")
        page.run("scrollTo({ top: document.body.scrollHeight, behavior: 'instant' })")
        page.has(".track[data-found=found] b", "Slow 79")
        asked = self.asked()
        # The rows between were never in view, and most of the first ones had to wait and were given up.
        self.assertFalse({f"Slow {number}" for number in range(35, 45)} & set(asked))
        self.assertLess(len([one for one in asked if int(one.split()[1]) < 30]), 13)
        # A tab that is left asks for nothing more.
        page.run("location.hash = '#/more'")
        page.wait("no row is shown", "return !document.querySelector('.found')")

    def test_a_pasted_link_is_opened_as_a_whole_and_row_by_row(self):
        page = self.page
        self.install(FINDER)
        page.open("search")
        page.write("#search-words", "https://tape.example/album/7")
        page.has(".opened-link h2", "Seven – Ada")
        page.has(".opened-link p", "Album at Tape · 3 tracks · 3 minutes")
        page.has(".plugin-hits .track b", "Three")
        self.assertEqual(page.run("return document.querySelector('.search .count').textContent"), "")
        self.assertEqual(page.axe(), [])
        page.press(".opened-link button", "Play later")
        page.said("“Seven” was added to the queue")
        wait_for(self.order, "all are queued", equals=["One", "Two", "Three"])
        page.press(".opened-link button", "Add to playlist")
        page.press(".menu [role=menuitem]", "New playlist")
        page.said("Made the playlist Seven.")
        made = next(one for one in self.household.ask("playlists?limit=200")["items"] if one["title"] == "Seven")
        self.assertEqual(made["trackCount"], 3)
        self.household.ask(f"playlists/{made['id']}", {}, "DELETE")
        # The address that the plugin wanted to open is offered, and was not opened.
        page.open("settings/plugins")
        page.has(".wanted-links a", "https://tape.example/help")
        self.assertEqual(page.axe(), [])

    def test_concerts_near_a_place_are_listed_by_date(self):
        page = self.page
        day = time.strftime("%Y-%m-%d", time.gmtime(time.time() + 60 * 86400))
        artist = "Short Band"
        folder = self.music / "Short"
        folder.mkdir()
        # A listen counts once half of the track was heard, so it is a short one.
        subprocess.run(
            ["ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i", "anullsrc=r=22050:cl=mono:d=32", "-metadata", "title=Brief",
             "-metadata", f"artist={artist}", "-metadata", "album=Short", folder / "1.flac"], check=True)
        try:
            self.household.ask("sync", {})
            self.household.wait_for_albums(len(self.albums) + 1)
            track = self.household.ask("search?q=Brief")["tracks"][0]
            self.household.ask("play", {"ids": [track["id"]], "room": "kitchen"})
            wait_for(lambda: any(row["title"] == artist for row in self.household.ask("plays/counts?by=artist")["items"]), "the listen counts", pause=0.5)
        finally:
            self.household.ask("rooms/kitchen/queue", {"action": "clear"})
            shutil.rmtree(folder)
            self.household.ask("sync", {})
            self.household.wait_for_albums(len(self.albums))
        self.install(json.loads(json.dumps(SHOWS).replace("%(day)s", day).replace("%(artist)s", artist)))
        page.open("concerts")
        page.has("#nav a[data-name=concerts]", "Concerts")
        page.has(".concert b", artist)
        page.has(".concert p", "Arena, Vienna")
        self.assertEqual(page.axe(), [])
        page.run("""
            const box = document.querySelector('input[name=near]');
            box.value = '47.1, 15.4';
            box.dispatchEvent(new Event('change', { bubbles: true }))""")
        page.has(".concert p", "Dom, Graz · 5 km away")
        page.wait("only near ones are listed", "return document.querySelectorAll('.concert').length === 1")
        page.has(".concert a", "Tickets")
        self.assertEqual(page.run("return JSON.parse(localStorage.getItem('lunara.concerts')).near"), "47.1,15.4")
        page.press("button", "Everywhere")
        page.wait("all are listed again", "return document.querySelectorAll('.concert').length === 2")

    def test_a_household_without_plugins_asks_nothing(self):
        page = self.page
        self.open_list(["Song"])
        page.has(".track.missing b", "Song")
        page.run("""
            const { fetch } = window;
            window.paths = [];
            window.fetch = (path, ...rest) => { window.paths.push(String(path)); return fetch(path, ...rest); };
            scrollTo(0, 1)""")
        time.sleep(0.5)
        self.assertEqual(page.run("return window.paths.filter((path) => path.includes('shown'))"), [])
        self.assertFalse(page.run("return Boolean(document.querySelector('.found')) || !document.querySelector('#nav a[data-name=concerts]').hidden"))
