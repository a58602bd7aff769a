"""The ways in which programs write one thing: loudness, ratings, counts, dates, several values, encodings of text."""
import struct

import mutagen
import mutagen.apev2
from mutagen import id3

from . import tagging
from .collection import identity, simple


def add(collection):
    loudness(collection)
    owners(collection)
    dates(collection)
    several(collection)
    encodings(collection)
    containers(collection)


def loudness(collection):
    """ReplayGain and R128; gains are towards -18 LUFS, so that one towards -23 LUFS is 5 dB less."""
    wanted = {"trackGain": -7.25, "trackPeak": 0.9, "albumGain": -6.5, "albumPeak": 0.95}
    texts = {"TRACK_GAIN": "-7.25 dB", "TRACK_PEAK": "0.900000", "ALBUM_GAIN": "-6.50 dB", "ALBUM_PEAK": "0.950000"}

    def album(case, sound, tags=None, frames=(), expected=None, numbers=(1,)):
        for number in numbers:
            collection.add(f"gain/{case}/{number}.{collection.sounds[sound].ending}", sound,
                           simple(f"Gain {case}", number) | (tags or {}), f"gain.{case}",
                           expected=expected if expected is not None else wanted, frames=frames)
    for case, key in (("upper", str.upper), ("lower", str.lower), ("mixed", str.title)):
        frames = [id3.TXXX(encoding=3, desc=key("REPLAYGAIN_" + name), text=[value]) for name, value in texts.items()]
        album(f"id3-{case}", "mp3", frames=frames)
    for spelling, text in (("comma", "-7,25 dB"), ("bare", "-7.25"), ("tight", "-7.25dB"), ("plus", "+7.25 dB")):
        value = 7.25 if spelling == "plus" else -7.25
        album(f"vorbis-{spelling}", "flac", {"replaygain_track_gain": text}, expected={"trackGain": value})
    names = {"replaygain_" + name.lower(): value for name, value in texts.items()}
    for sound in ("vorbis", "aac", "wavpack", "wma", "aiff", "dsf"):
        album(f"picard-{sound}", sound, names)
    album("reference", "flac", {"replaygain_track_gain": "-13.25 dB", "replaygain_reference_loudness": "83.0 dB"},
          expected={"trackGain": -7.25})
    for sound in ("opus", "opus-ogg"):
        album(f"r128-{sound}", sound, {"r128_track_gain": str(round(-12.25 * 256)), "r128_album_gain": str(round(-11.5 * 256))},
              expected={"trackGain": -7.25, "albumGain": -6.5})
    frames = [id3.RVA2(desc="track", channel=1, gain=-7.25, peak=0.9), id3.RVA2(desc="album", channel=1, gain=-6.5, peak=0.95)]
    album("rva2", "mp3", frames=frames)
    for number in (1, 2):
        path = collection.add(f"gain/ape-on-mp3/{number}.mp3", "mp3", simple("Gain APE", number), "gain.ape-on-mp3",
                              expected=wanted)
        tag = mutagen.apev2.APEv2()
        for name, value in texts.items():
            tag["REPLAYGAIN_" + name] = value
        tag["MP3GAIN_MINMAX"] = "120,210"
        tag.save(path)
    # Sound Check: each of the first two numbers is 1000 mW times ten to the power of a tenth of the negative gain.
    value = f"{round(1000 * 10 ** 0.725):08X}"
    norm = " " + " ".join([value, value] + ["00000000"] * 8)
    album("itunnorm", "mp3", frames=[id3.COMM(encoding=0, lang="eng", desc="iTunNORM", text=[norm])],
          expected={"trackGain": -7.25})


