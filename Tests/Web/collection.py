"""A small collection for the browser tests, with everything that owners of music care for: editions, copies in several
formats, works of composers, credits, sides of records, discs with subtitles, missing tracks, and damaged files."""
import subprocess

from music import COLOURS, block, flac_parts, last, picture

QUIET = ["ffmpeg", "-v", "error", "-nostdin", "-y"]
BACH = [("COMPOSER", "Johann Sebastian Bach"), ("COMPOSERSORT", "Bach, Johann Sebastian")]
COMPOSERS = ["Antonia Bembo", "Barbara Strozzi", "Clara Schumann", "Dora Pejačević", "Ethel Smyth", "Fanny Hensel", "Germaine Tailleferre",
             "Hildegard von Bingen", "Isabella Leonarda", "Johanna Kinkel", "Lili Boulanger", "Louise Farrenc", "Mel Bonis"]


class Writer:
    """Writes silent tracks with tags under a folder."""

    def __init__(self, root, scratch, seconds=20):
        self.root, self.scratch, self.seconds = root, scratch, seconds
        self.sounds = {}
        self.covers = []
        for number, colour in enumerate(COLOURS):
            jpeg = scratch / f"cover-{number}.jpg"
            drawing = f"color={colour}:size=400x400,drawbox=x={40 + 30 * number}:y=60:w=120:h=280:color=white@0.4:t=fill"
            subprocess.run(QUIET + ["-f", "lavfi", "-i", drawing, "-frames:v", "1", "-q:v", "5", jpeg], check=True)
            self.covers.append(jpeg.read_bytes())

    def sound(self, rate, bits):
        """Returns the header and the frames of silence in FLAC."""
        if (rate, bits) not in self.sounds:
            path = self.scratch / f"{rate}-{bits}.flac"
            depth = ["-sample_fmt", "s32", "-bits_per_raw_sample", "24"] if bits == 24 else ["-sample_fmt", "s16"]
            source = f"anullsrc=r={rate}:cl=stereo:d={self.seconds}"
            subprocess.run(QUIET + ["-f", "lavfi", "-i", source, *depth, path], check=True)
            self.sounds[rate, bits] = flac_parts(path)
        return self.sounds[rate, bits]

    def album(self, folder, shared, tracks, rate=44100, bits=16, cover=None):
        """Writes an album in FLAC. `tracks` are lists of tags beside those that all tracks share."""
        info, frames = self.sound(rate, bits)
        art = b"" if cover is None else picture(self.covers[cover % len(self.covers)])
        (self.root / folder).mkdir(parents=True, exist_ok=True)
        for index, tags in enumerate(tracks):
            title = next(value for key, value in tags if key == "TITLE").replace("/", "-")
            path = self.root / folder / f"{index + 1:02} {title}.flac"
            path.write_bytes(b"fLaC" + block(0, info) + art + last(shared + tags) + frames)

    def mp3(self, folder, shared, tracks):
        """Writes an album in MP3."""
        (self.root / folder).mkdir(parents=True, exist_ok=True)
        for index, tags in enumerate(tracks):
            words = [word for key, value in shared + tags for word in ("-metadata", f"{ID3.get(key, key)}={value}")]
            path = self.root / folder / f"{index + 1:02}.mp3"
            source = f"anullsrc=r=44100:cl=stereo:d={self.seconds}"
            subprocess.run(QUIET + ["-f", "lavfi", "-i", source, "-b:a", "192k", *words, "-id3v2_version", "4", path], check=True)


# The names that ffmpeg has for tags of MP3 files.
ID3 = {"TRACKNUMBER": "track", "ALBUMARTIST": "album_artist", "DATE": "date", "TITLE": "title", "ARTIST": "artist", "ALBUM": "album", "GENRE": "genre"}


def titled(*titles, start=1):
    return [[("TITLE", title), ("TRACKNUMBER", f"{number}")] for number, title in enumerate(titles, start)]


def by(artist, album, date, genre, *more):
    return [("ALBUMARTIST", artist), ("ARTIST", artist), ("ALBUM", album), ("DATE", date), ("GENRE", genre), *more]


def make_collection(root, scratch):
    """Makes 13 albums that show one thing each, 13 more by composers, and some damaged files."""
    write = Writer(root, scratch)
    classical(write)
    releases(write)
    copies(write)
    for number, composer in enumerate(COMPOSERS):
        shared = by(f"{composer.split()[0]} Quartet", f"Songs {number + 1}", f"{1950 + 4 * number}", "Chamber", ("COMPOSER", composer))
        write.album(f"Chamber/{number + 1:02}", shared, titled("Evening", "Morning"))
    damaged = root / "Damaged"
    damaged.mkdir()
    whole = next((root / "Chamber" / "01").glob("*.flac")).read_bytes()
    (damaged / "cut.flac").write_bytes(whole[:60])
    (damaged / "empty.mp3").write_bytes(b"")
    (damaged / "noise.ogg").write_bytes(bytes(range(256)) * 40)


