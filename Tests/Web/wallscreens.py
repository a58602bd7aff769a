"""Pictures of walls for docs/screens: the wall, a genre, the reason of a cover, the card of an album that is not in the library, and
a review. The library is larger than the demo library; albums without a picture have the covers that the page draws. What comes
from outside a household, the card and the review, is given by this script."""
import pathlib

from music import make_music
from page import Page
from testhousehold import TestHousehold
from wallanswers import ANSWERS

SIZES = {"phone": ((390, 844), 2), "tablet": ((820, 1180), 1), "desk": ((1280, 800), 1)}
NAMES = ["wall", "genre", "reasons", "card", "review"]
GENRES = ["Jazz", "Bebop", "Indie Rock", "Folk", "Fusion", "Ambient", "Soul", "Singer/Songwriter", "Techno", "Latin Jazz", "Prog Rock", "Baroque"]
ARTISTS = ["Mara Lindqvist", "The Paper Boats", "Ottoline Grey", "Fields of Barley", "Kasimir & Daughters", "Juno Vale", "Slow Cartographers",
           "Nils Aho Trio", "Copper Wren", "Halcyon Street", "Ida Moreau", "Brass Garden"]
TITLES = ["Harbour Songs", "A Map of Rain", "Nine Windows", "Lantern Hours", "The Quiet Machine", "Salt and Cedar", "Evening Post", "Far Orchard",
          "Small Gods", "Winter Timetable", "Glass Meadow", "Northern Rooms"]
GROUP = "11111111-2222-3333-4444-555555555555"
MISSING = {
    "id": None, "title": "The Long Thaw", "artist": "Juno Vale", "year": 2026, "signal": "new", "onShelf": False,
    "reason": "A new album by Juno Vale, of whom you have six.", "evidence": {"source": "ListenBrainz", "listens": 18240},
    "missing": {"releaseGroup": GROUP, "title": "The Long Thaw", "artist": "Juno Vale", "date": "2026-10-16", "source": "ListenBrainz", "isWished": False,
                "links": [{"name": "MusicBrainz", "url": "https://musicbrainz.org/"}, {"name": "ListenBrainz", "url": "https://listenbrainz.org/"}]}}
REVIEW = {
    "summary": "A record of small rooms and open windows, made in a winter and played mostly by hand. It stands between folk and chamber music, and belongs to neither.",
    "points": ["The strings on the first side are arranged for four players, who are heard breathing.", "The second song is the one that others have covered most.",
               "It was recorded in nine days, which is heard in its haste and in its warmth."],
    "tenths": 82, "label": "Quiet Masterwork", "tier": 2, "keyTracks": [], "model": "a-small-model", "writtenAt": "2026-11-20T10:00:00Z"}


def make_shelf(music, scratch):
    """Adds 72 albums without pictures to a folder of music."""
    names = [(ARTISTS[number % len(ARTISTS)], TITLES[(number * 7 + number // 12) % len(TITLES)]) for number in range(72)]
    make_music(music / "Shelf", scratch, len(names), tracks=2, has_covers=False, genres=GENRES, names=names)


def settle(page):
    page.wait("the wall is there", "return document.querySelector('.tile') && !document.querySelector('.wall[data-phase]')")


def prepare(page, name, album):
    """Opens the place of a picture."""
    path = "albums/" + album.replace(":", "%3A") + "/review"
    page.open("more")
    page.wait("the state is there", "return document.body.dataset.state")
    if name == "card":
        wall = page.run_async("const done = arguments[0]; fetch('/api/v1/wall').then((answer) => answer.json()).then(done)")
        wall["items"].insert(0, MISSING)
        page.run(ANSWERS, {"GET wall": wall})
    if name == "review":
        page.run(ANSWERS, {f"GET {path}": {"album": album, "isBeingMade": False, "isOn": True, "review": REVIEW}})
    page.go({"genre": "wall/jazz", "review": f"album/{album}"}.get(name, "wall"))
    if name == "review":
        page.press("[role=tab]", "Review")
        page.has(".review-summary")
        return
    settle(page)
    page.wait("the genres are there", "return document.querySelectorAll('.wall-pills li').length > 2")
    if name in ("reasons", "card"):
        # A reason that says much comes first.
        page.run("document.querySelectorAll('.tile-open')[arguments[0]].focus()", 0)
        page.keys("i")
        page.has("dialog.reason")


def shoot_walls(programs, music, scratch, folder, wanted, shoot, quality):
    """Takes the pictures of walls, and returns their size in bytes together."""
    names = [name for name in NAMES if not wanted or name in wanted]
    if not names:
        return 0
    total = 0
    make_shelf(music, pathlib.Path(scratch))
    with TestHousehold(programs, music, ("kitchen", "living-room")) as household:
        household.wait_for_albums(72 + 7)
        (household.folder / "home/discovery").mkdir(exist_ok=True)
        household.start_discovery()
        album = next(one["id"] for one in household.ask("albums?limit=200")["items"] if one["title"] == "Low Tide Letters")
        household.ask("play", {"ids": [album], "room": "kitchen", "startAt": 1})
        for device, (size, scale) in SIZES.items():
            with Page(household.address, size, scale) as page:
                for scheme in ("light", "dark"):
                    page.set_scheme(scheme, "reduce")
                    for name in names:
                        prepare(page, name, album)
                        total += shoot(page, folder / f"{name}-{device}-{scheme}.webp", "webp", quality)
    return total
