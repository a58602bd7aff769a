"""The files of a collection, and what is expected of each."""
import hashlib
import os
import pathlib
import uuid

from . import sounds, tagging

NAMESPACE = uuid.UUID("5b1cfb2a-3c9f-4c3d-9a5f-6a1b7f0e2d11")


def identity(*words):
    """An id that is the same in each run."""
    return str(uuid.uuid5(NAMESPACE, "|".join(map(str, words))))


class Collection:
    """Writes files below a folder and remembers what is expected of them."""

    def __init__(self, folder, scratch):
        self.folder = pathlib.Path(folder)
        self.scratch = pathlib.Path(scratch)
        self.sounds = sounds.make(scratch)
        self.covers = {name: sounds.picture(scratch, name, colour) for name, colour in (
            ("front.jpg", "red"), ("back.jpg", "blue"), ("front.png", "green"), ("own.jpg", "orange"))}
        self.entries = []

    def place(self, relative):
        path = self.folder / relative if isinstance(relative, str) else pathlib.Path(
            os.fsdecode(os.fsencode(self.folder) + b"/" + relative))
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def raw(self, relative, data, case, listed=True, **expected):
        """Writes a file of these bytes. One that is not `listed` must be in no list of tracks."""
        path = self.place(relative)
        path.write_bytes(data)
        self.note(path, case, listed, expected)
        return path

    def note(self, path, case, listed=True, expected=None):
        relative = os.fsencode(path)[len(os.fsencode(self.folder)) + 1:]
        self.entries.append({"path": os.fsencode(path).decode(errors="replace"), "name": relative.decode(errors="replace"), "case": case,
                             "listed": listed, "expect": expected or {}})

    def add(self, relative, sound, tags, case, expected=None, audio=True, **options):
        """Writes a tagged file. `expected` replaces what follows from the tags; a value of None is not looked at."""
        sound = self.sounds[sound]
        path = self.place(relative)
        path.write_bytes(sound.bytes)
        tagging.write(path, sound.tagging, tags, **options)
        found = (sound.facts if audio else {}) | expectation(tags, sound.tagging) | (expected or {})
        self.note(path, case, True, {name: value for name, value in found.items() if value is not None})
        return path

    def other(self, relative, data=b""):
        """Writes a file that is no music."""
        self.place(relative).write_bytes(data)


def joined(value, between=", "):
    return between.join(tagging.values(value))


# Fields that come out of the catalogue as they were written, by the name in the manifest.
PLAIN = {
    "title": "title", "album": "album", "subtitle": "subtitle", "discsubtitle": "discTitle", "date": "date",
    "originaldate": "originalDate", "key": "key", "comment": "comment", "isrc": "isrc", "recordingid": "recordingID",
    "albumid": "releaseID", "releasegroupid": "releaseGroupID", "acoustid": "acoustID", "releasecountry": "country",
    "media": "media", "barcode": "barcode", "edition": "edition", "work": "work",
}
LISTS = {
    "genre": "genres", "mood": "moods", "style": "styles", "grouping": "groupings", "language": "languages",
    "label": "labels", "catalognumber": "catalogueNumbers", "releasetype": "types", "artistid": "artistIDs",
}
NUMBERS = {"tracknumber": "number", "discnumber": "disc", "totaltracks": "total", "movementnumber": "movementNumber",
           "movementtotal": "movementTotal"}
ROLES = {"composer": "composer", "conductor": "conductor", "lyricist": "lyricist", "remixer": "remixer",
         "arranger": "arranger", "producer": "producer", "engineer": "engineer", "mixer": "mixer",
         "djmixer": "djMixer", "writer": "writer", "director": "director"}
# The tags that Picard does not write into a container.
NOT_WRITTEN = {
    "mp4": {"performer"}, "asf": {"performer", "movement", "movementnumber", "movementtotal", "totaltracks"},
}


def expectation(tags, kind=None):
    """Returns what the catalogue must say of a file with these tags."""
    tags = {name: value for name, value in tags.items() if name not in NOT_WRITTEN.get(kind, ())}
    found = {}
    for name, value in tags.items():
        if name in PLAIN:
            found[PLAIN[name]] = tagging.values(value)[0]
        elif name in LISTS:
            found[LISTS[name]] = tagging.values(value)
        elif name in NUMBERS:
            found[NUMBERS[name]] = int(value)
        elif name in ROLES:
            found["credit." + ROLES[name]] = sorted(tagging.values(value))
    if "performer" in tags:
        found["credit.performer"] = sorted(f"{who} ({what})" for who, what in tags["performer"])
    if "movement" in tags and "work" in tags:
        found["movement"] = tags["movement"]
    elif "movement" in tags:
        for name in ("movement", "movementNumber", "movementTotal"):
            found.pop(name, None)
    if "artist" in tags:
        found["artist"] = joined(tags["artist"])
    if "artists" in tags:
        found["artists"] = tagging.values(tags["artists"])
    if "albumartist" in tags:
        found["albumArtist"] = joined(tags["albumartist"])
    if str(tags.get("date", ""))[:4].isdigit():
        found["year"] = int(str(tags["date"])[:4])
        found["albumDate"] = tags["date"]
    if "originaldate" in tags:
        # The shelf is ordered by the year of the original release.
        found["year"] = int(str(tags["originaldate"])[:4])
        found["albumOriginalDate"] = tags["originaldate"]
    if "bpm" in tags:
        # MP4 has whole numbers only.
        found["bpm"] = round(float(tags["bpm"])) if kind == "mp4" else float(tags["bpm"])
    if "lyrics" in tags:
        found["hasLyrics"] = True
    for name, key in (("track_gain", "trackGain"), ("track_peak", "trackPeak"), ("album_gain", "albumGain"),
                      ("album_peak", "albumPeak")):
        if "replaygain_" + name in tags:
            text = str(tags["replaygain_" + name]).removesuffix("dB").strip().replace(",", ".")
            found[key] = float(text)
    return found


def simple(album, number, artist="The Example Band", **more):
    """The tags that each tagger writes."""
    digest = hashlib.sha1(f"{album}|{number}".encode()).hexdigest()
    return {"title": f"Song {number} {digest[:4]}", "artist": artist, "albumartist": artist, "album": album,
            "date": "2004", "genre": "Rock", "tracknumber": number, "totaltracks": 12} | more