def classical(write):
    """An album with two works of a composer, of several movements, with a conductor and soloists."""
    people = [("CONDUCTOR", "Ruth Adler"), ("PERFORMER", "Ilse Winter (harpsichord)")]

    def movements(work, names, first, *more):
        return [[("TITLE", f"{work}: {name}"), ("TRACKNUMBER", f"{first + index}"), ("WORK", work), ("MOVEMENTNAME", name),
                 ("MOVEMENT", f"{index + 1}"), ("MOVEMENTTOTAL", f"{len(names)}"), *more] for index, name in enumerate(names)]
    tracks = movements("Brandenburg Concerto No. 3", ["Allegro", "Adagio", "Allegro assai"], 1, *people, ("PERFORMER", "Jonas Berg (violin)"))
    tracks += movements("Suite No. 1 in G", ["Prélude", "Allemande", "Courante", "Sarabande", "Menuet", "Gigue"], 4, ("PERFORMER", "Mara Stein (cello)"))
    tracks += [[("TITLE", "Encore"), ("TRACKNUMBER", "10"), *people]]
    write.album("Classical/Bach", by("Hall Ensemble", "Concerto and Suite", "2004-03", "Classical", *BACH, ("LABEL", "Northlight"),
                                     ("CATALOGNUMBER", "NL 204")), tracks, 96000, 24, 0)
    write.album("Classical/Again", by("Mara Stein", "Suites", "2015", "Classical", ("COMPOSER", "J. S. Bach")),
                movements("Suite No. 1 in G", ["Prélude", "Allemande"], 1), cover=1)


def releases(write):
    """Editions, types, labels, discs with subtitles, sides of records, and missing tracks."""
    songs = titled("Lanterns", "Low Water", "The Ferry", "Salt")
    group = [("MUSICBRAINZ_RELEASEGROUPID", "11111111-1111-4111-8111-111111111111"), ("ORIGINALDATE", "1973-05-02"), ("RELEASETYPE", "album"),
             ("STYLE", "Folk Rock"), ("MOOD", "Wistful"), ("MOOD", "Calm")]
    first = [("LABEL", "Quayside"), ("CATALOGNUMBER", "QS 12"), ("RELEASECOUNTRY", "GB"), ("MEDIA", "CD"), ("BARCODE", "5012345678900"),
             ("RELEASESTATUS", "official")]
    write.album("Harbour", by("Belle Marsh", "Harbour Lights", "1973-05-02", "Folk", *group, *first), songs, cover=2)
    write.album("Harbour deluxe", by("Belle Marsh", "Harbour Lights (Deluxe Edition)", "2011-09", "Folk", *group, ("LABEL", "Second Press")),
                songs + titled("Salt (Demo)", start=5), 96000, 24, 2)
    sides = [[("TITLE", f"Groove {side}{number}"), ("TRACKNUMBER", f"{side}{number}")] for side in "AB" for number in (1, 2, 3)]
    write.album("Vinyl", by("Dusk Choir", "Needle Drop", "1981", "Rock", ("MEDIA", '12" Vinyl'), ("LABEL", "Quayside")), sides, cover=3)
    gaps = [[("TITLE", f"Part {number}"), ("TRACKNUMBER", f"{number}"), ("TRACKTOTAL", "9")] for number in (1, 2, 3, 5, 8)]
    write.album("Gaps", by("Fern & Ash", "Some of It", "1999", "Rock"), gaps)
    # One artist under two names, which an id joins.
    lanterns = [(key, "22222222-2222-4222-8222-222222222222") for key in ("MUSICBRAINZ_ARTISTID", "MUSICBRAINZ_ALBUMARTISTID")]
    for disc, subtitle in ((1, "Winter"), (2, "Summer")):
        tracks = [tags + [("DISCNUMBER", f"{disc}"), ("DISCSUBTITLE", subtitle)] for tags in titled("Dawn", "Noon", "Dusk")]
        write.album(f"Year/{disc}", by("Grey Lanterns", "The Long Year", "2008", "Ambient", *lanterns), tracks, cover=0)
    write.album("Live", by("The Grey Lanterns", "At the Mill", "2010", "Ambient", *lanterns, ("RELEASETYPE", "album"), ("RELEASETYPE", "live")), titled("Dawn", "Noon"))
    write.album("Single", by("Kestrel", "Hover", "2020", "Electronic", ("RELEASETYPE", "single")), titled("Hover"))
    voices = [tags + [("ARTIST", artist)] for tags, artist in zip(titled("One", "Two", "Three"), ["Belle Marsh", "Kestrel", "Iris Wood"])]
    shared = [("ALBUMARTIST", "Various Artists"), ("ALBUM", "Summer Voices"), ("DATE", "2001"), ("GENRE", "Folk"), ("COMPILATION", "1")]
    write.album("Summer Voices", shared, voices, cover=1)


def copies(write):
    """One album in two formats, and two of one name whose tracks differ."""
    boats = titled("Fold", "Float", "Sink")
    boats[0] += [("ISRC", "GBAYE0601498"), ("MUSICBRAINZ_TRACKID", "33333333-3333-4333-8333-333333333333"), ("BPM", "96"), ("COMMENT", "From the first tape."),
                 ("LANGUAGE", "eng"), ("REPLAYGAIN_TRACK_GAIN", "-7.25 dB"), ("REPLAYGAIN_TRACK_PEAK", "0.988")]
    write.album("Boats FLAC", by("Amber Vale", "Paper Boats", "1996", "Jazz"), boats, cover=0)
    write.mp3("Boats MP3", by("Amber Vale", "Paper Boats", "1996", "Jazz"), boats)
    write.album("Salt Road/Studio tape", by("Salt Road", "Mile", "1999", "Rock"), titled("Gravel", "Dust"))
    write.album("Salt Road/Radio tape", by("Salt Road", "Mile", "1999", "Rock"), titled("Bend", "Bridge", "Toll"), 96000, 24)
