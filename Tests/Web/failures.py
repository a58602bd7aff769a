"""What fails around the page: what was shown stays, and what happened meanwhile is caught up with."""
from case import ALBUMS, PageCase
from house import wait_for


class Failures(PageCase):
    """Services that die under the page."""

    def test_what_was_shown_stays_when_the_library_is_killed(self):
        page = self.page
        page.open("albums")
        page.has(".record:not(.shimmering) b", self.albums[0]["title"])
        self.house.kill("library")
        page.has(".banner", "The library is not answering")
        page.has(".record:not(.shimmering) b", self.albums[0]["title"])
        self.house.start("library", ["lunara-library"])
        page.wait("the banner goes", "return !document.querySelector('.banner[data-key=library]')")
        self.house.wait_for_albums(ALBUMS)

    def test_events_go_on_after_the_page_lost_its_service(self):
        self.play(0)
        page = self.page
        page.open("albums")
        page.wait("it plays", "return document.body.dataset.state === 'playing'")
        self.house.kill_service("web")
        wait_for(lambda: len(self.house.maybe("rooms") or []) == 2, "the rooms are met")
        self.house.steer("kitchen", action="pause")
        page.wait("the page has heard it", "return document.body.dataset.state === 'paused'")
        page.has(".record:not(.shimmering)")

    def test_many_pages_are_open_at_once(self):
        """A browser gives a host six connections; what hears of events holds one."""
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
        # Who comes back to the first one sees what happened meanwhile.
        self.house.steer("kitchen", action="pause")
        page.wait("it has heard of it", "return document.body.dataset.state === 'paused'")
