"""Pictures of the garden for docs/screens: its place, notes, two texts of one note, marks, todos, the player, and a note that comes
back. What was written comes from a file of a garden, so that some of it is older."""
import datetime
import pathlib
import time

from page import Page
from testhousehold import TestHousehold, wait_for
from wallanswers import ANSWERS
from wallscreens import SIZES, make_shelf

NAMES = ["garden", "notes", "conflict", "marks", "todos", "passage", "due"]
TEXTS = [
    ("The rain on the second side, and the *one* door that falls shut.", 366),
    ("Played it twice, the second time with the window open. The quartet sounds as if it sat in the kitchen.\n\nAsk Ida where she heard it first.", 41),
    ("Too bright on the small loudspeakers; *right* in the study.", 9),
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


def prepare(page, household, name):
    """Opens the place of a picture."""
    if name == "conflict":
        note = household.ask("notes")["items"][1]
        household.ask(f"notes/{note['note']}", {"text": TEXTS[2][0], "version": note["version"]}, "PUT")
    page.open("more")
    page.wait("the state is there", "return document.body.dataset.state")
    # A note that comes back rests after it was shown, but several pictures are taken.
    page.run(ANSWERS, {"POST notes/shown": {}})
    if name == "passage":
        page.go("albums")
    page.go({"passage": "playing", "due": "", "conflict": "notes"}.get(name, name))
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
        household.ask("play", {"ids": [albums[0]["id"]], "room": "kitchen", "startAt": 1})
        wait_for(lambda: household.room("kitchen")["state"] == "playing", "the kitchen plays")
        household.steer("kitchen", action="pause")
        for device, (size, scale) in SIZES.items():
            with Page(household.address, size, scale) as page:
                for scheme in ("light", "dark"):
                    page.set_scheme(scheme, "reduce")
                    for name in names:
                        prepare(page, household, name)
                        total += shoot(page, folder / f"{name}-{device}-{scheme}.webp", "webp", quality)
    return total
