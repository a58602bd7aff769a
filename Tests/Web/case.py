"""What all tests of the page share: one household, one browser, and the stand-ins of the services that one signs in to."""
import unittest

from house import wait_for
from page import DESK

ALBUMS = 132
ROOMS = ("kitchen", "study")

# Whether the rows in sight are filled: none is missing in the middle of the window, and none waits.
IN_SIGHT = """
    const records = [...document.querySelectorAll('.record')].filter((one) => {
      const box = one.getBoundingClientRect();
      return box.bottom > 0 && box.top < innerHeight;
    });
    return records.length > 9 && !document.querySelector('.shimmering')"""


class PageCase(unittest.TestCase):
    """A test of the page. Each begins with empty queues, on a desk, in the light; what was shown before is left as it is."""

    house = None
    page = None
    servers = None
    music = None
    albums = []

    def setUp(self):
        for room in ROOMS:
            self.house.ask(f"rooms/{room}/queue", {"action": "clear"})
            self.house.steer(room, action="repeat", mode="off")
        # Motion is left out: a processor that draws a turning record sixty times a second does little else.
        self.page.wear("light", "reduce")
        self.page.resize(DESK)

    def tearDown(self):
        self.assertEqual(self.page.complaints(), [])

    def play(self, index=0, room="kitchen", at=0):
        self.house.ask("play", {"ids": [self.albums[index]["id"]], "room": room, "startAt": at})
        wait_for(lambda: self.house.room(room)["state"] == "playing", f"{room} plays")

    def order(self):
        return [item["title"] for item in self.house.ask("rooms/kitchen/queue")["items"]]
