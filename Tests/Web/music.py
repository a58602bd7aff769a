"""Music for the browser tests: silent albums with covers. One encoded file is used for all, with other tags."""
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "Bench"))
from scan import block, comments, flac_parts, picture  # noqa: E402

ARTISTS = ["Amber Vale", "Belle Marsh", "Clear Harbour", "Dusk Choir", "Éva Lind", "Fern & Ash", "Grey Lanterns", "Hollow Pine",
           "Iris Wood", "Juniper Row", "Kestrel", "Lowland", "Mira Sol", "North Quay", "Orchard Nine", "Paper Birds",
           "Quiet Mill", "River Stone", "Salt Road", "Thistle", "Umber", "Velvet Tide", "Winter Bell", "Yarrow"]
TITLES = ["First Light", "Long Shadow", "Slow Water", "Open Door", "Small Hours"]
COLOURS = ["0x2f6f6f", "0xc8642c", "0x3a3f8f", "0x7f9a3f"]


def make_music(root, scratch, albums, tracks=4, seconds=90, has_covers=True, genres=("Folk", "Jazz"), names=None):
    """Makes `albums` albums of `tracks` tracks under `root`; every third has no cover, or none has. `names` are artists and titles."""
    quiet = ["ffmpeg", "-v", "error", "-nostdin", "-y"]
    silence = scratch / "silence.flac"
    source = f"anullsrc=r=22050:cl=mono:d={seconds}"
    subprocess.run(quiet + ["-f", "lavfi", "-i", source, silence], check=True)
    info, frames = flac_parts(silence)
    covers = []
    for number, colour in enumerate(COLOURS if has_covers else ()):
        jpeg = scratch / f"{number}.jpg"
        size = "400x400"
        source = f"color={colour}:size={size},drawbox=x=60:y={60 + 40 * number}:w=280:h=120:color=white@0.5:t=fill"
        subprocess.run(quiet + ["-f", "lavfi", "-i", source, "-frames:v", "1", "-q:v", "5", jpeg], check=True)
        covers.append(jpeg.read_bytes())
    for album in range(albums):
        artist = ARTISTS[album * len(ARTISTS) // albums] if albums >= len(ARTISTS) else ARTISTS[album]
        artist, name = names[album] if names else (artist, f"Record {album + 1:03}")
        folder = root / f"{album:05}"
        folder.mkdir(parents=True)
        for track in range(tracks):
            title = TITLES[track % len(TITLES)] if track < len(TITLES) else f"Part {track + 1}"
            tags = [("TITLE", title), ("ARTIST", artist), ("ALBUMARTIST", artist), ("ALBUM", name),
                    ("DATE", f"{1960 + album % 60}"), ("TRACKNUMBER", f"{track + 1}"), ("GENRE", genres[album % len(genres)])]
            art = b"" if album % 3 == 2 or not has_covers else picture(covers[album % len(covers)])
            path = folder / f"{track + 1}.flac"
            path.write_bytes(b"fLaC" + block(0, info) + art + last(tags) + frames)


def last(tags):
    """Returns the block of tags as the last metadata block of a file."""
    whole = comments(tags)
    return bytes([whole[0] | 0x80]) + whole[1:]