def owners(collection):
    """Ratings and counts of plays, which are taken over only when a person asks for it."""
    for label, email, byte in (("wmp", "Windows Media Player 9 Series", 196), ("picard", "users@musicbrainz.org", 204),
                               ("mediamonkey", "no@email", 128), ("winamp", "rating@winamp.com", 255), ("zero", "", 0)):
        frame = id3.POPM(email=email, rating=byte, count=7)
        collection.add(f"owner/popm-{label}.mp3", "mp3", simple("Rated", byte % 90 + 1), f"owner.popm-{label}", frames=[frame],
                       expected={"rating": None})
    for label, sound, tags in (("rating", "flac", {"rating": "80"}), ("fmps", "flac", {"fmps_rating": "0.8"}),
                               ("fmps-ogg", "vorbis", {"fmps_rating": "0.8", "fmps_playcount": "12"}),
                               ("email", "flac", {"rating:users@musicbrainz.org": "0.8"}), ("wma", "wma", {"rating": "75"}),
                               ("ape", "wavpack", {"rating": "4"}), ("mp4", "aac", {"rating": "80"})):
        collection.add(f"owner/{label}.{collection.sounds[sound].ending}", sound, simple("Rated too", len(label)) | tags,
                       f"owner.{label}")
    for sound, tags, timed in (("mp3", {"lyrics": "La\nla"}, False), ("flac", {"lyrics": "La\nla"}, False),
                               ("aac", {"lyrics": "La\nla"}, False), ("vorbis", {"unsyncedlyrics": "La"}, False),
                               ("opus", {"lyrics": "[00:01.00]La\n[00:02.00]la"}, True), ("wavpack", {"lyrics": "La"}, False),
                               ("wma", {"lyrics": "La\nla"}, False), ("aiff", {"lyrics": "La"}, False)):
        collection.add(f"lyrics/{sound}.{collection.sounds[sound].ending}", sound, simple("Sung", 1) | tags | {"title": sound},
                       f"lyrics.{sound}", expected={"hasLyrics": True})
    timed = id3.SYLT(encoding=3, lang="eng", format=2, type=1, desc="", text=[("La", 1000), ("la", 2000)])
    collection.add("lyrics/sylt.mp3", "mp3", simple("Sung", 2), "lyrics.sylt", frames=[timed], expected={"hasLyrics": True})
    collection.add("lyrics/beside.flac", "flac", simple("Sung", 3), "lyrics.lrc", expected={"hasLyrics": True})
    collection.other("lyrics/beside.lrc", b"[00:00.50]La\n[00:00.90]la\n")


def dates(collection):
    """Dates as people and programs write them; the catalogue shows as much of each as is certain."""
    for label, text, date in (("day", "1999-05-01", "1999-05-01"), ("month", "1999-05", "1999-05"), ("year", "1999", "1999"),
                              ("slashes", "1999/05/01", "1999-05-01"), ("tight", "19990501", "1999-05-01"),
                              ("time", "1999-05-01T12:00:00Z", "1999-05-01"), ("named", "1 May 1999", "1999-05-01"),
                              ("impossible", "1999-13-45", "1999"), ("zeros", "1999-00-00", "1999"), ("dots", "01.05.1999", "1999"),
                              ("nonsense", "unknown", None)):
        expected = {"date": None, "year": 1999, "albumDate": date} if date else {"date": None, "year": None, "albumDate": None}
        tags = simple(f"Dated {label}", 1) | {"date": text if date else "0000 unknown"}
        collection.add(f"dates/{label}/1.flac", "flac", tags, f"dates.{label}", expected=expected)
    for sound in ("mp3", "flac", "aac", "wavpack", "wma", "vorbis"):
        tags = simple(f"Reissued {sound}", 1) | {"date": "2011-05-17", "originaldate": "1977-03-04"}
        collection.add(f"dates/reissue-{sound}/1.{collection.sounds[sound].ending}", sound, tags, f"dates.reissue-{sound}")
    frames = [id3.TYER(encoding=3, text=["1998"]), id3.TDAT(encoding=3, text=["0306"])]
    tags = {key: value for key, value in simple("Dated v23", 1).items() if key != "date"}
    path = collection.add("dates/v23/1.mp3", "mp3", tags, "dates.v23", version=3, frames=frames,
                          expected={"year": 1998, "albumDate": "1998-06-03"})
    assert path.exists()


