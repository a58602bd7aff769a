"""Services with which playlists are kept in step, against the fake server of ListenBrainz, and the wish list."""
from case import PageCase
from page import Keys
from testhousehold import wait_for

RECORDINGS = [f"b1a9c0e9-d987-4042-ae91-78d6a326{number:04d}" for number in range(1, 9)]


class Providers(PageCase):
    """The section of the settings. Each test unlinks what it linked, and deletes the playlists that came."""

    def setUp(self):
        super().setUp()
        self.household.start_providers()

    def tearDown(self):
        super().tearDown()
        for one in self.household.ask("providers")["items"]:
            if one["linked"] and not one["isSource"]:
                self.household.ask(f"providers/{one['name']}", {}, "DELETE")
        for one in self.household.ask("playlists?limit=200")["items"]:
            if one["editable"]:
                self.household.ask(f"playlists/{one['id']}", {}, "DELETE")
        for one in self.household.ask("wishes")["items"]:
            self.household.ask(f"wishes/{one['id']}", {}, "DELETE")

    def link(self):
        page, brainz = self.page, self.servers["listenbrainz"]
        page.open("settings/providers")
        page.has("[role=status]", "No service is linked.")
        page.write("form.add input[name=token]", brainz.told["token"])
        page.press("form.add button", "Link")
        page.said("ListenBrainz is linked.")
        page.has(".source[data-key=listenbrainz] h3", "ListenBrainz")

    def run_ends(self):
        """Waits until a run has ended that began after now."""
        rests = lambda: self.provider()["health"] != "syncing"
        wait_for(rests, "the end of a run that began before")
        before = self.provider()["lastRun"]
        self.household.ask("providers/listenbrainz/sync", {})
        wait_for(lambda: self.provider()["lastRun"] != before and rests(), "the run")

    def provider(self):
        return next(one for one in self.household.ask("providers")["items"] if one["name"] == "listenbrainz")

    def test_a_service_is_linked_and_its_playlists_come(self):
        page, brainz = self.page, self.servers["listenbrainz"]
        earlier = [one["id"] for one in brainz.order("playlists")]
        there = lambda: [one for one in brainz.order("playlists") if one["id"] not in earlier]
        made = brainz.order("playlist", title="From afar", recordings=RECORDINGS)
        self.link()
        wait_for(lambda: [one for one in self.household.ask("playlists?limit=200")["items"] if one["title"] == "From afar"], "the playlist")
        page.has(".source-line", "In step.")
        # Nothing is sent before a person chooses so.
        mine = self.household.ask("playlists", {"title": "Mine", "described": [{"title": "Song", "artist": "Ada", "recordingID": RECORDINGS[0]}]})
        self.run_ends()
        self.assertEqual(len(there()), 1)
        page.run("""
            const box = [...document.querySelectorAll('.source .field')].find((one) => one.textContent.startsWith('Playlists')).querySelector('select');
            box.value = 'both';
            box.dispatchEvent(new Event('change'));
        """)
        page.said("are sent to ListenBrainz.")
        wait_for(lambda: len(there()), "the playlist of ours there", equals=2)
        self.assertFalse(next(one for one in there() if one["title"] == "Mine")["public"])
        # Many removals there are asked about.
        brainz.order("playlist", id=made["id"], title="From afar", recordings=[])
        self.run_ends()
        self.run_ends()
        page.open("settings/providers")
        page.has(".asking p", "ListenBrainz no longer has 8 of 8 in From afar.")
        page.press(".asking button", "Keep them")
        page.said("They stay here")
        wait_for(lambda: len(next(one for one in there() if one["id"] == made["id"])["recordings"]), "they are there again",
                 equals=8)
        self.assertEqual(page.axe(), [])
        page.press(".source summary", "Last runs")
        page.has(".source details li", "added")
        self.household.ask(f"playlists/{mine['id']}", {}, "DELETE")

    def test_a_wrong_token_is_told(self):
        page = self.page
        page.open("settings/providers")
        page.write("form.add input[name=token]", "wrong")
        page.press("form.add button", "Link")
        page.said("does not know this token")

    def test_wishes_are_added_and_removed(self):
        page = self.page
        page.open("settings/providers")
        page.has("a[href='#/wishes']", "Wish list")
        page.open("wishes")
        page.write("form.add input[name=artist]", "Alice Coltrane")
        page.write("form.add input[name=album]", "Eternity")
        page.press("form.add button", "Add")
        page.has(".wish-row b", "Eternity")
        self.assertEqual(page.axe(), [])
        page.run("arguments[0].focus()", page.has(".wish-row button", "Remove"))
        page.keys(Keys.ENTER)
        page.said("“Eternity” is no longer wished for.")
        page.wait("it is gone", "return !document.querySelector('.wish-row')")
        page.wait("the focus is on the screen", "return document.activeElement.matches('.wishes h1')")
        page.press(".banner-act", "Undo")
        page.has(".wish-row b", "Eternity")
