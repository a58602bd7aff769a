"""The library of a stand-in: rows by key, what belongs to what, and every change with its counters and listeners."""
from __future__ import annotations

import threading
import time
from typing import Any, Callable, Iterable

from model import Album, Artist, Change, Collection, Marks, Playlist, Section, Track, View

ARTIST, ALBUM, TRACK, COLLECTION = 8, 9, 10, 18


class Library:
    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.sections: dict[int, Section] = {}
        self.artists: dict[int, Artist] = {}
        self.albums: dict[int, Album] = {}
        self.tracks: dict[int, Track] = {}
        self.albums_of: dict[int, list[int]] = {}
        self.tracks_of: dict[int, list[int]] = {}
        self.track_of_part: dict[int, int] = {}
        self.collections: dict[int, Collection] = {}
        self.playlists: dict[int, Playlist] = {}
        self.marks: dict[int, Marks] = {}
        self.history: list[View] = []
        self.listeners: list[Callable[[list[Change]], None]] = []
        # Changes with every change of any kind: cached answers are valid for one revision.
        self.revision = 0
        self.next_key = 1
        self.next_part = 1

    # Building.

    def key(self) -> int:
        self.next_key += 1
        return self.next_key - 1

    def part(self) -> int:
        self.next_part += 1
        return self.next_part - 1

    def put_artist(self, artist: Artist) -> int:
        self.artists[artist.key] = artist
        self.albums_of.setdefault(artist.key, [])
        return artist.key

    def put_album(self, album: Album) -> int:
        if album.key not in self.albums:
            self.albums_of[album.artist].append(album.key)
        self.albums[album.key] = album
        self.tracks_of.setdefault(album.key, [])
        return album.key

    def put_track(self, track: Track) -> int:
        if track.key not in self.tracks:
            self.tracks_of[track.album].append(track.key)
        self.tracks[track.key] = track
        if track.part:
            self.track_of_part[track.part] = track.key
        return track.key

    # Looking.

    def find(self, key: int) -> Artist | Album | Track | None:
        return self.artists.get(key) or self.albums.get(key) or self.tracks.get(key)

    def artist_of(self, item: Artist | Album | Track) -> Artist:
        if isinstance(item, Track):
            item = self.albums[item.album]
        return self.artists[item.artist] if isinstance(item, Album) else item

    def section_of(self, item: Artist | Album | Track) -> Section:
        return self.sections[self.artist_of(item).section]

    def leaves(self, item: Artist | Album | Track) -> list[Track]:
        if isinstance(item, Track):
            return [item]
        albums = [item.key] if isinstance(item, Album) else self.albums_of[item.key]
        return [self.tracks[key] for album in albums for key in self.tracks_of[album]]

    def rows(self, section: int, kind: int) -> Iterable[Any]:
        """All artists, albums or tracks of a section, in the order in which they were added."""
        artists = [artist for artist in self.artists.values() if artist.section == section]
        if kind == ARTIST:
            return artists
        albums = [self.albums[key] for artist in artists for key in self.albums_of[artist.key]]
        if kind == ALBUM:
            return albums
        return [self.tracks[key] for album in albums for key in self.tracks_of[album.key]]

    # Changing. Each of these ends in `changed`.

    def changed(self, *changes: Change) -> None:
        self.revision += 1
        now = int(time.time())
        for section in {change.section for change in changes}:
            if section in self.sections:
                # A counter, not a time: it grows by more than the number of items, like that of a real server.
                self.sections[section].changes += 3 + len(changes)
                self.sections[section].updated = self.sections[section].scanned = now
        for listener in list(self.listeners):
            listener(list(changes))

    def change_of(self, item: Artist | Album | Track, what: str) -> Change:
        kind = TRACK if isinstance(item, Track) else ALBUM if isinstance(item, Album) else ARTIST
        parent = getattr(item, "album", 0) or getattr(item, "artist", 0)
        artist = self.artist_of(item)
        return Change(item.key, kind, artist.section, item.title, what, parent, 0 if kind == ARTIST else artist.key)

    def replace(self, key: int, fields: dict[str, Any]) -> Change:
        """Gives fields of one item new values; `updated` becomes now unless it is among them."""
        item = self.find(key)
        if item is None:
            raise KeyError(key)
        fields = {name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()}
        changed = item._replace(**({"updated": int(time.time())} | fields))
        if isinstance(changed, Artist):
            self.put_artist(changed)
        elif isinstance(changed, Album):
            self.put_album(changed)
        else:
            self.track_of_part.pop(self.tracks[key].part, None)
            self.put_track(changed)
        change = self.change_of(changed, "changed")
        self.changed(change)
        return change

    def remove(self, key: int) -> list[Change]:
        """Takes an item away with all that belongs to it, and parents that were left empty."""
        item = self.find(key)
        if item is None:
            raise KeyError(key)
        gone: list[Change] = []
        for track in self.leaves(item):
            gone.append(self.change_of(track, "deleted"))
            self.tracks_of[track.album].remove(track.key)
            self.track_of_part.pop(track.part, None)
        albums = [item.album] if isinstance(item, Track) else [item.key] if isinstance(item, Album) else list(self.albums_of[key])
        artist = self.artist_of(item)
        for album in [self.albums[each] for each in albums if not self.tracks_of[each]]:
            gone.append(self.change_of(album, "deleted"))
            self.albums_of[artist.key].remove(album.key)
        if not self.albums_of[artist.key]:
            gone.append(self.change_of(artist, "deleted"))
        self.forget({change.key for change in gone})
        self.changed(*gone)
        return gone

    def forget(self, keys: set[int]) -> None:
        for table in (self.artists, self.albums, self.tracks, self.albums_of, self.tracks_of, self.marks):
            for key in keys:
                table.pop(key, None)
        for collection in self.collections.values():
            collection.items = [item for item in collection.items if item not in keys]
        for playlist in self.playlists.values():
            playlist.items = [row for row in playlist.items if row[1] not in keys]

    def renumber(self, section: int, keeps_parts: bool = False) -> int:
        """Gives every item of a section a new key, as in a rebuilt library; guids and files stay. Returns the number of
        items."""
        old = {item.key: item for kind in (ARTIST, ALBUM, TRACK) for item in self.rows(section, kind)}
        new = {key: self.key() for key in old}
        marks = {new[key]: mark for key, mark in self.marks.items() if key in new}
        for key, item in old.items():
            for table in (self.artists, self.albums, self.tracks, self.albums_of, self.tracks_of, self.marks):
                table.pop(key, None)
            if isinstance(item, Artist):
                self.put_artist(item._replace(key=new[key]))
            elif isinstance(item, Album):
                self.put_album(item._replace(key=new[key], artist=new[item.artist]))
            else:
                self.track_of_part.pop(item.part, None)
                part = item.part if keeps_parts or not item.part else self.part()
                self.put_track(item._replace(key=new[key], album=new[item.album], part=part))
        self.marks |= marks
        for collection in self.collections.values():
            collection.items = [new.get(item, item) for item in collection.items]
        for playlist in self.playlists.values():
            playlist.items = [(row, new.get(item, item)) for row, item in playlist.items]
        for view in self.history:
            view.track = new.get(view.track, view.track)
        gone = [Change(key, TRACK, section, item.title, "deleted") for key, item in old.items() if isinstance(item, Track)]
        come = [self.change_of(item, "created") for item in self.rows(section, TRACK)]
        self.changed(*gone, *come)
        return len(old)

    def marks_of(self, key: int) -> Marks:
        return self.marks.setdefault(key, Marks())

    def marked(self) -> None:
        """Marks do not count for a section's change counter; only cached answers become invalid."""
        self.revision += 1

    def played(self, key: int, at: int) -> None:
        """Counts a play and adds it to the history."""
        self.view(key, at)
        self.history.append(View(len(self.history) + 1, key, at))

    def view(self, key: int, at: int) -> None:
        item = self.find(key)
        keys = [key]
        if isinstance(item, Track):
            keys += [item.album, self.albums[item.album].artist]
        for each in keys:
            marks = self.marks_of(each)
            marks.views += 1
            marks.viewed = max(marks.viewed, at)
        self.marked()
