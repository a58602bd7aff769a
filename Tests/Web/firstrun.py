"""The first run: a household without music."""
import contextlib
import unittest

from case import ALBUMS, PageCase
from testhousehold import TestHousehold
from page import DESKTOP


class FirstRun(unittest.TestCase):
    """A household of its own, which has a source of folders as every household, but no folder."""

    @contextlib.contextmanager
    def first_run(self):
        """Shows the page of a new household, and afterwards that of the tests again."""
        page, address = PageCase.page, PageCase.page.address
        with TestHousehold(PageCase.household.programs, "", ["kitchen"]) as household:
            page.address = household.address
            page.resize(DESKTOP)
            try:
                page.open()
                page.has("h1", "Welcome to Lunara")
                yield page, household
            finally:
                page.driver.get("about:blank")
                page.address = address
        self.assertEqual(page.complaints(), [])

    def test_the_welcome_opens_while_there_is_no_music(self):
        with self.first_run() as (page, _):
            self.assertEqual(page.run("return location.hash"), "#/welcome")
            page.press(".pill", "Show my music")
            page.has("h2", "No albums yet")
            page.go("settings/sources")
            page.has(".source-line", "No folder of music is set.")
            page.has(".source details:not([hidden]) summary", "1 problem")
            page.run("document.querySelector('.source details').open = true")
            page.has(".source details li", "No music folder is set.")

    def test_the_welcome_says_what_is_done_and_ends_with_the_shelf_that_fills(self):
        with self.first_run() as (page, household):
            page.has(".step[data-done] .step-done", "Kitchen is ready to play.")
            page.has(".welcome-end p", "Your albums appear here as they are found.")
            self.assertEqual(page.run("return document.querySelectorAll('.step[data-done]').length"), 1)
            for scheme in ("light", "dark"):
                page.set_scheme(scheme, "reduce")
                self.assertEqual(page.axe(), [])
            page.write(".add input[name=address]", str(PageCase.music))
            page.press(".add button", "Add")
            page.has(".step[data-done] .step-done", "album")
            page.has(".welcome-end .shelf .record b", "Record")
            # The shelf of the home screen fills by itself while the rest is read.
            page.press(".pill", "Show my music")
            page.has(".home .shelf .record b", "Record")
            household.wait_for_albums(ALBUMS)
            page.has("[aria-label='Recently added'] .record b", "Record")
            self.assertEqual(page.axe(), [])
