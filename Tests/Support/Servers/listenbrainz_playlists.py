"""The playlists and the feedback of a server of ListenBrainz's interface (listenbrainz.readthedocs.io, Playlists and Feedback)."""
from __future__ import annotations

import datetime
import itertools
import json
import re
import time
import uuid
from dataclasses import asdict, dataclass, field
from typing import Any

from web import Request

RECORDING, PLAYLIST = "https://musicbrainz.org/recording/", "https://listenbrainz.org/playlist/"
LIST_OPTIONS, TRACK_OPTIONS = "https://musicbrainz.org/doc/jspf#playlist", "https://musicbrainz.org/doc/jspf#track"
MOST_ADDED, MOST_ROWS, DEFAULT_LISTS, DEFAULT_ROWS = 100, 100, 25, 25


class Failed(Exception):
    def __init__(self, status: int, words: str) -> None:
        self.status, self.words = status, words


def is_uuid(text: Any) -> bool:
    try:
        return isinstance(text, str) and str(uuid.UUID(text)) == text.lower()
    except ValueError:
        return False


def number(request: Request, name: str, default: int) -> int:
    text = request.query(name, str(default))
    if not text.isdigit():
        raise Failed(400, f"'{name}' should be a non-negative integer")
    return int(text)


@dataclass
class List:
    id: str
    creator: str
    title: str
    annotation: str = ""
    public: bool = True
    collaborators: list[str] = field(default_factory=list)
    # MBIDs of recordings, or whole addresses of other things.
    recordings: list[str] = field(default_factory=list)
    modified: str = ""

    def jspf(self, described: dict[str, dict[str, Any]] | None, identifiers: str) -> dict[str, Any]:
        """The list as JSPF; an overview has it without tracks."""
        options = {"creator": self.creator, "public": self.public, "last_modified_at": self.modified}
        if self.collaborators:
            options["collaborators"] = self.collaborators
        made = {"creator": self.creator, "title": self.title, "identifier": PLAYLIST + self.id, "date": self.modified,
                "extension": {LIST_OPTIONS: options}, "track": []}
        if self.annotation:
            made["annotation"] = self.annotation
        for recording in self.recordings if described is not None else []:
            address = recording if ":" in recording else RECORDING + recording
            names = (described or {}).get(recording, {})
            row = {"identifier": [address] if identifiers == "list" else address, "extension": {TRACK_OPTIONS: {"added_by": self.creator}}}
            row |= {there: names[here] for here, there in (("artist", "creator"), ("title", "title"), ("album", "album"), ("milliseconds", "duration"))
                    if here in names}
            made["track"].append(row)
        return {"playlist": made}


