"""Playing from the page: its states, the sheet, the queue, the rooms."""
from selenium.webdriver.common.action_chains import ActionChains

from case import PageCase
from testhousehold import wait_for
from page import DESKTOP, PHONE, Keys


class Playing(PageCase):
    """Playing, and controlling the room."""

    def test_an_album_is_played_from_the_grid_and_its_states_are_seen(self):
        page = self.page
        page.open("albums")
        page.has(".record:not(.shimmering) b", self.albums[1]["title"])
        page.run("""
            window.seen = [];
            new MutationObserver(() => window.seen.push(document.body.dataset.state))
              .observe(document.body, { attributes: true, attributeFilter: ['data-state'] })""")
        page.run("document.querySelectorAll('.record .quick')[1].click()")
        page.wait("it plays", "return window.seen.includes('playing')")
        seen = page.run("return window.seen")
        self.assertIn("buffering", seen)
        self.assertLess(seen.index("buffering"), seen.index("playing"))
        page.has(".bar b", "First Light")
        page.has(".record[data-state='playing'] b", self.albums[1]["title"])
        page.press(".bar .knob.main")
        page.wait("it is paused everywhere", """
            return document.body.dataset.state === 'paused' && document.querySelector('.record[data-state="paused"]')
              && document.querySelector('.bar-under').textContent.includes('Paused')""")
        self.assertEqual(self.household.room("kitchen")["track"]["albumID"], self.albums[1]["id"])

    def test_the_screen_of_an_album_marks_the_track_that_plays(self):
        self.play(0)
        page = self.page
        page.open("albums")
        page.press(".record-link b", self.albums[0]["title"])
        page.has("h1", self.albums[0]["title"])
        page.has(".track-play[aria-current] b", "First Light")
        self.assertIn("album/", page.run("return location.hash"))
        page.wait("it can be sought there", """
            const box = document.querySelector('.bar .scrubber input');
            return box.checkVisibility({ visibilityProperty: true }) && !box.disabled""")
        page.run("""
            const box = document.querySelector('.bar .scrubber input');
            box.value = 60;
            for (const name of ['input', 'change']) box.dispatchEvent(new Event(name, { bubbles: true }))""")
        wait_for(lambda: self.household.room("kitchen")["positionSeconds"] >= 58, "the room is at 1:00")
        page.resize(PHONE)
        self.assertTrue(page.run("return document.querySelector('.bar .bar-line').checkVisibility()"), "a phone shows the position")
        page.resize(DESKTOP)
        page.press(".track-play b", "Slow Water")
        page.has(".track-play[aria-current] b", "Slow Water")
        page.run("history.back()")
        page.has("h1", "All albums")
        page.run("history.forward()")
        page.has("h1", self.albums[0]["title"])

    def test_an_album_is_the_end_until_a_switch_lets_more_follow_under_a_heading(self):
        page = self.page
        page.open(f"album/{self.albums[0]['id']}")
        page.press(".actions .pill.first", "Play")
        wait_for(lambda: self.household.room("kitchen")["state"], "it plays", equals="playing")
        page.go("queue")
        page.has(".queued[data-key='3']")
        queue = self.household.ask("rooms/kitchen/queue")
        self.assertEqual((queue["count"], queue["continues"]), (4, False))
        page.has(".following .switch-row", "Continue with more albums")
        self.assertFalse(page.run("return document.querySelector('.following h2').checkVisibility()"))
        page.press(".following .switch")
        page.has(".following h2", "Then more albums")
        page.has(".following .queued b", "First Light")
        queue = self.household.ask("rooms/kitchen/queue")
        self.assertGreater(queue["count"], 4)
        self.assertEqual([bool(item.get("continued")) for item in queue["items"][:5]], [False] * 4 + [True])
        self.assertEqual(page.run("return document.querySelectorAll('.queue-screen > .window .queued').length"), 4)
        # The player and the queue beside the page have the same end.
        page.press(".head-tools .pill", "Beside the page")
        page.has(".queue-panel .following h2", "Then more albums")
        page.has(".queue-panel .following .queued b", "First Light")
        page.press(".queue-panel .knob[aria-label='Hide the queue']")
        page.press(".bar-open")
        page.has(".sheet[open] .following .queued b", "First Light")
        page.press(".sheet .following .switch")
        wait_for(self.order, "the album is the end again",
                 equals=["First Light", "Long Shadow", "Slow Water", "Open Door"])
        page.wait("the heading is gone", "return !document.querySelector('.sheet .following h2').checkVisibility()")
        page.press(".sheet .knob[aria-label='Sleep timer']")
        page.press(".menu [role^=menuitem]", "After this album")
        page.has(".sheet", "stops after this album")
        self.assertTrue(self.household.room("kitchen")["modes"]["stopsAfterAlbum"])
        self.household.steer("kitchen", action="stop-after-album", on=False)

    def test_the_queue_says_why_it_plays_and_what_follows(self):
        self.play(0)
        page = self.page
        page.open("queue")
        page.press(".queue-why summary", "Why this plays")
        page.has(".queue-why dd", f"{self.albums[0]['title']}, 4 tracks")
        page.has(".queue-why dd", "on this machine")
        page.has(".queue-why dt", "Ends")
        # It is read again once another track plays.
        self.household.steer("kitchen", action="next")
        page.has(".queue-why dd", f"{self.albums[0]['title']}, 3 tracks")

    def test_the_scrubber_seeks(self):
        self.play(0)
        page = self.page
        page.open("playing")
        page.has(".sheet[open] h2", "First Light")
        page.run("""
            const box = document.querySelector('.sheet .scrubber input');
            box.value = 60;
            for (const name of ['input', 'change']) box.dispatchEvent(new Event(name, { bubbles: true }))""")
        wait_for(lambda: self.household.room("kitchen")["positionSeconds"] >= 58, "the room is at 1:00")
        page.wait("the page shows it", "return document.querySelector('.sheet .times span').textContent.startsWith('1:')")
        self.assertGreaterEqual(page.run("return document.querySelector('.sheet .scrubber input').getBoundingClientRect().height"), 54)

    def test_the_sheet_has_an_address_and_is_closed_by_escape_and_by_pulling_it_down(self):
        self.play(0)
        page = self.page
        page.open("albums")
        page.press(".bar-open")
        page.has(".sheet[open] h2", "First Light")
        page.keys(Keys.ESCAPE)
        page.wait("it is closed", "return !document.querySelector('.sheet[open]') && location.hash === '#/albums'")
        page.press(".bar-open")
        grip = page.has(".sheet[open] .sheet-cover")
        ActionChains(page.driver).click_and_hold(grip).move_by_offset(0, 90).move_by_offset(0, 120).release().perform()
        page.wait("it is gone", "return !document.querySelector('.sheet[open]') && location.hash === '#/albums'")

    def test_the_queue_is_reordered_by_keys_and_by_drag(self):
        self.play(0)
        page = self.page
        page.open("queue")
        handle = page.has(".handle[aria-label^='Move Long Shadow']")
        page.run("arguments[0].focus()", handle)
        page.keys(Keys.ARROW_DOWN)
        wait_for(self.order, "it is one further down", equals=["First Light", "Slow Water", "Long Shadow", "Open Door"])
        page.wait("the page shows it", "return document.querySelectorAll('.queued b')[2]?.textContent === 'Long Shadow'")
        handle = page.has(".handle[aria-label^='Move Open Door']")
        height = page.run("return document.querySelector('.queued').offsetHeight")
        ActionChains(page.driver).click_and_hold(handle).move_by_offset(0, -height).move_by_offset(0, -height).release().perform()
        wait_for(self.order, "it is two further up", equals=["First Light", "Open Door", "Slow Water", "Long Shadow"])
        page.wait("the page shows it", "return document.querySelectorAll('.queued b')[1]?.textContent === 'Open Door'")
        page.press(".knob[aria-label='Remove Slow Water']")
        wait_for(self.order, "one is removed", equals=["First Light", "Open Door", "Long Shadow"])
        page.wait("the page shows three", "return document.querySelectorAll('.queued').length === 3")

    def test_a_cleared_queue_is_restored_with_its_place(self):
        self.play(0, at=2)
        self.household.steer("kitchen", action="seek", seconds=40)
        self.household.steer("kitchen", action="pause")
        self.household.steer("kitchen", action="repeat", mode="all")
        before = self.order()
        page = self.page
        page.open("queue")
        page.has(".queued[data-key='2'] .track-play[aria-current]")
        page.press(".head-tools .pill", "Clear")
        wait_for(lambda: self.household.room("kitchen")["state"], "the room has stopped", equals="idle")
        page.press(".banner .banner-act", "Undo")
        # The room is at its place as soon as the queue is restored, and names the track when it has read the item.
        wait_for(lambda: self.household.room("kitchen")["track"], "it names its track")
        room = self.household.room("kitchen")
        self.assertGreaterEqual(room["positionSeconds"], 40)
        self.assertEqual((room["state"], room["track"]["title"]), ("paused", before[2]))
        self.assertEqual(room["modes"]["repeat"], "all")
        self.assertEqual(self.order(), before)

    def test_a_long_queue_is_restored_with_its_place_and_what_follows(self):
        ids = [album["id"] for album in self.albums]
        self.household.ask("play", {"ids": ids, "room": "kitchen", "startAt": 520, "continues": {"sort": "name"}})
        wait_for(lambda: self.household.room("kitchen")["state"], "it plays", equals="playing")
        before = self.household.ask("rooms/kitchen/queue?first=500&limit=100")
        page = self.page
        page.open("queue")
        page.press(".head-tools .pill", "Clear")
        page.press(".banner .banner-act", "Undo")
        wait_for(lambda: self.household.ask("rooms/kitchen/queue")["current"], "it is at its place", equals=520)
        wait_for(lambda: self.household.room("kitchen")["state"], "it plays", equals="playing")
        after = self.household.ask("rooms/kitchen/queue?first=500&limit=100")
        self.assertEqual(after["count"], before["count"])
        self.assertEqual([item["id"] for item in after["items"]], [item["id"] for item in before["items"]])
        self.assertEqual(after["continuation"], before["continuation"])

    def test_a_paused_queue_that_was_replaced_is_restored_without_a_sound(self):
        self.play(0, at=1)
        self.household.steer("kitchen", action="pause")
        page = self.page
        page.open("albums")
        page.has(".record:not(.shimmering) b", self.albums[1]["title"])
        page.wait("it is paused", "return document.body.dataset.state === 'paused'")
        page.run("document.querySelectorAll('.record .quick')[1].click()")
        wait_for(lambda: (self.household.room("kitchen")["track"] or {}).get("albumID") == self.albums[1]["id"], "another album plays")
        page.press(".banner .banner-act", "Undo")
        wait_for(lambda: (self.household.room("kitchen")["track"] or {}).get("albumID") == self.albums[0]["id"], "the first is back")
        self.assertEqual(self.household.room("kitchen")["state"], "paused")
        self.assertEqual(self.household.ask("rooms/kitchen/queue")["current"], 1)

    def test_a_replaced_queue_is_restored(self):
        self.household.ask("play", {"ids": [self.albums[0]["id"]], "room": "kitchen", "startAt": 1, "continues": {"sort": "name"}})
        wait_for(lambda: self.household.room("kitchen")["state"], "it plays", equals="playing")
        page = self.page
        page.open("albums")
        page.has(".record:not(.shimmering) b", self.albums[1]["title"])
        page.run("document.querySelectorAll('.record .quick')[1].click()")
        wait_for(lambda: (self.household.room("kitchen")["track"] or {}).get("albumID") == self.albums[1]["id"], "another album plays")
        page.press(".banner .banner-act", "Undo")
        wait_for(lambda: (self.household.room("kitchen")["track"] or {}).get("albumID") == self.albums[0]["id"], "the first plays again")
        queue = self.household.ask("rooms/kitchen/queue?limit=100")
        self.assertEqual((queue["current"], queue["continuation"]["sort"]), (1, "name"))

    def test_undo_is_not_offered_for_a_queue_that_somebody_else_has_replaced_meanwhile(self):
        self.play(0)
        page = self.page
        page.open("albums")
        page.has(".record:not(.shimmering) b", self.albums[1]["title"])
        # Without its timer the banner stays, so that only the other queue can take it away.
        page.run("const real = setTimeout; window.setTimeout = (run, time) => (time === 10000 ? 0 : real(run, time))")
        offered = "return Boolean(document.querySelector('.banner[data-key=queue-undo]'))"
        page.run("document.querySelectorAll('.record .quick')[1].click()")
        page.has(".banner .banner-act", "Undo")
        self.household.ask("play", {"ids": [self.albums[3]["id"]], "room": "kitchen", "mode": "later"})
        page.go("queue")
        page.has(".queued[data-key='4']")
        self.assertTrue(page.run(offered), "what is queued later leaves Undo")
        self.household.ask("play", {"ids": [self.albums[2]["id"]], "room": "kitchen"})
        page.wait("Undo is not offered", f"return !(() => {{ {offered} }})()")
        page.press(".head-tools .pill", "Clear")
        page.has(".banner .banner-act", "Undo")
        self.household.ask("play", {"ids": [self.albums[0]["id"]], "room": "kitchen"})
        page.wait("Undo is not offered", f"return !(() => {{ {offered} }})()")

    def test_the_bar_is_there_while_something_is_left_to_play(self):
        page = self.page
        page.open("albums")
        page.wait("there is no bar", "return document.querySelector('.bar').hidden")
        self.household.ask("play", {"ids": [self.albums[0]["id"]], "room": "kitchen", "mode": "later"})
        page.has(".bar b", "Ready to play")
        page.press(".bar .knob.main")
        page.has(".bar b", "First Light")
        self.household.steer("kitchen", action="stop")
        page.has(".bar b", "Ready to play")
        self.household.steer("kitchen", action="jump", index=3)
        self.household.steer("kitchen", action="next")
        page.wait("nothing is left", "return document.querySelector('.bar').hidden && document.body.dataset.state === 'idle'")
        self.assertEqual(len(self.order()), 4)

    def test_a_long_queue_is_where_it_was_after_going_back(self):
        ids = [album["id"] for album in self.albums[:60]]
        self.household.ask("play", {"ids": ids, "room": "kitchen", "startAt": 100})
        page = self.page
        page.open("queue")
        page.has(".queued[data-key='100'] .track-play[aria-current]")
        page.run("scrollTo({ top: 400, behavior: 'instant' })")
        page.wait("the rows there are shown", "return document.querySelector('.queued[data-key=\"4\"]')")
        top = page.run("return scrollY")
        page.go("albums")
        page.has(".record:not(.shimmering)")
        page.run("history.back()")
        page.wait("the queue is back", "return document.querySelector('#main .queue-screen')")
        page.has(".queued[data-key='4']")
        self.assertEqual(page.run("return scrollY"), top)

    def test_the_sheet_shows_the_stars_of_the_track_and_of_the_album(self):
        self.play(0)
        album = self.albums[0]["id"]
        track = self.household.room("kitchen")["track"]["id"]
        stars = "return document.querySelector('.sheet input[aria-label=\"Rating of {}\"]').value === '{}'"
        page = self.page
        page.open("playing")
        page.has(".sheet[open] h2", "First Light")
        try:
            self.household.ask(f"ratings/{album}", {"stars": 4.5}, "PUT")
            page.wait("the album's stars", stars.format(self.albums[0]["title"], "4.5"))
            self.household.ask(f"ratings/{track}", {"stars": 2}, "PUT")
            page.wait("the track's stars", stars.format("First Light", "2"))
            page.run("""
                const slider = document.querySelector('.sheet input[aria-label^="Rating of Record"]');
                slider.value = 3;
                for (const name of ['input', 'change']) slider.dispatchEvent(new Event(name, { bubbles: true }))""")
            wait_for(lambda: self.household.ask(f"albums/{album}").get("rating"), "the album is rated", equals=3)
        finally:
            for one in (album, track):
                self.household.ask(f"ratings/{one}", {"stars": None}, "PUT")

    def test_a_banner_is_closed_by_a_tap(self):
        page = self.page
        page.open("queue")
        # This one does not vanish by itself.
        page.run("import('/parts/banners.js').then(({ showBanner }) => showBanner('A problem that lasts.', { lasting: true }))")
        page.press(".banner .banner-words", "A problem that lasts.")
        page.wait("it is closed", "return !document.querySelector('.banner')")

    def test_the_music_moves_to_another_room(self):
        self.play(0)
        page = self.page
        page.open("rooms")
        page.press(".room .pill", "Move the music")
        page.press(".menu [role=menuitem]", "Study")
        wait_for(lambda: self.household.room("study")["state"], "the study plays", equals="playing")
        page.said("The music now plays in Study")
        self.assertEqual(self.household.room("kitchen")["track"], None)

    def test_a_room_goes_on_in_long_tracks_once_that_is_chosen(self):
        page = self.page
        page.open("rooms")
        page.press(".room-more summary", "Name, output, volume and sleep timer")
        box = '''[...document.querySelectorAll('.room-more[open] label')]
            .find((one) => one.innerText.includes('Tracks over 20 minutes'))?.querySelector('select')'''
        room = self.household.ask("rooms")[0]["name"]
        for choice, is_on in [("left", True), ("", False)]:
            page.wait("the choice", f"const box = {box}; return Boolean(box?.offsetParent)")
            page.run(f"const box = {box}; box.value = '{choice}'; box.dispatchEvent(new Event('change', {{ bubbles: true }}))")
            wait_for(lambda: self.household.ask(f"rooms/{room}/output")["resumesLongTracks"], "the room knows",
                     equals=is_on)

    def test_music_that_was_moved_is_taken_back_with_the_queue_that_it_replaced(self):
        self.play(1, room="study")
        self.household.steer("study", action="pause")
        replaced = self.household.room("study")["track"]["title"]
        self.play(0)
        moved = self.household.room("kitchen")["track"]["title"]
        page = self.page
        page.open("rooms")
        page.press(".room .pill", "Move the music")
        page.press(".menu [role=menuitem]", "Study")
        wait_for(lambda: (self.household.room("study")["track"] or {}).get("title"), "the study plays it", equals=moved)
        page.press(".banner-act", "Undo")
        wait_for(lambda: self.household.room("kitchen")["state"], "the kitchen plays again", equals="playing")
        wait_for(lambda: (self.household.room("study")["track"] or {}).get("title"), "the study has its queue",
                 equals=replaced)
        self.assertEqual(self.household.room("kitchen")["track"]["title"], moved)
        wait_for(lambda: self.household.room("study")["state"], "the study is paused as before", equals="paused")

    def test_a_move_between_rooms_is_not_taken_back_once_somebody_has_filled_either_of_them(self):
        page = self.page
        offered = "return Boolean(document.querySelector('.banner[data-key=queue-undo]'))"
        # Both times the study is filled: as the room that has the music now, and as the one that had it.
        for start, target in (("kitchen", "Study"), ("study", "Kitchen")):
            self.setUp()
            self.play(0, room=start)
            page.open("albums")
            page.has(".record:not(.shimmering) b", self.albums[1]["title"])
            page.wait("the first room is shown and plays", """
                return import('/core/store.js').then(({ chooseRoom, store }) => {
                  chooseRoom(arguments[0]);
                  return store.queues.get(arguments[0])?.current === 0;
                })""", start)
            page.run("const real = setTimeout; window.setTimeout = (run, time) => (time === 10000 ? 0 : real(run, time))")
            # The watch over the queue that is replaced here must end with the move, which empties that queue.
            page.run("document.querySelectorAll('.record .quick')[1].click()")
            page.has(".banner .banner-act", "Undo")
            page.go("rooms")
            page.press(".room .pill", "Move the music")
            page.press(".menu [role=menuitem]", target)
            page.said(f"The music now plays in {target}")
            page.go("queue")
            page.has(".queued")
            page.wait("the first room is empty", """
                return import('/core/store.js').then(({ store }) => store.queues.get(arguments[0])?.count === 0)""", start)
            self.assertTrue(page.run(offered), "the move itself leaves Undo")
            self.household.ask("play", {"ids": [self.albums[2]["id"]], "room": "study"})
            page.wait("Undo is not offered", f"return !(() => {{ {offered} }})()")

    def test_shortcuts_control_the_room_and_are_listed(self):
        self.play(0)
        page = self.page
        page.open("albums")
        page.keys(" ")
        wait_for(lambda: self.household.room("kitchen")["state"], "the room is paused", equals="paused")
        page.keys("?")
        page.has("dialog.keys h2", "Keyboard shortcuts")
        page.keys(Keys.ESCAPE)
        page.keys("/")
        page.wait("the box has the focus", "return document.activeElement.id === 'search-words'")

    def test_a_room_is_named_and_heard_in_the_first_run(self):
        page = self.page
        page.open("welcome")
        page.wait("its name stands there", "return document.querySelector('.step input[maxlength]')?.value === 'Kitchen'")
        page.write(".step input[maxlength]", "Sommarköket")
        page.run("document.querySelector('.step input[maxlength]').dispatchEvent(new Event('change', { bubbles: true }))")
        page.said("The room is now called Sommarköket.")
        page.press(".step .pill", "Play a test sound")
        page.said("The test sound was played in Sommarköket.")
        page.go("rooms")
        page.has(".room h2", "Sommarköket")
        self.household.ask("rooms/kitchen", {"title": None}, "PATCH")
        page.has(".room h2", "Kitchen")
