"""Audio for tracks that have no file: a WAV with a soft tone, computed for just the bytes that are asked for."""
from __future__ import annotations

import math
import os
import struct
from functools import lru_cache
from typing import Iterator

RATE = 8000
PIECE = 65536
TYPES = {"mp3": "audio/mpeg", "flac": "audio/flac", "wav": "audio/wav", "ogg": "audio/ogg", "opus": "audio/ogg",
         "m4a": "audio/mp4", "mp4": "audio/mp4", "aac": "audio/aac"}


def bytes_of_tone(milliseconds: int) -> int:
    """The length of the file: 8 bits, one channel, 8000 samples a second."""
    return 44 + milliseconds * RATE // 1000


@lru_cache(maxsize=64)
def period(pitch: int) -> bytes:
    """A tenth of a second, which holds a whole number of waves."""
    waves = 20 + pitch % 40
    return bytes(128 + round(30 * math.sin(2 * math.pi * waves * place / 800)) for place in range(800))


def tone(number: int, milliseconds: int, first: int, count: int) -> Iterator[bytes]:
    size = bytes_of_tone(milliseconds)
    samples = size - 44
    head = struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", size - 8, b"WAVE", b"fmt ", 16, 1, 1, RATE, RATE, 1, 8, b"data", samples)
    wave, end = period(number), first + count
    if first < 44:
        yield head[first:min(44, end)]
    place = max(first, 44)
    while place < end:
        take = min(PIECE, end - place)
        shift = (place - 44) % 800
        yield (wave * (take // 800 + 2))[shift:shift + take]
        place += take


def file_pieces(path: str, first: int, count: int) -> Iterator[bytes]:
    with open(path, "rb") as file:
        file.seek(first)
        while count > 0 and (piece := file.read(min(PIECE, count))):
            count -= len(piece)
            yield piece


def size_of(path: str) -> int:
    return os.stat(path).st_size
