"""Folders as people have them: sets, records, compilations, copies, telling names, pictures, and broken files."""
from mutagen import id3
from mutagen.flac import FLAC, Picture

from . import tagging
from .collection import identity, simple


def add(collection):
    sets(collection)
    copies(collection)
    names(collection)
    pictures(collection)
    broken(collection)
    ignored(collection)
    sheets(collection)


def sets(collection):
    """Discs, sides of records, compilations and totals."""
    for disc in (1, 2):
        for number in (1, 2):
            tags = simple("Box of two", number) | {"discnumber": disc, "totaldiscs": 2, "discsubtitle": f"Part {disc}"}
            collection.add(f"sets/Box/CD {disc}/{number:02}.flac", "flac", tags, "sets.tagged-discs")
            tags = {key: value for key, value in simple("Box by folders", number).items()}
            collection.add(f"sets/Plain box/Disc {disc}/{number:02}.mp3", "mp3", tags | {"title": f"D{disc} N{number}"},
                           "sets.discs-by-folder", expected={"disc": disc})
    for place, side in enumerate(("A1", "A2", "B1", "B2")):
        tags = simple("Two sides", place + 1)
        tags.pop("totaltracks")
        number = {"number": place + 1, "numberText": side}
        path = collection.add(f"sets/Record/{side}.flac", "flac", tags, "sets.vinyl-sides", expected=number)
        file = FLAC(path)
        file["tracknumber"] = side
        file.save()
    for number in (1, 2, 3):
        tags = simple("Many hands", number, f"Artist {number}") | {"albumartist": "Various Artists", "compilation": "1"}
        for sound in ("mp3", "flac", "aac", "wma"):
            collection.add(f"sets/Many {sound}/{number}.{collection.sounds[sound].ending}", sound,
                           tags | {"album": f"Many hands {sound}"}, f"sets.compilation-{sound}", expected={"types": ["compilation"]})
        tags = simple("Unmarked hands", number, f"Artist {number}")
        tags.pop("albumartist")
        collection.add(f"sets/Unmarked/{number}.flac", "flac", tags, "sets.several-artists", expected={"albumArtist": "Various Artists"})
    for kind in ("album", "ep", "single", "live", "compilation", "soundtrack", "remix", "demo"):
        collection.add(f"sets/types/{kind}.flac", "flac", simple(f"Type {kind}", 1) | {"releasetype": kind}, f"sets.type-{kind}")


def copies(collection):
    """One album in two formats, which is one album, and two editions, each of which is its own."""
    for number in (1, 2, 3):
        tags = simple("Held twice", number)
        best = collection.add(f"copies/flac/{number}.flac", "flac", tags, "copies.best", expected={"copies": 2})
        collection.add(f"copies/mp3/{number}.mp3", "mp3", tags, "copies.other", expected={"copies": 2})
        assert best.exists()
        for year, edition in (("1999", "First"), ("2015", "Remastered")):
            tags = simple("Two editions", number) | {
                "date": year, "originaldate": "1999", "edition": edition, "albumid": identity("edition", year),
                "releasegroupid": identity("edition")}
            # An original date that is this edition's own is not shown beside it.
            collection.add(f"copies/{edition}/{number}.flac", "flac", tags, "copies.editions",
                           expected={"copies": 1} | ({"albumOriginalDate": None} if year == "1999" else {}))


def names(collection):
    """Files without tags, whose names say all."""
    def untagged(relative, case, sound="mp3-headless", **expected):
        collection.raw(relative, collection.sounds[sound].bytes, case, **expected)
    for number, title in ((1, "Opening"), (2, "Closing")):
        untagged(f"Nameless Artist/Named Album (1987)/{number:02} - {title}.mp3", "names.artist-album-year", title=title,
                 number=number, artist="Nameless Artist", album="Named Album", year=1987)
        untagged(f"Other Artist - Other Album (1988)/{number:02}. {title}.wav", "names.artist-album-folder", "wav", title=title,
                 number=number, artist="Other Artist", album="Other Album", year=1988)
        untagged(f"names/{number:02} - Third Artist - {title}.mp3", "names.number-artist-title", title=title,
                 number=number, artist="Third Artist")
        for disc in (1, 2):
            untagged(f"Nameless Artist/Long Album (1990)/CD {disc}/{number}-{title}.mp3", "names.disc-folder", title=title,
                     number=number, disc=disc, album="Long Album", year=1990)
    untagged("names/bare.flac", "names.bare", "flac", title="bare")
    untagged("names/" + "n" * 200 + ".mp3", "names.long", title="n" * 200)
    untagged(b"names/caf\xe9.mp3", "names.not-utf8")
    untagged("names/ schräg & \"quoted\" #1?.mp3", "names.signs", title="schräg & \"quoted\" #1?")
    untagged("names/UPPER.MP3", "names.capital-ending", title="UPPER")
    tags = simple("Tag wins", 5)
    collection.add("names/07 - Wrong Artist - Wrong.mp3", "mp3", tags, "names.tags-win", audio=False)


