"""Writes tags into files as MusicBrainz Picard does ("Appendix: Tag Mapping" of its documentation), with mutagen.

Tags are a dictionary by the names of Picard; a value is a text or a list of texts. `performer` is a list of pairs of a
name and an instrument.
"""
import io
import struct

import mutagen
import mutagen.apev2
import mutagen.asf
import mutagen.dsdiff
import mutagen.flac
import mutagen.id3
import mutagen.mp4
from mutagen import id3

TEXT_FRAMES = {
    "album": "TALB", "albumsort": "TSOA", "title": "TIT2", "titlesort": "TSOT", "artist": "TPE1", "artistsort": "TSOP",
    "albumartist": "TPE2", "albumartistsort": "TSO2", "date": "TDRC", "originaldate": "TDOR", "releasedate": "TDRL",
    "composer": "TCOM", "composersort": "TSOC", "lyricist": "TEXT", "conductor": "TPE3", "remixer": "TPE4",
    "label": "TPUB", "movement": "MVNM", "grouping": "GRP1", "subtitle": "TIT3", "discsubtitle": "TSST",
    "compilation": "TCMP", "bpm": "TBPM", "genre": "TCON", "mood": "TMOO", "media": "TMED", "language": "TLAN",
    "copyright": "TCOP", "encodedby": "TENC", "isrc": "TSRC", "key": "TKEY", "originalyear_tory": "TORY",
}
INVOLVED = {"arranger": "arranger", "engineer": "engineer", "producer": "producer", "djmixer": "DJ-mix", "mixer": "mix"}
# The names that texts of any kind have in ID3, MP4 and ASF.
LONG_NAMES = {
    "artists": "ARTISTS", "albumartists": "ALBUMARTISTS", "writer": "WRITER", "director": "DIRECTOR", "work": "WORK",
    "catalognumber": "CATALOGNUMBER", "barcode": "BARCODE", "script": "SCRIPT", "style": "STYLE", "edition": "EDITION",
    "releasestatus": "MusicBrainz Album Status", "releasetype": "MusicBrainz Album Type",
    "releasecountry": "MusicBrainz Album Release Country", "releasetrackid": "MusicBrainz Release Track Id",
    "albumid": "MusicBrainz Album Id", "artistid": "MusicBrainz Artist Id",
    "albumartistid": "MusicBrainz Album Artist Id", "releasegroupid": "MusicBrainz Release Group Id",
    "workid": "MusicBrainz Work Id", "acoustid": "Acoustid Id",
}
COMMENTS = {
    "releasetrackid": "MUSICBRAINZ_RELEASETRACKID", "recordingid": "MUSICBRAINZ_TRACKID",
    "albumid": "MUSICBRAINZ_ALBUMID", "artistid": "MUSICBRAINZ_ARTISTID", "albumartistid": "MUSICBRAINZ_ALBUMARTISTID",
    "releasegroupid": "MUSICBRAINZ_RELEASEGROUPID", "workid": "MUSICBRAINZ_WORKID", "acoustid": "ACOUSTID_ID",
    "movement": "MOVEMENTNAME", "movementnumber": "MOVEMENT", "movementtotal": "MOVEMENTTOTAL",
}
ATOMS = {
    "album": "\xa9alb", "title": "\xa9nam", "artist": "\xa9ART", "albumartist": "aART", "titlesort": "sonm",
    "albumsort": "soal", "artistsort": "soar", "albumartistsort": "soaa", "composersort": "soco", "date": "\xa9day",
    "composer": "\xa9wrt", "work": "\xa9wrk", "movement": "\xa9mvn", "grouping": "\xa9grp", "comment": "\xa9cmt",
    "genre": "\xa9gen", "lyrics": "\xa9lyr", "copyright": "cprt",
}
ITUNES = {"recordingid": "MusicBrainz Track Id", "key": "initialkey"}
APE = {
    "date": "Year", "albumartist": "Album Artist", "remixer": "MixArtist", "releasestatus": "MUSICBRAINZ_ALBUMSTATUS",
    "releasetype": "MUSICBRAINZ_ALBUMTYPE",
}
ASF = {
    "album": "WM/AlbumTitle", "title": "Title", "artist": "Author", "albumartist": "WM/AlbumArtist",
    "albumsort": "WM/AlbumSortOrder", "artistsort": "WM/ArtistSortOrder", "titlesort": "WM/TitleSortOrder",
    "albumartistsort": "WM/AlbumArtistSortOrder", "artists": "WM/ARTISTS", "date": "WM/Year",
    "originaldate": "WM/OriginalReleaseTime", "originalyear": "WM/OriginalReleaseYear", "composer": "WM/Composer",
    "composersort": "WM/ComposerSortOrder", "lyricist": "WM/Writer", "conductor": "WM/Conductor",
    "remixer": "WM/ModifiedBy", "producer": "WM/Producer", "engineer": "WM/Engineer", "mixer": "WM/Mixer",
    "djmixer": "WM/DJMixer", "director": "WM/Director", "label": "WM/Publisher", "work": "WM/Work",
    "grouping": "WM/ContentGroupDescription", "subtitle": "WM/SubTitle", "discsubtitle": "WM/SetSubTitle",
    "compilation": "WM/IsCompilation", "comment": "Description", "bpm": "WM/BeatsPerMinute", "genre": "WM/Genre",
    "mood": "WM/Mood", "lyrics": "WM/Lyrics", "media": "WM/Media", "catalognumber": "WM/CatalogNo",
    "barcode": "WM/Barcode", "language": "WM/Language", "isrc": "WM/ISRC", "key": "WM/InitialKey",
    "releasestatus": "MusicBrainz/Album Status", "releasetype": "MusicBrainz/Album Type",
    "releasecountry": "MusicBrainz/Album Release Country", "recordingid": "MusicBrainz/Track Id",
    "albumid": "MusicBrainz/Album Id", "artistid": "MusicBrainz/Artist Id", "workid": "MusicBrainz/Work Id",
    "albumartistid": "MusicBrainz/Album Artist Id", "releasegroupid": "MusicBrainz/Release Group Id",
    "releasetrackid": "MusicBrainz/Release Track Id", "acoustid": "Acoustid/Id", "arranger": "WM/Arranger",
}
NUMBERS = {"tracknumber", "totaltracks", "discnumber", "totaldiscs", "movementnumber", "movementtotal"}