def several(collection):
    """Several artists and genres, in tags of several values and in one."""
    def one(label, sound, artists, genres, tags):
        expected = {"artists": artists, "genres": genres, "artist": None, "albumArtist": None}
        collection.add(f"several/{label}.{collection.sounds[sound].ending}", sound,
                       simple(f"Several {label}", 1) | {"albumartist": "Host"} | tags, f"several.{label}", expected=expected)
    pair, genres = ["Ann Lee", "Bob Ray"], ["Funk", "Soul"]
    for sound in ("mp3", "flac", "vorbis", "opus", "aac", "wavpack", "wma", "aiff", "dsf"):
        one(f"values-{sound}", sound, pair, genres, {"artist": pair, "genre": genres})
        one(f"artists-{sound}", sound, pair, genres, {"artist": "Ann Lee & Bob Ray", "artists": pair, "genre": genres})
    for label, text in (("semicolon", "Ann Lee; Bob Ray"), ("tight", "Ann Lee;Bob Ray"), ("slash", "Ann Lee / Bob Ray"),
                        ("feat", "Ann Lee feat. Bob Ray"), ("ft", "Ann Lee ft. Bob Ray"), ("bracket", "Ann Lee (feat. Bob Ray)"),
                        ("featuring", "Ann Lee Featuring Bob Ray")):
        one(f"split-{label}", "flac", pair, genres, {"artist": text, "genre": "Funk; Soul"})
    for label, name in (("acdc", "AC/DC"), ("earth", "Earth, Wind & Fire"), ("tyler", "Tyler, The Creator"),
                        ("simon", "Simon & Garfunkel"), ("yusuf", "Yusuf / Cat Stevens"), ("feather", "Leftfeat")):
        one(f"kept-{label}", "mp3", [name], ["Rock"], {"artist": name, "genre": "Rock"})
    one("genre-number", "mp3", ["Ann Lee"], ["Rock", "Jazz"], {"artist": "Ann Lee", "genre": ["17", "8"]})
    one("genre-brackets", "mp3", ["Ann Lee"], ["Rock"], {"artist": "Ann Lee", "genre": "(17)"})
    one("genre-comma", "flac", ["Ann Lee"], genres, {"artist": "Ann Lee", "genre": "Funk, Soul"})
    one("genre-kept", "flac", ["Ann Lee"], ["Folk, World, & Country"], {"artist": "Ann Lee", "genre": "Folk, World, & Country"})
    one("title-feat", "flac", pair, ["Rock"], {"artist": "Ann Lee", "title": "Song (feat. Bob Ray)"})
    ids = [identity("ann"), identity("bob")]
    collection.add("several/ids-v23.mp3", "mp3", simple("Several ids", 1) | {"artist": "Ann Lee & Bob Ray", "artists": pair, "artistid": ids},
                   "several.ids-v23", version=3, expected={"artists": pair, "artistIDs": ids})
    tags = simple("Band of roles", 1) | {"performer": [("Ann Lee", "lead vocals"), ("Bob Ray", "drums")]}
    for sound in ("mp3", "flac", "wavpack"):
        collection.add(f"several/performers.{collection.sounds[sound].ending}", sound, tags | {"title": sound}, f"several.performers-{sound}")


