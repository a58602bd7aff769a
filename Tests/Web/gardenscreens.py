"""Pictures of the garden for docs/screens: its place, notes, two texts of one note, marks, todos, the player, a note that comes back,
themes, the shelves of the day, an album by chance, and the albums that a room keeps. What was written comes from a file of a garden, so
that some of it is older; the shelves are given by this script, as a new household has no history."""
import datetime
import json
import pathlib
import time
import urllib.parse

from page import Page
from testhousehold import TestHousehold, wait_for
from wallanswers import ANSWERS
from wallscreens import SIZES, make_shelf

NAMES = ["garden", "notes", "conflict", "marks", "todos", "passage", "due", "themes", "rediscovery", "random", "offline", "theme"]
TEXTS = [
    ("The rain on the second side, and the *one* door that falls shut.", 366),
    ("Played it twice, the second time with the window open. The quartet sounds as if it sat in the kitchen.\n\nAsk Ida where she heard it first.", 41),
    ("Too bright on the small loudspeakers; *right* in the study.", 9),
]
THEMES = [
    ("Summer on the boat", "1994, and no wind for nine days.", "#1f5f8b", "#dce9ee", "paper", slice(0, 9)),
    ("The house in the wood", "What was played by the stove.", "#5d6b2f", "#e6dfc8", "wood", slice(9, 14)),
    ("After midnight", None, "#7a2f55", "#e9dbe4", "velvet", slice(14, 21)),
]
SHELVES = [
    ("chance", "By chance", "Drawn for the day. Never heard.", slice(3, 4)),
    ("on-this-day", "On this day", "A year ago today it came into the library.", slice(4, 7)),
    ("forgotten", "Not heard for long, and loved", "You gave it 4.5 stars, and have not heard it for 2 years.", slice(7, 19)),
    ("half-heard", "Half heard", "Two of nine tracks were heard, last in March.", slice(19, 31)),
]
REASONS = ["Heard it twice in ten years.", "The other copy is better.", ""]


def subject(album):
    return {"kind": "album", "id": album["id"], "title": album["title"], "artist": album["artist"]}


