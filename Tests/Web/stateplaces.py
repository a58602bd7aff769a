"""The places of the page with what each shows in its four states, for states.py.

A place names its address, what it shows when it is full, and the words of its empty state. `answers` are answers to
requests that the household of the tests does not give, by the paths below `/api/v1/`. A state that a place does not
have is named in `without`, with the reason. The first screen and the welcome have their states in rediscovery.py and
firstrun.py, the full screen in player.py.
"""
import dataclasses

from knowing import COUNTS, LISTENS, statistics
from wallanswers import AT, tile

LOADING, FAILED, EMPTY = "loading", "failed", "empty"

HERE_ALREADY = "all that it shows comes with the events, which the page has before it opens a place"
NOTHING_READ = "it reads nothing"
ONE_THING = "what it shows has at least one track; without it there is no such place"
FORM = "it is a form, which is whole without entries"


@dataclasses.dataclass
class Place:
    """A place. `full` is a selector and a text in it, `empty` the words of the message without content, and `made`
    names what `{id}` in the address stands for. `nothing` has answers of the empty state, which otherwise are the
    others without their items; `events` in it are events, and `queue` clears the queue."""
    name: str
    address: str
    full: tuple
    empty: str = ""
    made: str = ""
    answers: dict = dataclasses.field(default_factory=dict)
    nothing: dict = dataclasses.field(default_factory=dict)
    without: dict = dataclasses.field(default_factory=dict)


# The answers about the household while there is no music, and while there is no room.
NO_MUSIC = {"events": [["catalogue", {"albums": 0, "tracks": 0, "artists": 0, "generation": 1, "sources": []}]]}
NO_ROOM = {"events": [["rooms", []]]}

WORK = {"id": "files:w1", "title": "Suite in E", "trackCount": 2, "composer": {"id": "files:r9", "name": "Ada Brook"}}
WORK_TRACKS = [{"id": f"files:t9{number}", "title": f"Part {number}", "artist": "Ada Brook", "album": "Suites",
                "albumArtist": "Ada Brook", "albumID": "files:a9", "year": 1990, "durationSeconds": 200}
               for number in (1, 2)]
COLLECTION = {"id": "plex:c1", "title": "Rainy days", "itemCount": 3, "isPinned": False, "albums": [], "artists": [],
              "tracks": WORK_TRACKS}
CONCERT = {"id": "k1", "artist": "Ada Brook", "date": "2031-05-01", "venue": "Dom", "city": "Graz", "lineup": [],
           "tickets": []}
TALKER = {"id": "talker", "name": "Talker", "version": "1.0", "author": "Ada", "enabled": True, "functions": ["chat"],
          "settings": [], "hosts": [], "capabilities": [], "icon": "T", "order": 1, "links": [], "servers": []}


WALL = {"wall": {"seed": 7, "dial": 3, "items": [tile()], "next": "x", "round": 1, "endsRound": True,
                 "wall": {"seed": 7, "dial": 3, "first": 100}}, "genres": {"genres": [], "unmatched": []}}
SHELF = {"shelf": {"generation": 1, "albums": 132, "dial": 3, "reading": False}, "played": 1, "rated": 0, "likes": 0,
         "dislikes": 0, "both": 0, "heldBack": 0, "walls": 1, "dials": [], "tagged": 10, "matched": 9,
         "sources": [{"name": "library", "readAt": AT, "items": 132}]}
OUTSIDE = {"discovery": SHELF, "discovery/sources": {"sources": SHELF["sources"], "showsMissing": False},
           "discovery/articles": {"isOn": False, "languages": ["en"], "kept": 0, "sends": "The ids of albums."},
           "discovery/reviews": {"endpoint": None, "model": None, "hasKey": False, "dailyCap": 20, "today": 0,
                                 "kept": 3, "sends": "The artist and title of an album."}}


def section(name, full, **more):
    return Place(f"settings_{name}", f"settings/{name}", full, **{"without": {EMPTY: FORM}, **more})


