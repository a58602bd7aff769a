"""A library of real files, with their tags and lengths as ffprobe reads them."""
from __future__ import annotations

import concurrent.futures
import json
import os
import pathlib
import subprocess
from typing import Any

from library import Library
from model import Album, Artist, Section, Track, identity, short_identity

ENDINGS = {".mp3", ".flac", ".wav", ".ogg", ".opus", ".m4a", ".aac"}


def probed(path: pathlib.Path) -> dict[str, Any] | None:
    """Returns what ffprobe says about a file; None where it holds no audio."""
    words = ["ffprobe", "-v", "error", "-show_format", "-show_streams", "-select_streams", "a", "-of", "json", str(path)]
    read = subprocess.run(words, capture_output=True, check=False)
    found = json.loads(read.stdout or b"{}")
    if read.returncode or not found.get("streams"):
        return None
    stream, form = found["streams"][0], found["format"]
    tags = {name.lower(): value for name, value in (stream.get("tags", {}) | form.get("tags", {})).items()}
    seconds = float(form.get("duration") or stream.get("duration") or 0)
    return {"tags": tags, "milliseconds": round(seconds * 1000), "codec": stream["codec_name"].removesuffix("_s16le"),
            "bitrate": int(form.get("bit_rate") or 0) // 1000}


def number(text: str | None) -> int:
    digits = (text or "").partition("/")[0].strip()
    return int(digits) if digits.isdigit() else 0


def read_folders(folders: list[str], titles: list[str]) -> Library:
    library = Library()
    for key, folder in enumerate(folders, 1):
        title = titles[key - 1] if key <= len(titles) else pathlib.Path(folder).name
        root = pathlib.Path(folder).resolve()
        library.sections[key] = Section(key, title, root=str(root))
        paths = sorted(path for path in root.rglob("*") if path.suffix.lower() in ENDINGS and path.is_file())
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
            for path, found in zip(paths, pool.map(probed, paths)):
                if found:
                    put(library, key, path, found)
    return library


def put(library: Library, section: int, path: pathlib.Path, found: dict[str, Any]) -> None:
    tags, stamp = found["tags"], int(path.stat().st_mtime)
    credit = tags.get("artist", "") or "[Unknown Artist]"
    owner = tags.get("album_artist") or tags.get("albumartist") or credit
    genres = tuple(word.strip() for word in tags.get("genre", "").split(";") if word.strip())
    artist = next((each for each in library.artists.values() if each.section == section and each.title == owner), None)
    if artist is None:
        artist = Artist(library.key(), section, owner, f"plex://artist/{short_identity('artist', owner)}", stamp, stamp,
                        sort=tags.get("albumartistsort", ""), mbid=tags.get("musicbrainz_albumartistid", ""), genres=genres)
        library.put_artist(artist)
    title = tags.get("album") or path.parent.name
    album = next((library.albums[key] for key in library.albums_of[artist.key] if library.albums[key].title == title), None)
    if album is None:
        date = tags.get("date", "")
        album = Album(library.key(), artist.key, title, f"plex://album/{short_identity('album', owner, title)}", stamp, stamp,
                      year=number(date[:4]), date=date if len(date) == 10 else "", mbid=tags.get("musicbrainz_albumid", ""), genres=genres)
        library.put_album(album)
    ending = path.suffix[1:].lower()
    library.put_track(Track(
        library.key(), album.key, tags.get("title") or path.stem, f"plex://track/{identity(path)[:24]}", stamp, stamp,
        number(tags.get("disc")) or 1, number(tags.get("track")) or len(library.tracks_of[album.key]) + 1, found["milliseconds"],
        library.part(), stamp, str(path), path.stat().st_size, "mp4" if ending == "m4a" else ending, found["codec"], found["bitrate"],
        source=str(path), credit=credit if credit != owner else "", mbid=tags.get("musicbrainz_trackid", "")))
