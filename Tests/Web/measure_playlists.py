#!/usr/bin/env python3
"""Measures a long playlist. Usage: measure_playlists.py PROGRAMS [ENTRIES]

A playlist of ENTRIES (10,000) is imported from an M3U8 file of paths, from one of artists and titles, and from one of music that is
not here; opened on the page, until its first row is filled; and an entry of it is moved, as the page and the command line do.
"""
import pathlib
import subprocess
import sys
import tempfile
import time

from testhousehold import TestHousehold, wait_for
from music import make_music
from page import DESKTOP, Page

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Bench"))
from figures import heading, median, print_preamble, row, table  # noqa: E402

ROUNDS = 21
PER_ALBUM = 10

# Records the time at which the first row is filled.
WATCH = """
    new MutationObserver((_, watch) => {
      if (!document.querySelector('li.track:not(.shimmering) b')?.textContent) return;
      window.filled = performance.now();
      watch.disconnect();
    }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ['class'] })"""

# Goes to a playlist from another screen, and waits until its first row is drawn.
GO = """
    const [place, done] = arguments;
    const from = performance.now();
    const look = () => (document.body.dataset.here === place && document.querySelector('li.track:not(.shimmering) b')?.textContent ? setTimeout(() => done(performance.now() - from)) : requestAnimationFrame(look));
    location.hash = place;
    look()"""


def imported(household, path):
    began = time.monotonic()
    out = subprocess.run([household.programs / "lunara", "playlists", "import", path], env=household.environment,
                         check=True, capture_output=True, text=True).stdout
    return time.monotonic() - began, out.split("\n")[0]


def main():
    programs, entries = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
    print_preamble("the page in Debian's chromium, headless")
    with tempfile.TemporaryDirectory(prefix="lunara-music-") as scratch:
        scratch = pathlib.Path(scratch)
        make_music(scratch / "music", scratch, entries // PER_ALBUM, tracks=PER_ALBUM, seconds=30, has_covers=False)
        with TestHousehold(programs, scratch / "music") as household:
            household.wait_for_albums(entries // PER_ALBUM)
            wait_for(lambda: all(one["health"] != "scanning" for one in household.ask("sources")["items"]), "the end of the scan")
            files = sorted((scratch / "music").rglob("*.flac"))[:entries]
            tracks, after = [], ""
            while after is not None:
                page = household.ask(f"tracks?limit=200{f'&after={after}' if after else ''}")
                tracks += page["items"]
                after = page["next"]
            texts = {
                "by file": "".join(f"{path}\n" for path in files),
                "by artist and title": "".join(f"#EXTINF:30,{one['artist']} - {one['title']}\n/gone.mp3\n" for one in tracks),
                "not here": "".join(f"#EXTINF:30,Nobody {number} - Nothing {number}\n/no/such/{number}.mp3\n" for number in range(entries)),
            }
            heading(f"Playlists: {entries:,} entries")
            table("import of an M3U8 file", "time (bar 2 s)", "found")
            made = None
            for name, text in texts.items():
                path = scratch / f"{name.replace(' ', '-')}.m3u8"
                path.write_text(f"#EXTM3U\n{text}")
                takes = [imported(household, path) for _ in range(3)]
                row(name, f"{median([took for took, _ in takes]):.2f} s", takes[-1][1].split(" · ", 2)[-1])
                made = made or takes[0][1].split(" · ")[0]
            ids = [one["entry"] for one in household.ask(f"playlists/{made}")["entries"]]
            last, moved = ids[-1], []
            for step in range(ROUNDS):
                began = time.monotonic()
                household.ask(f"playlists/{made}/move", {"entries": [ids[0]], "after": last if step % 2 == 0 else 0})
                moved.append((time.monotonic() - began) * 1000)
            place = f"#/playlist/{made.replace(':', '%3A')}"
            with Page(household.address, DESKTOP) as page:
                page.command("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
                fresh, inside = [], []
                for _ in range(5):
                    page.driver.get("about:blank")
                    page.driver.get(f"{household.address}/{place}")
                    fresh.append(page.wait("the first row", "return window.filled"))
                for _ in range(ROUNDS):
                    # Of eight screens the first one is forgotten, so it is made again.
                    page.open("albums")
                    inside.append(page.driver.execute_async_script(GO, place))
            table("step", "p50", "most")
            for name, values in [("an entry is moved (bar 50 ms)", moved), ("it is opened from another screen (bar 200 ms)", inside),
                                      ("it is opened in a new page", fresh)]:
                row(name, f"{median(values):.0f} ms", f"{max(values):.0f} ms")


if __name__ == "__main__":
    main()