class Playlists:
    def __init__(self, user: str, policy: dict[str, Any]) -> None:
        self.user, self.policy = user, policy
        self.lists: dict[str, List] = {}
        # The recordings that the server knows: artist, title, album, milliseconds.
        self.described: dict[str, dict[str, Any]] = {}
        self.moments = itertools.count(1)

    def called(self, request: Request, user: str | None) -> dict[str, Any] | None:
        """The answer to a call of playlists; None for other calls. The user is the one whose token came with it, if any."""
        method, path = request.method, request.path
        found = re.fullmatch(r"/1/user/([^/]+)/playlists", path)
        if method == "GET" and found:
            return self.overview(request, found[1], user)
        if not path.startswith("/1/playlist/"):
            return None
        if method == "GET":
            return self.visible(path.removeprefix("/1/playlist/"), user).jspf(self.described, self.policy["identifiers"])
        if user is None:
            raise Failed(401, "You need to provide an Authorization header.")
        if path == "/1/playlist/create":
            return self.create(request, user)
        if (found := re.fullmatch(r"/1/playlist/edit/([^/]+)", path)):
            return self.edit(request, self.own(found[1], user))
        if (found := re.fullmatch(r"/1/playlist/([^/]+)/delete", path)):
            del self.lists[self.own(found[1], user).id]
            return {"status": "ok"}
        if (found := re.fullmatch(r"/1/playlist/([^/]+)/item/(add|move|delete)(?:/(\d+))?", path)):
            self.change(self.own(found[1], user, edits=True), found[2], self.data(request), int(found[3]) if found[3] else None)
            return {"status": "ok"}
        raise Failed(404, "Not Found")

    def overview(self, request: Request, name: str, user: str | None) -> dict[str, Any]:
        count, offset = min(MOST_ROWS, number(request, "count", DEFAULT_LISTS)), number(request, "offset", 0)
        rows = [each for each in reversed(self.lists.values()) if each.creator == name and (each.public or each.creator == user)]
        page = [each.jspf(None, "") for each in rows[offset:offset + count]]
        return {"playlists": page, "playlist_count": len(rows), "count": len(page), "offset": offset}

    def visible(self, id: str, user: str | None) -> List:
        if not is_uuid(id):
            raise Failed(400, "Provided playlist ID is invalid.")
        found = self.lists.get(id)
        if found is None or not (found.public or user == found.creator or user in found.collaborators):
            raise Failed(404, f"Cannot find playlist: {id}")
        return found

    def own(self, id: str, user: str, edits: bool = False) -> List:
        found = self.visible(id, user)
        if user != found.creator and not (edits and user in found.collaborators):
            raise Failed(403, "You are not allowed to edit this playlist.")
        return found

    def data(self, request: Request) -> dict[str, Any]:
        try:
            data = json.loads(request.body)
        except ValueError:
            raise Failed(400, "Cannot parse JSON document") from None
        if not isinstance(data, dict):
            raise Failed(400, "a JSON object is wanted")
        return data

    def jspf(self, request: Request) -> tuple[dict[str, Any], dict[str, Any]]:
        list = self.data(request).get("playlist")
        if not isinstance(list, dict):
            raise Failed(400, "JSPF playlist is wanted")
        options = list.get("extension", {}).get(LIST_OPTIONS, {})
        if "public" in options and not isinstance(options["public"], bool):
            raise Failed(400, "JSPF playlist public field must contain a boolean.")
        if not all(options.get("collaborators", [])):
            raise Failed(400, "The collaborators field contains an empty value.")
        return list, options

    def create(self, request: Request, user: str) -> dict[str, Any]:
        data, options = self.jspf(request)
        if not data.get("title"):
            raise Failed(400, "JSPF playlist must contain a title element with the title of the playlist.")
        if "public" not in options:
            raise Failed(400, "JSPF playlist.extension.https://musicbrainz.org/doc/jspf#playlist.public field must be given.")
        made = List(str(uuid.uuid4()), user, data["title"], filtered(data.get("annotation") or ""), options["public"],
                    options.get("collaborators", []), self.recordings(data))
        self.lists[made.id] = self.touched(made)
        return {"status": "ok", "playlist_mbid": made.id}

    def edit(self, request: Request, list: List) -> dict[str, Any]:
        data, options = self.jspf(request)
        list.public = options.get("public", list.public)
        if "annotation" in data:
            list.annotation = filtered(data["annotation"] or "")
        list.title = data.get("title") or list.title
        # Those that are not named are none any more.
        list.collaborators = options.get("collaborators", [])
        self.touched(list)
        return {"status": "ok"}

    def recordings(self, data: dict[str, Any]) -> list[str]:
        found = []
        for index, track in enumerate(data.get("track", [])):
            address = track.get("identifier") or ""
            if not isinstance(address, str) or not address.startswith(RECORDING) or not is_uuid(address.removeprefix(RECORDING)):
                raise Failed(400, f"JSPF playlist track {index} does not contain a valid track identifier field.")
            found.append(address.removeprefix(RECORDING).lower())
        return found

    def change(self, list: List, what: str, data: dict[str, Any], offset: int | None) -> None:
        rows = list.recordings
        if what == "add":
            added = self.recordings(data["playlist"])
            if len(added) > MOST_ADDED:
                raise Failed(400, f"You may only add max {MOST_ADDED} recordings per call.")
            place = len(rows) if offset is None else offset
            if place > len(rows):
                # It would be taken, and leave a gap.
                raise Failed(500, "a gap in the positions of a playlist")
            rows[place:place] = added
        else:
            names = ("index", "count") if what == "delete" else ("from", "to", "count")
            if any(not isinstance(data.get(name), int) or data[name] < 0 for name in names) or (what == "move" and not is_uuid(data.get("mbid"))):
                raise Failed(400, f"post data must include the keys {names}, and mbid to move")
            start = data[names[0]]
            if start >= len(rows) or data["count"] < 1:
                raise Failed(500, f"Failed to {what} recordings in the playlist. Please try again.")
            taken = rows[start:start + data["count"]]
            del rows[start:start + data["count"]]
            if what == "move":
                # The new position is counted without what is moved.
                rows[data["to"]:data["to"]] = taken
        self.touched(list)

    def touched(self, list: List) -> List:
        at = datetime.datetime.fromtimestamp(int(time.time()), datetime.timezone.utc)
        list.modified = at.replace(microsecond=next(self.moments) % 1_000_000).isoformat(timespec="microseconds")
        return list

    def order(self, order: dict[str, Any]) -> dict[str, Any]:
        """Makes a list, or changes fields of one; `remove` removes it. `add` and `drop` change its recordings."""
        list = self.lists.setdefault(str(order.get("id") or uuid.uuid4()), List("", self.user, "A list"))
        list.id = next(id for id, each in self.lists.items() if each is list)
        for name, value in order.items():
            if name not in ("id", "remove", "add", "drop"):
                getattr(list, name)
                setattr(list, name, value)
        list.recordings = [each for each in list.recordings if each not in order.get("drop", [])] + order.get("add", [])
        self.touched(list)
        if order.get("remove"):
            del self.lists[list.id]
        return {"id": list.id}

    def all(self, order: dict[str, Any]) -> list[dict[str, Any]]:
        return [asdict(each) for each in self.lists.values()]