def values(value):
    return list(value) if isinstance(value, (list, tuple)) else [str(value)]


def of_total(tags, number, total):
    return f"{tags[number]}/{tags[total]}" if total in tags else f"{tags[number]}"


def id3_frames(tags, encoding=3, version=4):
    """The frames of ID3; Picard joins values by a slash in ID3v2.3, where TDRC is TYER and TDAT."""
    frames = []

    def text(name, value):
        frames.append(getattr(id3, name)(encoding=encoding, text=values(value) if version == 4 else ["/".join(values(value))]))

    def free(name, value):
        frames.append(id3.TXXX(encoding=encoding, desc=name,
                               text=values(value) if version == 4 else ["/".join(values(value))]))
    for name, value in tags.items():
        if name in TEXT_FRAMES:
            text(TEXT_FRAMES[name], value)
        elif name in LONG_NAMES:
            free(LONG_NAMES[name], value)
        elif name == "recordingid":
            frames.append(id3.UFID(owner="http://musicbrainz.org", data=value.encode()))
        elif name == "comment":
            frames.append(id3.COMM(encoding=encoding, lang="eng", desc="", text=values(value)))
        elif name == "lyrics":
            frames.append(id3.USLT(encoding=encoding, lang="eng", desc="", text=value))
        elif name == "performer":
            frames.append(id3.TMCL(encoding=encoding, people=[[what, who] for who, what in value]))
        elif name not in NUMBERS and name not in INVOLVED:
            free(name.upper(), value)
    people = [[INVOLVED[name], who] for name in INVOLVED if name in tags for who in values(tags[name])]
    if people:
        frames.append(id3.TIPL(encoding=encoding, people=people))
    for frame, number, total in (("TRCK", "tracknumber", "totaltracks"), ("TPOS", "discnumber", "totaldiscs"),
                                 ("MVIN", "movementnumber", "movementtotal")):
        if number in tags:
            text(frame, of_total(tags, number, total))
    return frames


def id3_bytes(frames, version=4):
    tag = id3.ID3()
    for frame in frames:
        tag.add(frame)
    if version == 3:
        tag.update_to_v23()
    out = io.BytesIO()
    tag.save(out, v1=0, v2_version=version, v23_sep=None if version == 4 else "/", padding=lambda _: 64)
    return out.getvalue()


def comments(tags):
    """The Vorbis comments, as pairs."""
    found = []
    for name, value in tags.items():
        if name == "performer":
            found += [("PERFORMER", f"{who} ({what})") for who, what in value]
        else:
            names = [COMMENTS.get(name, name.upper())]
            names += {"totaltracks": ["TRACKTOTAL"], "totaldiscs": ["DISCTOTAL"]}.get(name, [])
            found += [(one, text) for one in names for text in values(value)]
    return found


