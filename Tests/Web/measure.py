#!/usr/bin/env python3
"""Measures what the page costs. Usage: measure.py PROGRAMS [ALBUMS] [--moving]

With `--moving` it measures instead what moves, of ALBUMS with covers: see moving.py.
Bytes and requests are what chromium counts until the first album card is filled, heads included, without covers: at a first visit, at a
later one, and at one that the service worker answers; from a click to a state is until the frame after the page has changed; nodes are counted while a list of ALBUMS (100,000) is scrolled.
"""
import pathlib
import sys
import tempfile

from testhousehold import TestHousehold, wait_for
from music import make_music
from page import DESKTOP, PHONE, Page

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Bench"))
import moving  # noqa: E402
from figures import heading, median, print_preamble, row, table  # noqa: E402

ROUNDS = 41
STEPS = 200

# Records the time at which the first album card is filled.
WATCH = """
    new MutationObserver((_, watch) => {
      if (![...document.querySelectorAll('.record:not(.shimmering) b')].some((one) => one.textContent)) return;
      window.filled = performance.now();
      watch.disconnect();
    }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ['class'] })"""

# The requests until then, as chromium counts them; an event stream has no size while it lasts.
SPENT = """
    const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
      .filter((one) => one.startTime < window.filled && !one.name.includes('/api/v1/art/'));
    return [all.length, all.reduce((sum, one) => sum + one.transferSize, 0), all.reduce((sum, one) => sum + one.decodedBodySize, 0), window.filled]"""

# Clicks, and waits until the page has shown another state and the frame with it is drawn.
CLICK = """
    const [selector, state, done] = arguments;
    const from = performance.now();
    const seen = () => document.body.dataset.state === state;
    const end = () => requestAnimationFrame(() => setTimeout(() => done(performance.now() - from)));
    const watch = new MutationObserver(() => seen() && (watch.disconnect(), end()));
    watch.observe(document.body, { attributes: true, attributeFilter: ['data-state'] });
    document.querySelector(selector).click()"""

SCROLL = """
    const [top, done] = arguments;
    scrollTo({ top, behavior: 'instant' });
    requestAnimationFrame(() => setTimeout(() => done(document.getElementsByTagName('*').length)))"""


# Browsers offer no service worker where the address is not encrypted.
NO_WORKER = "Object.defineProperty(Navigator.prototype, 'serviceWorker', { value: undefined })"
VISITS = ["first", "later", "by the worker"]
LOOKS = 9


def first_look(page, address, place, visit):
    if visit == "first":
        page.command("Network.clearBrowserCache")
    page.driver.get("about:blank")
    page.driver.get(f"{address}/#/{place}")
    page.wait("the first album", "return window.filled")
    spent = page.run(SPENT)
    page.wait("all else is loaded", "return document.querySelector('dialog.sheet')")
    if visit == "by the worker":
        page.wait("the worker has the files", "return navigator.serviceWorker.controller || navigator.serviceWorker.ready.then(() => true)")
    return spent


def first_looks(household):
    heading("The page: the first album on screen")
    table("visit", "place", "requests", "bytes sent, without covers (bar 150 kB)", "bytes when unpacked",
          f"from opening to the first record, median of {LOOKS} (bar 200 ms)", "most")
    for visit in VISITS:
        with Page(household.address, PHONE) as page:
            page.add_script(WATCH)
            if visit != "by the worker":
                page.add_script(NO_WORKER)
            for name, place in [("Home", ""), ("All albums", "albums")]:
                first_look(page, household.address, place, visit)
                takes = [first_look(page, household.address, place, visit) for _ in range(LOOKS)]
                requests, sent, whole, _ = takes[-1]
                times = [took for *_, took in takes]
                row(visit, name, requests, f"{sent / 1000:.0f} kB", f"{whole / 1000:.0f} kB", f"{median(times):.0f} ms", f"{max(times):.0f} ms")


def clicks(household):
    album = household.ask("albums?first=0&limit=1")["items"][0]
    took = {name: [] for name in ["an album: buffering", "an album: playing", "pause", "resume"]}
    with Page(household.address, DESKTOP) as page:
        page.open("albums")
        page.has(".record:not(.shimmering) b", album["title"])

        def click(name, selector, state):
            took[name].append(page.driver.execute_async_script(CLICK, selector, state))
        for _ in range(ROUNDS):
            for state in ("buffering", "playing"):
                household.ask("rooms/kitchen/queue", {"action": "clear"})
                page.wait("nothing plays", "return document.body.dataset.state === 'idle'")
                click(f"an album: {state}", ".record .quick", state)
                wait_for(lambda: household.room("kitchen")["state"], "the room plays", equals="playing")
                page.wait("the page has heard it", "return document.body.dataset.state === 'playing'")
            click("pause", ".bar .knob.main", "paused")
            click("resume", ".bar .knob.main", "playing")
    heading("The page: from a click to the state on screen")
    table("click", "p50 (bar 60 ms)", "p90", "most")
    for name, values in took.items():
        values.sort()
        row(name, f"{median(values):.0f} ms", f"{values[len(values) * 9 // 10]:.0f} ms", f"{values[-1]:.0f} ms")


def nodes(household, albums):
    heading(f"The page: nodes in the document while {albums:,} albums are scrolled")
    table("window", "least", "most")
    for name, size in [("phone", PHONE), ("desktop", DESKTOP)]:
        with Page(household.address, size) as page:
            page.open("albums")
            page.has(".record:not(.shimmering)")
            height = page.run("return document.documentElement.scrollHeight - innerHeight")
            counts = [page.driver.execute_async_script(SCROLL, height * step / STEPS) for step in range(STEPS + 1)]
            page.wait("the last record", "return [...document.querySelectorAll('.record')].length && !document.querySelector('.shimmering')")
            row(name, f"{min(counts):,}", f"{max(counts):,}")


def main():
    arguments = [one for one in sys.argv[1:] if one != "--moving"]
    is_moving = len(arguments) < len(sys.argv) - 1
    programs, albums = arguments[0], int(arguments[1]) if len(arguments) > 1 else 100_000
    print_preamble("the page in Debian's chromium, headless")
    with tempfile.TemporaryDirectory(prefix="lunara-music-") as scratch:
        scratch = pathlib.Path(scratch)
        make_music(scratch / "music", scratch, albums, tracks=1, seconds=30, has_covers=is_moving)
        with TestHousehold(programs, scratch / "music") as household:
            household.wait_for_albums(albums)
            wait_for(lambda: all(one["health"] != "scanning" for one in household.ask("sources")["items"]), "the end of the scan")
            if is_moving:
                moving.all_of(household, albums)
                return
            first_looks(household)
            clicks(household)
            nodes(household, albums)


if __name__ == "__main__":
    main()
