"""Audio and covers of a Subsonic server: bytes, or an error document that a client has to tell apart."""
from __future__ import annotations

import subprocess
from typing import Iterator

import audio
from library import Library
from model import Album, Artist, Track
from pictures import jpeg
from subsonic_rows import found
from subsonic_wire import Failed
from web import Answer, Request, ranged

FORMATS = {"mp3": ("mp3", "libmp3lame", "audio/mpeg"), "opus": ("ogg", "libopus", "audio/ogg")}
LARGEST = 1200


class SubsonicMedia:
    def __init__(self, library: Library) -> None:
        self.library = library
        self.methods = {"stream": self.stream, "download": self.stream, "getCoverArt": self.cover}

    def stream(self, request: Request) -> Answer:
        """Does not count as a play."""
        track = found(self.library, request.query("id"))
        if not isinstance(track, Track) or not track.part:
            raise Failed(70 if request.query("id") else 10)
        form = request.query("format")
        if form in FORMATS and request.path.rpartition("/")[2].startswith("stream"):
            return self.transcoded(track, form, request.query("maxBitRate") or "128")
        type = audio.TYPES.get(track.container, "application/octet-stream")
        if track.source:
            source = track.source
            try:
                size = audio.size_of(source)
            except OSError as gone:
                raise Failed(70) from gone
            return ranged(request, size, type, lambda first, count: audio.file_pieces(source, first, count))
        return ranged(request, track.size, type, lambda first, count: audio.tone(track.part, track.milliseconds, first, count))

    def transcoded(self, track: Track, form: str, rate: str) -> Answer:
        """Made on the way: no length and no ranges."""
        container, codec, type = FORMATS[form]
        whole = b"" if track.source else b"".join(audio.tone(track.part, track.milliseconds, 0, track.size))
        words = ["ffmpeg", "-v", "error", "-i", track.source or "pipe:0", "-vn", "-c:a", codec, "-b:a", f"{int(rate) or 128}k",
                 "-f", container, "pipe:1"]

        def pieces() -> Iterator[bytes]:
            made = subprocess.run(words, input=whole, capture_output=True, check=False).stdout
            for first in range(0, len(made), audio.PIECE):
                yield made[first:first + audio.PIECE]
        return Answer(200, type=type, pieces=pieces())

    def cover(self, request: Request) -> Answer:
        item = found(self.library, request.query("id"))
        if isinstance(item, Track):
            item = self.library.albums[item.album]
        if not isinstance(item, (Artist, Album)) or not item.has_thumb:
            raise Failed(70 if request.query("id") else 10)
        size = min(LARGEST, int(request.query("size") or 600))
        return Answer(200, jpeg(item.key, size, size), "image/jpeg")
