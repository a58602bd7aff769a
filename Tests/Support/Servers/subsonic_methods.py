"""The methods of a Subsonic server that read its library."""
from __future__ import annotations

import random
from typing import Any, Callable

from library import ALBUM, ARTIST, TRACK, Library
from model import Album, Artist, Marks, Track
from subsonic_rows import Row, SubsonicRows, found, iso
from subsonic_wire import Failed
from web import Request

MOST = 500
ARTICLES = "The An A Die Das Ein Eine Les Le La"


class SubsonicMethods:
    def __init__(self, library: Library, user: str, is_legacy: Callable[[], bool]) -> None:
        self.library, self.user, self.is_legacy = library, user, is_legacy
        self.kept: dict[tuple[Any, ...], list[Any]] = {}
        self.kept_revision = -1
        self.methods: dict[str, Callable[[Request], Row]] = {
            "ping": lambda request: {}, "getLicense": lambda request: {"license": {"valid": True}}, "getMusicFolders": self.folders,
            "getArtists": self.artists, "getIndexes": self.indexes, "getArtist": self.artist, "getAlbum": self.album, "getSong": self.song,
            "getAlbumList2": self.album_list, "search3": self.search, "getStarred2": self.starred, "getGenres": self.genres,
            "getPlaylists": self.playlists, "getPlaylist": self.playlist, "getScanStatus": self.scan_status}

    @property
    def rows(self) -> SubsonicRows:
        return SubsonicRows(self.library, self.is_legacy())

    def listed(self, request: Request, name: str, rows: list[Row]) -> Row:
        """A list, or nothing at all where a legacy server would leave an empty one out; spoiled where that was ordered."""
        kind = request.fault.kind if request.fault else ""
        rows = [] if kind == "empty" else rows[:len(rows) // 2] if kind == "short" else rows
        return {name: rows} if rows or not self.is_legacy() else {}

    # Choosing rows.

    def sections(self, request: Request) -> list[int]:
        wanted = request.query("musicFolderId")
        music = [section.key for section in self.library.sections.values() if section.type == "artist"]
        if not wanted:
            return music
        if not wanted.isdigit() or int(wanted) not in music:
            raise Failed(70)
        return [int(wanted)]

    def all(self, request: Request, kind: int) -> list[Any]:
        """Every row of a kind in one order; kept for a revision, since a walk asks for page after page."""
        if self.kept_revision != self.library.revision:
            self.kept, self.kept_revision = {}, self.library.revision
        sections = self.sections(request)
        name = (kind, *sections)
        if name not in self.kept:
            self.kept[name] = [row for section in sections for row in self.library.rows(section, kind)]
        return self.kept[name]

    def number(self, request: Request, name: str, default: int) -> int:
        text = request.query(name) or str(default)
        if not text.isdigit():
            raise Failed(0)
        return int(text)

    def wanted(self, request: Request, kind: type) -> Any:
        if not request.query("id"):
            raise Failed(10)
        item = found(self.library, request.query("id"))
        if not isinstance(item, kind):
            raise Failed(70)
        return item

    def page(self, request: Request, rows: list[Any], size: int, offset: int) -> list[Any]:
        if request.fault and request.fault.kind == "wrongCount":
            size = int(request.fault.value("count", size * 2))
        return rows[offset:offset + size]

    # Methods.

    def folders(self, request: Request) -> Row:
        rows = [{"id": section.key, "name": section.title} for section in self.library.sections.values() if section.type == "artist"]
        return {"musicFolders": self.listed(request, "musicFolder", rows)}

    def index(self, request: Request) -> list[Row]:
        letters: dict[str, list[Artist]] = {}
        for artist in self.all(request, ARTIST):
            first = (artist.sort or artist.title)[:1].upper()
            letters.setdefault(first if first.isalpha() else "#", []).append(artist)
        return [{"name": letter, "artist": [self.rows.artist(each) for each in sorted(letters[letter], key=lambda each: each.sort or each.title)]}
                for letter in sorted(letters)]

    def artists(self, request: Request) -> Row:
        return {"artists": {"ignoredArticles": ARTICLES} | self.listed(request, "index", self.index(request))}

    def indexes(self, request: Request) -> Row:
        changed = max((section.updated for section in self.library.sections.values()), default=0) * 1000
        rows = [] if changed <= self.number(request, "ifModifiedSince", 0) else self.index(request)
        return {"indexes": {"lastModified": changed, "ignoredArticles": ARTICLES} | self.listed(request, "index", rows)}

    def artist(self, request: Request) -> Row:
        artist = self.wanted(request, Artist)
        albums = [self.rows.album(self.library.albums[key]) for key in self.library.albums_of[artist.key]]
        return {"artist": self.rows.artist(artist) | self.listed(request, "album", albums)}

    def album(self, request: Request) -> Row:
        album = self.wanted(request, Album)
        return {"album": self.rows.album(album) | self.listed(request, "song", [self.rows.song(each) for each in self.library.leaves(album)])}

    def song(self, request: Request) -> Row:
        return {"song": self.rows.song(self.wanted(request, Track))}

    def album_list(self, request: Request) -> Row:
        albums: list[Album] = list(self.all(request, ALBUM))
        marks = lambda album: self.library.marks.get(album.key, Marks())  # noqa: E731
        first, last = self.number(request, "fromYear", 0), self.number(request, "toYear", 9999)
        orders: dict[str, Callable[[], list[Album]]] = {
            "alphabeticalByName": lambda: sorted(albums, key=lambda album: (album.sort or album.title).casefold()),
            "alphabeticalByArtist": lambda: sorted(albums, key=lambda album: self.library.artists[album.artist].title.casefold()),
            "newest": lambda: sorted(albums, key=lambda album: -album.added),
            "recent": lambda: sorted([each for each in albums if marks(each).viewed], key=lambda album: -marks(album).viewed),
            "frequent": lambda: sorted([each for each in albums if marks(each).views], key=lambda album: -marks(album).views),
            "highest": lambda: sorted([each for each in albums if marks(each).rating], key=lambda album: -(marks(album).rating or 0)),
            "starred": lambda: [each for each in albums if marks(each).starred],
            "random": lambda: random.sample(albums, len(albums)),
            "byYear": lambda: sorted([each for each in albums if min(first, last) <= each.year <= max(first, last)],
                                     key=lambda album: album.year if first <= last else -album.year),
            "byGenre": lambda: [each for each in albums if request.query("genre") in each.genres]}
        if request.query("type") not in orders:
            raise Failed(10 if not request.query("type") else 0)
        size = min(MOST, self.number(request, "size", 10))
        part = self.page(request, orders[request.query("type")](), size, self.number(request, "offset", 0))
        return {"albumList2": self.listed(request, "album", [self.rows.album(album) for album in part])}

    def search(self, request: Request) -> Row:
        """An empty query lists everything; two quotes are a word that nothing has."""
        if not any(name == "query" for name, _ in request.pairs):
            raise Failed(10)
        words = request.query("query").casefold().rstrip("*").split()
        result: Row = {}
        writers: list[tuple[str, int, Callable[[Any], Row]]] = [
            ("artist", ARTIST, self.rows.artist), ("album", ALBUM, self.rows.album), ("song", TRACK, self.rows.song)]
        for name, kind, write in writers:
            rows = self.all(request, kind)
            if words:
                rows = [row for row in rows if all(word in row.title.casefold() for word in words)]
            count, offset = self.number(request, f"{name}Count", 20), self.number(request, f"{name}Offset", 0)
            part = self.page(request, rows, min(count, MOST), offset) if count else []
            result |= self.listed(request, name, [write(row) for row in part])
        return {"searchResult3": result}

    def starred(self, request: Request) -> Row:
        result: Row = {}
        writers: list[tuple[str, int, Callable[[Any], Row]]] = [
            ("artist", ARTIST, self.rows.artist), ("album", ALBUM, self.rows.album), ("song", TRACK, self.rows.song)]
        keys = {key for key, marks in self.library.marks.items() if marks.starred}
        for name, kind, write in writers:
            result |= self.listed(request, name, [write(row) for row in self.all(request, kind) if row.key in keys])
        return {"starred2": result}

    def genres(self, request: Request) -> Row:
        albums: dict[str, list[Album]] = {}
        for album in self.all(request, ALBUM):
            for name in album.genres:
                albums.setdefault(name, []).append(album)
        rows = [{"value": name, "albumCount": len(of), "songCount": sum(len(self.library.tracks_of[each.key]) for each in of)}
                for name, of in sorted(albums.items())]
        return {"genres": self.listed(request, "genre", rows)}

    def playlists(self, request: Request) -> Row:
        rows = [self.rows.playlist(each, self.user) for each in self.library.playlists.values() if not each.content]
        return {"playlists": self.listed(request, "playlist", rows)}

    def playlist(self, request: Request) -> Row:
        playlist = found(self.library, request.query("id"))
        if playlist is None or not hasattr(playlist, "items"):
            raise Failed(70)
        entries = [self.rows.song(self.library.tracks[key]) for _, key in playlist.items]
        return {"playlist": self.rows.playlist(playlist, self.user) | self.listed(request, "entry", entries)}

    def scan_status(self, request: Request) -> Row:
        sections = self.library.sections.values()
        last = max((section.scanned for section in sections), default=0)
        status: Row = {"scanning": any(section.is_refreshing for section in sections), "count": len(self.library.tracks)}
        if not self.is_legacy():
            status["lastScan"] = iso(last)
        return {"scanStatus": status}
