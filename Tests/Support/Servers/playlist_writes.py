"""What clients do to playlists, at a Plex Media Server and at a Subsonic server."""
from __future__ import annotations

import re
import time
from typing import Callable

from journal import Journal
from library import Library
from model import Playlist
from plex_rows import Rows
from plex_wire import container, done, error
from subsonic_rows import Row, SubsonicRows, found
from subsonic_wire import Failed
from web import Answer, Request


def changed(library: Library, playlist: Playlist) -> None:
    """Notes a change, at a later second than the one before, so that clients see it by the time alone."""
    playlist.updated = max(int(time.time()), playlist.updated + 1)
    library.marked()


class PlexPlaylistWrites:
    def __init__(self, library: Library, journal: Journal) -> None:
        self.library, self.journal = library, journal
        self.next_row = 1000
        routes: list[tuple[str, str, Callable[..., Answer]]] = [
            ("POST", r"/playlists", self.create), ("PUT", r"/playlists/(\d+)", self.describe), ("DELETE", r"/playlists/(\d+)", self.delete),
            ("PUT", r"/playlists/(\d+)/items", self.add), ("DELETE", r"/playlists/(\d+)/items/(\d+)", self.remove),
            ("PUT", r"/playlists/(\d+)/items/(\d+)/move", self.move)]
        self.routes = [(method, re.compile(pattern), action) for method, pattern, action in routes]

    def answer(self, request: Request) -> Answer | None:
        for method, pattern, action in self.routes:
            match = pattern.fullmatch(request.path)
            if match and request.method == method:
                return action(request, *match.groups())
        return None

    def tracks(self, request: Request) -> list[int] | None:
        """The tracks that an address such as `server://MACHINE/com.plexapp.plugins.library/library/metadata/1,2` names."""
        match = re.fullmatch(r"server://[^/]+/com\.plexapp\.plugins\.library/library/metadata/([\d,]+)", request.query("uri"))
        keys = [int(key) for key in match[1].split(",") if key] if match else []
        return keys if keys and all(key in self.library.tracks for key in keys) else None

    def rows(self, tracks: list[int]) -> list[tuple[int, int]]:
        self.next_row += len(tracks)
        return [(self.next_row - len(tracks) + place, track) for place, track in enumerate(tracks)]

    def written(self, request: Request, playlist: Playlist) -> Answer:
        changed(self.library, playlist)
        return container(request, {"size": 1, "Metadata": [Rows(self.library).playlist(playlist)]})

    def create(self, request: Request) -> Answer:
        tracks = self.tracks(request)
        if tracks is None or request.query("type") != "audio" or not request.query("title"):
            return error(request, 400)
        now = int(time.time())
        playlist = Playlist(self.library.key(), request.query("title"), self.rows(tracks), now, now)
        self.library.playlists[playlist.key] = playlist
        self.journal.receive("createPlaylist", title=playlist.title, tracks=tracks)
        return self.written(request, playlist)

    def describe(self, request: Request, key: str) -> Answer:
        playlist = self.library.playlists.get(int(key))
        if playlist is None:
            return error(request, 404)
        # Newer clients write the names of fields with `.value`.
        values = {name.removesuffix(".value"): value for name, value in request.pairs}
        playlist.title = values.get("title") or playlist.title
        playlist.summary = values.get("summary", playlist.summary)
        self.journal.receive("describePlaylist", key=key, title=playlist.title)
        changed(self.library, playlist)
        return done()

    def delete(self, request: Request, key: str) -> Answer:
        if self.library.playlists.pop(int(key), None) is None:
            return error(request, 404)
        self.journal.receive("deletePlaylist", key=key)
        self.library.marked()
        return done()

    def add(self, request: Request, key: str) -> Answer:
        playlist, tracks = self.library.playlists.get(int(key)), self.tracks(request)
        if playlist is None:
            return error(request, 404)
        # The rows of a smart playlist are what its query finds.
        if tracks is None or playlist.content:
            return error(request, 400)
        playlist.items = playlist.items + self.rows(tracks)
        self.journal.receive("addToPlaylist", key=key, tracks=tracks)
        return self.written(request, playlist)

    def remove(self, request: Request, key: str, row: str) -> Answer:
        playlist = self.library.playlists.get(int(key))
        if playlist is None or int(row) not in [number for number, _ in playlist.items]:
            return error(request, 404)
        playlist.items = [item for item in playlist.items if item[0] != int(row)]
        self.journal.receive("removeFromPlaylist", key=key, row=row)
        return self.written(request, playlist)

    def move(self, request: Request, key: str, row: str) -> Answer:
        playlist, after = self.library.playlists.get(int(key)), request.query("after")
        numbers = [number for number, _ in playlist.items] if playlist else []
        if playlist is None or int(row) not in numbers or (after and int(after) not in numbers):
            return error(request, 404)
        moved = playlist.items[numbers.index(int(row))]
        rest = [item for item in playlist.items if item is not moved]
        place = [number for number, _ in rest].index(int(after)) + 1 if after else 0
        playlist.items = rest[:place] + [moved] + rest[place:]
        self.journal.receive("moveInPlaylist", key=key, row=row, after=after)
        return self.written(request, playlist)


class SubsonicPlaylistWrites:
    def __init__(self, library: Library, journal: Journal, user: str) -> None:
        self.library, self.journal, self.user = library, journal, user
        self.methods: dict[str, Callable[[Request], Row]] = {
            "createPlaylist": self.create, "updatePlaylist": self.update, "deletePlaylist": self.delete}

    def playlist(self, text: str) -> Playlist:
        playlist = found(self.library, text)
        if not isinstance(playlist, Playlist):
            raise Failed(70)
        return playlist

    def tracks(self, request: Request, name: str) -> list[tuple[int, int]]:
        songs = [found(self.library, text) for text in request.all(name)]
        if any(song is None or song.key not in self.library.tracks for song in songs):
            raise Failed(70)
        return [(0, song.key) for song in songs]

    def create(self, request: Request) -> Row:
        """Makes a playlist, or gives one other songs."""
        songs, now = self.tracks(request, "songId"), int(time.time())
        if request.query("playlistId"):
            playlist = self.playlist(request.query("playlistId"))
            playlist.items = songs
        elif request.query("name"):
            playlist = Playlist(self.library.key(), request.query("name"), songs, now, now)
            self.library.playlists[playlist.key] = playlist
        else:
            raise Failed(10)
        self.journal.receive("createPlaylist", title=playlist.title, songs=len(songs))
        changed(self.library, playlist)
        rows = SubsonicRows(self.library)
        return {"playlist": rows.playlist(playlist, self.user) | {"entry": [rows.song(self.library.tracks[key]) for _, key in playlist.items]}}

    def update(self, request: Request) -> Row:
        playlist = self.playlist(request.query("playlistId"))
        indexes = [int(text) for text in request.all("songIndexToRemove")]
        if any(index >= len(playlist.items) for index in indexes):
            raise Failed(0)
        added = self.tracks(request, "songIdToAdd")
        playlist.items = [item for place, item in enumerate(playlist.items) if place not in indexes] + added
        playlist.title = request.query("name") or playlist.title
        if any(name == "comment" for name, _ in request.pairs):
            playlist.summary = request.query("comment")
        self.journal.receive("updatePlaylist", title=playlist.title, removed=indexes, added=len(added))
        changed(self.library, playlist)
        return {}

    def delete(self, request: Request) -> Row:
        playlist = self.playlist(request.query("id"))
        del self.library.playlists[playlist.key]
        self.journal.receive("deletePlaylist", title=playlist.title)
        self.library.marked()
        return {}