def encodings(collection):
    """Texts in every encoding that ID3 and RIFF INFO have, and those that they do not have but files do."""
    title, artist, album = "Крейсерова соната", "Лев Толстой", "Первый альбом"
    for version in (3, 4):
        for encoding in (1, 3) if version == 4 else (1,):
            collection.add(f"text/v2{version}-{encoding}.mp3", "mp3", simple(album, encoding + version, artist) | {"title": title},
                           f"text.id3v2{version}-{encoding}", version=version, encoding=encoding)
    data = collection.sounds["mp3"].bytes
    tags = simple("Très vieux", 3, "Café Zoë") | {"title": "Où ça"}
    expected = {"title": "Où ça", "artist": "Café Zoë", "album": "Très vieux", "number": 3, "genres": ["Rock"], "year": 2004}
    collection.raw("text/v22-latin.mp3", tagging.id3v22(tags) + data, "text.id3v22-latin", **expected)
    tags |= {"title": title, "artist": artist}
    collection.raw("text/v22-utf16.mp3", tagging.id3v22(tags) + data, "text.id3v22-utf16",
                   **expected | {"title": title, "artist": artist})
    v1 = tagging.id3v1("Où ça", "Café Zoë", "Vieux v1", "1994", 4)
    collection.raw("text/v1.mp3", data + v1, "text.id3v1", title="Où ça", artist="Café Zoë", album="Vieux v1", year=1994,
                   number=4, genres=["Jazz"])
    v1 = tagging.id3v1(title, artist, album, "1994", 5, encoding="cp1251")
    collection.raw("text/cp1251/v1.mp3", data + v1, "text.legacy-id3v1-cp1251", title=title, artist=artist)
    # A program that wrote cp1251 where Latin-1 is marked.
    wrong = simple(album.encode("cp1251").decode("latin-1"), 6, artist.encode("cp1251").decode("latin-1"))
    wrong["title"] = title.encode("cp1251").decode("latin-1")
    collection.add("text/cp1251/v23.mp3", "mp3", wrong, "text.legacy-id3v23-cp1251", version=3, encoding=0,
                   expected={"title": title, "artist": artist, "album": album, "albumArtist": artist})
    for label, text in (("emoji", "🎷 Nacht 🌙"), ("japanese", "風の歌を聴け"), ("arabic", "أغنية الليل"), ("combined", "e\u0301te\u0301")):
        for sound in ("mp3", "flac", "aac", "wavpack", "wma"):
            shown = "été" if label == "combined" else text
            collection.add(f"text/{label}.{collection.sounds[sound].ending}", sound, simple(f"Text {sound}", 1) | {"title": text},
                           f"text.{label}-{sound}", expected={"title": shown})


def containers(collection):
    """Tags in unusual places: RIFF INFO, APE before ID3v1, ID3 before FLAC, two tags that disagree."""
    path = collection.place("places/info.wav")
    path.write_bytes(collection.sounds["wav"].bytes)
    pairs = [("INAM", "Une fête"), ("IART", "Café Zoë"), ("IPRD", "Waves"), ("ICRD", "1993-04-05"), ("IGNR", "Jazz"), ("IPRT", "7"),
             ("ICMT", "From tape")]
    tagging.riff_info(path, pairs)
    collection.note(path, "places.riff-info", True, {"title": "Une fête", "artist": "Café Zoë", "album": "Waves", "year": 1993,
                                                     "genres": ["Jazz"], "number": 7, "comment": "From tape"})
    tags = simple("APE alone", 8)
    path = collection.place("places/ape.mp3")
    path.write_bytes(collection.sounds["mp3"].bytes)
    tagging.write(path, "ape", tags)
    collection.note(path, "places.ape-on-mp3", True, {"title": tags["title"], "album": "APE alone", "number": 8, "total": 12})
    tags = simple("Before FLAC", 9)
    data = tagging.id3_bytes(tagging.id3_frames(tags))
    path = collection.add("places/id3.flac", "flac", simple("In FLAC", 9), "places.id3-before-flac")
    path.write_bytes(data + path.read_bytes())
    path = collection.add("places/both.mp3", "mp3", simple("Both", 1), "places.id3v1-and-id3v2")
    path.write_bytes(path.read_bytes() + tagging.id3v1("Cut off", "Someone", "Else", "1901", 44))
    tags = simple("Twice", 1) | {"title": "Long comment", "comment": "x" * 5000}
    collection.add("places/long.flac", "flac", tags, "places.long-comment", expected={"comment": None})
    sound = collection.sounds["flac"].bytes
    collection.raw("places/wrong.mp3", sound, "places.flac-as-mp3", title="wrong", codec="flac")
    collection.raw("places/wrong.flac", collection.sounds["mp3"].bytes, "places.mp3-as-flac", title="wrong", codec="mp3")
    collection.raw("places/wrong.ogg", collection.sounds["aac"].bytes, "places.m4a-as-ogg", title="wrong", codec="aac")
    collection.raw("places/junk.mp3", struct.pack("<I", 7) * 500 + collection.sounds["mp3"].bytes, "places.junk-before-mp3", codec="mp3")
