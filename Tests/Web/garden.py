"""Notes, marks for deletion and todos: on the pages of music, in the player, and in places of their own."""
import json
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

from selenium.webdriver.common.action_chains import ActionChains

from case import PageCase
from modules import FAKE
from page import PHONE, Keys
from testhousehold import wait_for

TABLET = (820, 1180)
NASTY = "<img src=x onerror=alert(1)> *loud* and 2*3*4\n\nSee https://example.org/a?b=c. \u0634\u062a\u0627\u0621"


class Hook(BaseHTTPRequestHandler):
    """A webhook that keeps what it gets."""

    got = []

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.got.append((self.headers.get("Authorization"), json.loads(body)))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


class GardenCase(PageCase):
    """A test that leaves no note, mark or todo behind."""

    def tearDown(self):
        for note in self.household.ask("notes?limit=200")["items"]:
            self.household.ask(f"notes/{note['note']}", {}, "DELETE")
        for mark in self.household.ask("marks?limit=200")["items"]:
            self.household.ask(f"marks/{mark['mark']}", {"state": "kept"}, "PUT")
        for todo in self.household.ask("todos?limit=200")["items"]:
            self.household.ask(f"todos/{todo['todo']}", {"state": "dismissed"}, "PUT")
        super().tearDown()

    def note(self, text, index=0, **more):
        return self.household.ask("notes", {"id": self.albums[index]["id"], "text": text} | more)

    def notes(self):
        return self.household.ask("notes?limit=200")["items"]

    def check(self):
        """Looks for faults of accessibility, in both schemes and at three sizes, and for a page that is too wide."""
        for scheme in ("light", "dark"):
            self.page.set_scheme(scheme, "reduce")
            self.assertEqual(self.page.axe(), [])
        for size in (PHONE, TABLET):
            self.page.resize(size)
            self.assertEqual(self.page.axe(), [])
            self.assertTrue(self.page.run("return document.documentElement.scrollWidth <= innerWidth"))


