"""The garden as a file, and passages of notes that are played."""
from garden import GardenCase
from testhousehold import wait_for


class GardenFile(GardenCase):
    def test_a_passage_is_played_from_its_note(self):
        page, album = self.page, self.albums[5]
        track = self.household.ask(f"albums/{album['id']}")["tracks"][1]["id"]
        self.household.ask("notes", {"id": track, "text": "This turn.", "position": 31_000})
        page.open("notes")
        page.press(".note .passage", "At 0:31")
        plays = lambda: (lambda room: room["state"] == "playing" and room["track"]["id"] == track and room["positionSeconds"] >= 31)(self.household.room("kitchen"))
        wait_for(plays, "the passage plays")
        self.assertEqual(len(self.order()), 4)
        # The track that plays is not begun anew: only its position changes.
        self.household.steer("kitchen", action="seek", seconds=1)
        self.household.steer("kitchen", action="pause")
        revision = self.household.ask("rooms/kitchen/queue")["revision"]
        page.wait("the pause is known", "return document.body.dataset.state === 'paused'")
        page.press(".note .passage", "At 0:31")
        wait_for(plays, "the passage plays again")
        self.assertEqual(self.household.ask("rooms/kitchen/queue")["revision"], revision)
        self.assertEqual(page.axe(), [])

    def test_the_whole_garden_is_exported_and_imported(self):
        page, album = self.page, self.albums[3]
        self.addCleanup(lambda: self.household.ask(f"albums/{self.albums[6]['id']}/opinion", {"opinion": None}, "PUT"))
        note = self.note("Rain.\n```\nSnow.", 3)
        self.household.ask("marks", {"id": self.albums[4]["id"], "reason": "Twice."})
        self.household.ask(f"albums/{self.albums[6]['id']}/opinion", {"opinion": "like"}, "PUT")
        theme = self.household.ask("themes", {"title": "Boat", "adding": [album["id"]]})
        page.open("garden")
        page.has(".garden-file h2", "All of it as a file")
        self.check()
        page.resize((1280, 860))
        page.run("""
            window.blobs = [];
            const { createObjectURL } = URL;
            URL.createObjectURL = (blob) => { window.blobs.push(blob.text()); return createObjectURL.call(URL, blob); };
            HTMLAnchorElement.prototype.click = function click() { window.stored = this.download; };""")
        page.press(".garden-file .pill", "Export as text")
        page.said("garden.md has ")
        text = page.run_async("const done = arguments[0]; window.blobs[0].then(done)")
        for part in (f"## {album['artist']}", f"### {album['title']}", "Rain.", "*Liked, ", "## Themes\n\n### Boat", '{"garden":1,"items":['):
            self.assertIn(part, text)
        self.household.ask(f"notes/{note['note']}", {}, "DELETE")
        self.household.ask(f"themes/{theme['id']}", {}, "DELETE")
        self.household.ask(f"albums/{self.albums[6]['id']}/opinion", {"opinion": None}, "PUT")
        choose = """
            const [name, text] = arguments;
            const field = document.querySelector('.garden-file input');
            const files = new DataTransfer();
            files.items.add(new File([text], name));
            field.files = files.files;
            field.dispatchEvent(new Event('change'));"""
        page.run(choose, "garden.md", text)
        page.has(".garden-file [role=status]", "3 records of garden.md were added, ")
        self.assertEqual([one["text"] for one in self.notes()], ["Rain.\n```\nSnow."])
        made = self.household.ask("themes")["items"][0]
        self.addCleanup(lambda: self.household.ask(f"themes/{made['id']}", {}, "DELETE"))
        self.assertEqual([one["id"] for one in self.household.ask(f"themes/{made['id']}")["albums"]], [album["id"]])
        self.assertEqual(self.household.ask("opinions/ids")["likes"], [self.albums[6]["id"]])
        page.run(choose, "garden.md", text)
        page.has(".garden-file [role=status]", "0 records of garden.md were added, ")
        page.run(choose, "letter.txt", "Dear Ada")
        page.said("letter.txt is no file that Lunara wrote.")
        self.assertEqual(page.axe(), [])
