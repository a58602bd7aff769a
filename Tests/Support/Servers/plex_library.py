"""The library part of a Plex Media Server: sections, listings, details, collections, playlists, history."""
from __future__ import annotations

import re
from typing import Any, Callable
from urllib.parse import parse_qsl, unquote

import plex_rows
from library import ALBUM, ARTIST, COLLECTION, TRACK, Library
from model import Artist, Playlist, Section, Track
from plex_filters import BadFilter, Item, chosen, in_order, page
from plex_meta import meta
from plex_rows import Row, Rows, tag_id
from plex_wire import IDENTIFIER, MEDIA_TAGS, container, error, wants_json
from web import Answer, Request

KINDS = {"artist": ARTIST, "album": ALBUM, "track": TRACK, "8": ARTIST, "9": ALBUM, "10": TRACK, "18": COLLECTION,
         "collection": COLLECTION, "": ARTIST}
GROUPS = {ARTIST: ("artist", "All Artists"), ALBUM: ("artist", "All Artists"), TRACK: ("artist", "All Artists"),
          COLLECTION: ("mixed", "All Collections")}
# The size of the cache of pages in bytes, which makes a second pass through a large library fast.
CACHE = 128 * 1024 * 1024


class PlexLibrary:
    def __init__(self, library: Library) -> None:
        self.library = library
        self.cached: dict[tuple[Any, ...], Any] = {}
        self.cached_bytes = 0
        self.cached_revision = -1
        routes: list[tuple[str, Callable[..., Answer]]] = [
            (r"/library/?", self.root), (r"/library/sections(?:/all)?/?", self.sections), (r"/library/sections/(\d+)", self.section),
            (r"/library/sections/(\d+)/(all|albums|allLeaves|search)", self.listing),
            (r"/library/sections/(\d+)/collections", self.collections_of), (r"/library/sections/(\d+)/(genre|mood|style)", self.tag_list),
            (r"/library/metadata/([\d,]+)", self.details), (r"/library/metadata/(\d+)/children", self.children),
            (r"/library/metadata/(\d+)/(?:allLeaves|grandchildren)", self.leaves), (r"/library/collections/(\d+)", self.collection),
            (r"/library/(?:collections|metadata)/(\d+)/(?:items|children)", self.collection_items),
            (r"/hubs/search", self.search), (r"/playlists(?:/all)?", self.playlists), (r"/playlists/(\d+)", self.playlist),
            (r"/playlists/(\d+)/items", self.playlist_items), (r"/status/sessions/history/all", self.history)]
        self.routes = [(re.compile(pattern), action) for pattern, action in routes]

    def answer(self, request: Request) -> Answer | None:
        """Answers a request to this part of the server; None where the path belongs to another part."""
        for pattern, action in self.routes:
            match = pattern.fullmatch(request.path)
            if match and request.method in ("GET", "HEAD"):
                try:
                    found = action(request, *match.groups())
                except BadFilter:
                    return error(request, 400)
                if found.status != 404:
                    return found
        return None

    # The cache for one revision of the library.

    def kept(self, name: tuple[Any, ...], make: Callable[[], Any], weight: Callable[[Any], int] = lambda _: 0) -> Any:
        if self.cached_revision != self.library.revision:
            self.cached.clear()
            self.cached_bytes, self.cached_revision = 0, self.library.revision
        if name not in self.cached:
            value = make()
            if self.cached_bytes + weight(value) > CACHE:
                return value
            self.cached_bytes += weight(value)
            self.cached[name] = value
        return self.cached[name]

    # Sections.

    def root(self, request: Request) -> Answer:
        rows = [{"key": "sections", "title": "Library Sections"}]
        return container(request, {"size": 1, "allowSync": False, "art": "/:/resources/library-art.png", "content": "",
                                   "identifier": IDENTIFIER} | MEDIA_TAGS | {"title1": "Plex Library", "title2": "", "Directory": rows})

    def sections(self, request: Request) -> Answer:
        rows = [plex_rows.section(each) for each in self.library.sections.values()]
        return container(request, {"size": len(rows), "allowSync": False, "title1": "Plex Library"} | ({"Directory": rows} if rows else {}))

    def section(self, request: Request, key: str) -> Answer:
        if int(key) not in self.library.sections:
            return error(request, 404)
        names = {"all": "All Artists", "albums": "By Album", "genre": "By Genre", "collections": "Collections"}
        rows = [{"key": name, "title": title} for name, title in names.items()]
        return container(request, {"size": len(rows), "librarySectionID": int(key), "title1": self.library.sections[int(key)].title,
                                   "content": "secondary", "Directory": rows})

    def head(self, section: Section) -> Row:
        return {"allowSync": True, "art": "/:/resources/artist-fanart.jpg", "identifier": IDENTIFIER, "librarySectionID": section.key,
                "librarySectionTitle": section.title, "librarySectionUUID": section.uuid} | MEDIA_TAGS

    def listing(self, request: Request, key: str, view: str) -> Answer:
        section = self.library.sections.get(int(key))
        if section is None:
            return error(request, 404)
        type = {"albums": "9", "allLeaves": "10"}.get(view, request.query("type"))
        kind = KINDS.get(type)
        if kind == COLLECTION:
            return self.collections_of(request, key)
        is_cacheable = request.fault is None
        name = (request.path, request.raw_query, wants_json(request), request.headers.get("x-plex-container-start"),
                request.headers.get("x-plex-container-size"))
        make = lambda: self.list_page(request, section, kind)  # noqa: E731
        return self.kept(name, make, lambda answer: len(answer.body)) if is_cacheable else make()

    def list_page(self, request: Request, section: Section, kind: int | None) -> Answer:
        # A kind that the section does not have gives an empty answer, not an error.
        found = self.found(request, section, kind) if kind and section.type == "artist" else []
        if word := request.query("query").casefold():
            found = [item for item in found if word in item.title.casefold()]
        limit = request.query("limit")
        found = found[:int(limit)] if limit.isdigit() else found
        start, count, is_paged = page(request, len(found))
        rows = Rows(self.library, has_guids=request.query("includeGuids") == "1", has_collections=request.query("includeCollections") == "1")
        part = [] if request.fault and request.fault.kind == "empty" else found[start:start + count]
        fault = request.fault
        counted = len(found) + (int(fault.value("count", 1)) if fault and fault.kind == "moreCounted" else 0)
        content: Row = {"size": len(part)} | ({"totalSize": counted, "offset": start} if is_paged else {})
        group, title = GROUPS.get(kind or 0, ("artist", "All"))
        content |= self.head(section) | {"nocache": True, "thumb": "/:/resources/artist.png", "title1": section.title, "title2": title,
                                         "viewGroup": group, "viewMode": 65592}
        if request.query("includeMeta") == "1":
            content["Meta"] = meta(section.key)
        if part:
            content["Metadata"] = [without(rows.write(item), request) for item in part]
        return paged(container(request, content), start, counted, is_paged)

    def found(self, request: Request, section: Section, kind: int) -> list[Item]:
        """All rows that match the filters, in order; cached, since every page of a list needs the same."""
        words = [part for part in request.raw_query.split("&") if not part.startswith(("X-Plex-", "limit=", "include"))]
        sort = request.query("sort")
        return self.kept(("found", section.key, kind, *words), lambda: in_order(
            self.library, chosen(self.library, list(self.library.rows(section.key, kind)), "&".join(words)), sort))

    def search(self, request: Request) -> Answer:
        """A hub of each kind, with the items whose titles contain the words."""
        word, limit = request.query("query").casefold(), int(request.query("limit") or 3)
        wanted = request.query("sectionId")
        hubs = []
        for name, kind in (("artist", ARTIST), ("album", ALBUM), ("track", TRACK)):
            items = [item for key in self.library.sections if wanted in ("", str(key)) for item in self.library.rows(key, kind)
                     if word and word in item.title.casefold()]
            hub = {"title": f"{name.capitalize()}s", "type": name, "hubIdentifier": name, "size": len(items[:limit]),
                   "more": len(items) > limit, "style": "shelf"}
            hubs.append(hub | ({"Metadata": [Rows(self.library).write(item) for item in items[:limit]]} if items else {}))
        return container(request, {"size": len(hubs), "identifier": IDENTIFIER} | MEDIA_TAGS | {"Hub": hubs})

    # Items.

    def details(self, request: Request, keys: str) -> Answer:
        items = [item for key in keys.split(",") if key and (item := self.library.find(int(key)))]
        if not items:
            return error(request, 404)
        rows = Rows(self.library, is_detail=True, checks_files=request.query("checkFiles") == "1")
        return container(request, {"size": len(items)} | self.head(self.library.section_of(items[0]))
                         | {"Metadata": [without(rows.write(item), request) for item in items]})

    def children(self, request: Request, key: str) -> Answer:
        item = self.library.find(int(key))
        if item is None or isinstance(item, Track):
            return error(request, 404)
        below: list[Item] = ([self.library.albums[each] for each in self.library.albums_of[item.key]] if isinstance(item, Artist)
                             else list(self.library.leaves(item)))
        title = item.title if isinstance(item, Artist) else self.library.artists[item.artist].title
        extra: list[Row] = []
        if isinstance(item, Artist) and len(below) > 1 and request.query("excludeAllLeaves") != "1":
            extra = [{"leafCount": len(self.library.leaves(item)), "key": f"/library/metadata/{item.key}/allLeaves", "title": "All tracks"}]
        return self.items(request, item, below, {"key": key, "parentTitle": title, "title1": title, "title2": item.title}, extra)

    def leaves(self, request: Request, key: str) -> Answer:
        item = self.library.find(int(key))
        if item is None or isinstance(item, Track):
            return error(request, 404)
        return self.items(request, item, list(self.library.leaves(item)), {"key": key, "title1": item.title, "title2": "All tracks"})

    def items(self, request: Request, parent: Item, below: list[Item], head: Row, extra: list[Row] | None = None) -> Answer:
        below = in_order(self.library, below, request.query("sort"))
        start, count, is_paged = page(request, len(below))
        rows = Rows(self.library, has_guids=request.query("includeGuids") == "1")
        written = (extra or [] if start == 0 else []) + [rows.write(item) for item in below[start:start + count]]
        content = {"size": len(written)} | ({"totalSize": len(below), "offset": start} if is_paged else {})
        content |= self.head(self.library.section_of(parent)) | head | ({"Metadata": written} if written else {})
        return paged(container(request, content), start, len(below), is_paged)

    def tag_list(self, request: Request, key: str, kind: str) -> Answer:
        section = self.library.sections.get(int(key))
        if section is None:
            return error(request, 404)
        wanted = KINDS.get(request.query("type"), ARTIST)
        field = {"genre": "genres", "mood": "moods", "style": "styles"}[kind]
        names = sorted({name for item in self.library.rows(section.key, wanted) for name in getattr(item, field, ())})
        rows = [{"fastKey": f"/library/sections/{key}/all?{kind}={tag_id(kind, name)}", "key": str(tag_id(kind, name)), "title": name,
                 "type": kind} for name in names]
        return container(request, {"size": len(rows), "allowSync": False, "content": "secondary", "identifier": IDENTIFIER} | MEDIA_TAGS | {
            "nocache": True, "title1": section.title, "title2": f"By {kind.capitalize()}", "viewGroup": "secondary", "viewMode": 65592,
            } | ({"Directory": rows} if rows else {}))

    # Collections and playlists.

    def rows_of(self, request: Request, head: Row, rows: list[Row]) -> Answer:
        start, count, is_paged = page(request, len(rows))
        part = rows[start:start + count]
        content = {"size": len(part)} | ({"totalSize": len(rows), "offset": start} if is_paged else {}) | head
        return paged(container(request, content | ({"Metadata": part} if part else {})), start, len(rows), is_paged)

    def collections_of(self, request: Request, key: str) -> Answer:
        section = self.library.sections.get(int(key))
        if section is None:
            return error(request, 404)
        rows = [Rows(self.library).collection(each) for each in self.library.collections.values() if each.section == section.key]
        return self.rows_of(request, self.head(section) | {"title1": section.title, "title2": "All Collections"}, rows)

    def collection(self, request: Request, key: str) -> Answer:
        found = self.library.collections.get(int(key))
        if found is None:
            return error(request, 404)
        return self.rows_of(request, self.head(self.library.sections[found.section]), [Rows(self.library).collection(found)])

    def collection_items(self, request: Request, key: str) -> Answer:
        found = self.library.collections.get(int(key))
        if found is None:
            return error(request, 404)
        items = [item for each in found.items if (item := self.library.find(each))]
        return self.rows_of(request, self.head(self.library.sections[found.section]), [Rows(self.library).write(item) for item in items])

    def fill(self, playlist: Playlist) -> None:
        """Gives a smart playlist the rows that its query finds now."""
        if playlist.content:
            query = unquote(playlist.content).partition("?")[2]
            found = chosen(self.library, list(self.library.rows(playlist.section, TRACK)), query)
            found = in_order(self.library, found, dict(parse_qsl(query)).get("sort", ""))
            playlist.items = [(0, item.key) for item in found]

    def playlists(self, request: Request) -> Answer:
        for each in self.library.playlists.values():
            self.fill(each)
        found = list(self.library.playlists.values()) if request.query("playlistType", "audio") == "audio" else []
        for text in request.all("title"):
            found = [each for each in found if text.casefold() in each.title.casefold()]
        return self.rows_of(request, {}, [Rows(self.library).playlist(each) for each in found])

    def playlist(self, request: Request, key: str) -> Answer:
        found = self.library.playlists.get(int(key))
        return self.rows_of(request, {}, [Rows(self.library).playlist(found)]) if found else error(request, 404)

    def playlist_items(self, request: Request, key: str) -> Answer:
        found = self.library.playlists.get(int(key))
        if found is None:
            return error(request, 404)
        self.fill(found)
        rows = Rows(self.library)
        written = []
        for number, track in found.items:
            row = rows.write(self.library.tracks[track]) | rows_place(self.library, self.library.tracks[track])
            written.append(row | ({"playlistItemID": number} if number else {}))
        about = rows.playlist(found)
        head = {"composite": about.get("composite"), "duration": about.get("duration", 0) // 1000, "leafCount": len(written),
                "playlistType": "audio", "ratingKey": about["ratingKey"], "smart": about["smart"], "title": found.title}
        return self.rows_of(request, {name: value for name, value in head.items() if value is not None}, written)

    def history(self, request: Request) -> Answer:
        views = [view for view in self.library.history if view.track in self.library.tracks]
        for part in request.raw_query.split("&"):
            match = re.fullmatch(r"(viewedAt|accountID|librarySectionID|metadataItemID)([<>]{0,2})=(\d+)", unquote(part))
            if match:
                name, sign, value = match[1], match[2], int(match[3])
                views = [view for view in views if self.is_in_history(view, name, sign, value)]
        views = sorted(views, key=lambda view: view.at, reverse=request.query("sort") != "viewedAt:asc")
        return self.rows_of(request, {}, [Rows(self.library).view(view) for view in views])

    def is_in_history(self, view: Any, name: str, sign: str, value: int) -> bool:
        track = self.library.tracks[view.track]
        if name == "viewedAt":
            return {">": view.at >= value, ">>": view.at > value, "<": view.at <= value, "<<": view.at < value}.get(sign, view.at == value)
        if name == "metadataItemID":
            return value in (track.key, track.album, self.library.albums[track.album].artist)
        return (view.account if name == "accountID" else self.library.section_of(track).key) == value


def rows_place(library: Library, track: Track) -> Row:
    """The rows of a playlist name their section, as a detail does."""
    return Rows(library, is_detail=True).place(track)


def without(row: Row, request: Request) -> Row:
    """The row without the fields that the query excludes."""
    left = {name for word in ("excludeElements", "excludeFields") for name in request.query(word).split(",") if name}
    return {name: value for name, value in row.items() if name not in left} if left else row


def paged(answer: Answer, start: int, total: int, is_paged: bool) -> Answer:
    if is_paged:
        answer.headers |= {"X-Plex-Container-Start": str(start), "X-Plex-Container-Total-Size": str(total)}
    return answer
