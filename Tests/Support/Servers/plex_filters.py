"""The query language of Plex listings: filters, the order of rows, and pages."""
from __future__ import annotations

import operator
import re
import time
from typing import Any, Callable
from urllib.parse import unquote, unquote_plus

from library import Library
from model import Album, Artist, Marks, Track
from plex_rows import tag_id
from web import Request

Item = Artist | Album | Track


class BadFilter(ValueError):
    """A query that the server does not understand: 400."""


SHAPE = re.compile(r"(?:(artist|album|track)\.)?([A-Za-z]+)(!==|==|!=|>>=|<<=|<=|>=|=)(.*)", re.DOTALL)
NUMBERS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq, "!=": operator.ne, ">>=": operator.gt, "<<=": operator.lt, "<=": operator.le, ">=": operator.ge}
DATES = {"addedAt", "updatedAt", "lastViewedAt", "lastRatedAt", "viewedAt"}
# Parameters that choose the form of the answer and not its rows.
FORMS = {"type", "sort", "limit", "includeGuids", "includeCollections", "includeMeta", "includeAdvanced", "includeFields", "unmatched",
         "checkFiles", "skipRefresh", "excludeElements", "excludeFields", "resolveTags", "excludeAllLeaves", "sectionID", "nocache",
         "includeExternalMedia", "includeUserState", "agent", "clusterZoomLevel", "accountID", "librarySectionID", "mindate",
         "playlistType", "metadataItemID", "query"}


def value_of(library: Library, item: Item, name: str) -> Any:
    """The value behind a filter's or an order's name, or None."""
    marks = library.marks.get(item.key, Marks())
    found: dict[str, Callable[[], Any]] = {
        "addedAt": lambda: item.added, "updatedAt": lambda: item.updated, "lastViewedAt": lambda: marks.viewed or None,
        "lastRatedAt": lambda: marks.rated or None, "userRating": lambda: marks.rating, "viewCount": lambda: marks.views,
        "skipCount": lambda: marks.skips, "year": lambda: getattr(item, "year", 0) or None, "title": lambda: item.title,
        "titleSort": lambda: (item.sort or item.title).casefold(), "duration": lambda: getattr(item, "milliseconds", 0),
        "index": lambda: getattr(item, "index", 1), "parentIndex": lambda: getattr(item, "disc", 1), "id": lambda: item.key,
        "originallyAvailableAt": lambda: getattr(item, "date", "") or None, "studio": lambda: getattr(item, "studio", ""),
        "guid": lambda: item.guid, "originalTitle": lambda: getattr(item, "credit", "")}
    return found[name]() if name in found else None


def of_kind(library: Library, item: Item, kind: str | None) -> Item | None:
    """The item itself, or the album or artist above it, as `album.title` asks."""
    if kind == "artist":
        return library.artist_of(item)
    if kind == "album":
        return library.albums[item.album] if isinstance(item, Track) else item if isinstance(item, Album) else None
    return item


def tags_of(library: Library, item: Item, kind: str) -> tuple[tuple[str, ...], bool]:
    """The item's tags of a kind, and whether tags of this kind exist at all."""
    if kind == "collection":
        return tuple(each.title for each in library.collections.values() if item.key in each.items), True
    fields = {"genre": "genres", "mood": "moods", "style": "styles", "country": "countries"}
    return (getattr(item, fields[kind], ()), True) if kind in fields else ((), False)