def plant(household, albums):
    """Writes notes, marks and todos."""
    now = datetime.datetime.now(datetime.timezone.utc)
    items = [{"form": "note", "uid": f"{number:032x}", "on": subject(albums[number]), "text": text, "year": albums[number].get("year"),
              "at": (now - datetime.timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%S.000000Z")} for number, (text, days) in enumerate(TEXTS, 1)]
    household.ask("garden", {"items": items})
    track = household.ask(f"albums/{albums[0]['id']}")["tracks"][1]["id"]
    household.ask("notes", {"id": track, "text": "This turn, and the breath before it.", "position": 83_000})
    for number, reason in enumerate(REASONS, 4):
        household.ask("marks", {"id": albums[number]["id"], "reason": reason})
    household.ask("todos", {"id": albums[2]["id"], "about": "cover", "text": "Scan the back of the sleeve."})
    household.ask("todos", {"id": albums[7]["id"], "about": "rip", "text": ""})


    household.ask("themes", {"title": "Rain", "rules": json.dumps({"all": [{"contains": {"title": "a"}}], "unit": "albums"}),
                             "look": {"first": "#44606b", "second": "#dfe6e4", "texture": "linen"}})
    for title, text, first, second, texture, part in THEMES:
        look = {"first": first, "second": second, "texture": texture}
        household.ask("themes", {"title": title, "look": look, "adding": [album["id"] for album in albums[part]]} | ({"text": text} if text else {}))
    for album in albums[:6]:
        household.ask(f"rooms/kitchen/offline/{urllib.parse.quote(album['id'], safe='')}", {}, "PUT")
    wait_for(lambda: all(one["state"] == "whole" for one in household.ask("rooms/kitchen/offline")["items"]), "albums are kept", limit=120)


def play(household, item, start=0):
    """Plays an item in the kitchen, and pauses it."""
    household.ask("play", {"ids": [item], "room": "kitchen", "startAt": start})
    wait_for(lambda: household.room("kitchen")["state"], "the kitchen plays", equals="playing")
    household.steer("kitchen", action="pause")


def shelves_of(albums):
    return {"day": "2026-11-27", "shelves": [
        {"shelf": kind, "title": title, "reason": f"{title}.", "items": [album | {"reason": reason} for album in albums[part]]}
        for kind, title, reason, part in SHELVES]}


def prepare(page, household, name, albums):
    """Opens the place of a picture."""
    theme = next(one for one in household.ask("themes")["items"] if one["title"] == THEMES[0][0])
    if name == "theme":
        play(household, theme["playable"])
    elif household.room("kitchen").get("theme"):
        play(household, albums[0]["id"], 1)
    if name == "conflict":
        note = household.ask("notes")["items"][1]
        household.ask(f"notes/{note['note']}", {"text": TEXTS[2][0], "version": note["version"]}, "PUT")
    page.open("more")
    page.wait("the state is there", "return document.body.dataset.state")
    # A note that comes back rests after it was shown, but several pictures are taken.
    page.run(ANSWERS, {"POST notes/shown": {}} | ({"GET rediscovery": shelves_of(albums), "GET notes/due": {"items": []}} if name == "rediscovery" else {}))
    if name == "passage":
        page.go("albums")
    page.go({"passage": "playing", "due": "", "rediscovery": "", "conflict": "notes", "offline": "settings/offline",
             "theme": f"theme/{theme['id']}"}.get(name, name))
    if name == "passage":
        page.press(".panel-tab", "Notes")
        page.has(".sheet-notes .note")
        page.run("document.querySelector('.sheet-notes').scrollIntoView({ block: 'end' })")
    elif name == "due":
        page.has(".home .due .note-text")
    elif name == "garden":
        page.wait("the counts are there", "return [...document.querySelectorAll('.garden-card b')].every((one) => one.textContent)")
    elif name == "conflict":
        note = household.ask("notes")["items"][1]
        page.press(".note:nth-child(2) .pill", "Edit")
        page.write(".note-editor textarea", "Too bright on the small loudspeakers, but *right* in the study, late.")
        household.ask(f"notes/{note['note']}", {"text": f"{note['text']} Heard from the hall it is softer.", "version": note["version"]}, "PUT")
        page.has(".both section")
    elif name == "themes":
        page.has(".theme-card")
    elif name == "theme":
        page.wait("the look of the theme", "return document.documentElement.dataset.texture === 'paper'")
    elif name == "rediscovery":
        page.has(".chance h2")
    elif name == "random":
        page.has(".random h1")
    elif name == "offline":
        page.has(".source .source-line", "Whole")
    else:
        page.has(".note")
    # The covers of what notes are about are looked up once they are in view.
    time.sleep(0.5)


def shoot_garden(programs, music, scratch, folder, wanted, shoot, quality):
    """Takes the pictures of the garden, and returns their size in bytes together."""
    names = [name for name in NAMES if not wanted or name in wanted]
    if not names:
        return 0
    total = 0
    if not (music / "Shelf").exists():
        make_shelf(music, pathlib.Path(scratch))
    with TestHousehold(programs, music, ("kitchen", "living-room")) as household:
        household.wait_for_albums(72 + 7)
        albums = household.ask("albums?limit=200")["items"]
        albums.sort(key=lambda album: (not album.get("art"), album["title"]))
        plant(household, albums)
        play(household, albums[0]["id"], 1)
        for device, (size, scale) in SIZES.items():
            with Page(household.address, size, scale) as page:
                for scheme in ("light", "dark"):
                    page.set_scheme(scheme, "reduce")
                    for name in names:
                        prepare(page, household, name, albums)
                        total += shoot(page, folder / f"{name}-{device}-{scheme}.webp", "webp", quality)
    return total
