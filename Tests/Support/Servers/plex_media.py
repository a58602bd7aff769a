"""Audio and pictures of a Plex Media Server."""
from __future__ import annotations

import re
from urllib.parse import urlsplit

import audio
from library import Library
from pictures import jpeg, png
from plex_wire import error
from web import Answer, Request, ranged

PICTURE = re.compile(r"/(?:library/metadata|library/collections|playlists|library/sections)/(\d+)/(thumb|art|composite)(?:/(\d+))?")
PART = re.compile(r"/library/parts/(\d+)/(\d+)/file\.(\w+)")
LARGEST = 2000


class PlexMedia:
    def __init__(self, library: Library) -> None:
        self.library = library
        # Parts that are not analysed yet: they give 500, except for downloads.
        self.unready: set[int] = set()
        self.allows_download = True

    def answer(self, request: Request) -> Answer | None:
        if request.method not in ("GET", "HEAD"):
            return None
        if request.path == "/photo/:/transcode":
            return self.photo(request)
        if match := PART.fullmatch(request.path):
            return self.part(request, int(match[1]), int(match[2]))
        if match := PICTURE.fullmatch(request.path):
            return self.picture(request, int(match[1]), match[2], 600, 600, "jpg")
        return None

    def part(self, request: Request, number: int, stamp: int) -> Answer:
        track = self.library.tracks.get(self.library.track_of_part.get(number, 0))
        if track is None or track.stamp != stamp:
            return error(request, 404)
        is_download = request.query("download") == "1"
        if is_download and not self.allows_download:
            return error(request, 403)
        if number in self.unready and not is_download:
            return error(request, 500)
        type = audio.TYPES.get(track.container, "application/octet-stream")
        if track.source:
            source = track.source
            try:
                size = audio.size_of(source)
            except OSError:
                return error(request, 404)
            return ranged(request, size, type, lambda first, count: audio.file_pieces(source, first, count))
        return ranged(request, track.size, type, lambda first, count: audio.tone(number, track.milliseconds, first, count))

    def photo(self, request: Request) -> Answer:
        match = PICTURE.fullmatch(urlsplit(request.query("url")).path)
        try:
            width, height = int(request.query("width")), int(request.query("height"))
        except ValueError:
            return error(request, 400)
        if not match or width < 1 or height < 1:
            return error(request, 404 if request.query("url") and width > 0 else 400)
        form = request.query("format", "jpg")
        if form not in ("jpg", "jpeg", "png"):
            return error(request, 400)
        # Without `upscale` a picture is never larger than the original, 600 by 600.
        most = LARGEST if request.query("upscale") == "1" else 600
        return self.picture(request, int(match[1]), match[2], min(width, most), min(height, most), form)

    def picture(self, request: Request, key: int, what: str, width: int, height: int, form: str) -> Answer:
        item = self.library.find(key)
        if what != "composite" and (item is None or not getattr(item, "has_thumb", False)):
            return error(request, 404)
        # An artist's background is another picture than an album's cover.
        number = key if what != "art" else key + 1
        if form == "png":
            return Answer(200, png(number, width, height), "image/png")
        return Answer(200, jpeg(number, width, height), "image/jpeg")
