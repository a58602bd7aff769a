"""Rows of the library as OpenSubsonic writes them. Ids are opaque words: nobody may read numbers from them."""
from __future__ import annotations

import time
from typing import Any

from library import Library
from model import Album, Artist, Marks, Playlist, Track

Row = dict[str, Any]
REFERENCE = -18.0
PREFIXES = {"ar": "artists", "al": "albums", "tr": "tracks", "pl": "playlists"}


def iso(at: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at))


def named(word: str, key: int) -> str:
    return f"{word}-{key:x}"


def found(library: Library, text: str) -> Any:
    """The item of an id, or None."""
    word, _, digits = text.partition("-")
    try:
        return getattr(library, PREFIXES[word]).get(int(digits, 16))
    except (KeyError, ValueError):
        return None


class SubsonicRows:
    """`is_legacy` leaves out what OpenSubsonic added."""

    def __init__(self, library: Library, is_legacy: bool = False) -> None:
        self.library, self.is_legacy = library, is_legacy

    def marks(self, key: int) -> Row:
        marks = self.library.marks.get(key, Marks())
        row: Row = {"starred": iso(marks.starred)} if marks.starred else {}
        row |= {"userRating": round(marks.rating / 2)} if marks.rating else {}
        row |= {"playCount": marks.views} if marks.views else {}
        return row | ({"played": iso(marks.viewed)} if marks.viewed and not self.is_legacy else {})

    def genres(self, item: Artist | Album | Track) -> Row:
        if not item.genres:
            return {}
        return {"genre": item.genres[0]} | ({} if self.is_legacy else {"genres": [{"name": name} for name in item.genres]})

    def open(self, item: Artist | Album | Track, **more: Any) -> Row:
        """The fields of OpenSubsonic that all items have."""
        if self.is_legacy:
            return {}
        return {"musicBrainzId": item.mbid, "sortName": item.sort or item.title} | more

    def short_artist(self, artist: Artist) -> Row:
        return {"id": named("ar", artist.key), "name": artist.title}

    def artist(self, artist: Artist) -> Row:
        row = self.short_artist(artist) | {"albumCount": len(self.library.albums_of[artist.key])} | self.marks(artist.key)
        row |= {"coverArt": named("ar", artist.key)} if artist.has_thumb else {}
        return row | self.open(artist, roles=["artist", "albumartist"])

    def album(self, album: Album) -> Row:
        artist, tracks = self.library.artists[album.artist], self.library.leaves(album)
        row = {"id": named("al", album.key), "name": album.title, "artist": artist.title, "artistId": named("ar", artist.key),
               "songCount": len(tracks), "duration": sum(track.milliseconds for track in tracks) // 1000, "created": iso(album.added)}
        row |= {"coverArt": named("al", album.key)} if album.has_thumb else {}
        row |= ({"year": album.year} if album.year else {}) | self.genres(album) | self.marks(album.key)
        if self.is_legacy:
            return row
        date = {name: int(text) for name, text in zip(("year", "month", "day"), album.date.split("-"))} if album.date else {}
        discs = sorted({track.disc for track in tracks})
        row |= {"recordLabels": [{"name": album.studio}]} if album.studio else {}
        return row | self.open(
            album, artists=[self.short_artist(artist)], displayArtist=artist.title, releaseTypes=["Album"], moods=list(album.moods),
            originalReleaseDate=date, releaseDate=date, isCompilation=artist.title == "Various Artists",
            discTitles=[{"disc": disc, "title": ""} for disc in discs] if len(discs) > 1 else [])

    def song(self, track: Track) -> Row:
        album = self.library.albums[track.album]
        artist = self.library.artists[album.artist]
        credit = track.credit or artist.title
        row = {"id": named("tr", track.key), "parent": named("al", album.key), "isDir": False, "title": track.title, "album": album.title,
               "artist": credit, "track": track.index, "discNumber": track.disc, "size": track.size,
               "contentType": "audio/wav" if track.container == "wav" else f"audio/{track.container}", "suffix": track.container,
               "duration": track.milliseconds // 1000, "bitRate": track.bitrate * (1000 if self.is_legacy else 1),
               "path": track.file.lstrip("/"), "isVideo": False, "created": iso(track.added).rstrip("Z" if self.is_legacy else ""),
               "albumId": named("al", album.key), "type": "music"}
        # The track's own artist has an id only where the library has a row for the name.
        row |= {"artistId": named("ar", artist.key)} if not track.credit else {}
        row |= ({"year": album.year} if album.year else {}) | self.genres(album) | self.marks(track.key)
        row |= {"coverArt": named("al", album.key)} if album.has_thumb else {}
        if self.is_legacy:
            return row
        performers = [{"id": "", "name": track.credit}] if track.credit else [self.short_artist(artist)]
        row |= {"mediaType": "song", "samplingRate": 8000 if track.codec == "pcm" else 44100, "bitDepth": 8 if track.codec == "pcm" else 16,
                "channelCount": 1 if track.codec == "pcm" else 2, "artists": performers, "displayArtist": credit,
                "albumArtists": [self.short_artist(artist)], "displayAlbumArtist": artist.title, "contributors": [], "isrc": [],
                "moods": list(track.moods), "bpm": 0, "comment": ""}
        if track.loudness:
            row["replayGain"] = {"trackGain": round(REFERENCE - track.loudness, 2), "albumGain": round(REFERENCE - album.loudness, 2),
                                 "trackPeak": 0.5 + track.part % 500 / 1000, "albumPeak": 0.998}
        return row | self.open(track)

    def playlist(self, playlist: Playlist, owner: str) -> Row:
        tracks = [self.library.tracks[key] for _, key in playlist.items]
        return {"id": named("pl", playlist.key), "name": playlist.title, "comment": playlist.summary, "owner": owner, "public": False,
                "songCount": len(tracks), "duration": sum(track.milliseconds for track in tracks) // 1000,
                "created": iso(playlist.added), "changed": iso(playlist.updated)}
