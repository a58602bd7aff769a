"""Rows of the library as Plex writes them: the fields of listings, and those that only an item's detail adds."""
from __future__ import annotations

import zlib
from typing import Any

from library import Library
from model import Album, Artist, Collection, Marks, Playlist, Section, Track, View, identity
from pictures import hex_colours

Row = dict[str, Any]
# The reference of Plex's gains, in LUFS.
REFERENCE = -18.0


def tag_id(kind: str, tag: str) -> int:
    return zlib.crc32(f"{kind} {tag}".encode()) % 100_000


def tags(kind: str, names: tuple[str, ...], is_detail: bool) -> list[Row]:
    """The tags of an item; in listings they are names only."""
    if not is_detail:
        return [{"tag": name} for name in names]
    return [{"id": tag_id(kind, name), "filter": f"{kind}={tag_id(kind, name)}", "tag": name} for name in names]


def section(row: Section) -> Row:
    art = "artist" if row.type == "artist" else "movie"
    return {"allowSync": True, "art": f"/:/resources/{art}-fanart.jpg", "composite": f"/library/sections/{row.key}/composite/{row.scanned}",
            "filters": True, "refreshing": row.is_refreshing, "thumb": f"/:/resources/{art}.png", "key": str(row.key), "type": row.type,
            "title": row.title, "agent": row.agent, "scanner": row.scanner, "language": "en", "uuid": row.uuid, "updatedAt": row.updated,
            "createdAt": row.created, "scannedAt": row.scanned, "content": True, "directory": True, "contentChangedAt": row.changes,
            "hidden": row.hidden, "Location": [{"id": row.key, "path": row.root}]}


