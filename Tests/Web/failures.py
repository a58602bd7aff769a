"""Failures around the page: it keeps showing what it knows, and catches up afterwards."""
import contextlib
import os
import signal

from case import ALBUMS, PageCase
from page import DESKTOP, PHONE
from relay import Relay
from testhousehold import wait_for

NOT_CONNECTED = "This page is not connected to Lunara."

# The shown position in the track, and whether it is the same three seconds later.
STANDS_STILL = """
    const done = arguments[0];
    const shown = () => document.querySelector('.bar .times span').textContent;
    const before = shown();
    setTimeout(() => done(shown() === before), 3000)"""


class Failures(PageCase):
    """Services that are killed while the page is open."""

    def test_what_was_shown_stays_when_the_library_is_killed(self):
        page = self.page
        page.open("albums")
        page.has(".record:not(.shimmering) b", self.albums[0]["title"])
        self.household.kill("library")
        page.has(".banner", "The library does not answer")
        page.has(".record:not(.shimmering) b", self.albums[0]["title"])
        self.household.start("library", ["lunara-library"])
        page.wait("the banner goes", "return !document.querySelector('.banner[data-key=library]')")
        self.household.wait_for_albums(ALBUMS)

    def test_events_go_on_after_the_page_lost_its_service(self):
        self.play(0)
        page = self.page
        page.open("albums")
        page.wait("it plays", "return document.body.dataset.state === 'playing'")
        self.household.kill_service("web")
        wait_for(lambda: len(self.household.maybe("rooms") or []), "the rooms are met", equals=2)
        self.household.steer("kitchen", action="pause")
        page.wait("the page has heard it", "return document.body.dataset.state === 'paused'")
        page.has(".record:not(.shimmering)")

    @contextlib.contextmanager
    def frozen(self, role):
        """Stops a service without ending it: its connections stay open and silent."""
        process = self.household.service(role)
        os.kill(process, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(process, signal.SIGCONT)

    def test_a_frozen_service_is_noticed_and_a_click_is_answered(self):
        self.play(0)
        page = self.page
        page.open("albums")
        page.wait("it plays", "return document.body.dataset.state === 'playing'")
        with self.frozen("web"):
            # This request was sent before anybody could know.
            page.press(".bar .knob[aria-label='Next']")
            page.has(".banner", NOT_CONNECTED)
            page.said("it is not known whether this was done", "error")
            self.assertTrue(page.run_async(STANDS_STILL), "the clock stands still")
            page.press(".bar .knob.main")
            page.said("nothing was changed", "error")
            self.assertEqual(page.run("return document.body.dataset.state"), "away")
        page.wait("the banner goes", "return !document.querySelector('.banner[data-key=link]')")
        page.wait("it plays on", "return document.body.dataset.state === 'playing'")
        # The next track may still be loading; what matters is that nothing paused it.
        self.assertIn(self.household.room("kitchen")["state"], ("playing", "buffering"))

    def test_the_open_player_says_that_nothing_answers_and_goes_on_afterwards(self):
        self.play(0)
        page = self.page
        page.open("playing")
        page.has(".sheet[open] h2", "First Light")
        page.wait("it plays", "return document.querySelector('.sheet').dataset.state === 'playing'")
        with self.frozen("web"):
            page.has(".sheet[data-state='away'] .sheet-state", "Reconnecting")
            # The last known state stays on screen.
            page.has(".sheet[open] h2", "First Light")
            page.press(".sheet .knob[aria-label='Next']")
            page.said("nothing was changed", "error")
        page.has(".sheet[data-state='playing'] .sheet-state", "Playing")
        page.press(".sheet .knob[aria-label='Next']")
        page.has(".sheet[open] h2", "Long Shadow")

    def test_a_large_cover_that_was_cancelled_is_loaded_when_the_connection_is_back(self):
        page = self.page
        page.open("albums")
        page.has(".record:not(.shimmering)")
        # A header sets its cover once, and this size is not in the browser's cache.
        header = """
            const frame = document.createElement('span');
            frame.id = arguments[0];
            document.body.append(frame);
            return import('/parts/cover.js').then(({ setCover }) => setCover(frame, arguments[1], 1024))"""
        art = next(album["art"] for album in self.albums if album.get("art"))
        page.run("return import('/parts/cover.js').then(() => null)")
        with self.frozen("web"):
            page.run(header, "before", {"art": art, "title": "Before"})
            page.has(".banner", NOT_CONNECTED)
            page.run(header, "after", {"art": art, "title": "After"})
        page.wait("the banner goes", "return !document.querySelector('.banner[data-key=link]')")
        for name in ("before", "after"):
            page.wait(f"the cover {name} the loss is there", "return document.querySelector(`#${arguments[0]} img.there`)?.naturalWidth > 0", name)

    def test_a_cut_connection_is_noticed_and_made_again(self):
        self.play(0)
        page, address = self.page, self.page.address
        with Relay(self.household.port) as relay:
            page.address = relay.address
            try:
                page.open("albums")
                page.wait("it plays", "return document.body.dataset.state === 'playing'")
                relay.cut()
                page.said(NOT_CONNECTED)
                self.household.steer("kitchen", action="pause")
                page.wait("it has heard of it", "return document.body.dataset.state === 'paused'")
                page.wait("the banner goes", "return !document.querySelector('.banner[data-key=link]')")
                page.press(".bar .knob.main")
                wait_for(lambda: self.household.room("kitchen")["state"], "commands work again", equals="playing")
                page.wait("covers that were being loaded come", "return [...document.querySelectorAll('.record .cover img')].every((one) => one.matches('.there'))")
            finally:
                page.address = address
                page.open("albums")

    def test_banners_cover_no_heading_and_no_button(self):
        self.play(0)
        page = self.page
        show = """
            return import('/parts/banners.js').then(({ showBanner }) => {
              showBanner('This page is not connected to Lunara. Reconnecting …', { key: 'a', kind: 'wait', lasting: true });
              showBanner('The queue was replaced.', { key: 'b', action: { name: 'Undo', run() {} } });
            })"""
        free = """
            const all = [...document.querySelectorAll(arguments[0])].filter((one) => one.getClientRects().length);
            return all.length > 1 && all.every((one) => {
              const { left, top, width, height } = one.getBoundingClientRect();
              const met = document.elementFromPoint(left + width / 2, top + height / 2);
              return one === met || one.contains(met) || met?.contains(one);
            })"""
        for size in (DESKTOP, PHONE):
            page.resize(size)
            for place, parts in (("albums", "h1, .head-tools :is(button, a, select), .bar button"), ("queue", "h1, .head-tools :is(button, a, select), .bar button"),
                                 ("settings/sources", "h1, .bar button"), ("playing", ".sheet h2, .sheet-head button, .sheet-foot button")):
                page.open(place)
                page.has("h1, .sheet[open] h2")
                page.run(show)
                page.has(".banner", "The queue was replaced.")
                page.wait(f"{place} can be read and pressed at {size}", free, parts)
        # What is at the end can be scrolled beyond them.
        page.open("albums")
        page.has(".record:not(.shimmering) b")
        page.run(show)
        page.wait("the last album is free", """
            scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' });
            const records = [...document.querySelectorAll('.record')];
            const [last, banners] = [records.at(-1).getBoundingClientRect(), document.querySelector('.banners').getBoundingClientRect()];
            return last.bottom > 0 && banners.height > 0 && last.bottom <= banners.top""")

    def test_what_failed_without_a_connection_is_read_again_when_it_is_back(self):
        page, address = self.page, self.page.address
        with Relay(self.household.port) as relay:
            page.address = relay.address
            try:
                page.open("more")
                page.has(".more-link")
                relay.refuse()
                page.said(NOT_CONNECTED)
                for place in ("notes", f"album/{self.albums[2]['id']}"):
                    page.go(place)
                    page.has("button", "Try again")
                page.go("todos")
                page.has("button", "Try again")
                relay.refuse(False)
                page.wait("the place that is shown is read", "return !document.querySelector('#main .again') && document.querySelector('#main .empty')")
                page.run("history.back()")
                page.has(".track b", "First Light")
            finally:
                page.address = address
                page.open("albums")

    def test_a_card_fades_while_its_service_is_frozen(self):
        self.play(0)
        page = self.page
        page.driver.get(f"{self.household.address}/now/kitchen.html")
        page.wait("it follows the room", "return document.documentElement.dataset.connection === 'open'")
        with self.frozen("web"):
            page.wait("it is faded", "return getComputedStyle(document.querySelector('svg')).opacity < 1")
        page.wait("it is back", "return document.documentElement.dataset.connection === 'open'")

    def test_a_session_that_has_ended_leads_to_the_sign_in(self):
        page = self.page
        page.open("albums")
        # The service refuses the stream and says why, as after the session was ended elsewhere.
        page.run("""
            window.isTheOldDocument = true;
            const { fetch } = window;
            window.fetch = (path, ...rest) => (path === '/api/v1/session'
              ? Promise.resolve(new Response('{"needsPassword":true,"signedIn":false}')) : fetch(path, ...rest));
            window.EventSource = class extends EventTarget {
              static CLOSED = 2;
              readyState = 2;
              constructor() { super(); setTimeout(() => this.onerror()); }
              close() {}
            };
            dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))""")
        page.wait("the sign-in is a new document", "return !window.isTheOldDocument && location.hash === '#/login'")
        page.has("form input[name=password]")

    def test_many_pages_are_open_at_once(self):
        """A browser allows six connections to a host, and an event stream holds one."""
        page, first = self.page, self.page.driver.current_window_handle
        page.open("albums")
        self.play(0)
        page.wait("it plays", "return document.body.dataset.state === 'playing'")
        try:
            for _ in range(8):
                page.driver.switch_to.new_window("tab")
                page.open("albums")
                page.has(".record:not(.shimmering) b", self.albums[0]["title"])
        finally:
            for handle in page.driver.window_handles:
                if handle != first:
                    page.driver.switch_to.window(handle)
                    page.driver.close()
            page.driver.switch_to.window(first)
        # The first page catches up when it is shown again.
        self.household.steer("kitchen", action="pause")
        page.wait("it has heard of it", "return document.body.dataset.state === 'paused'")