def filtered(html: str) -> str:
    """Descriptions are HTML: signs that begin no tag and no name of a character are escaped."""
    html = re.sub(r"&(?!(?:\w+|#\d+);)", "&amp;", re.sub(r"<script.*?</script>", "", html))
    return re.sub(r"<(?![a-zA-Z/])", "&lt;", html)


class Feedback:
    """The scores of a user, the newest last: by recordings, or by listens that have none."""

    def __init__(self, loved: dict[str, int], playlists: Playlists) -> None:
        self.loved, self.playlists = loved, playlists
        # Listens without recordings at MusicBrainz, and how they are told apart.
        self.listens: set[str] = set()

    def add(self, id: str, score: int) -> None:
        self.loved.pop(id, None)
        if score:
            self.loved[id] = score

    def order(self, order: dict[str, Any]) -> None:
        """Scores recordings (`mbids`) or listens without one (`msids`), in this order."""
        self.listens.update(order.get("msids", []))
        for id in order.get("mbids", []) + order.get("msids", []):
            self.add(id, int(order.get("score", 1)))

    def given(self, request: Request) -> dict[str, Any]:
        score = request.query("score", "")
        if score not in ("", "0", "1", "-1"):
            raise Failed(400, "Score can have a value of 1 or -1.")
        count, offset = min(MOST_ROWS, number(request, "count", DEFAULT_ROWS)), number(request, "offset", 0)
        rows = [(id, given) for id, given in reversed(self.loved.items()) if score in ("", "0") or given == int(score)]
        page = [self.row(id, given, request.query("metadata", "").lower() == "true") for id, given in rows[offset:offset + count]]
        total = len(self.loved) if self.playlists.policy["countsAllScores"] else len(rows)
        return {"feedback": page, "count": len(page), "total_count": total, "offset": offset}

    def row(self, id: str, score: int, has_names: bool) -> dict[str, Any]:
        is_listen = id in self.listens
        row = {"created": 1_700_000_000, "score": score, "user_id": self.playlists.user, "recording_mbid": None if is_listen else id,
               "recording_msid": id if is_listen else None, "track_metadata": None}
        names = self.playlists.described.get(id)
        if has_names and names:
            row["track_metadata"] = {"artist_name": names["artist"], "track_name": names["title"], "release_name": names.get("album"),
                                     "additional_info": {"recording_msid": row["recording_msid"]}}
        return row
