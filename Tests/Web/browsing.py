"""Finding music by what its tags say: albums and editions, tracks, people, works, filters, and folders."""
import contextlib
import pathlib
import tempfile
import unittest

from case import PageCase
from collection import COMPOSERS, make_collection
from page import DESKTOP, PHONE, Keys
from testhousehold import TestHousehold, wait_for

ALBUMS = 12 + len(COMPOSERS)

# The rows of an album as text: headings, missing tracks, and tracks with their numbers.
ROWS = """
    return [...document.querySelectorAll('ol[aria-label=Tracks] > li')].map((row) => row.matches('.track')
      ? `${row.querySelector('.track-number').textContent} ${row.querySelector('b').textContent}` : row.textContent).filter(Boolean)"""

# A list of facts as an object.
FACTS = """
    return Object.fromEntries([...document.querySelectorAll(arguments[0] + ' .fact-list > div')]
      .map((one) => [one.firstChild.textContent, [...one.lastChild.childNodes].map((part) => part.textContent).join('|')]))"""

TITLES = "return [...document.querySelectorAll('.record:not(.shimmering) b')].map((one) => one.textContent).sort()"


class Browsing(unittest.TestCase):
    """A household of its own, whose music has all kinds of tags."""

    @classmethod
    def setUpClass(cls):
        cls.stack = contextlib.ExitStack()
        scratch = pathlib.Path(cls.stack.enter_context(tempfile.TemporaryDirectory(prefix="lunara-collection-")))
        cls.music = scratch / "music"
        cls.music.mkdir()
        make_collection(cls.music, scratch)
        cls.household = cls.stack.enter_context(TestHousehold(PageCase.household.programs, cls.music, ["kitchen"]))
        cls.household.wait_for_albums(ALBUMS)
        cls.page, cls.former = PageCase.page, PageCase.page.address
        cls.page.address = cls.household.address

    @classmethod
    def tearDownClass(cls):
        cls.page.driver.get("about:blank")
        cls.page.address = cls.former
        cls.stack.close()

    def setUp(self):
        self.page.set_scheme("light", "reduce")
        self.page.resize(DESKTOP)

    def tearDown(self):
        self.assertEqual(self.page.complaints(), [])

    def album(self, title):
        found = self.household.ask("albums?limit=200&editions=true")["items"]
        return next(one for one in found if one["title"] == title)

    def open_album(self, title):
        self.page.open(f"album/{self.album(title)['id']}")

    def shows(self, *titles):
        self.page.wait(f"the albums {titles}", f"const titles = arguments[0]; {TITLES.replace('return', 'const found =')}; return String(found) === String(titles)", sorted(titles))

    def test_an_album_shows_its_release(self):
        page = self.page
        self.open_album("Harbour Lights (Deluxe Edition)")
        page.has(".facts", "2 May 1973 · this edition September 2011 · Deluxe Edition · 5 tracks")
        page.has(".facts", "FLAC, 24 bit, 96 kHz")
        self.open_album("Harbour Lights")
        page.has(".release summary")
        self.assertFalse(page.run("return document.querySelector('.release').open"))
        page.press(".release summary")
        page.has(".release dd", "Quayside")
        facts = page.run(FACTS, ".release")
        for name in ("Length", "Added", "Plays", "Last heard"):
            facts.pop(name, None)
        self.assertEqual(facts, {"Released": "2 May 1973", "Type": "Album", "Label": "Quayside", "Catalogue number": "QS 12", "Country": "United Kingdom",
                                 "Medium": "CD", "Barcode": "5012345678900", "Status": "Official", "Format": "FLAC, 16 bit, 44.1 kHz", "Sources": "folders"})
        page.press(".release a", "Quayside")
        self.shows("Harbour Lights", "Needle Drop")

    def test_the_edition_in_lists_is_chosen_by_keyboard(self):
        page = self.page
        first, second = self.album("Harbour Lights"), self.album("Harbour Lights (Deluxe Edition)")
        self.open_album("Harbour Lights (Deluxe Edition)")
        listed = "return [...document.querySelectorAll('.editions input')].map((one) => one.checked)"
        page.has(".editions .track b", "Harbour Lights (Deluxe Edition)")
        self.assertEqual(page.run(listed), [True, False])
        page.run("document.querySelectorAll('.editions input')[0].focus()")
        page.keys(Keys.ARROW_DOWN)
        page.said("Lists now show “Harbour Lights (Deluxe Edition)” of 2011.")
        page.go("albums?tag=genre:Folk")
        page.has(".record small", "2011 · Deluxe Edition")
        self.shows("Harbour Lights (Deluxe Edition)", "Summer Voices")
        self.open_album("Harbour Lights")
        self.assertEqual(page.run(listed), [False, True])
        page.press(".editions a", "Deluxe Edition")
        page.has("h1", "Harbour Lights (Deluxe Edition)")
        self.household.ask(f"albums/{first['id']}/preferred", {}, "PUT")
        self.assertEqual(self.household.ask(f"albums/{second['id']}")["listedEdition"], first["id"])

    def test_a_classical_album_is_in_works_with_movements_and_names_everybody(self):
        page = self.page
        self.open_album("Concerto and Suite")
        page.has(".work-name", "Suite No. 1 in G")
        self.assertEqual(page.run(ROWS), [
            "Brandenburg Concerto No. 3Johann Sebastian Bach", "1 I. Allegro", "2 II. Adagio", "3 III. Allegro assai", "Suite No. 1 in GJohann Sebastian Bach",
            "4 I. Prélude", "5 II. Allemande", "6 III. Courante", "7 IV. Sarabande", "8 V. Menuet", "9 VI. Gigue", "10 Encore"])
        self.assertEqual(page.run(FACTS, ".group"), {
            "Composer": "Johann Sebastian Bach", "Conductor": "Ruth Adler (4 tracks)",
            "Performers": "Mara Stein, cello (6 tracks)|Ilse Winter, harpsichord (4 tracks)|Jonas Berg, violin (3 tracks)"})
        page.press(".work-name a", "Suite No. 1")
        page.has("h1", "Suite No. 1 in G")
        page.has(".count", "Johann Sebastian Bach · 1 recording · 6 tracks")
        page.press(".count a")
        page.has("h1", "Johann Sebastian Bach")

    def test_discs_sides_and_missing_tracks_have_their_places(self):
        page = self.page
        self.open_album("Needle Drop")
        page.has(".disc-name", "Side B")
        self.assertEqual(page.run(ROWS), ["Side A", "A1 Groove A1", "A2 Groove A2", "A3 Groove A3", "Side B", "B1 Groove B1", "B2 Groove B2", "B3 Groove B3"])
        self.open_album("Some of It")
        page.has(".gap", "Track 9 is missing.")
        self.assertEqual(page.run(ROWS), [
            "1 Part 1", "2 Part 2", "3 Part 3", "Track 4 is missing.", "5 Part 5", "Tracks 6–7 are missing.", "8 Part 8", "Track 9 is missing."])
        self.open_album("The Long Year")
        page.has(".disc-name", "Disc 2: Summer")
        self.assertEqual(page.run(ROWS)[4:6], ["Disc 2: Summer", "1 Dawn"])

    def test_a_track_shows_its_tags_its_people_and_every_copy(self):
        page = self.page
        self.open_album("Paper Boats")
        page.press(".track .knob", None)
        page.press(".menu [role=menuitem]", "Details")
        page.has("h1", "Fold")
        page.has(".copy h3", "FLAC – this copy plays")
        copies = page.run("return [...document.querySelectorAll('.copy')].map((one) => one.textContent)")
        self.assertEqual(len(copies), 2)
        self.assertIn("44.1 kHz", copies[0])
        self.assertIn(str(self.music / "Boats FLAC/01 Fold.flac"), copies[0])
        self.assertIn("192 kbit/s", copies[1])
        self.assertIn("MP3, lossy", copies[1])
        facts = page.run(FACTS, ".details")
        self.assertEqual([facts[name] for name in ("ISRC", "Languages", "MusicBrainz recording", "Beats per minute", "Comment", "Loudness")],
                         ["GBAYE0601498", "English", "33333333-3333-4333-8333-333333333333", "96", "From the first tape.", "−7.3 dB to the reference, peak 0.988"])
        track = self.household.ask(f"albums/{self.album('Concerto and Suite')['id']}")["tracks"][0]
        page.go(f"track/{track['id']}")
        facts = page.run(FACTS, ".details")
        self.assertEqual([facts[name] for name in ("Composer", "Conductor", "Performers")],
                         ["Johann Sebastian Bach", "Ruth Adler", "Ilse Winter, harpsichord|Jonas Berg, violin"])
        self.assertEqual([facts[name] for name in ("Number", "Movement", "Date", "Bit depth", "Sample rate")],
                         ["1 on disc 1", "I. Allegro (of 3 movements)", "March 2004", "24 bit", "96 kHz"])

    def test_people_are_shown_in_their_roles(self):
        page = self.page
        page.open("artists")
        page.has(".record b", "Amber Vale")
        page.run("const box = document.querySelector('.head select'); box.value = 'composer'; box.dispatchEvent(new Event('change'))")
        page.has("h1", "Composers")
        page.press(".record-link b", "Johann Sebastian Bach")
        page.has(".facts", "Composer")
        page.has("ul[aria-label=Works] b", "Brandenburg Concerto No. 3")
        page.press(".appearances summary", "As composer 10 tracks on 1 album")
        page.has(".appearances .track b", "Brandenburg Concerto No. 3: Adagio")
        page.press(".appearances a", "Show the albums")
        self.shows("Concerto and Suite")
        page.open("artists?role=performer")
        page.press(".record-link b", "Mara Stein")
        page.has("h1", "Mara Stein")
        page.press(".appearances summary", "As performer 6 tracks on 1 album")
        page.has(".appearances .track span", "Hall Ensemble · Concerto and Suite · cello")
        page.open("search?q=lanterns")
        page.press(".record-link b", "Grey Lanterns")
        # Either name may be the one that is shown.
        page.has(".cover-words .soft", "Also ")
        names = page.run("return [...document.querySelectorAll('.cover-words h1, .cover-words .soft')].map((one) => one.textContent.replace('Also ', ''))")
        self.assertEqual(sorted(names), ["Grey Lanterns", "The Grey Lanterns"])

    def test_filters_combine_and_the_address_has_them(self):
        page = self.page
        page.open("albums")
        page.has(".count", f"{ALBUMS} albums")
        page.press(".filter-button")
        page.press(".filter [data-kind=decade]")
        page.has(".filter-row[aria-label='1990s, 7 albums']")
        page.press(".filter-row", "1990s")
        page.has(".filter-foot", "Show 7 albums")
        page.press(".filter-row", "1970s")
        # Of one kind either will do.
        page.has(".filter-foot", "Show 11 albums")
        page.press(".filter .knob[aria-label='All filters']")
        page.press(".filter [data-kind=genre]")
        # The numbers are those among the albums of these decades.
        page.has(".filter-row[aria-label='Rock, 3 albums']")
        page.press(".knob[aria-label='Without Rock']")
        page.has(".filter-foot", "Show 8 albums")
        page.press(".knob[aria-label='Without Chamber']")
        page.press(".filter .knob[aria-label='All filters']")
        page.press(".filter [data-kind=decade]")
        # Excluded albums are not counted.
        page.has(".filter-row[aria-label='1990s, 1 album']")
        page.press(".filter-foot .pill", "Show 2 albums")
        self.shows("Harbour Lights", "Paper Boats")
        self.assertEqual(page.run("return location.hash"), "#/albums?tag=decade%3A1990&tag=decade%3A1970&without=genre%3ARock&without=genre%3AChamber")
        page.wait("the focus is back", "return document.activeElement.matches('.filter-button')")
        page.open(page.run("return location.hash").replace("#/", ""))
        self.shows("Harbour Lights", "Paper Boats")
        # The other albums of the filter play on after an album.
        page.run("""
            const { fetch } = window;
            window.fetch = (path, options) => {
              if (String(path).endsWith('/play')) window.played = JSON.parse(options.body);
              return fetch(path, options);
            };
            document.querySelector('.record .quick[aria-label="Play Paper Boats"]').click()""")
        tags = page.wait("it is played", "return window.played?.continues.tags")
        self.assertEqual([(tag["name"], tag["isExcluded"]) for tag in tags], [("1990", False), ("1970", False), ("Rock", True), ("Chamber", True)])
        albums = wait_for(lambda: {one["album"] for one in self.household.ask("rooms/kitchen/queue")["items"]}, "the queue")
        self.assertLessEqual(albums, {"Paper Boats", "Harbour Lights"})
        page.press(".chip[aria-label='Remove Decade: 1970s']")
        self.shows("Paper Boats")
        page.run("history.back()")
        self.shows("Harbour Lights", "Paper Boats")
        page.press(".chip", "Clear all")
        page.has("h1", "All albums")

    def test_all_choices_of_one_visit_to_the_filter_are_one_step_back(self):
        page = self.page
        page.open("albums?sort=year")
        page.has(".record span", "2020 · Kestrel")
        page.press(".filter-button")
        page.press(".filter [data-kind=genre]")
        page.press(".filter-row", "Rock")
        page.has(".filter-foot", "Show 4 albums")
        page.press(".filter-row", "Jazz")
        page.has(".filter-foot", "Show 5 albums")
        page.run("history.back()")
        page.wait("the filter is closed", "return !document.querySelector('dialog.filter')")
        page.has("h1", "All albums")
        self.assertEqual(page.run("return location.hash"), "#/albums?sort=year")

    def test_long_lists_of_people_have_letters(self):
        page = self.page
        page.open("albums")
        page.press(".filter-button")
        page.press(".filter [data-kind=artist]")
        page.has(".filter-row", "Amber Vale")
        page.press(".filter-letters button", "M")
        page.wait("the list begins with M", "return document.querySelector('.filter-body .card b')?.textContent === 'Mara Stein'")
        page.press(".filter .knob[aria-label='All filters']")
        page.press(".filter [data-kind=genre]")
        page.has(".filter-row", "Ambient")
        page.press(".filter .pill", "Most first")
        page.wait("the list begins with the most", "return document.querySelector('.filter-body .card b')?.textContent === 'Chamber'")
        page.keys(Keys.ESCAPE)
        page.wait("the filter is closed", "return !document.querySelector('dialog.filter')")

    def test_what_was_never_played_and_a_folder_narrow_as_well(self):
        page = self.page
        page.open("albums")
        page.press(".filter-button")
        page.press(".filter [data-kind=unplayed]")
        page.has(".chip[aria-label='Remove Never played']")
        page.press(".filter [data-kind=folder]")
        page.press(f".knob[aria-label='Open {self.music}']")
        page.press(".filter-row", "Salt Road")
        page.press(".filter-foot .pill", "Show 2 albums")
        self.shows("Mile", "Mile")

    def test_albums_of_one_name_are_told_apart(self):
        page = self.page
        for place in ("search?q=mile", "albums?tag=artist:Salt Road"):
            page.open(place)
            page.has(".record span", "1999 · Salt Road")
            page.has(".record small", "FLAC 24/96 · Radio tape")
            page.has(".record small", "FLAC 16/44.1 · Studio tape")
            names = page.run("return [...document.querySelectorAll('.record-link')].map((one) => one.getAttribute('aria-label'))")
            self.assertIn("Mile, Salt Road, 1999, FLAC 24/96, Radio tape", names)

    def test_works_are_listed_and_played(self):
        page = self.page
        page.open("works")
        page.has(".count", "3 works")
        page.has(".track span", "Johann Sebastian Bach · 6 tracks")
        page.press(".knob[aria-label='Play Brandenburg Concerto No. 3']")
        wait_for(lambda: len(self.household.ask("rooms/kitchen/queue")["items"]), "its three movements", equals=3)
        bach = next(one for one in self.household.ask("works")["items"] if one["trackCount"] == 6)["composer"]["id"]
        page.go(f"works?composer={bach}")
        page.has("h1", "Works of Johann Sebastian Bach")
        page.has(".count", "2 works")

    def test_folders_are_shown_as_the_disk_has_them_and_played(self):
        page = self.page
        page.open("folders")
        page.has("h1", str(self.music))
        page.press(".track .knob[aria-label='More for Salt Road']")
        page.has(".menu [role=menuitem]", "Play next")
        page.keys(Keys.ESCAPE)
        page.wait("the button has the focus", "return document.activeElement.ariaLabel === 'More for Salt Road'")
        page.press(".track a", "Salt Road")
        page.press(".track a", "Radio tape")
        page.has("h1", "Radio tape")
        page.has(".track span", "03 Toll.flac")
        page.has(".record b", "Mile")
        page.press(".breadcrumb a", "Salt Road")
        page.has(".count", "2 folders")
        page.press(".head .pill", "Play")
        wait_for(lambda: len(self.household.ask("rooms/kitchen/queue")["items"]), "all files below the folder",
                 equals=5)
        page.press(".head .pill", "Show as albums")
        self.shows("Mile", "Mile")

    def test_damaged_files_are_listed_as_problems(self):
        page = self.page
        page.open("settings/sources")
        page.press(".pill", "Problems")
        page.has("h1", "Problems")
        # Others may be listed beside them, such as files without tags.
        page.press(".pill", "Damaged files (3)")
        page.has(".pill[aria-current=page]", "Damaged files (3)")
        rows = page.run("return [...document.querySelectorAll('.problem-row')].map((row) => row.textContent)")
        self.assertEqual(len(rows), 3)
        for name in ("cut.flac", "empty.mp3", "noise.ogg"):
            self.assertEqual(sum(str(self.music / "Damaged" / name) in row and "Copy it again" in row for row in rows), 1, name)

    def test_nothing_is_wrong_for_those_who_do_not_see_and_large_text_fits(self):
        page = self.page
        track = self.household.ask(f"albums/{self.album('Paper Boats')['id']}")["tracks"][0]["id"]
        bach = next(one for one in self.household.ask("artists?role=composer&limit=200")["items"] if one["name"] == "Johann Sebastian Bach")["id"]
        work = self.household.ask("works")["items"][0]["id"]
        albums = [self.album(title)["id"] for title in ("Concerto and Suite", "Harbour Lights", "Some of It")]
        places = ["albums?tag=genre:Rock&without=decade:1980", "artists?role=composer", f"artist/{bach}", "works", f"work/{work}", "folders", "problems", f"track/{track}",
                  *(f"album/{one}" for one in albums)]
        complaints = []
        for scheme, size in [("light", DESKTOP), ("dark", PHONE)]:
            page.set_scheme(scheme, "reduce")
            page.resize(size)
            page.open("albums")
            for place in places:
                page.go(place)
                page.run("for (const one of document.querySelectorAll('#main details')) one.open = true")
                page.wait("it is filled", "return !document.querySelector('#main .shimmering')")
                complaints += [f"{place}, {scheme}: {one}" for one in page.axe()]
            page.go("albums")
            page.press(".filter-button")
            page.press(".filter [data-kind=genre]")
            page.has(".filter-row", "Rock")
            complaints += [f"filter, {scheme}: {one}" for one in page.axe()]
            page.keys(Keys.ESCAPE)
        self.assertEqual(complaints, [])
        page.run("document.documentElement.style.fontSize = '200%'")
        for place in places:
            page.go(place)
            page.wait("it is laid out", "return document.querySelector('#main .screen')")
            self.assertLessEqual(page.run("return document.documentElement.scrollWidth"), PHONE[0], place)
