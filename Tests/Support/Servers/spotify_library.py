"""The library of the stand-in for Spotify: playlists, liked songs, saved albums and followed artists (developer.spotify.com)."""
from __future__ import annotations

import json
import re
import threading
from typing import Any, Callable

from web import Answer, Request, json_answer

# The limits for applications in development mode since February 2026.
PAGE, BATCH, LIBRARY, HITS = 50, 100, 40, 10
ADDED = "2026-01-01T00:00:00Z"


class Failed(Exception):
    def __init__(self, status: int, words: str) -> None:
        self.status, self.words = status, words


def key(kind: str, number: int) -> str:
    """An id of 22 letters and digits."""
    return f"{kind}{number:0{22 - len(kind)}d}"


def number(text: str) -> int:
    return int(re.sub(r"\D", "", text) or 0)


def track(uri: str) -> dict[str, Any] | None:
    if uri.endswith(":null") or uri == "null":
        return None
    if uri.startswith("spotify:local:"):
        return {"id": None, "uri": uri, "name": "A file", "artists": [{"name": "Somebody"}], "album": {"name": ""}, "duration_ms": 1000, "is_local": True}
    if uri.startswith("spotify:episode:"):
        return {"id": uri.split(":")[2], "uri": uri, "name": "Episode", "type": "episode", "show": {"name": "Show"}, "duration_ms": 1000}
    at = number(uri.split(":")[2])
    return {"id": uri.split(":")[2], "uri": uri, "type": "track", "name": f"Title {at}", "artists": [{"name": "Artist"}, {"name": "Guest"}],
            "album": {"name": "Album"}, "duration_ms": 180_000, "external_ids": {"isrc": f"gbabc{at:07d}"}}


def album(uri: str) -> dict[str, Any] | None:
    if uri.endswith(":null"):
        return None
    at = number(uri.split(":")[2])
    return {"id": uri.split(":")[2], "uri": uri, "name": f"Album {at}", "artists": [{"name": f"Artist {at}"}]}


def artist(uri: str) -> dict[str, Any]:
    return {"id": uri.split(":")[2], "uri": uri, "name": f"Artist {number(uri.split(':')[2])}"}