PLACES = [
    Place("albums", "albums", (".record:not(.shimmering) b", ""), "No albums yet", nothing=NO_MUSIC),
    Place("artists", "artists", (".artist-card:not(.shimmering) b, .artist-grid li:not(.shimmering) b", ""), "Nobody"),
    Place("tracks", "tracks", (".track:not(.shimmering) b", ""), "No tracks", nothing=NO_MUSIC),
    Place("genres", "genres", (".genre-tile:not(.shimmering) b", "Jazz"), "No genres"),
    Place("genre", "genre/Jazz", (".record:not(.shimmering) b", ""), "No albums"),
    Place("decade", "decade/1970", (".record:not(.shimmering) b", ""), "No albums"),
    Place("album", "album/{id}", (".track b", "First Light"), made="album", without={EMPTY: ONE_THING}),
    Place("track", "track/{id}", ("h1", "First Light"), made="track", without={EMPTY: ONE_THING}),
    Place("artist", "artist/{id}", (".record b", ""), made="artist", without={EMPTY: ONE_THING}),
    Place("works", "works", (".link-row:not(.shimmering) b, .lines li:not(.shimmering) b", "Suite in E"), "No works",
          answers={"works": {"items": [WORK], "next": None}}),
    Place("work", "work/files%3Aw1", (".track b", "Part 1"),
          answers={"works/files%3Aw1": WORK | {"tracks": WORK_TRACKS}}, without={EMPTY: ONE_THING}),
    Place("collections", "collections", (".record:not(.shimmering) b", "Rainy days"), "No collections",
          answers={"collections": {"items": [COLLECTION], "next": None}}),
    Place("collection", "collection/plex%3Ac1", (".track b", "Part 1"), "Nothing in this collection",
          answers={"collections/plex%3Ac1": COLLECTION}),
    Place("playlists", "playlists", (".record:not(.shimmering) b", "Of states"), "No playlists"),
    Place("playlist", "playlist/{id}", (".track:not(.shimmering) b", "First Light"), "No tracks", made="playlist"),
    Place("folders", "folders", (".lines li b", ""), "No music"),
    Place("queue", "queue", (".track b", "First Light"), "The queue is empty", nothing={"queue": True},
          without={LOADING: HERE_ALREADY, FAILED: HERE_ALREADY}),
    Place("rooms", "rooms", (".room h2", "Kitchen"), "No rooms", nothing=NO_ROOM,
          without={LOADING: HERE_ALREADY, FAILED: HERE_ALREADY}),
    Place("search", "search?q=record", (".track b, .record b", ""), "Nothing was found"),
    Place("random", "random", ("h1", "Record"), without={EMPTY: "the link to it is shown only where there is music"}),
    Place("history", "history", (".listen-title", "Song 1"), "Nothing was heard yet",
          answers={"plays": {"items": LISTENS, "next": None}, "plays/counts": COUNTS}),
    Place("statistics", "statistics", (".total b", "126 hours"), "Nothing was heard yet",
          answers={"statistics": statistics()}, nothing={"statistics": statistics(firstDay=None)}),
    Place("concerts", "concerts", (".concert b", "Ada Brook"), "No concerts",
          answers={"concerts": {"concerts": [CONCERT], "waiting": 0, "unplaced": 0, "failures": []}}),
    Place("ask", "ask", (".ask-form input", ""), "Nobody to ask",
          answers={"plugins": {"plugins": [TALKER], "unusable": []}}),
    Place("wall", "wall", (".tile", ""), "No album is left for the wall", answers=WALL),
    Place("discovery", "discovery", (".nodes b", "Library"), answers=OUTSIDE | {"genres": WALL["genres"]},
          without={EMPTY: "it always has the sources of walls"}),
    section("walls", (".leaves", "The ids of albums."), answers=OUTSIDE),
    Place("likes", "likes", (".opinion-row b", ""), "Press the heart"),
    Place("wishes", "wishes", (".wish-row b", "Wanted"), "No wishes"),
    Place("garden", "garden", (".garden-card b", "1 note"), without={EMPTY: "it is the way to four places"}),
    Place("notes", "notes", (".note", "Of states"), "No notes yet"),
    Place("todos", "todos", (".todo", "Of states"), "Nothing to do"),
    Place("marks", "marks", (".marked", "lossless"), "Nothing to decide"),
    Place("themes", "themes", (".theme-card b", "Of states"), "No themes"),
    Place("theme", "theme/{id}", (".record b", ""), "No albums", made="theme"),
    Place("problems", "problems", (".problem-row", "is cut short"), "No problems",
          answers={"problems": {"items": [{"path": "/music/a.flac", "source": "files", "kind": "damaged",
                                           "code": "library.damaged", "message": "The file is damaged.",
                                           "cause": "it is cut short"}],
                                "counts": [{"kind": "damaged", "code": "library.damaged", "count": 1}], "next": None}}),
    section("sources", (".source", "")),
    section("scrobbling", ("h2", "Accounts")),
    section("providers", ("h2", "Playlists in step")),
    section("garden", ("form", "")),
    section("health", (".node", ""), without={LOADING: HERE_ALREADY, FAILED: HERE_ALREADY, EMPTY: HERE_ALREADY}),
    section("browser", ("h2", "This browser"), without={
        LOADING: "it asks only if a password is set, and shows the rest", FAILED: "as for loading", EMPTY: FORM}),
    Place("settings_offline", "settings/offline", ("[role=status]", "GB"), "keeps no album"),
    Place("settings_plugins", "settings/plugins", (".plugin", "Talker"), "There are no plugins",
          answers={"plugins": {"plugins": [TALKER], "unusable": []}}),
    Place("more", "more", (".more-link", "Wall"), without=dict.fromkeys((LOADING, FAILED, EMPTY), NOTHING_READ)),
]
