"""The orders of a test to a running stand-in: POST /__control__/VERB with JSON, from this machine only."""
from __future__ import annotations

import json
import time
from typing import Any, Callable

from audio import bytes_of_tone
from library import ALBUM, ARTIST, TRACK, Library
from model import Album, Artist, Section, Track, identity, short_identity
from random_faults import RandomFaults
from web import Answer, Request, Server, json_answer

Verb = Callable[[dict[str, Any]], Any]


class Control:
    def __init__(self, library: Library, server: Server, more: dict[str, Verb]) -> None:
        self.library, self.server = library, server
        journal, faults, random_faults = server.journal, server.faults, RandomFaults()
        server.random_faults = lambda request: random_faults.take()
        self.verbs: dict[str, Verb] = {
            "add": self.add, "change": lambda order: vars(library.replace(int(order["key"]), order["fields"])),
            "remove": lambda order: {"removed": [change.key for change in library.remove(int(order["key"]))]},
            "renumber": lambda order: {"renumbered": library.renumber(int(order["section"]), bool(order.get("keepsParts")))},
            "section": self.section, "empty": self.empty, "played": self.played, "mark": self.mark, "find": self.find,
            "library": self.summary, "fault": faults.add, "faults": lambda order: faults.left(),
            "faults/clear": lambda order: faults.clear(),
            "random-faults": random_faults.set, "log": lambda order: journal.log(), "log/clear": lambda order: journal.clear(),
            "received": lambda order: list(journal.received)} | more
        server.order = self.obey

    def answer(self, request: Request) -> Answer:
        if not request.address.startswith("127.") and request.address != "::1":
            return json_answer({"error": "only from this machine"}, 403)
        if request.path.removeprefix("/__control__/") not in self.verbs or request.method != "POST":
            return json_answer({"error": "no such verb", "verbs": sorted(self.verbs)}, 404)
        try:
            found = self.obey(request.path.removeprefix("/__control__/"), json.loads(request.body or b"{}"))
            return json_answer({} if found is None else found)
        except (KeyError, ValueError, TypeError) as wrong:
            return json_answer({"error": f"{type(wrong).__name__}: {wrong}"}, 400)

    def obey(self, verb: str, order: dict[str, Any]) -> Any:
        with self.library.lock:
            return self.verbs[verb](order)

    def add(self, order: dict[str, Any]) -> dict[str, Any]:
        """Adds a track, with its album and artist where the section has none of that name (or always, with `new`)."""
        library, now = self.library, int(time.time())
        section = library.sections[int(order.get("section", min(library.sections)))]
        artist = next((each for each in library.artists.values() if each.section == section.key and each.title == order["artist"]), None)
        made: list[Artist | Album | Track] = []
        if artist is None or order.get("newArtist"):
            artist = Artist(library.key(), section.key, order["artist"], f"local://{library.next_key - 1}", now, now)
            library.put_artist(artist)
            made.append(artist)
        album = next((library.albums[key] for key in library.albums_of[artist.key] if library.albums[key].title == order["album"]), None)
        if album is None or order.get("newAlbum"):
            album = Album(library.key(), artist.key, order["album"], f"local://{library.next_key - 1}", now, now, year=int(order.get("year", 0)))
            library.put_album(album)
            made.append(album)
        key, part, length = library.key(), library.part(), int(order.get("milliseconds", 180_000))
        index = int(order.get("index", len(library.tracks_of[album.key]) + 1))
        file = order.get("file", f"{section.root}/{artist.title}/{album.title}/{index:02} {order['title']} {key}.wav")
        track = Track(key, album.key, order["title"], order.get("guid", f"plex://track/{short_identity('added', key)}"), now, now,
                      int(order.get("disc", 1)), index, length, part, now, file, bytes_of_tone(length), "wav", "pcm", 64,
                      mbid=identity("added", key)) if order.get("media", True) else Track(
                      key, album.key, order["title"], f"local://{key}", now, now, int(order.get("disc", 1)), index, length, 0, 0, "", 0, "", "", 0)
        track = track._replace(**order.get("fields", {}))
        library.put_track(track)
        made.append(track)
        library.changed(*(library.change_of(item, "created") for item in made))
        return {"artist": str(artist.key), "album": str(album.key), "track": str(key), "part": part}

    def section(self, order: dict[str, Any]) -> dict[str, Any]:
        """Changes fields of a section, or makes one."""
        key = int(order.get("key", max(self.library.sections, default=0) + 1))
        section = self.library.sections.setdefault(key, Section(key, str(order.get("title", f"Section {key}"))))
        for name, value in order.items():
            if name != "key" and hasattr(section, name):
                setattr(section, name, value)
        if order.get("remove"):
            self.empty({"section": key})
            del self.library.sections[key]
        self.library.marked()
        return {"key": str(key)}

    def empty(self, order: dict[str, Any]) -> dict[str, Any]:
        """Removes everything from a section, like a scan of an unmounted disk."""
        artists = [artist.key for artist in self.library.rows(int(order["section"]), ARTIST)]
        return {"removed": sum(len(self.library.remove(key)) for key in artists)}

    def played(self, order: dict[str, Any]) -> None:
        self.library.played(int(order["key"]), int(order.get("at", time.time())))

    def mark(self, order: dict[str, Any]) -> None:
        """Sets what a user did with another client: rating, rated, views, viewed, skips, starred."""
        marks = self.library.marks_of(int(order["key"]))
        for name, value in order.items():
            if name != "key":
                getattr(marks, name)
                setattr(marks, name, value)
        self.library.marked()

    def find(self, order: dict[str, Any]) -> list[dict[str, Any]]:
        """Returns items by title, with their keys."""
        tables: list[tuple[str, dict[int, Any]]] = [
            ("artist", self.library.artists), ("album", self.library.albums), ("track", self.library.tracks)]
        found = [{"kind": kind, "key": str(item.key)} | {name: value for name, value in item._asdict().items() if name != "key"}
                 for kind, table in tables if order.get("kind", kind) == kind
                 for item in table.values() if order.get("title") in (None, item.title)]
        return found[:int(order.get("limit", 100))]

    def summary(self, order: dict[str, Any]) -> dict[str, Any]:
        names = {ARTIST: "artists", ALBUM: "albums", TRACK: "tracks"}
        return {str(section.key): vars(section) | {name: len(list(self.library.rows(section.key, kind))) for kind, name in names.items()}
                for section in self.library.sections.values()}