def pictures(collection):
    """Pictures in files and beside them."""
    def cover(relative, case, sound, kinds, **expected):
        path = collection.add(relative, sound, simple(case, 1), case, expected=expected)
        for kind, data in kinds:
            if sound == "mp3":
                tag = id3.ID3(path)
                tag.add(id3.APIC(encoding=3, mime="image/jpeg", type=kind, desc=str(kind), data=data))
                tag.save(path)
            else:
                file = FLAC(path)
                image = Picture()
                image.type, image.mime, image.data = kind, "image/jpeg", data
                file.add_picture(image)
                file.save()
    front, back = collection.covers["front.jpg"], collection.covers["back.jpg"]
    for sound in ("mp3", "flac"):
        ending = collection.sounds[sound].ending
        cover(f"art/front-{sound}/1.{ending}", f"art.front-{sound}", sound, [(3, front)], cover=True)
        cover(f"art/both-{sound}/1.{ending}", f"art.back-first-{sound}", sound, [(4, back), (3, front)], cover=True)
        cover(f"art/other-{sound}/1.{ending}", f"art.kind-other-{sound}", sound, [(0, front)], cover=True)
        cover(f"art/none-{sound}/1.{ending}", f"art.none-{sound}", sound, [], cover=False)
    for name in ("cover.jpg", "folder.jpg", "front.png", "Cover.JPG"):
        folder = f"art/beside {name}"
        cover(f"{folder}/1.mp3", f"art.beside-{name}", "mp3", [], cover=True)
        collection.other(f"{folder}/{name}", collection.covers["front.png" if name.endswith("png") else "front.jpg"])
    cover("art/lone/1.mp3", "art.lone-picture", "mp3", [], cover=True)
    collection.other("art/lone/scan0001.jpg", front)
    cover("art/damaged/1.mp3", "art.damaged-beside-good", "mp3", [(3, front)], cover=True)
    collection.other("art/damaged/cover.jpg", front[:200])


def broken(collection):
    """Files that are no music, or that end too early."""
    sounds = collection.sounds
    for ending in ("mp3", "flac", "ogg", "m4a", "wav", "wv", "dsf", "mka"):
        collection.raw(f"broken/empty.{ending}", b"", "broken.empty", listed=False)
        collection.raw(f"broken/text.{ending}", b"This is a text, and no music.\n" * 40, "broken.text", listed=False)
    for name in ("flac", "vorbis", "aac", "wavpack", "dsf", "mka-flac"):
        sound = sounds[name]
        collection.raw(f"broken/head-{name}.{sound.ending}", sound.bytes[:24], "broken.head", listed=False)
    for name in ("mp3", "flac", "wav", "adts"):
        sound = sounds[name]
        collection.raw(f"broken/half-{name}.{sound.ending}", sound.bytes[:len(sound.bytes) // 2], "broken.half",
                       codec=sound.codec)


def ignored(collection):
    """Folders that a person excludes, and files that are hidden."""
    data = collection.sounds["mp3"].bytes
    for name, text in ((".nomedia", b""), (".ndignore", b""), (".mpdignore", b"*.mp3\n")):
        folder = f"ignored/{name[1:]}"
        collection.raw(f"{folder}/1.mp3", data, f"ignored.{name}", listed=False)
        collection.other(f"{folder}/{name}", text)
    collection.raw("ignored/pattern/keep.mp3", data, "ignored.pattern-kept", title="keep")
    collection.raw("ignored/pattern/drop.mp3", data, "ignored.pattern", listed=False)
    collection.other("ignored/pattern/.mpdignore", b"drop.mp3\n")
    collection.raw("ignored/.hidden.mp3", data, "ignored.hidden", listed=False)
    collection.raw("ignored/notes.txt", b"Notes", "ignored.text", listed=False)


def sheets(collection):
    """A sheet beside a file and one within a file; each of their tracks is one of its own."""
    sheet = ('PERFORMER "Sheet Artist"\nTITLE "{0}"\nFILE "{1}" WAVE\n  TRACK 01 AUDIO\n    TITLE "Half"\n    INDEX 01 00:00:00\n'
             '  TRACK 02 AUDIO\n    TITLE "Other half"\n    INDEX 01 00:00:37\n')
    collection.other("cue/beside/album.cue", sheet.format("Beside", "album.flac").encode())
    collection.raw("cue/beside/album.flac", collection.sounds["flac"].bytes, "cue.beside", tracks=2)
    path = collection.add("cue/within/album.flac", "flac", {"cuesheet": sheet.format("Within", "album.flac")}, "cue.within",
                          expected={"tracks": 2, "duration": 493})
    assert path.exists() and tagging
