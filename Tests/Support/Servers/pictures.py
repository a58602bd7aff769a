"""Covers of two colours that depend on the album, as a real PNG or JPEG of any size. Needs no library."""
from __future__ import annotations

import struct
import zlib
from functools import lru_cache

Colour = tuple[int, int, int]


def colours(number: int) -> tuple[Colour, Colour]:
    mixed = zlib.crc32(str(number).encode())
    first = (mixed & 255, mixed >> 8 & 255, mixed >> 16 & 255)
    return first, (255 - first[1], first[0], mixed >> 24 & 255)


def hex_colours(number: int) -> tuple[str, str]:
    first, second = colours(number)
    return "%02x%02x%02x" % first, "%02x%02x%02x" % second


def _blend(number: int, share: float) -> Colour:
    first, second = colours(number)
    return tuple(round(a + (b - a) * share) for a, b in zip(first, second))  # type: ignore[return-value]


@lru_cache(maxsize=128)
def png(number: int, width: int, height: int) -> bytes:
    rows = b"".join(b"\0" + bytes(_blend(number, row / max(1, height - 1))) * width for row in range(height))

    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b""))


@lru_cache(maxsize=128)
def jpeg(number: int, width: int, height: int) -> bytes:
    """A baseline JPEG of blocks of one colour: each block has only its mean, so the code tables need a dozen
    entries."""
    across, down = (width + 7) // 8, (height + 7) // 8
    # Sizes of differences 0…11 have codes of four bits; the end of a block is the one code of the other table.
    table_dc = b"\x00" + bytes([0, 0, 0, 12] + [0] * 12) + bytes(range(12))
    table_ac = b"\x10" + bytes([1] + [0] * 15) + b"\0"
    bits: list[str] = []
    last = [0, 0, 0]
    for row in range(down):
        means = _mean(_blend(number, row / max(1, down - 1)))
        for channel in range(3):
            bits.append(_code(means[channel] - last[channel]))
        last = means
        bits.append("00000" * 3 * (across - 1))
    return (b"\xff\xd8" + _segment(0xE0, b"JFIF\0\x01\x01\0\0\x01\0\x01\0\0") + _segment(0xDB, b"\0" + b"\x01" * 64)
            + _segment(0xC0, struct.pack(">BHHB", 8, height, width, 3) + b"\x01\x11\0\x02\x11\0\x03\x11\0")
            + _segment(0xC4, table_dc) + _segment(0xC4, table_ac) + _segment(0xDA, b"\x03\x01\0\x02\0\x03\0\0\x3f\0")
            + _packed("".join(bits)) + b"\xff\xd9")


def _segment(marker: int, content: bytes) -> bytes:
    return struct.pack(">BBH", 0xFF, marker, len(content) + 2) + content


def _mean(colour: Colour) -> list[int]:
    red, green, blue = colour
    light = 0.299 * red + 0.587 * green + 0.114 * blue
    channels = (light - 128, (blue - light) / 1.772, (red - light) / 1.402)
    return [max(-1000, min(1000, round(8 * channel))) for channel in channels]


def _code(difference: int) -> str:
    """The size of a difference, its bits, and the end of the block."""
    size = abs(difference).bit_length()
    value = difference if difference >= 0 else difference + (1 << size) - 1
    return f"{size:04b}" + (f"{value:0{size}b}" if size else "") + "0"


def _packed(bits: str) -> bytes:
    bits += "1" * (-len(bits) % 8)
    return int(bits, 2).to_bytes(len(bits) // 8, "big").replace(b"\xff", b"\xff\0")
