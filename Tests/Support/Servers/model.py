"""The rows of a stand-in's library. They are small tuples, so that a hundred thousand tracks need little memory."""
from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import NamedTuple


class Artist(NamedTuple):
    key: int
    section: int
    title: str
    guid: str
    added: int
    updated: int
    sort: str = ""
    mbid: str = ""
    summary: str = ""
    genres: tuple[str, ...] = ()
    styles: tuple[str, ...] = ()
    moods: tuple[str, ...] = ()
    countries: tuple[str, ...] = ()
    has_thumb: bool = True


class Album(NamedTuple):
    key: int
    artist: int
    title: str
    guid: str
    added: int
    updated: int
    year: int = 0
    date: str = ""
    sort: str = ""
    mbid: str = ""
    studio: str = ""
    genres: tuple[str, ...] = ()
    styles: tuple[str, ...] = ()
    moods: tuple[str, ...] = ()
    has_thumb: bool = True
    # The loudness of the whole album in LUFS; 0 where it was not analysed.
    loudness: float = 0.0


class Track(NamedTuple):
    key: int
    album: int
    title: str
    guid: str
    added: int
    updated: int
    disc: int
    index: int  # type: ignore[assignment]  # nobody looks for the place of a value in a row
    milliseconds: int
    # The id of the file and the time of its last change; part 0 is a track without Media.
    part: int
    stamp: int
    file: str
    size: int
    container: str
    codec: str
    bitrate: int
    # The path of the file; empty for a tone that is made on request.
    source: str = ""
    credit: str = ""
    sort: str = ""
    mbid: str = ""
    loudness: float = 0.0
    genres: tuple[str, ...] = ()
    moods: tuple[str, ...] = ()


@dataclass
class Section:
    key: int
    title: str
    type: str = "artist"
    agent: str = "tv.plex.agents.music"
    scanner: str = "Plex Music"
    root: str = "/music"
    created: int = 1_600_000_000
    updated: int = 1_600_000_000
    scanned: int = 1_600_000_000
    changes: int = 1000
    hidden: int = 0
    is_refreshing: bool = False

    @property
    def uuid(self) -> str:
        return identity("section", self.title, self.root)


@dataclass
class Collection:
    key: int
    section: int
    title: str
    # The kind of its items: 8, 9 or 10.
    kind: int
    items: list[int]
    added: int
    updated: int
    summary: str = ""


@dataclass
class Playlist:
    key: int
    title: str
    # (id of the row, key of the track): a track may be in it twice.
    items: list[tuple[int, int]]
    added: int
    updated: int
    summary: str = ""
    # The query of a smart playlist; empty for an ordinary one.
    content: str = ""
    section: int = 0


@dataclass
class Marks:
    """The marks of listeners on an item; a missing mark is not zero."""
    rating: float | None = None
    rated: int = 0
    views: int = 0
    viewed: int = 0
    skips: int = 0
    starred: int = 0


@dataclass
class View:
    """One line of the view history."""
    number: int
    track: int
    at: int
    account: int = 1


@dataclass
class Change:
    """A change of one item: created, changed or deleted."""
    key: int
    kind: int
    section: int
    title: str
    what: str
    parent: int = 0
    root: int = 0
    extra: dict[str, str] = field(default_factory=dict)


def identity(*words: object) -> str:
    """A UUID that is always the same for the same words."""
    digits = hashlib.md5("\x1f".join(map(str, words)).encode()).hexdigest()
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-a{digits[17:20]}-{digits[20:]}"


def short_identity(*words: object) -> str:
    """24 hexadecimal digits, as the guids of matched items have."""
    return hashlib.md5("\x1f".join(map(str, words)).encode()).hexdigest()[:24]
