"""The first run: a household without music."""
import unittest

from case import PageCase
from testhousehold import TestHousehold
from page import DESKTOP


class FirstRun(unittest.TestCase):
    """A household of its own, which has a source of folders as every household, but no folder."""

    def test_the_welcome_opens_while_there_is_no_music(self):
        page, address = PageCase.page, PageCase.page.address
        with TestHousehold(PageCase.household.programs, "", ["kitchen"]) as household:
            page.address = household.address
            page.resize(DESKTOP)
            try:
                page.open()
                page.has("h1", "Welcome to Lunara")
                self.assertEqual(page.run("return location.hash"), "#/welcome")
                page.press(".pill", "Show my music")
                page.has("h2", "No albums yet")
                page.go("settings/sources")
                page.has(".source-line", "No folder of music is set.")
            finally:
                page.driver.get("about:blank")
                page.address = address
        self.assertEqual(page.complaints(), [])
