"""Playlists on the page: making, editing, list files."""
from case import PageCase
from page import Keys
from testhousehold import wait_for

LIST = "#EXTM3U\n#PLAYLIST:From a file\n#EXTINF:200,Nobody - Gone\nnone.flac\n"


class Playlists(PageCase):
    """The list of playlists, and the screen of one."""

    def tearDown(self):
        super().tearDown()
        for one in self.household.ask("playlists?limit=200")["items"]:
            if one["editable"]:
                self.household.ask(f"playlists/{one['id']}", {}, "DELETE")

    def titles(self):
        return self.page.run("return [...document.querySelectorAll('li.track b')].map((one) => one.textContent)")

    def shows(self, *titles):
        self.page.wait(f"{titles} are shown", "return [...document.querySelectorAll('li.track b')].map((one) => one.textContent).join('|') === arguments[0]", "|".join(titles))

    def make(self, title, *ids):
        return self.household.ask("playlists", {"title": title, "ids": list(ids)})

    def test_several_entries_are_removed_moved_and_added_together(self):
        page = self.page
        tracks = self.household.ask(f"albums/{self.albums[0]['id']}")["tracks"]
        names = [track["title"] for track in tracks]
        made, other = self.make("Several", self.albums[0]["id"]), self.make("Other")
        page.open(f"playlist/{made['id']}")
        self.shows(*names)
        page.press(f"button[aria-label='More for {names[1]}']")
        page.press(".menu [role=menuitem]", "Select")
        page.has(".selection [role=status]", "1 selected")
        page.press(f"li.track:nth-child({len(names)}) .track-play")
        page.has(".selection [role=status]", "2 selected")
        self.assertEqual(page.axe(), [])
        page.press(".selection .pill", "Move to the beginning")
        moved = [names[1], names[-1], names[0], *names[2:-1]]
        self.shows(*moved)
        page.wait("the choice has ended", "return !document.querySelector('.selection')")
        # A press with Ctrl begins one, too, and Shift chooses all between.
        page.run("""
            const rows = [...document.querySelectorAll('li.track .track-play')];
            rows[0].dispatchEvent(new MouseEvent('click', { bubbles: true, ctrlKey: true }));
        """)
        page.has(".selection [role=status]", "1 selected")
        page.run("document.querySelectorAll('li.track .track-play')[1].dispatchEvent(new MouseEvent('click', { bubbles: true, shiftKey: true }))")
        page.has(".selection [role=status]", "2 selected")
        page.press(".selection .pill", "Add to playlist")
        page.press(".menu [role=menuitem]", "Other")
        page.said("2 added to Other.")
        self.assertEqual([one["title"] for one in self.household.ask(f"playlists/{other['id']}")["entries"]], moved[:2])
        page.press(f"button[aria-label='More for {moved[0]}']")
        page.press(".menu [role=menuitem]", "Select")
        page.press(".selection .pill", "All")
        page.has(".selection [role=status]", f"{len(names)} selected")
        page.press(".selection .pill", "Remove")
        page.said(f"Removed {len(names)} entries.")
        page.press(".banner-act", "Undo")
        self.shows(*moved)
        page.press(f"button[aria-label='More for {moved[0]}']")
        page.press(".menu [role=menuitem]", "Select")
        page.has(".selection")
        page.keys(Keys.ESCAPE)
        page.wait("Escape ends it", "return !document.querySelector('.selection')")

    def test_albums_and_tracks_are_dropped_onto_a_playlist(self):
        page = self.page
        made = self.make("Target")
        page.open("albums")
        page.has(".record:not(.shimmering)")
        page.run("""
            window.dropOn = async (from, name) => {
              const data = new DataTransfer();
              const send = (on, kind) => on.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: data }));
              send(from, 'dragstart');
              const find = () => [...document.querySelectorAll('.drop-target')].find((one) => one.textContent === name);
              while (!find()) await new Promise((done) => setTimeout(done, 20));
              send(find(), 'dragover');
              if (!find().classList.contains('over')) throw new Error('it is not marked');
              send(find(), 'drop');
              send(from, 'dragend');
            };
            window.dropOn(document.querySelector('.record .record-link'), 'Target');
        """)
        page.said("Added to Target.")
        page.wait("the places are gone", "return !document.querySelector('.drop-targets')")
        filled = self.household.ask(f"playlists/{made['id']}")
        self.assertGreater(len(filled["entries"]), 1)
        page.go(f"album/{self.albums[0]['id']}")
        page.has("li.track")
        page.run("window.dropOn(document.querySelector('li.track'), 'Target')")
        page.said("Added to Target.")
        wait_for(lambda: len(self.household.ask(f"playlists/{made['id']}")["entries"]) == len(filled["entries"]) + 1, "the track is in it")

    def test_a_track_of_the_queue_is_dropped_onto_a_playlist(self):
        page = self.page
        made = self.make("From the queue")
        self.play(0)
        page.open("queue")
        page.has("li.queued .track-play")
        page.run("""
            (async () => {
              const from = document.querySelector('li.queued');
              const data = new DataTransfer();
              const send = (on, kind) => on.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: data }));
              send(from, 'dragstart');
              const find = () => [...document.querySelectorAll('.drop-target')].find((one) => one.textContent === 'From the queue');
              while (!find()) await new Promise((done) => setTimeout(done, 20));
              send(find(), 'drop');
              send(from, 'dragend');
            })()""")
        page.said("Added to From the queue.")
        wait_for(lambda: len(self.household.ask(f"playlists/{made['id']}")["entries"]), "the track is in it", equals=1)

    def test_a_playlist_is_made_filled_and_edited_in_place(self):
        page = self.page
        tracks = self.household.ask(f"albums/{self.albums[0]['id']}")["tracks"]
        page.open("playlists")
        page.press(".head-tools .pill", "New playlist")
        page.has(".title-field")
        page.run("const field = document.querySelector('.title-field'); field.value = 'Slow'; field.dispatchEvent(new Event('change'))")
        page.has("h1", "Slow")
        # The menu of an album has the new list.
        page.go(f"album/{self.albums[0]['id']}")
        page.press(".actions button[aria-label=More]")
        page.press(".menu [role=menuitem]", "Add to playlist")
        page.press(".menu [role=menuitem]", "Slow")
        page.said("Added to Slow.")
        made = next(one for one in self.household.ask("playlists?limit=200")["items"] if one["title"] == "Slow")
        self.assertEqual(made["trackCount"], len(tracks))
        page.open(f"playlist/{made['id']}")
        names = [track["title"] for track in tracks]
        self.shows(*names)
        page.press(f"button[aria-label='More for {names[1]}']")
        page.press(".menu [role=menuitem]", "Move up")
        moved = [names[1], names[0], *names[2:]]
        self.shows(*moved)
        page.press(f"button[aria-label='More for {names[1]}']")
        page.press(".menu [role=menuitem]", "Remove from playlist")
        self.shows(*moved[1:])
        page.press(".banner-act", "Undo")
        self.shows(*moved)
        page.press(".pill", "Undo")
        self.shows(*names)
        # The handle moves a row by keys.
        page.run("document.querySelector('li.track .handle').focus()")
        page.keys(Keys.ARROW_DOWN)
        self.shows(*moved)
        wait_for(lambda: [one["title"] for one in self.household.ask(f"playlists/{made['id']}")["entries"]], "the order is stored",
                 equals=moved)
        page.wait("the handle keeps the focus", "return document.activeElement.matches('li.track:nth-child(2) .handle')")
        page.keys(Keys.ARROW_UP)
        self.shows(*names)
        wait_for(lambda: [one["title"] for one in self.household.ask(f"playlists/{made['id']}")["entries"]], "the order is stored",
                 equals=names)
        self.assertEqual(page.axe(), [])
        page.press(".pill", "Delete")
        page.has("h1", "Playlists")
        page.press(".banner-act", "Undo")
        page.has("h1", "Slow")
        self.shows(*names)

    def test_a_queue_is_saved_and_home_shows_it(self):
        page = self.page
        self.play(1)
        order = self.order()
        page.open("queue")
        page.press(".pill", "Save as playlist")
        page.has("h1", "Queue of ")
        self.shows(*order)
        page.go("")
        page.has(".carousel[aria-label=Playlists] b", "Queue of ")

    def test_a_smart_playlist_is_written_and_changed(self):
        page = self.page
        page.open("playlists")
        page.press(".head-tools .pill", "New smart playlist")
        page.has("dialog.rules")
        page.write("dialog.rules .title-field", "Seventies")
        page.has("dialog.rules [role=status]", "Fill in every value.")
        page.run("""
            const field = document.querySelector('.rule-row select');
            field.value = 'year';
            field.dispatchEvent(new Event('change'))""")
        page.run("""
            const how = document.querySelectorAll('.rule-row select')[1];
            how.value = 'inTheRange';
            how.dispatchEvent(new Event('change'))""")
        for place, year in enumerate((1970, 1979)):
            page.run("const one = document.querySelectorAll('.rule-row input')[arguments[0]]; one.value = arguments[1]; one.dispatchEvent(new Event('input'))", place, year)
        page.wait("they are counted", "return /^[0-9]+ tracks/.test(document.querySelector('dialog.rules [role=status]').textContent)")
        self.assertEqual(page.axe(), [])
        page.press("dialog.rules .pill", "Save")
        page.has("h1", "Seventies")
        page.has(".facts", "Updated automatically")
        made = next(one for one in self.household.ask("playlists?limit=200")["items"] if one["title"] == "Seventies")
        page.press(".pill", "Rules")
        page.has("dialog.rules .rule-row")
        page.press("dialog.rules .pill", "As text")
        page.write("dialog.rules textarea", '{"any": [{"all": [{"is": {"year": 1971}}]}], "limit": 1}')
        page.has("dialog.rules [role=status]", "1 track,")
        page.press("dialog.rules .pill", "Save")
        page.has(".facts", "1 track ·")
        wait_for(lambda: self.household.ask(f"playlists/{made['id']}")["trackCount"], "the rules are stored", equals=1)

    def test_a_list_file_is_dropped_and_saved_again(self):
        page = self.page
        page.open("playlists")
        page.has("h1", "Playlists")
        page.run("""
            const data = new DataTransfer();
            data.items.add(new File([arguments[0]], 'x.m3u8'));
            document.querySelector('.screen').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))""", LIST)
        page.said("Made the playlist From a file with 1 entry. 1 of them is not in the library.")
        page.press(".banner-act", "Open")
        page.has("h1", "From a file")
        self.shows("Gone")
        page.press(".pill", "Save as file")
        page.has(".menu [role=menuitem]", "M3U8, for most players")
        made = wait_for(lambda: next((one for one in self.household.ask("playlists?limit=200")["items"] if one["title"] == "From a file"), None), "the playlist")
        text = page.run_async(
            "fetch(`/api/v1/playlists/${arguments[0]}/file?format=m3u8`).then((one) => one.text()).then(arguments[1])", made["id"])
        self.assertEqual(text, "#EXTM3U\n#PLAYLIST:From a file\n#EXTINF:200,Nobody - Gone\nnone.flac\n")

    def test_a_playlist_gets_a_cover_of_its_own(self):
        page = self.page
        made = self.make("Boat")
        page.open(f"playlist/{made['id']}")
        page.has("h1", "Boat")
        page.run("""
            window.drop = async () => {
              const canvas = document.createElement('canvas');
              canvas.width = 1600;
              canvas.height = 1200;
              canvas.getContext('2d').fillStyle = '#b02020';
              canvas.getContext('2d').fillRect(0, 0, 1600, 1200);
              const data = new DataTransfer();
              data.items.add(new File([await new Promise((done) => canvas.toBlob(done, 'image/png'))], 'boat.png', { type: 'image/png' }));
              document.querySelector('.cover-head .cover').dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }));
            };
            window.drop();
        """)
        page.said("The cover was changed.")
        page.has(".cover-head .cover img")
        self.assertTrue(self.household.ask(f"playlists/{made['id']}")["art"].startswith("lunara:"))
        page.press(".actions .pill", "Cover")
        page.press(".menu [role=menuitem]", "Remove the cover")
        page.said("The cover was removed.")
        self.assertIsNone(self.household.ask(f"playlists/{made['id']}").get("art"))
        page.press(".banner-act", "Undo")
        page.has(".cover-head .cover img")
