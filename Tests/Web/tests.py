#!/usr/bin/env python3
"""Tests of the page in a browser, with a household of two rooms. Usage: [BROWSER=firefox] tests.py PROGRAMS [--part N/M] [TEST…]

No test depends on the speed of the machine: each step waits for what it needs, for at most a minute. All tests share one household
and one browser, as starting them takes longer than most tests.
"""
import contextlib
import faulthandler
import os
import pathlib
import sys
import tempfile
import time
import unittest

from selenium.common.exceptions import WebDriverException

import access
import accounts
import articles
import asking
import browsing
import catalogue
import colours
import doing
import failures
import finding
import firefox
import firstrun
import foundelsewhere
import garden
import gardenfile
import home
import interactions
import inview
import knowing
import lockscreen
import modules
import offline
import opinions
import phone
import player
import playing
import playlists
import pluginaccounts
import providers
import wall
import wallanswers
import rediscovery
import resting
import states
import themes
from case import ALBUMS, ROOMS, PageCase
from testhousehold import TestHousehold
from music import make_music
from page import Page
from servers import Server, environment

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "Support"))
import flaky  # noqa: E402

CASES = [catalogue.Catalogue, finding.Finding, doing.Doing, playing.Playing, player.Player, player.Ambient, colours.Colours,
         lockscreen.LockScreen, failures.Failures, accounts.Accounts, access.Access, browsing.Browsing,
         playlists.Playlists, providers.Providers, offline.Offline, foundelsewhere.Plugins, pluginaccounts.PluginAccounts, inview.InView, asking.Asking,
         modules.Modules, knowing.Knowing, home.Home, rediscovery.Rediscovery, resting.Resting, themes.Themes, garden.Garden, gardenfile.GardenFile, firstrun.FirstRun,
         phone.Phone, wall.Wall, wallanswers.WallAnswers, articles.Articles, opinions.Opinions,
         interactions.Interactions, states.States]

# If more tests than these fail, none is run again.
MOST_AGAIN = 6


class Timed(unittest.TextTestResult):
    """Prints the time that each test took."""

    def startTest(self, test):
        self.began = time.monotonic()
        super().startTest(test)

    def addSuccess(self, test):
        super(unittest.TextTestResult, self).addSuccess(test)
        self.stream.writeln(f"ok, {time.monotonic() - self.began:.1f} s")


def tests(wanted, cases):
    every = [test for case in cases for test in unittest.defaultTestLoader.loadTestsFromTestCase(case)]
    names = {test.id().split(".")[-1] for test in every}
    if unknown := [name for name in wanted if name not in names]:
        sys.exit(f"browser: no such test: {' '.join(unknown)}")
    return unittest.TestSuite(test for test in every if not wanted or test.id().split(".")[-1] in wanted)


def succeeds(suite):
    """Runs tests and returns True if all passed. A few that failed are run once more at the end: a browser on a busy machine
    may draw later than a test asks. One that passes only then fails where CI is set, unless Tests/Support/flaky lists it."""
    done = unittest.TextTestRunner(resultclass=Timed, verbosity=2).run(suite)
    failed = list({getattr(test, "test_case", test) for test, _ in done.failures + done.errors})
    if done.wasSuccessful() or len(failed) > MOST_AGAIN or not all(isinstance(test, unittest.TestCase) for test in failed):
        return done.wasSuccessful()
    names = sorted({test.id().split(".")[-1] for test in failed})
    print(f"Failed, and are run once more: {', '.join(names)}", file=sys.stderr)
    again = unittest.TextTestRunner(resultclass=Timed, verbosity=2).run(unittest.TestSuite(sorted(failed, key=unittest.TestCase.id)))
    return again.wasSuccessful() and flaky.may_pass(names)


def main():
    programs, wanted, cases = sys.argv[1], sys.argv[2:], CASES
    if wanted[:1] == ["--part"]:
        number, count = (int(one) for one in wanted[1].split("/"))
        wanted, cases = wanted[2:], CASES[number - 1::count]
    browser = os.environ.get("BROWSER", "chromium")
    if browser not in ("chromium", "firefox"):
        sys.exit(f"browser: BROWSER is chromium or firefox, not {browser}")
    open_page = firefox.FirefoxPage if browser == "firefox" else Page
    # The shell script kills this program after 2,700 s; the traceback shows where it hung.
    faulthandler.dump_traceback_later(2690)
    with contextlib.ExitStack() as stack:
        scratch = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="lunara-music-")))
        make_music(scratch / "music", scratch, ALBUMS)
        PageCase.servers = {name: stack.enter_context(Server(name)) for name in ("plex", "subsonic", "lastfm", "listenbrainz")}
        PageCase.music = scratch / "music"
        household = PageCase.household = stack.enter_context(TestHousehold(programs, scratch / "music", ROOMS, environment(PageCase.servers)))
        try:
            PageCase.page = stack.enter_context(open_page(household.address))
        except (WebDriverException, OSError) as error:
            first = str(error).strip().split("\n")[0]
            sys.exit(f"browser: {browser} cannot be started here: {first}\nIt is installed by: deploy/setup test")
        household.wait_for_albums(ALBUMS)
        PageCase.albums = household.ask("albums?limit=200")["items"]
        if not succeeds(tests(wanted, cases)):
            print((household.folder / "log").read_text(errors="replace")[-4000:], file=sys.stderr)
            sys.exit(1)


if __name__ == "__main__":
    main()
