"""What clients tell a Subsonic server: stars, ratings, plays."""
from __future__ import annotations

import time
from typing import Callable

from journal import Journal
from library import Library
from model import Album, Artist, Track
from subsonic_rows import Row, found
from subsonic_wire import Failed
from web import Request


class SubsonicWrites:
    def __init__(self, library: Library, journal: Journal) -> None:
        self.library, self.journal = library, journal
        self.methods: dict[str, Callable[[Request], Row]] = {
            "star": lambda request: self.star(request, int(time.time())), "unstar": lambda request: self.star(request, 0),
            "setRating": self.rate, "scrobble": self.scrobble}

    def item(self, text: str) -> Artist | Album | Track:
        item = found(self.library, text)
        if not isinstance(item, (Artist, Album, Track)):
            raise Failed(70)
        return item

    def star(self, request: Request, at: int) -> Row:
        items = [self.item(text) for name in ("id", "albumId", "artistId") for text in request.all(name)]
        if not items:
            raise Failed(10)
        for item in items:
            self.library.marks_of(item.key).starred = at
            self.journal.receive("star" if at else "unstar", key=str(item.key), title=item.title)
        self.library.marked()
        return {}

    def rate(self, request: Request) -> Row:
        if not request.query("id") or not request.query("rating"):
            raise Failed(10)
        item, text = self.item(request.query("id")), request.query("rating")
        if not text.isdigit() or int(text) > 5:
            raise Failed(0)
        marks = self.library.marks_of(item.key)
        marks.rating = int(text) * 2.0 or None
        marks.rated = int(time.time()) if marks.rating else 0
        self.journal.receive("rate", key=str(item.key), id=request.query("id"), rating=int(text))
        self.library.marked()
        return {}

    def scrobble(self, request: Request) -> Row:
        """Several pairs of id and time may come at once; the time is when the track began, in milliseconds."""
        ids, times = request.all("id"), request.all("time")
        if not ids:
            raise Failed(10)
        if times and (len(times) != len(ids) or not all(each.isdigit() for each in times)):
            raise Failed(0)
        is_final = request.query("submission", "true").lower() != "false"
        tracks = [self.item(text) for text in ids]
        for place, track in enumerate(tracks):
            at = int(times[place]) if times else int(time.time() * 1000)
            self.journal.receive("scrobble" if is_final else "nowPlaying", key=str(track.key), id=ids[place], time=at)
            if is_final:
                self.library.played(track.key, at // 1000)
        return {}
