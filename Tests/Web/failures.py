"""Failures around the page: it keeps showing what it knows, and catches up afterwards."""
from case import ALBUMS, PageCase
from testhousehold import wait_for


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
        wait_for(lambda: len(self.household.maybe("rooms") or []) == 2, "the rooms are met")
        self.household.steer("kitchen", action="pause")
        page.wait("the page has heard it", "return document.body.dataset.state === 'paused'")
        page.has(".record:not(.shimmering)")

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