def condition(library: Library, text: str) -> Callable[[Item], bool] | None:
    """Parses one `name operator value` of a query into a test of items; None where it is no filter."""
    name, equals, value = text.partition("=")
    if not equals:
        raise BadFilter(text)
    if "%3D" in name.upper():
        raise BadFilter("an encoded equals sign is no operator")
    match = SHAPE.fullmatch(f"{unquote(name)}={unquote_plus(value)}")
    if match is None:
        if unquote(name)[-1:] in "<>!":
            raise BadFilter(text)
        return None
    kind, field, sign, value = match.groups()
    if field in FORMS and not kind or unquote(name).startswith("X-Plex"):
        return None
    if field in DATES:
        return dated(library, kind, field, sign, value)
    if tags_of(library, next(iter(library.artists.values())), field)[1] if library.artists else False:
        wanted = set(value.split(","))
        is_in = lambda item: any(tag in wanted or str(tag_id(field, tag)) in wanted for tag in tags_of(library, item, field)[0])  # noqa: E731
        return lambda item: is_in(of_kind(library, item, kind) or item) == (sign == "=")
    if field in ("title", "studio", "guid", "originalTitle", "titleSort"):
        return worded(library, kind, field, sign, value)
    try:
        numbers = [float(each) for each in value.split(",")]
    except ValueError as wrong:
        raise BadFilter(text) from wrong
    compare = NUMBERS.get(sign, operator.eq)

    def numbered(item: Item) -> bool:
        found = of_kind(library, item, kind)
        own = value_of(library, found, field) if found else None
        return own is not None and any(compare(own, number) for number in numbers)
    return numbered


def dated(library: Library, kind: str | None, field: str, sign: str, value: str) -> Callable[[Item], bool]:
    if sign not in (">>=", "<<="):
        raise BadFilter(f"{field}{sign}")
    units = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800, "mon": 2592000, "y": 31536000}
    relative = re.fullmatch(r"-(\d+)(mon|[smhdwy])", value)
    try:
        moment = time.time() - int(relative[1]) * units[relative[2]] if relative else float(value)
    except ValueError as wrong:
        raise BadFilter(value) from wrong

    def tested(item: Item) -> bool:
        found = of_kind(library, item, kind)
        own = value_of(library, found, field) if found else None
        return own is not None and NUMBERS[sign](own, moment)
    return tested


def worded(library: Library, kind: str | None, field: str, sign: str, value: str) -> Callable[[Item], bool]:
    tests: dict[str, Callable[[str, str], bool]] = {
        "=": lambda own, word: word in own, "!=": lambda own, word: word not in own, "==": operator.eq, "!==": operator.ne,
        "<=": str.startswith, ">=": str.endswith}
    if sign not in tests:
        raise BadFilter(f"{field}{sign}")
    words = [word.casefold() for word in value.split(",")]

    def tested(item: Item) -> bool:
        found = of_kind(library, item, kind)
        own = str(value_of(library, found, field) or "").casefold() if found else ""
        return any(tests[sign](own, word) for word in words)
    return tested


def chosen(library: Library, rows: list[Item], raw_query: str) -> list[Item]:
    """The rows that match all filters of a query."""
    tests = [test for part in raw_query.split("&") if part and (test := condition(library, part))]
    return [row for row in rows if all(test(row) for test in tests)] if tests else rows


def in_order(library: Library, rows: list[Item], sort: str) -> list[Item]:
    """Sorts by `name[:desc]`, several with commas; by title and position by default."""
    if not sort:
        return sorted(rows, key=lambda item: usual_place(library, item))
    for word in reversed(sort.split(",")):
        name, _, direction = word.partition(":")
        kind, _, field = name.rpartition(".")

        def place(item: Item) -> tuple[bool, Any]:
            found = of_kind(library, item, kind or None)
            value = value_of(library, found, field) if found else None
            return (value is not None, value if value is not None else 0)
        rows = sorted(rows, key=place, reverse=direction.startswith("desc"))
    return rows


def usual_place(library: Library, item: Item) -> tuple[Any, ...]:
    artist = library.artist_of(item)
    first = ((artist.sort or artist.title).casefold(), artist.key)
    if isinstance(item, Artist):
        return first
    album = library.albums[item.album] if isinstance(item, Track) else item
    second = (*first, album.year, (album.sort or album.title).casefold(), album.key)
    return (*second, item.disc, item.index, item.key) if isinstance(item, Track) else second


def page(request: Request, total: int) -> tuple[int, int, bool]:
    """The first row of the wanted page, its number of rows, and whether a page was asked for."""
    try:
        start = int(request.named("X-Plex-Container-Start") or 0)
        size = request.named("X-Plex-Container-Size")
        count = int(size) if size else total
    except ValueError as wrong:
        raise BadFilter("a page is numbers") from wrong
    if request.fault and request.fault.kind == "wrongCount" and count:
        count = int(request.fault.value("count", count * 2))
    return max(0, start), max(0, count), bool(size) or bool(start)
