#!/usr/bin/env python3
"""Walks through the page at six sizes, in both colour schemes and with forced colours. Usage: tour.py PROGRAMS [PLACE…]

At every stop it looks for violations with axe, for a page that is wider than its window, and for controls that are cut off, and it
takes pictures of some places for docs/screens. It ends with status 1 if anything was found. The music is that of the pictures.
"""
import os
import pathlib
import shutil
import sys
import tempfile

import screens
from cutoff import cut_off
from page import Page
from testhousehold import TestHousehold, wait_for

# The width and height in CSS pixels, and the pixels of the screen for each: the last is a window of 1440 by 900 at 200 % zoom.
SIZES = {"wide": ((2560, 1440), 1), "laptop": ((1440, 900), 1), "tablet": ((820, 1180), 1), "phone": ((390, 844), 2),
         "sideways": ((844, 390), 2), "zoomed": ((720, 450), 2)}
LOOKS = {"light": [("prefers-color-scheme", "light")], "dark": [("prefers-color-scheme", "dark")],
         "forced": [("prefers-color-scheme", "dark"), ("forced-colors", "active")]}
PICTURED = ("home", "albums", "album", "playing")
# Beside those of the pictures.
MORE = {"genres": "genres", "history": "history", "statistics": "statistics", "garden": "garden", "themes": "themes", "random": "random",
        "likes": "likes", "playlists": "playlists", "browser": "settings/browser", "more": "more"}


def shows(page, scheme):
    features = [{"name": name, "value": value} for name, value in [*LOOKS[scheme], ("prefers-reduced-motion", "reduce")]]
    page.emulate(features)


def stop(page, name, place):
    """Goes to a place and returns what is wrong there."""
    if name == "playing":
        page.go("albums")
    page.go(place)
    page.wait("all pictures are there", screens.STILL)
    wrong = [f"axe: {one}" for one in page.axe()]
    wrong += cut_off(page)
    return wrong + [f"console: {one}" for one in page.complaints()]


def walk(household, places, folder):
    """Walks through all places in every size and look, and returns what was found."""
    found = []
    for size, (pixels, scale) in SIZES.items():
        with Page(household.address, pixels, scale) as page:
            for look in LOOKS:
                shows(page, look)
                page.open("more")
                for name, place in places.items():
                    found += [f"{name}, {size}, {look}: {one}" for one in stop(page, name, place)]
                    if name in PICTURED:
                        screens.shoot(page, folder / f"tour-{name}-{size}-{look}.webp", "webp", 60)
            print(f"{size}: {len(places) * len(LOOKS)} stops, {len(found)} findings so far", flush=True)
    return found


def main():
    programs, wanted = sys.argv[1], sys.argv[2:]
    with tempfile.TemporaryDirectory(prefix="tour-") as scratch:
        music = pathlib.Path(scratch) / "Music"
        shutil.copytree(os.environ.get("MUSIC") or screens.demo(programs, pathlib.Path(scratch)), music)
        with TestHousehold(programs, music, ("kitchen", "living-room")) as household:
            household.wait_for_albums(7)
            album, places = screens.places(household)
            household.ask("play", {"ids": [album["id"]], "room": "kitchen", "startAt": 1, "continues": {"sort": "name"}})
            wait_for(lambda: household.room("kitchen")["positionSeconds"] > 8, "a few seconds")
            household.steer("kitchen", action="pause")
            places |= MORE
            found = walk(household, {name: place for name, place in places.items() if not wanted or name in wanted}, screens.FOLDER / "screens")
    for one in found:
        print(one)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
