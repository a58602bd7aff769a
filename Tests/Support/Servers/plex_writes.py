"""What clients tell a Plex Media Server: ratings, plays, where they are in a track."""
from __future__ import annotations

import time
from typing import Any

from journal import Journal
from library import Library
from model import Marks
from plex_wire import IDENTIFIER, container, done, error
from web import Answer, Request

STATES = ("playing", "paused", "buffering", "stopped")


class PlexWrites:
    """Policies are what facts leave open or real servers do differently; a test switches them."""

    def __init__(self, library: Library, journal: Journal) -> None:
        self.library, self.journal = library, journal
        self.policy: dict[str, Any] = {"writesTouchUpdatedAt": False, "stoppedCounts": False, "scrobbleMakesHistory": False,
                                       "terminate": ""}

    def answer(self, request: Request) -> Answer | None:
        actions = {"/:/rate": self.rate, "/:/scrobble": self.scrobble, "/:/unscrobble": self.unscrobble, "/:/timeline": self.timeline}
        action = actions.get(request.path)
        if action is None or request.method not in ("GET", "PUT", "POST"):
            return None
        return action(request)

    def key(self, request: Request, name: str) -> int | None:
        text = request.query(name).removeprefix("/library/metadata/")
        return int(text) if text.isdigit() else None

    def touch(self, key: int) -> None:
        if self.policy["writesTouchUpdatedAt"]:
            self.library.replace(key, {})
        self.library.marked()

    def rate(self, request: Request) -> Answer:
        key, now = self.key(request, "key"), int(time.time())
        try:
            rating, at = float(request.query("rating")), int(request.query("ratedAt") or now)
        except ValueError:
            return error(request, 400)
        if key is None or not -1 <= rating <= 10 or at > now + 5 or request.query("identifier") != IDENTIFIER:
            return error(request, 400)
        if self.library.find(key) is None:
            return error(request, 404)
        marks = self.library.marks_of(key)
        # Both -1 and 0 are said to clear; a value is kept for what is above.
        marks.rating, marks.rated = (rating, at) if rating > 0 else (None, 0)
        self.journal.receive("rate", key=str(key), rating=rating, at=at)
        self.touch(key)
        return done()

    def scrobble(self, request: Request) -> Answer:
        key = self.key(request, "key")
        if key is None or request.query("identifier") != IDENTIFIER:
            return error(request, 400)
        if self.library.find(key) is None:
            return error(request, 404)
        now = int(time.time())
        self.journal.receive("scrobble", key=str(key), at=now)
        # A count is no line of the history.
        if self.policy["scrobbleMakesHistory"] and key in self.library.tracks:
            self.library.played(key, now)
        else:
            self.library.view(key, now)
        self.touch(key)
        return done()

    def unscrobble(self, request: Request) -> Answer:
        key = self.key(request, "key")
        if key is None or request.query("identifier") != IDENTIFIER:
            return error(request, 400)
        if self.library.find(key) is None:
            return error(request, 404)
        self.journal.receive("unscrobble", key=str(key))
        marks = self.library.marks.get(key, Marks())
        marks.views = marks.viewed = 0
        self.touch(key)
        return done()

    def timeline(self, request: Request) -> Answer:
        key, state = self.key(request, "ratingKey"), request.query("state")
        if key is None or state not in STATES or not request.named("X-Plex-Client-Identifier"):
            return error(request, 400)
        track = self.library.tracks.get(key)
        if track is None:
            return error(request, 404)
        try:
            moment, length = int(request.query("time") or 0), int(request.query("duration") or track.milliseconds)
        except ValueError:
            return error(request, 400)
        self.journal.receive("timeline", key=str(key), state=state, time=moment, duration=length,
                             offline=request.query("offline") == "1", continuing=request.query("continuing") == "1",
                             client=request.named("X-Plex-Client-Identifier"))
        if self.policy["stoppedCounts"] and state == "stopped" and moment >= 0.9 * length:
            self.library.played(key, int(time.time()))
        if self.policy["terminate"]:
            return container(request, {"size": 0, "terminationCode": 2006, "terminationText": self.policy["terminate"]})
        return done()