class Garden(GardenCase):
    def menu(self, entry):
        self.page.press(".album .knob[aria-label=More]")
        self.page.press(".menu [role=menuitem]", entry)
        self.page.has("dialog.garden-form")
        self.page.run("document.querySelector('.garden-form').getAnimations().forEach((one) => one.finish())")

    def test_a_note_is_written_changed_deleted_and_brought_back(self):
        page, album = self.page, self.albums[2]
        page.open(f"album/{album['id']}")
        page.has(".album .group p", "You have written nothing about it yet.")
        page.press(".album .group .pill", "Write a note")
        page.has("dialog.garden-form")
        page.run("document.querySelector('.garden-form').getAnimations().forEach((one) => one.finish())")
        self.assertEqual(page.axe(), [])
        page.write(".garden-form textarea", NASTY)
        page.press(".garden-form .pill", "Save")
        page.has(".note-text em", "loud")
        self.assertEqual(self.notes()[0]["text"], NASTY)
        shown = page.run("return document.querySelector('.note-text').textContent")
        self.assertIn("<img src=x onerror=alert(1)> loud and 2", shown)
        self.assertEqual(page.run("return document.querySelectorAll('.note-text img').length"), 0)
        link = page.run("const { href, rel } = document.querySelector('.note-text a'); return [href, rel]")
        self.assertEqual(link, ["https://example.org/a?b=c", "noopener noreferrer"])
        self.check()
        page.press(".note .pill", "Edit")
        page.write(".note-editor textarea", "Calmer now.")
        page.press(".note-editor .pill", "Save")
        page.has(".note-text", "Calmer now.")
        page.press(".note summary", "Former texts")
        page.has(".former em", "loud")
        self.assertEqual(page.axe(), [])
        page.press(".note .knob[aria-label^=Delete]")
        page.said("The note was deleted.")
        page.has(".album .group p", "You have written nothing about it yet.")
        self.assertEqual(self.notes(), [])
        page.press(".banner-act", "Undo")
        page.has(".note-text", "Calmer now.")

    def test_what_two_devices_write_at_once_is_shown_side_by_side(self):
        page = self.page
        note = self.note("First.", 3)
        page.open("notes")
        page.press(".note .pill", "Edit")
        page.write(".note-editor textarea", "Mine.")
        self.household.ask(f"notes/{note['note']}", {"text": "Theirs.", "version": 1}, "PUT")
        # The page hears of it; if it has not yet, the library refuses what it sends.
        page.press(".note-editor .pill", "Save")
        page.has(".both section", "Theirs.")
        page.has(".both section", "Mine.")
        self.assertEqual(page.run("return document.querySelector('.note-editor textarea').value"), "Theirs.\n\nMine.")
        self.assertEqual(page.axe(), [])
        page.press(".note-editor .pill", "Use only yours")
        self.assertEqual(page.run("return document.querySelector('.note-editor textarea').value"), "Mine.")
        page.write(".note-editor textarea", "Theirs. And mine.")
        page.press(".note-editor .pill", "Save")
        page.has(".note-text", "Theirs. And mine.")
        self.assertEqual(self.notes()[0]["text"], "Theirs. And mine.")

    def test_a_note_that_is_deleted_elsewhere_while_it_is_edited_is_not_lost(self):
        page = self.page
        note = self.note("First.", 3)
        page.open("notes")
        page.press(".note .pill", "Edit")
        page.write(".note-editor textarea", "Longer.")
        self.household.ask(f"notes/{note['note']}", {}, "DELETE")
        page.press(".note-editor .pill", "Save")
        page.has(".note-editor .problem-line", "has deleted this note")
        page.press(".note-editor .pill", "Bring it back and save")
        page.has(".note-text", "Longer.")
        self.assertEqual([one["text"] for one in self.notes()], ["Longer."])

    def test_a_passage_and_a_track_are_noted_in_the_player(self):
        page, album = self.page, self.albums[4]
        self.play(4)
        self.household.steer("kitchen", action="pause")
        page.open("albums")
        page.go("playing")
        page.press(".panel-tab", "Notes")
        page.press(".sheet-notes .pill", "Write a note")
        page.has(".garden-form select")
        page.run("document.querySelector('.garden-form').getAnimations().forEach((one) => one.finish())")
        self.assertEqual(page.axe(), [])
        page.write(".garden-form textarea", "This turn.")
        page.press(".garden-form .pill", "Save")
        page.has(".sheet-notes .note-text", "This turn.")
        page.has(".sheet-notes .note-origin", "At 0:")
        note = self.notes()[0]
        self.assertEqual((note["on"]["kind"], "position" in note), ("track", True))
        self.assertEqual(page.axe(), [])
        page.run("history.back()")
        page.go(f"track/{note['on']['id']}")
        page.has(".details .note-text", "This turn.")
        self.assertEqual(page.axe(), [])
        page.go(f"album/{album['id']}")
        page.has(".album .note .subject", note["on"]["title"])

    def test_a_listening_that_has_not_counted_cannot_be_noted_and_the_text_stays(self):
        page = self.page
        page.open(f"album/{self.albums[9]['id']}")
        self.menu("Write a note")
        page.run("const box = document.querySelector('.garden-form select'); box.value = 'session'; box.dispatchEvent(new Event('change', { bubbles: true }))")
        page.write(".garden-form textarea", "In the dark.")
        page.press(".garden-form .pill", "Save")
        page.has(".garden-form .problem-line")
        self.assertEqual(page.axe(), [])
        page.keys(Keys.ESCAPE)
        page.wait("it is closed", "return !document.querySelector('.garden-form')")
        self.menu("Write a note")
        self.assertEqual(page.run("return document.querySelector('.garden-form textarea').value"), "In the dark.")
        page.press(".garden-form .pill", "Save")
        page.has(".album .note-text", "In the dark.")

    def test_notes_are_found_by_words_and_beside_the_music(self):
        page = self.page
        self.note("Heavy rain on the second side.", 1)
        self.note("Sun.", 2)
        page.open("notes")
        page.has(".count", "2 notes")
        self.check()
        page.write("input[type=search]", "rai")
        page.wait("one is left", "return document.querySelectorAll('.note').length === 1")
        page.has(".note-text", "rain")
        page.write("input[type=search]", "snow")
        page.has(".soft", "No note has “snow”.")
        page.go("search?q=rain")
        page.has(".search h2", "In notes")
        page.has(".search .note-text", "Heavy rain")
        self.assertEqual(page.run("return document.querySelector('.search .count').textContent"), "")
        self.assertEqual(page.axe(), [])
        page.press(".search .note a", self.albums[1]["title"])
        page.has(".album .note-text", "Heavy rain")

    def test_notes_come_back_at_home_and_the_library_is_told(self):
        page, album = self.page, self.albums[6]
        on = {"kind": "album", "id": album["id"], "title": album["title"], "artist": album["artist"]}
        due = {"note": {"note": 7, "on": on, "text": "The first evening here.", "at": "2025-11-27T20:00:00Z", "version": 1}, "reason": "A year ago you wrote this.", "years": 1}
        page.open("more")
        page.run(FAKE)
        page.run("""
            const [due] = arguments;
            window.told = [];
            const { fetch } = window;
            window.fetch = (path, options) => {
              if (String(path).includes('/notes/shown')) { window.told.push(options.body); return Promise.resolve(window.json({})); }
              return fetch(path, options);
            };
            window.fakeFetch('/notes/due', () => Promise.resolve(window.json({ items: [due] })));""", due)
        page.go("")
        page.has(".home .due .kind", "A year ago you wrote this.")
        page.has(".home .due .note-text", "The first evening here.")
        page.wait("the library is told", "return window.told.length === 1")
        self.assertEqual(page.run("return window.told[0]"), '{"notes":[7]}')
        self.check()
        # It stays for the day, and the library is told once.
        page.go("more")
        page.go("")
        page.has(".home .due .note-text", "The first evening here.")
        self.assertEqual(page.run("return window.told.length"), 1)

    def test_marks_are_decided_and_exported(self):
        page, album = self.page, self.albums[8]
        page.open(f"album/{album['id']}")
        self.menu("Mark for deletion")
        self.assertEqual(page.axe(), [])
        page.write(".garden-form textarea", "Never *liked* it.")
        page.press(".garden-form .pill", "Mark")
        page.said("is marked for deletion.")
        page.go("marks")
        page.has(".marked .mark-reason", "Never *liked* it.")
        page.has(".marked .facts", "never heard")
        page.has(".count", "1 mark, ")
        self.check()
        page.press(".marked .pill", "Confirm")
        page.has(".empty h2", "Nothing to decide")
        page.press(".garden-choice .pill", "To be deleted")
        page.has(".marked .subject", album["title"])
        self.assertEqual(page.axe(), [])
        page.run("""
            window.blobs = [];
            const { createObjectURL } = URL;
            URL.createObjectURL = (blob) => { window.blobs.push(blob.text()); return createObjectURL.call(URL, blob); };
            HTMLAnchorElement.prototype.click = function click() { window.stored = this.download; };""")
        page.press(".garden-export .pill", "Script to read first")
        page.said("to-delete.sh has ")
        text = page.run_async("const done = arguments[0]; window.blobs[0].then(done)")
        self.assertEqual(page.run("return window.stored"), "to-delete.sh")
        self.assertTrue(text.startswith("#!/bin/sh"), text[:80])
        self.assertTrue([line for line in text.splitlines() if line.startswith("#") and " rm " in line], text)
        self.assertFalse([line for line in text.splitlines() if line.startswith("rm ")])
        page.press(".marked .pill", "Decide again")
        page.has(".empty h2", "Nothing to be deleted")
        page.go("marks")
        page.press(".marked .pill", "Keep")
        page.said("is kept.")
        wait_for(lambda: self.household.ask("marks")["items"], "it is kept", equals=[])
        page.go("marks?state=kept")
        page.has(".marked .subject", album["title"])

    def test_todos_are_added_suggested_done_and_sent(self):
        page = self.page
        server = HTTPServer(("127.0.0.1", 0), Hook)
        Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.addCleanup(lambda: self.household.ask("todos/webhook", {"address": None}, "PUT"))
        page.open("settings/garden")
        page.has(".settings h3", "Todos are sent nowhere")
        page.write(".settings input[name=address]", f"http://127.0.0.1:{server.server_port}/todos")
        page.write(".settings input[name=token]", "secret")
        page.press(".settings form .pill", "Send todos there")
        page.has(".settings .source .soft", "with a token")
        self.check()
        page.resize((1280, 860))
        album = self.albums[12]
        page.go(f"album/{album['id']}")
        self.menu("Add a todo")
        self.assertEqual(page.axe(), [])
        page.run("const box = document.querySelector('.garden-form select'); box.value = 'cover'")
        page.write(".garden-form textarea", "Scan the back.")
        page.press(".garden-form .pill", "Save")
        page.said("The todo is added.")
        wait_for(lambda: Hook.got, "the webhook gets it")
        self.assertEqual((Hook.got[0][0], Hook.got[0][1]["about"], Hook.got[0][1]["text"]), ("Bearer secret", "cover", "Scan the back."))
        page.go("todos")
        page.has(".todo .todo-text", "Scan the back.")
        self.check()
        page.press(".todo .pill", "Done")
        page.has(".empty h2", "Nothing to do")
        page.press("summary", "Done")
        page.has("details .todo", "Scan the back.")
        page.press("details .todo .pill", "Open again")
        page.wait("it is open again", "return [...document.querySelectorAll('.todo')].some((one) => one.textContent.includes('Dismiss') && one.textContent.includes('Scan the back.'))")

    def test_what_the_library_suggests_is_accepted_or_dismissed(self):
        page = self.page
        seen = self.household.ask("todos/suggested?limit=200")["items"]
        if len(seen) < 2:
            self.fail(f"the household has {len(seen)} suggestions")
        page.open("todos")
        page.has(".todo .why", seen[0]["evidence"])
        page.press("[aria-label='Suggested todos'] .todo .pill", "Accept")
        page.said("is a todo now.")
        wait_for(lambda: len(self.household.ask("todos")["items"]), "it is a todo", equals=1)
        page.wait("it is suggested no more", """
            const [key] = arguments;
            const keys = [...document.querySelectorAll("[aria-label='Suggested todos'] .todo")].map((one) => one.dataset.key);
            return keys.length > 0 && !keys.includes(key)""", f"{seen[0]['on']['id']} {seen[0]['about']}")
        page.run("[...document.querySelectorAll(\"[aria-label='Suggested todos'] .todo:first-child .pill\")].at(-1).focus()")
        page.keys(Keys.ENTER)
        page.said("is not suggested again.")
        page.wait("the next one has the focus", "return document.activeElement.closest('.todo') !== null")
        self.assertEqual(page.axe(), [])

    def test_the_garden_leads_to_its_places_and_says_when_reading_fails(self):
        page = self.page
        self.note("One.", 1)
        page.open("more")
        page.press("#nav a", "Garden")
        page.has(".garden-card b", "1 note")
        self.check()
        page.press(".garden-card", "Marks for deletion")
        page.has("h1", "Marks for deletion")
        page.open("more")
        page.run(FAKE)
        page.run("""
            window.cut = true;
            window.fakeFetch('/api/v1/todos?', () => (window.cut ? Promise.reject(new TypeError('cut')) : Promise.resolve(window.json({ items: [] }))));""")
        page.go("todos")
        page.has(".garden-said .problem-line", "Lunara does not answer.")
        self.assertEqual(page.axe(), [])
        page.run("window.cut = false")
        page.press(".garden-said .pill", "Try again")
        page.has(".empty h2", "Nothing to do")

    def test_what_is_not_in_the_library_is_named_without_a_link(self):
        page = self.page
        on = {"kind": "session", "id": "files:a999999", "title": "Gone <i>now</i>", "artist": "Ada", "isHere": False}
        session = {"room": "kitchen", "from": "2025-05-12T20:00:00Z", "to": "2025-05-12T20:40:00Z", "listens": []}
        note = {"note": 9, "on": on, "text": "Long ago. " * 200, "at": "2025-05-12T21:00:00Z", "version": 1, "session": session}
        page.open("more")
        page.run(FAKE)
        page.run("const [note] = arguments; window.fakeFetch('/api/v1/notes?', () => Promise.resolve(window.json({ items: [note] })))", note)
        page.go("notes")
        page.has(".subject", "Gone <i>now</i>")
        page.has(".subject small", "Not in the library now.")
        page.has(".note-origin", "A listening in Kitchen, 12 May 2025")
        self.assertFalse(page.run("return Boolean(document.querySelector('.subject a'))"))
        page.press(".note .link", "The whole note")
        page.has(".note .link", "Less")
        self.assertEqual(page.axe(), [])

    def test_many_notes_are_read_in_pages(self):
        page = self.page
        for number in range(60):
            self.note(f"Number {number}.", number % 5)
        page.open("notes")
        page.has(".count", "50 notes and more")
        page.press(".garden-more .pill", "More")
        page.has(".count", "60 notes")
        self.assertEqual(page.run("return document.querySelectorAll('.note').length"), 60)

    def test_a_note_is_written_and_stored_by_keys(self):
        page, album = self.page, self.albums[7]
        page.open(f"album/{album['id']}")
        page.has(".album .group .pill", "Write a note").send_keys(Keys.ENTER)
        page.has("dialog.garden-form textarea")
        page.keys("Keys")
        ActionChains(page.driver).key_down(Keys.CONTROL).send_keys(Keys.ENTER).key_up(Keys.CONTROL).perform()
        page.has(".note-text", "Keys")
        page.run("document.querySelector('.note-tools .pill').focus()")
        page.keys(Keys.ENTER)
        page.has(".note-editor textarea")
        page.keys(Keys.ESCAPE)
        page.wait("the editor is closed", "return !document.querySelector('.note-editor') && document.activeElement.textContent === 'Edit'")
