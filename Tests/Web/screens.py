#!/usr/bin/env python3
"""Takes pictures of every screen of the page, light and dark, on a phone and on a desktop. Usage: screens.py PROGRAMS [SCREEN…]

The music is the demo library with its drawn covers, or the folder MUSIC; fonts are those of deploy/packages.
"""
import base64
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from testhousehold import TestHousehold, free_port, wait_for
from page import Page
from gardenscreens import NAMES as GARDEN, shoot_garden
from wallscreens import NAMES as WALLS, shoot_walls

FOLDER = pathlib.Path(__file__).resolve().parent.parent.parent / "docs"
SIZES = {"phone": ((390, 844), 2), "desk": ((1280, 800), 1)}
QUALITY = 72
# True if every cover in view is shown, as a loaded picture or as a drawing, and its blurred background as well.
STILL = """
    const near = (one) => { const box = one.getBoundingClientRect(); return box.width && box.bottom > 0 && box.top < innerHeight; };
    return !document.querySelector('.shimmering, #main .waiting')
      && [...document.querySelectorAll('.cover')].filter(near).every((one) => one.querySelector('img.there, .drawn'))
      && [...document.querySelectorAll('.blur')].filter(near).every((one) => one.dataset.art === undefined || one.classList.contains('there'))"""

# Pictures may be loaded and not decoded yet; two frames later they are drawn.
DRAWN = """
    const done = arguments[0];
    Promise.allSettled([...document.images].filter((one) => one.src).map((one) => one.decode()))
      .then(() => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"""


def places(household):
    albums = household.ask("albums")["items"]
    album = next(one for one in albums if one["title"] == "Low Tide Letters")
    track = household.ask(f"albums/{album['id']}")["tracks"][0]
    return album, {
        "home": "", "albums": "albums", "album": f"album/{album['id']}", "artists": "artists", "artist": f"artist/{album['artistID']}",
        "tracks": "tracks", "track": f"track/{track['id']}", "filtered": "albums?tag=decade:2010&tag=decade:2020&without=type:live",
        "works": "works", "folders": "folders", "search": "search?q=l", "queue": "queue", "rooms": "rooms", "music": "settings/sources",
        "scrobbling": "settings/scrobbling", "health": "settings/health", "welcome": "welcome", "playing": "playing",
    }


def shoot(page, path, kind, quality=None):
    # The focus must not be visible in the picture.
    page.run("document.activeElement?.blur()")
    page.wait("all pictures are there", STILL)
    page.run_async(DRAWN)
    settings = {"format": kind} | ({"quality": quality} if quality else {})
    data = base64.b64decode(page.command("Page.captureScreenshot", settings)["data"])
    path.write_bytes(data)
    return len(data)


def fewer_colours(source, target):
    """Reduces the colours of a picture, which then has a third of the bytes."""
    palette = "split[a][b];[a]palettegen=256[p];[b][p]paletteuse=dither=sierra2_4a"
    subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-y", "-i", source, "-filter_complex", palette, target], check=True)
    return target.stat().st_size


def demo(programs, scratch):
    """The demo library, made as `lunara up --demo` makes it."""
    home = scratch / "demo-home"
    environment = {key: value for key, value in os.environ.items() if not key.startswith("LUNARA_")} | {
        "HOME": str(scratch), "LUNARA_HOME": str(home), "LUNARA_RUN": str(scratch / "run"), "LUNARA_CONFIG": "/dev/null",
        "LUNARA_AUDIO": "null", "LUNARA_WEB": f"127.0.0.1:{free_port()}", "LUNARA_MEDIA": f"127.0.0.1:{free_port()}"}
    up = subprocess.Popen([f"{programs}/lunara", "up", "--demo"], env=environment, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL)
    wait_for((home / "demo").is_dir, "the demo library", limit=300)
    up.terminate()
    up.wait()
    return home / "demo"


def main():
    programs, wanted = sys.argv[1], sys.argv[2:]
    with tempfile.TemporaryDirectory(prefix="screens-") as scratch:
        # Its path is seen in the settings.
        music = pathlib.Path(scratch) / "Music"
        shutil.copytree(os.environ.get("MUSIC") or demo(programs, pathlib.Path(scratch)), music)
        total = 0
        if wanted and set(wanted) <= {*WALLS, *GARDEN}:
            for shoot_some in (shoot_walls, shoot_garden):
                total += shoot_some(programs, music, scratch, FOLDER / "screens", wanted, shoot, QUALITY)
            print(f"{total / 1e6:.1f} MB")
            return
        with TestHousehold(programs, music, ("kitchen", "living-room")) as household:
            household.wait_for_albums(7)
            album, all_places = places(household)
            household.ask("play", {"ids": [album["id"]], "room": "kitchen", "startAt": 1, "continues": {"sort": "name"}})
            wait_for(lambda: household.room("kitchen")["positionSeconds"] > 8, "a few seconds")
            household.steer("kitchen", action="volume", percent=64)
            (FOLDER / "screens").mkdir(exist_ok=True)
            for device, (size, scale) in SIZES.items():
                with Page(household.address, size, scale) as page:
                    for scheme in ("light", "dark"):
                        page.set_scheme(scheme, "reduce")
                        page.open("more")
                        for name, place in all_places.items():
                            if wanted and name not in wanted:
                                continue
                            if household.room("kitchen")["positionSeconds"] > 25:
                                household.steer("kitchen", action="seek", seconds=12)
                            if name == "playing":
                                page.go("albums")
                            page.go(place)
                            total += shoot(page, FOLDER / "screens" / f"{name}-{device}-{scheme}.webp", "webp", QUALITY)
                    if device == "desk" and not wanted:
                        page.set_scheme("light", "reduce")
                        page.go("albums")
                        whole = pathlib.Path(scratch) / "page.png"
                        shoot(page, whole, "png")
                        total += fewer_colours(whole, FOLDER / "page.png")
        for shoot_some in (shoot_walls, shoot_garden):
            total += shoot_some(programs, music, scratch, FOLDER / "screens", wanted, shoot, QUALITY)
        print(f"{total / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
