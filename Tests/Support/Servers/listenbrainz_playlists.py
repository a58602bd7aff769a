"""The playlists and the read feedback of the stand-in for ListenBrainz (listenbrainz.readthedocs.io, Playlists and Feedback API)."""
from __future__ import annotations

import datetime
import json
import re
import uuid
from dataclasses import dataclass, field
from typing import Any, Callable

from web import Answer, Request, json_answer

# listenbrainz.readthedocs.io, Constants.
MOST_ADDED, USUAL_COUNT = 100, 25
RECORDING, PLAYLIST = "https://musicbrainz.org/recording/", "https://listenbrainz.org/playlist/"
EXTENSION = "https://musicbrainz.org/doc/jspf#playlist"


class Failed(Exception):
    def __init__(self, status: int, words: str) -> None:
        self.status, self.words = status, words


def is_uuid(text: Any) -> bool:
    try:
        return isinstance(text, str) and str(uuid.UUID(text)) == text.lower()
    except ValueError:
        return False


def title_of(recording: str) -> str:
    """The made-up title of a recording: the end of its id."""
    return f"Title {recording[-4:]}"


@dataclass
class Playlist:
    id: str
    title: str
    annotation: str | None
    public: bool
    owner: str
    collaborators: list[str] = field(default_factory=list)
    recordings: list[str] = field(default_factory=list)
    changed: int = 0

    def jspf(self, with_tracks: bool, with_metadata: bool = True) -> dict[str, Any]:
        at = datetime.datetime.fromtimestamp(1_700_000_000 + self.changed, datetime.timezone.utc).isoformat()
        extension = {"creator": self.owner, "public": self.public, "last_modified_at": at, "collaborators": self.collaborators}
        tracks = [{"identifier": [RECORDING + each]} | ({"title": title_of(each), "creator": "Artist", "album": "Album", "duration": 180_000}
                                                       if with_metadata else {}) for each in self.recordings] if with_tracks else []
        made = {"creator": self.owner, "identifier": PLAYLIST + self.id, "title": self.title, "date": at, "track": tracks, "extension": {EXTENSION: extension}}
        return {"playlist": made | ({"annotation": self.annotation} if self.annotation else {})}


