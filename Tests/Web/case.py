"""The base of all tests of the page: one household, one browser, and fake servers of the services to sign in to."""
import unittest

from testhousehold import wait_for
from page import DESKTOP

ALBUMS = 132
ROOMS = ("kitchen", "study")

# True if all cards in view are loaded.
IN_SIGHT = """
    const records = [...document.querySelectorAll('.record')].filter((one) => {
      const box = one.getBoundingClientRect();
      return box.bottom > 0 && box.top < innerHeight;
    });
    return records.length > 9 && !document.querySelector('.shimmering')"""


class PageCase(unittest.TestCase):
    """A test of the page. Each begins with empty queues, a large window and light colours, at the screen of the test before."""

    household = None
    page = None
    servers = None
    music = None
    albums = []

    def setUp(self):
        for room in ROOMS:
            self.household.ask(f"rooms/{room}/queue", {"action": "clear"})
            self.household.steer(room, action="repeat", mode="off")
        # Without motion: drawing a turning disc sixty times a second takes most of the processor.
        self.page.set_scheme("light", "reduce")
        self.page.resize(DESKTOP)

    def tearDown(self):
        self.assertEqual(self.page.complaints(), [])

    def play(self, index=0, room="kitchen", at=0):
        self.household.ask("play", {"ids": [self.albums[index]["id"]], "room": room, "startAt": at})
        wait_for(lambda: self.household.room(room)["state"], f"{room} plays", equals="playing")

    def order(self):
        return [item["title"] for item in self.household.ask("rooms/kitchen/queue")["items"]]