class SpotifyLibrary:
    def __init__(self, user: str) -> None:
        self.user, self.lock = user, threading.RLock()
        self.playlists: dict[str, dict[str, Any]] = {}
        # Each with the newest first.
        self.saved: dict[str, list[str]] = {"track": [], "album": [], "artist": []}
        self.next = 1
        self.between: list[dict[str, Any]] = []
        self.verbs: dict[str, Callable[[dict[str, Any]], Any]] = {
            "playlist": self.make, "playlists": lambda order: self.playlists, "save": self.save, "saved": lambda order: self.saved,
            "between-pages": self.between.append}

    def make(self, order: dict[str, Any]) -> dict[str, str]:
        """Makes or replaces a playlist; `tracks` are numbers, or addresses of other things. In the overview nothing stands in place of a `hidden` one."""
        name = order.get("id") or key("PL", self.next)
        self.next += 1
        uris = [each if isinstance(each, str) else f"spotify:track:{key('T', each)}" for each in order.get("tracks", [])]
        former = self.playlists.get(name, {"version": 0})
        self.playlists[name] = {"id": name, "name": order.get("name", "List"), "description": order.get("description", ""), "owner": order.get("owner", self.user),
                                "collaborative": order.get("collaborative", False), "public": order.get("public", True), "uris": uris,
                                "hidden": order.get("hidden", False), "version": former["version"] + 1}
        return {"id": name}

    def save(self, order: dict[str, Any]) -> None:
        kind = order["kind"]
        prefix = {"track": "T", "album": "AL", "artist": "AR"}[kind]
        self.saved[kind] = [f"spotify:{kind}:{key(prefix, each) if isinstance(each, int) else each}" for each in order["numbers"]]

    def called(self, request: Request) -> Answer:
        method, path = request.method, request.path.removeprefix("/v1")
        if (method, path) == ("GET", "/me"):
            return json_answer({"id": self.user, "display_name": f"The {self.user}", "type": "user"})
        if (method, path) == ("GET", "/me/playlists"):
            return self.paged(request, [None if each["hidden"] else self.simplified(each) for each in reversed(self.playlists.values())])
        if (method, path) == ("POST", "/me/playlists"):
            body = json.loads(request.body)
            made = self.make({"name": body["name"], "description": body.get("description", ""), "public": body.get("public", True)})
            return json_answer(self.simplified(self.playlists[made["id"]]), 201)
        if (method, path) == ("GET", "/me/tracks"):
            return self.paged(request, [{"added_at": ADDED, "track": track(each)} for each in self.saved["track"]])
        if (method, path) == ("GET", "/me/albums"):
            return self.paged(request, [{"added_at": ADDED, "album": album(each)} for each in self.saved["album"]])
        if (method, path) == ("GET", "/me/following"):
            return self.following(request)
        if method in ("PUT", "DELETE") and path == "/me/library":
            return self.library(method, request)
        if (method, path) == ("GET", "/search"):
            return self.search(request)
        found = re.fullmatch(r"/playlists/([A-Za-z0-9]{22})(/items)?", path)
        playlist = self.playlists.get(found[1]) if found else None
        if not found or not playlist:
            raise Failed(404, "Not found")
        if not found[2]:
            return self.details(method, request, playlist)
        if playlist["owner"] != self.user and not playlist["collaborative"]:
            raise Failed(403, "Forbidden")
        if method == "GET":
            rows = [{"added_at": ADDED, "is_local": each.startswith("spotify:local:"), "item": track(each)} for each in playlist["uris"]]
            return self.paged(request, rows)
        return self.changed(method, json.loads(request.body), playlist)

    def simplified(self, playlist: dict[str, Any]) -> dict[str, Any]:
        escaped = playlist["description"].replace("&", "&amp;").replace("'", "&#x27;")
        return {"id": playlist["id"], "name": playlist["name"], "description": escaped, "collaborative": playlist["collaborative"], "public": playlist["public"],
                "owner": {"id": playlist["owner"]}, "snapshot_id": f"snapshot{playlist['version']}", "items": {"total": len(playlist["uris"])}}

    def paged(self, request: Request, rows: list[Any]) -> Answer:
        limit, offset = int(request.query("limit", "20")), int(request.query("offset", "0"))
        if not 1 <= limit <= PAGE:
            raise Failed(400, "Invalid limit")
        page = [] if request.fault and request.fault.kind == "empty" else rows[offset:offset + limit]
        answer = json_answer({"items": page, "total": len(rows), "limit": limit, "offset": offset})
        if self.between and limit > 1:
            order = self.between.pop(0)
            (self.save if "kind" in order else self.make)(order)
        return answer

    def following(self, request: Request) -> Answer:
        if request.query("type") != "artist" or int(request.query("limit", "20")) > PAGE:
            raise Failed(400, "Invalid type or limit")
        rows, after = self.saved["artist"], request.query("after")
        start = next((index + 1 for index, each in enumerate(rows) if each.endswith(after)), 0) if after else 0
        some = rows[start:start + int(request.query("limit", "20"))]
        if request.fault and request.fault.kind in ("empty", "short"):
            some = some[:int(request.fault.value("rows", 0))]
        more = start + len(some) < len(rows) and request.fault is None
        return json_answer({"artists": {"items": [artist(each) for each in some], "total": len(rows), "cursors": {"after": some[-1].split(":")[2] if more else None}}})

    def library(self, method: str, request: Request) -> Answer:
        uris = request.query("uris").split(",")
        if not 1 <= len(uris) <= LIBRARY:
            raise Failed(400, "Too many uris")
        for uri in uris:
            kind = uri.split(":")[1]
            if kind == "playlist":
                self.playlists.pop(uri.split(":")[2], None)
                continue
            rows = self.saved[kind]
            if uri in rows:
                rows.remove(uri)
            if method == "PUT":
                rows.insert(0, uri)
        return Answer(200, b"")

    def search(self, request: Request) -> Answer:
        """Finds the thing whose number the words name, and another one that is not meant."""
        kind, words = request.query("type"), request.query("q")
        if int(request.query("limit", "5")) > HITS:
            raise Failed(400, "Invalid limit")
        at = number(words.split("artist:")[0]) if kind != "artist" else number(words)
        make: dict[str, Callable[[str], Any]] = {"track": track, "album": album, "artist": artist}
        prefix = {"track": "T", "album": "AL", "artist": "AR"}[kind]
        hits = [] if "Nothing" in words else [make[kind](f"spotify:{kind}:{key(prefix, each)}") for each in (at + 1, at)]
        return json_answer({f"{kind}s": {"items": hits, "total": len(hits)}})

    def details(self, method: str, request: Request, playlist: dict[str, Any]) -> Answer:
        if method == "GET":
            return json_answer({"snapshot_id": f"snapshot{playlist['version']}"})
        if method != "PUT" or playlist["owner"] != self.user:
            raise Failed(403, "Forbidden")
        body = json.loads(request.body)
        if body.get("description") == "":
            raise Failed(400, "Attribute description is empty")
        if "\n" in body.get("description", ""):
            raise Failed(500, "Server error")
        playlist |= {name: body[name] for name in ("name", "description", "public") if name in body}
        return Answer(200, b"")

    def changed(self, method: str, body: dict[str, Any], playlist: dict[str, Any]) -> Answer:
        rows = playlist["uris"]
        if method == "POST":
            if len(body["uris"]) > BATCH or not all(each.startswith("spotify:track:") for each in body["uris"]):
                raise Failed(400, "Too many ids requested, or one that is not allowed")
            place = min(int(body.get("position", len(rows))), len(rows))
            rows[place:place] = body["uris"]
        elif method == "DELETE":
            if len(body["items"]) > BATCH:
                raise Failed(400, "Too many ids requested")
            gone = {each["uri"] for each in body["items"]}
            if any(not re.fullmatch(r"spotify:(track|episode):[A-Za-z0-9]{22}", each) for each in gone):
                raise Failed(400, "Invalid track uri")
            rows[:] = [each for each in rows if each not in gone]
        elif "uris" in body:
            if len(body["uris"]) > BATCH:
                raise Failed(400, "Too many ids requested")
            rows[:] = body["uris"]
        else:
            start, length, before = body["range_start"], body.get("range_length", 1), body["insert_before"]
            if start + length > len(rows) or before > len(rows):
                raise Failed(400, "Invalid range")
            moved = rows[start:start + length]
            del rows[start:start + length]
            place = before - length if before > start else before
            rows[place:place] = moved
        playlist["version"] += 1
        return json_answer({"snapshot_id": f"snapshot{playlist['version']}"}, 201 if method == "POST" else 200)