class Rows:
    """Writes the rows of one request, whose `include…` parameters hold for all of them."""

    def __init__(self, library: Library, is_detail: bool = False, has_guids: bool = False, has_collections: bool = False,
                 checks_files: bool = False) -> None:
        self.library, self.is_detail, self.checks_files = library, is_detail, checks_files
        self.has_guids, self.has_collections = has_guids or is_detail, has_collections or is_detail

    def write(self, item: Artist | Album | Track) -> Row:
        if isinstance(item, Track):
            return self.track(item)
        return self.album(item) if isinstance(item, Album) else self.artist(item)

    def thumb(self, item: Artist | Album) -> Row:
        return {"thumb": f"/library/metadata/{item.key}/thumb/{item.updated}"} if item.has_thumb else {}

    def art(self, artist: Artist) -> Row:
        return {"art": f"/library/metadata/{artist.key}/art/{artist.updated}"} if artist.has_thumb else {}

    def marks(self, key: int) -> Row:
        """The marks of an item; a missing mark has no key at all."""
        marks = self.library.marks.get(key, Marks())
        found = {"userRating": marks.rating, "viewCount": marks.views or None, "skipCount": marks.skips or None,
                 "lastViewedAt": marks.viewed or None, "lastRatedAt": marks.rated or None}
        return {name: value for name, value in found.items() if value is not None}

    def place(self, item: Artist | Album | Track) -> Row:
        if not self.is_detail:
            return {}
        home = self.library.section_of(item)
        return {"librarySectionTitle": home.title, "librarySectionID": home.key, "librarySectionKey": f"/library/sections/{home.key}"}

    def lists(self, item: Artist | Album | Track) -> Row:
        """The child elements that items of all kinds share."""
        found: Row = {}
        if item.genres:
            found["Genre"] = tags("genre", item.genres, self.is_detail)
        if self.is_detail and item.moods:
            found["Mood"] = tags("mood", item.moods, True)
        if self.is_detail and not isinstance(item, Track) and item.styles:
            found["Style"] = tags("style", item.styles, True)
        if self.has_guids and item.mbid:
            found["Guid"] = [{"id": f"mbid://{item.mbid}"}]
        if self.has_collections:
            names = tuple(each.title for each in self.library.collections.values() if item.key in each.items)
            if names:
                found["Collection"] = tags("collection", names, self.is_detail)
        return found

    def picture(self, item: Artist | Album) -> Row:
        if not item.has_thumb:
            return {}
        first, second = hex_colours(item.key)
        return {"Image": [{"alt": item.title, "type": "coverPoster", "url": f"/library/metadata/{item.key}/thumb/{item.updated}"}],
                "UltraBlurColors": {"topLeft": first, "topRight": second, "bottomRight": second, "bottomLeft": first}}

    def artist(self, item: Artist) -> Row:
        row: Row = {"ratingKey": str(item.key), "key": f"/library/metadata/{item.key}/children", "guid": item.guid, "type": "artist",
               "title": item.title} | ({"titleSort": item.sort} if item.sort else {}) | self.place(item)
        row |= {"summary": item.summary, "index": 1} | self.marks(item.key) | self.thumb(item)
        row |= self.art(item)
        row |= {"addedAt": item.added, "updatedAt": item.updated} | self.picture(item) | self.lists(item)
        if self.is_detail:
            row |= {"Country": tags("country", item.countries, True)} if item.countries else {}
            row["Location"] = [{"path": f"{self.library.sections[item.section].root}/{item.title}"}]
        return row

    def album(self, item: Album) -> Row:
        artist = self.library.artists[item.artist]
        row: Row = {"ratingKey": str(item.key), "key": f"/library/metadata/{item.key}/children", "parentRatingKey": str(artist.key),
               "guid": item.guid, "parentGuid": artist.guid} | ({"studio": item.studio} if item.studio else {})
        row |= {"type": "album", "title": item.title} | ({"titleSort": item.sort} if item.sort else {})
        row |= {"parentKey": f"/library/metadata/{artist.key}"} | self.place(item)
        row |= {"parentTitle": artist.title, "summary": "", "index": 1} | self.marks(item.key)
        row |= ({"year": item.year} if item.year else {}) | self.thumb(item) | self.art(artist)
        row |= {f"parent{name.capitalize()}": value for name, value in self.thumb(artist).items()}
        row |= {"originallyAvailableAt": item.date} if item.date else {}
        if self.is_detail:
            leaves = self.library.tracks_of[item.key]
            views = sum(1 for key in leaves if key in self.library.marks and self.library.marks[key].views)
            row |= {"leafCount": len(leaves), "viewedLeafCount": views}
        row |= {"addedAt": item.added, "updatedAt": item.updated}
        row |= {"loudnessAnalysisVersion": "2"} if item.loudness else {}
        return row | self.picture(item) | self.lists(item)

    def track(self, item: Track) -> Row:
        album = self.library.albums[item.album]
        artist = self.library.artists[album.artist]
        row: Row = {"ratingKey": str(item.key), "key": f"/library/metadata/{item.key}", "parentRatingKey": str(album.key),
               "grandparentRatingKey": str(artist.key), "guid": item.guid, "parentGuid": album.guid, "grandparentGuid": artist.guid}
        row |= {"parentStudio": album.studio} if album.studio else {}
        row |= {"type": "track", "title": item.title} | ({"titleSort": item.sort} if item.sort else {})
        row |= {"grandparentKey": f"/library/metadata/{artist.key}", "parentKey": f"/library/metadata/{album.key}"} | self.place(item)
        row |= {"grandparentTitle": artist.title, "parentTitle": album.title}
        row |= {"originalTitle": item.credit} if item.credit else {}
        row |= {"summary": "", "index": item.index, "parentIndex": item.disc, "ratingCount": 100 + item.key % 900} | self.marks(item.key)
        row |= {"parentYear": album.year} if album.year else {}
        thumb = self.thumb(album).get("thumb")
        row |= {"thumb": thumb, "parentThumb": thumb} if thumb else {}
        row |= {f"grandparent{name.capitalize()}": value for name, value in self.thumb(artist).items()}
        row |= {"duration": item.milliseconds, "addedAt": item.added, "updatedAt": item.updated}
        row |= {"musicAnalysisVersion": "1"} if item.loudness else {}
        row |= self.lists(item)
        if item.part:
            row["Media"] = [self.media(item, album)]
        return row

    def media(self, item: Track, album: Album) -> Row:
        part: Row = {"accessible": True, "exists": True} if self.checks_files else {}
        part |= {"id": item.part, "key": f"/library/parts/{item.part}/{item.stamp}/file.{item.container}", "duration": item.milliseconds,
                 "file": item.file, "size": item.size, "container": item.container}
        part |= {"hasThumbnail": "1"} if album.has_thumb else {}
        if self.is_detail:
            part["Stream"] = [self.stream(item, album)]
        channels = 1 if item.codec == "pcm" else 2
        return {"id": item.part, "duration": item.milliseconds, "bitrate": item.bitrate, "audioChannels": channels,
                "audioCodec": item.codec, "container": item.container, "hasVoiceActivity": False, "Part": [part]}

    def stream(self, item: Track, album: Album) -> Row:
        channels, shape = (1, "mono") if item.codec == "pcm" else (2, "stereo")
        shown = f"{item.codec.upper()} ({shape.capitalize()})"
        row: Row = {"id": item.part, "streamType": 2, "selected": True, "codec": item.codec, "index": 0, "channels": channels,
                    "bitrate": item.bitrate}
        if item.loudness:
            # As recorded: `gain` is the album's as well; a track's own gain follows only from its loudness.
            gain, peak = f"{REFERENCE - album.loudness:.2f}", f"{0.5 + item.part % 500 / 1000:.6f}"
            row |= {"albumGain": gain, "albumPeak": "0.998000", "albumRange": f"{4 + item.album % 9:.6f}", "gain": gain,
                    "loudness": f"{item.loudness:.2f}", "lra": f"{3 + item.part % 9:.2f}", "peak": peak}
        bits = {"bitDepth": 8 if item.codec == "pcm" else 16} if item.codec in ("pcm", "flac") else {}
        return row | {"audioChannelLayout": shape} | bits | {"samplingRate": 8000 if item.codec == "pcm" else 44100, "displayTitle": shown,
                      "extendedDisplayTitle": shown}

    def collection(self, item: Collection) -> Row:
        kinds = {8: "artist", 9: "album", 10: "track"}
        home = self.library.sections[item.section]
        return {"ratingKey": str(item.key), "key": f"/library/collections/{item.key}/children",
                "guid": f"collection://{identity(item.title)}", "type": "collection", "title": item.title,
                "librarySectionTitle": home.title, "librarySectionID": home.key, "librarySectionKey": f"/library/sections/{home.key}",
                "subtype": kinds[item.kind], "summary": item.summary, "index": item.key, "ratingCount": len(item.items),
                "thumb": f"/library/collections/{item.key}/composite/{item.updated}", "addedAt": item.added, "updatedAt": item.updated,
                "childCount": len(item.items)}

    def playlist(self, item: Playlist) -> Row:
        lengths = [self.library.tracks[key].milliseconds for _, key in item.items]
        row: Row = {"ratingKey": str(item.key), "key": f"/playlists/{item.key}/items",
                    "guid": f"com.plexapp.agents.none://{identity('playlist', item.title)}", "type": "playlist", "title": item.title,
                    "summary": item.summary, "smart": bool(item.content), "playlistType": "audio"}
        row |= {"content": item.content} if item.content else {}
        row |= {"composite": f"/playlists/{item.key}/composite/{item.updated}", "duration": sum(lengths)} if lengths else {}
        return row | {"leafCount": len(lengths), "addedAt": item.added, "updatedAt": item.updated}

    def view(self, item: View) -> Row:
        track = self.library.tracks[item.track]
        row = self.track(track)
        wanted = ("ratingKey", "key", "parentKey", "grandparentKey", "title", "grandparentTitle", "parentTitle", "type", "thumb",
                  "parentThumb", "grandparentThumb", "index", "parentIndex", "originalTitle")
        home = self.library.section_of(track)
        return ({"historyKey": f"/status/sessions/history/{item.number}"} | {name: row[name] for name in wanted if name in row}
                | {"librarySectionID": str(home.key), "viewedAt": item.at, "accountID": item.account, "deviceID": 1})