def write(path, tagging, tags, frames=(), version=4, encoding=3):
    """Writes tags to a file. `frames` are ID3 frames beside those of the tags."""
    if tagging == "id3":
        path.write_bytes(id3_bytes([*id3_frames(tags, encoding, version), *frames], version) + path.read_bytes())
    elif tagging in ("wav", "aiff", "tta", "dsf", "dff"):
        file = mutagen.File(path)
        if file.tags is None:
            file.add_tags()
        for frame in [*id3_frames(tags, encoding, version), *frames]:
            file.tags.add(frame)
        file.save()
    elif tagging == "vorbis":
        file = mutagen.File(path)
        if file.tags is None:
            file.add_tags()
        file.tags.clear()
        for name, value in comments(tags):
            file.tags.append((name, value))
        file.save()
    elif tagging == "mp4":
        write_mp4(path, tags)
    elif tagging == "ape":
        write_ape(path, tags)
    elif tagging == "asf":
        write_asf(path, tags)


def write_mp4(path, tags):
    file = mutagen.mp4.MP4(path)
    file.tags = file.tags or mutagen.mp4.MP4Tags()
    file.tags.clear()
    for name, value in tags.items():
        if name in ATOMS:
            file.tags[ATOMS[name]] = values(value)
        elif name == "bpm":
            file.tags["tmpo"] = [round(float(value))]
        elif name == "compilation":
            file.tags["cpil"] = value == "1"
        elif name not in NUMBERS and name != "performer":
            key = "----:com.apple.iTunes:" + (ITUNES.get(name) or LONG_NAMES.get(name) or name.upper())
            file.tags[key] = [mutagen.mp4.MP4FreeForm(text.encode()) for text in values(value)]
    for atom, number, total in (("trkn", "tracknumber", "totaltracks"), ("disk", "discnumber", "totaldiscs")):
        if number in tags:
            file.tags[atom] = [(int(tags[number]), int(tags.get(total, 0)))]
    if "movementnumber" in tags:
        file.tags["\xa9mvi"] = [int(tags["movementnumber"])]
        file.tags["\xa9mvc"] = [int(tags["movementtotal"])]
        file.tags["shwm"] = [1]
    file.save()


def write_ape(path, tags):
    tag = mutagen.apev2.APEv2()
    for name, value in tags.items():
        if name == "performer":
            tag["Performer"] = [f"{who} ({what})" for who, what in value]
        elif name not in ("tracknumber", "totaltracks", "discnumber", "totaldiscs"):
            tag[APE.get(name) or COMMENTS.get(name) or name.capitalize()] = values(value)
    for item, number, total in (("Track", "tracknumber", "totaltracks"), ("Disc", "discnumber", "totaldiscs")):
        if number in tags:
            tag[item] = of_total(tags, number, total)
    tag.save(path)


def write_asf(path, tags):
    file = mutagen.asf.ASF(path)
    file.tags.clear()
    for name, value in tags.items():
        if name in ASF:
            file.tags[ASF[name]] = values(value)
        elif name not in NUMBERS and name != "performer":
            file.tags["foobar2000/" + name.upper() if name.startswith("replaygain") else name.upper()] = values(value)
    if "tracknumber" in tags:
        file.tags["WM/TrackNumber"] = [str(tags["tracknumber"])]
    if "discnumber" in tags:
        file.tags["WM/PartOfSet"] = [of_total(tags, "discnumber", "totaldiscs")]
    file.save()


def id3v22(tags):
    """An ID3v2.2 tag, which mutagen does not write, in UTF-16 where a text is not Latin-1 (the specification of 1998)."""
    names = {"title": "TT2", "artist": "TP1", "albumartist": "TP2", "album": "TAL", "date": "TYE", "genre": "TCO",
             "composer": "TCM", "tracknumber": "TRK", "discnumber": "TPA"}
    body = b""
    for name, frame in names.items():
        if name not in tags:
            continue
        text = "/".join(values(tags[name]))
        try:
            data = b"\0" + text.encode("latin-1") + b"\0"
        except UnicodeEncodeError:
            data = b"\1" + text.encode("utf-16") + b"\0\0"
        body += frame.encode() + len(data).to_bytes(3, "big") + data
    size = bytes((len(body) >> shift) & 0x7F for shift in (21, 14, 7, 0))
    return b"ID3\x02\x00\x00" + size + body


def id3v1(title, artist, album, year, track, genre=8, encoding="latin-1"):
    def field(text, size):
        return text.encode(encoding)[:size].ljust(size, b"\0")
    return (b"TAG" + field(title, 30) + field(artist, 30) + field(album, 30) + field(year, 4) + field("", 28)
            + b"\0" + bytes([track, genre]))


def riff_info(path, pairs, encoding="utf-8"):
    """Appends a LIST chunk of RIFF INFO to a wave file, and mends its length."""
    body = b"INFO"
    for name, text in pairs:
        data = text.encode(encoding) + b"\0"
        body += name.encode() + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)
    data = path.read_bytes() + b"LIST" + struct.pack("<I", len(body)) + body
    path.write_bytes(data[:4] + struct.pack("<I", len(data) - 8) + data[8:])
