"""The rows of a stand-in's library. Lean tuples: a hundred thousand tracks fit into a small process."""
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
    # Loudness of the whole, in LUFS; 0 where nothing was analysed.
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
    # The id of the file and the stamp of its last change; part 0 is a track without Media.
    part: int
    stamp: int
    file: str
    size: int
    container: str
    codec: str
    bitrate: int
    # Where the bytes are; empty for a tone that is made when it is asked for.
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
    # 8, 9 or 10: what it collects.
    kind: int
    items: list[int]
    added: int
    updated: int
    summary: str = ""


@dataclass
class Playlist:
    key: int
    title: str
    # (id of the row, key of the track): a track may stand in it twice.
    items: list[tuple[int, int]]
    added: int
    updated: int
    summary: str = ""
    # The query of a smart one; empty for an ordinary one.
    content: str = ""
    section: int = 0


@dataclass
class Marks:
    """What listeners did with an item; absent is not zero."""
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
    """What became of one item: created, changed or deleted."""
    key: int
    kind: int
    section: int
    title: str
    what: str
    parent: int = 0
    root: int = 0
    extra: dict[str, str] = field(default_factory=dict)


def identity(*words: object) -> str:
    """A UUID that the same words give each time."""
    digits = hashlib.md5("\x1f".join(map(str, words)).encode()).hexdigest()
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-a{digits[17:20]}-{digits[20:]}"


def short_identity(*words: object) -> str:
    """24 hexadecimal digits, as the guids of matched items have."""
    return hashlib.md5("\x1f".join(map(str, words)).encode()).hexdigest()[:24]
