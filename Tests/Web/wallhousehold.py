"""The base of tests of the wall: a household of its own whose albums have several genres, and the browser of all tests."""
import contextlib
import pathlib
import shutil
import tempfile

from case import PageCase
from music import make_music
from page import DESKTOP
from testhousehold import TestHousehold

ALBUMS = 150
GENRES = ["Jazz", "Bebop", "Smooth Jazz", "Folk", "Zibblecore"]

# Keeps the pages of walls that the page reads, and the most that it read at the same time.
WATCH = """
    window.walls = [];
    window.mostAtOnce = 0;
    let running = 0;
    const { fetch } = window;
    window.fetch = async (path, ...rest) => {
      if (!/\\/(wall|feed)(\\?|$)/.test(String(path))) return fetch(path, ...rest);
      running += 1;
      window.mostAtOnce = Math.max(window.mostAtOnce, running);
      try {
        const answer = await fetch(path, ...rest);
        window.walls.push(await answer.clone().json());
        return answer;
      } finally {
        running -= 1;
      }
    };"""
READY = "return document.querySelector('.tile') && !document.querySelector('.wall[data-phase]')"


class WallCase(PageCase):
    """A test with the service that makes walls, which runs from the first `begin` on."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        stack = contextlib.ExitStack()
        cls.addClassCleanup(stack.close)
        scratch = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="lunara-wall-")))
        make_music(scratch / "music", scratch, ALBUMS, tracks=1, genres=GENRES)
        shutil.rmtree(scratch / "music/00000")  # So that no page ends at a multiple of its length.
        cls.household = stack.enter_context(TestHousehold(PageCase.household.programs, scratch / "music"))
        cls.household.wait_for_albums(ALBUMS - 1)
        former = cls.page.address
        cls.page.address = cls.household.address

        def leave():
            cls.page.driver.get("about:blank")
            cls.page.address = former
        stack.callback(leave)

    def begin(self, place="wall", scheme="light", motion="reduce", size=DESKTOP):
        """Opens a place in a new document, in a household that has walls."""
        if "discovery" not in self.household.processes:
            (self.household.folder / "home/discovery").mkdir(exist_ok=True)
            self.household.start_discovery()
        self.page.set_scheme(scheme, motion)
        self.page.resize(size)
        self.page.open("more")
        self.page.run(WATCH)
        self.page.go(place)
        if place.startswith("wall"):
            self.page.wait("the wall is there", READY)

    def last(self):
        return self.page.run("return window.walls.at(-1)")
