"""Albums with all tags that Picard writes, in each format that has tags of its own, and those that ffmpeg writes."""
import subprocess

from . import tagging
from .collection import expectation, identity, simple

TAGGED = ["mp3", "mp3-vbr", "flac", "flac-24", "vorbis", "opus", "opus-ogg", "ogg-flac", "speex", "aac", "alac", "alac-24",
          "aac-mp4", "aac-m4b", "wav", "wav-24", "aiff", "aif", "wavpack", "tta", "wma", "dsf", "dff", "mp2",
          "mp3-headless", "flac-mono"]
BY_FFMPEG = ["caf", "caf-pcm", "mka-flac", "mka-opus", "webm", "au", "w64", "rf64", "adts", "ac3", "eac3", "dts", "mod"]


def everything(name, number):
    """The tags of a track that two artists made, as Picard writes them."""
    ids = {key: identity(name, key) for key in ("albumid", "releasegroupid", "albumartistid")}
    return ids | {
        "title": f"Sehnsucht über Łódź {number}", "titlesort": f"Sehnsucht {number}", "subtitle": "For two hands",
        "artist": "Ada Marsh & Béla Kún", "artists": ["Ada Marsh", "Béla Kún"], "artistsort": "Marsh, Ada & Kún, Béla",
        "artistid": [identity("ada"), identity("bela")], "albumartist": "Ada Marsh", "albumartistsort": "Marsh, Ada",
        "album": f"Complete {name}", "albumsort": f"Complete {name}, The", "date": "2011-05-17",
        "originaldate": "1977-03-04", "originalyear": "1977", "tracknumber": number, "totaltracks": 3, "discnumber": 1,
        "totaldiscs": 2, "discsubtitle": "The First Night", "genre": ["Chamber Jazz", "Third Stream"],
        "mood": ["Calm", "Dark"], "composer": ["Béla Kún", "Ida Rosen"], "composersort": ["Kún, Béla", "Rosen, Ida"],
        "conductor": "Hans Vogel", "lyricist": "Eva Linden", "remixer": "Remi Xavier", "arranger": "Arne Raner",
        "producer": ["Pro One", "Pro Two"], "engineer": "Egon Near", "mixer": "Max Mix", "djmixer": "Dora Jay",
        "writer": "Will Writer", "performer": [("Ada Marsh", "piano"), ("Gus Tar", "acoustic guitar")],
        "label": ["Blue Door", "Red Door"], "catalognumber": ["BD 123", "RD 9"], "releasecountry": "DE",
        "media": "12\" Vinyl", "barcode": "4006381333931", "releasetype": ["album", "live"], "releasestatus": "official",
        "isrc": f"DEA12110000{number}", "bpm": "128", "key": "F#m", "comment": "Taken from the master.",
        "grouping": "Evening", "language": "deu", "recordingid": identity(name, number),
        "releasetrackid": identity(name, number, "track"), "acoustid": identity(name, number, "acoustid"),
        "replaygain_track_gain": "-7.25 dB", "replaygain_track_peak": "0.912345", "replaygain_album_gain": "-6.50 dB",
        "replaygain_album_peak": "0.998000", "lyrics": "One line\nAnother line", "script": "Latn", "encodedby": "Somebody",
        "copyright": "2011 Blue Door",
    }


def classical(name, number):
    return simple(f"Works {name}", number, artist="Ostrava Quartet") | {
        "composer": "Johann Sebastian Bach", "composersort": "Bach, Johann Sebastian",
        "work": f"Suite no. 2 for {name}, BWV 1067", "workid": identity(name, "work"),
        "movement": ["Ouverture", "Rondeau", "Sarabande"][number - 1], "movementnumber": number, "movementtotal": 7,
    }


def add(collection):
    for name in TAGGED:
        sound = collection.sounds[name]
        for number in (1, 2, 3):
            collection.add(f"full/{name}/{number:02} full.{sound.ending}", name, everything(name, number), f"full.{name}",
                           expected={"totalDiscs": None})
        for number in (1, 2, 3):
            collection.add(f"classical/{name}/{number:02} work.{sound.ending}", name, classical(name, number),
                           f"classical.{name}")
    for name in BY_FFMPEG:
        add_by_ffmpeg(collection, name)
    for version, encoding, label in ((3, 1, "id3v23-utf16"), (4, 1, "id3v24-utf16"), (4, 2, "id3v24-utf16be"), (3, 0, "id3v23-latin1")):
        for number in (1, 2):
            tags = everything(label, number)
            if encoding == 0:
                tags["title"] = f"Sehnsucht über Köln {number}"
            expected = {}
            if version == 3:
                # ID3v2.3 has no place for several values; Picard joins them, and the original release is a year only.
                expected = {"originalDate": "1977", "albumOriginalDate": "1977", "moods": None}
            collection.add(f"full/{label}/{number}.mp3", "mp3", tags, f"full.{label}", version=version, encoding=encoding,
                           expected=expected)


def add_by_ffmpeg(collection, name):
    """Files of formats whose tags mutagen does not write: with what ffmpeg can put there."""
    sound = collection.sounds[name]
    for number in (1, 2):
        relative = f"ffmpeg/{name}/{number:02} Song.{sound.ending}"
        path = collection.place(relative)
        tags = simple(f"Muxed {name}", number)
        if sound.tagging is None and name not in ("caf", "caf-pcm", "w64", "rf64"):
            if name == "adts":
                path.write_bytes(tagging.id3_bytes(tagging.id3_frames(tags)) + sound.bytes)
                expected = expectation(tags)
            else:
                path.write_bytes(sound.bytes)
                # A module has a name of its own, of which it is not said whether it is a title.
                expected = {} if name == "mod" else {"number": number, "title": "Song"}
            collection.note(path, f"ffmpeg.{name}", True,
                            sound.facts | expected)
            continue
        source = collection.scratch / f"{name}.{sound.ending}"
        words = ["ffmpeg", "-v", "error", "-nostdin", "-y", "-i", source, "-c", "copy"]
        for key, value in tags.items():
            key = {"albumartist": "album_artist", "tracknumber": "track"}.get(key, key)
            if key != "totaltracks":
                words += ["-metadata", f"{key}={value}"]
        if name == "rf64":
            words += ["-f", "wav", "-rf64", "always"]
        subprocess.run([*words, path], check=True)
        tags.pop("totaltracks")
        if name == "w64":
            # ffmpeg writes no tags into Wave64.
            tags = {"title": "Song", "tracknumber": number}
        if name == "rf64":
            # RIFF INFO has no album artist.
            tags.pop("albumartist")
        collection.note(path, f"ffmpeg.{name}", True, sound.facts | expectation(tags))