class Playlists:
    def __init__(self, user: str) -> None:
        self.user, self.all, self.next = user, {}, 1
        # What happens after the next page of the overview or of the loves: a change between two pages.
        self.between: list[dict[str, Any]] = []
        self.verbs: dict[str, Callable[[dict[str, Any]], Any]] = {
            "playlists": lambda order: {each.id: vars(each) for each in self.all.values()}, "playlist": self.make,
            "between-pages": self.between.append}

    def make(self, order: dict[str, Any]) -> dict[str, str]:
        """Makes or replaces a playlist, as a person does there."""
        key = order.get("id") or str(uuid.uuid5(uuid.NAMESPACE_DNS, f"playlist {self.next}"))
        self.next += 1
        old = self.all.get(key)
        self.all[key] = Playlist(key, order.get("title", "List"), order.get("annotation"), bool(order.get("public", True)), order.get("owner", self.user),
                                 order.get("collaborators", []), order.get("recordings", []), (old.changed if old else 0) + 1)
        return {"id": key}

    def own(self) -> list[Playlist]:
        return [each for each in self.all.values() if each.owner == self.user]

    def called(self, request: Request, authorise: Callable[[], None], is_owner: bool) -> Answer:
        method, path = request.method, request.path
        if method == "GET" and path.endswith("/playlists"):
            return self.overview(request, is_owner)
        found = re.fullmatch(r"/1/playlist/([0-9a-f-]{36})", path)
        if method == "GET" and found:
            playlist = self.all.get(found[1])
            if not playlist or not (playlist.public or is_owner):
                raise Failed(404, f"Cannot find playlist: {found[1]}")
            return json_answer(playlist.jspf(True, request.query("fetch_metadata", "true") != "false"))
        if method != "POST":
            raise Failed(404, "Not Found")
        authorise()
        data = json.loads(request.body or b"{}")
        if path == "/1/playlist/create":
            return self.created(data)
        found = re.fullmatch(r"/1/playlist/(?:edit/)?([0-9a-f-]{36})(.*)", path)
        playlist = self.all.get(found[1]) if found else None
        if not found or not playlist:
            raise Failed(404, "Cannot find playlist")
        if playlist.owner != self.user:
            raise Failed(403, "You are not allowed to edit this playlist.")
        playlist.changed += 1
        if path.startswith("/1/playlist/edit/"):
            return self.edited(playlist, data)
        return self.changed(playlist, found[2], data)

    def overview(self, request: Request, is_owner: bool) -> Answer:
        count, offset = int(request.query("count", str(USUAL_COUNT))), int(request.query("offset", "0"))
        rows = [each for each in reversed(self.own()) if each.public or is_owner]
        answer = json_answer({"count": count, "offset": offset, "playlist_count": len(rows),
                              "playlists": [each.jspf(False) for each in rows[offset:offset + count]]})
        if self.between:
            self.make(self.between.pop(0))
        return answer

    def created(self, data: dict[str, Any]) -> Answer:
        jspf = data.get("playlist") or {}
        public = ((jspf.get("extension") or {}).get(EXTENSION) or {}).get("public")
        if not jspf.get("title") or not isinstance(public, bool):
            raise Failed(400, "JSPF playlist must contain a title element with the title of the playlist, and public.")
        made = self.make({"title": jspf["title"], "annotation": jspf.get("annotation"), "public": public})
        return json_answer({"status": "ok", "playlist_mbid": made["id"]})

    def edited(self, playlist: Playlist, data: dict[str, Any]) -> Answer:
        jspf = data.get("playlist") or {}
        extension = (jspf.get("extension") or {}).get(EXTENSION) or {}
        playlist.public = extension.get("public", playlist.public)
        if "annotation" in jspf:
            playlist.annotation = jspf["annotation"] or None
        playlist.title = jspf.get("title") or playlist.title
        # What an edit does not name is removed.
        playlist.collaborators = extension.get("collaborators", [])
        return json_answer({"status": "ok"})

    def changed(self, playlist: Playlist, what: str, data: dict[str, Any]) -> Answer:
        rows = playlist.recordings
        if what == "/delete":
            del self.all[playlist.id]
        elif found := re.fullmatch(r"/item/add(?:/(\d+))?", what):
            tracks = data["playlist"]["track"]
            if len(tracks) > MOST_ADDED:
                raise Failed(400, f"You may only add max {MOST_ADDED} recordings per call.")
            names = [each["identifier"].removeprefix(RECORDING) for each in tracks]
            if not all(is_uuid(each) for each in names):
                raise Failed(400, "JSPF playlist track 0 does not contain a valid track identifier field.")
            place = len(rows) if found[1] is None else int(found[1])
            rows[place:place] = names
        elif what == "/item/delete":
            if data["index"] < 0 or data["count"] < 0:
                raise Failed(400, "'index' and 'count' must all be positive integers.")
            del rows[data["index"]:data["index"] + data["count"]]
        elif what == "/item/move":
            if not is_uuid(data.get("mbid")) or min(data["from"], data["to"], data["count"]) < 0:
                raise Failed(400, "'from', 'to' and 'count' must all be positive integers.")
            moved = rows[data["from"]:data["from"] + data["count"]]
            del rows[data["from"]:data["from"] + data["count"]]
            rows[data["to"]:data["to"]] = moved
        else:
            raise Failed(404, "Not Found")
        return json_answer({"status": "ok"})

    def feedback(self, request: Request, loved: dict[str, int]) -> Answer:
        """The newest first."""
        score, count, offset = int(request.query("score", "1")), int(request.query("count", "25")), int(request.query("offset", "0"))
        rows = [each for each in reversed(loved) if loved[each] == score]
        metadata = request.query("metadata", "false") == "true"
        found = [{"created": 1_700_000_000, "recording_mbid": each, "recording_msid": None, "score": score, "user_id": self.user,
                  "track_metadata": {"artist_name": "Artist", "track_name": title_of(each), "release_name": "Album"} if metadata else None}
                 for each in rows[offset:offset + count]]
        answer = json_answer({"count": len(found), "feedback": found, "offset": offset, "total_count": len(rows)})
        if self.between:
            loved.pop(self.between.pop(0)["unloved"], None)
        return answer
