"""A small library with the difficulties of real ones: missing fields, duplicates, sections that are no music."""
from __future__ import annotations

from audio import bytes_of_tone
from library import ALBUM, ARTIST, Library
from model import Album, Artist, Collection, Playlist, Section, Track, View, identity, short_identity

BORN = 1_600_000_000
LENGTH = 4000


class _Making:
    def __init__(self) -> None:
        self.library = Library()

    def artist(self, section: int, title: str, **more: object) -> int:
        key = self.library.key()
        fields = {"genres": ("Rock",), "styles": ("Indie",), "moods": ("Wistful",), "countries": ("Norway",),
                  "mbid": identity("artist", title, key)} | more
        guid = f"plex://artist/{short_identity('artist', title, key)}"
        return self.library.put_artist(Artist(key, section, title, guid, BORN + key * 100, BORN + key * 100 + 50, **fields))  # type: ignore[arg-type]

    def album(self, artist: int, title: str, tracks: list[str], year: int = 2001, discs: int = 1, **more: object) -> int:
        key, section = self.library.key(), self.library.sections[self.library.artists[artist].section]
        fields = {"date": f"{year}-03-01" if year else "", "mbid": identity("album", title, key), "genres": ("Rock", "Pop"),
                  "styles": ("Indie",), "moods": ("Warm", "Driving"), "studio": "Harbour Records", "loudness": -9.5} | more
        self.library.put_album(Album(key, artist, title, f"plex://album/{short_identity('album', title, key)}", BORN + key * 100,
                                     BORN + key * 100 + 50, year=year, **fields))  # type: ignore[arg-type]
        each = -(-len(tracks) // discs)
        folder = f"{section.root}/{self.library.artists[artist].title}/{title} ({key})"
        for place, words in enumerate(tracks):
            # "Artist: Title" is a track by another artist than the album's.
            credit, _, name = words.rpartition(": ")
            self.track(key, name, place // each + 1, place % each + 1, folder, credit)
        return key

    def track(self, album: int, title: str, disc: int, index: int, folder: str, credit: str = "", **more: object) -> int:
        key, part = self.library.key(), self.library.part()
        length = LENGTH + index * 500
        loudness = self.library.albums[album].loudness
        fields = {"credit": credit, "genres": self.library.albums[album].genres[:1], "mbid": identity("track", title, key), "loudness": loudness and loudness + index / 4} | more
        return self.library.put_track(Track(
            key, album, title, f"plex://track/{short_identity('track', title, key)}", BORN + key * 100, BORN + key * 100 + 50, disc, index,
            length, part, BORN + part, f"{folder}/{disc}-{index:02} {title}.wav", bytes_of_tone(length), "wav", "pcm", 64,
            **fields))  # type: ignore[arg-type]


def demo() -> Library:
    making = _Making()
    library = making.library
    for section in (Section(1, "Music", root="/volume1/music"),
                    Section(2, "Attic", agent="com.plexapp.agents.lastfm", scanner="Plex Music Scanner", root="/volume2/attic"),
                    Section(4, "Audiobooks", agent="com.plexapp.agents.audnexus", scanner="Plex Music Scanner", root="/volume1/books"),
                    Section(5, "Films", "movie", "tv.plex.agents.movie", "Plex Movie", "/volume1/films")):
        library.sections[section.key] = section
    _music(making)
    _attic_and_books(making)
    _lists(library)
    return library


def _music(making: _Making) -> None:
    library = making.library
    north = making.artist(1, "The North Window", sort="North Window, The", summary="Four people and a borrowed organ.")
    making.album(north, "Salt and Lantern", ["Morning Ferry", "Lantern", "Undertow", "Salt"], 1998)
    making.album(north, "Two Rivers", [f"River {number}" for number in range(1, 9)], 2004, discs=2)
    # An album without year, picture and loudness.
    making.album(north, "Cellar Tapes", ["Tape One", "Tape Two"], 0, has_thumb=False, loudness=0.0, studio="", genres=(), mbid="")
    various = making.artist(1, "Various Artists", has_thumb=False, mbid="", genres=())
    making.album(various, "Harbour Nights", ["Mira Sund: Quay", "Odd Parade: Crane", "The North Window: Ferry Home",
                                             "Mira Sund feat. Odd Parade: Slow Tide"], 2010)
    # One record that the server lists as two: same artist, title and year.
    mira = making.artist(1, "Mira Sund", genres=("Jazz",))
    making.album(mira, "Paper Garden", ["Paper", "Garden", "Rain"], 2015, genres=("Jazz",))
    split = making.album(mira, "Paper Garden", [], 2015, genres=("Jazz",))
    for index, title in enumerate(("Night", "Letter"), 4):
        making.track(split, title, 1, index, f"/volume1/music/Mira Sund/Paper Garden CD1 ({split})")
    # Two artists of one name, and names that differ only in case or accents.
    for place in ("Oslo", "Leeds"):
        echo = making.artist(1, "Echo", genres=("Electronic",), summary=f"The Echo of {place}.")
        making.album(echo, f"{place} Sessions", ["One", "Two"], 2019, genres=("Electronic",))
    making.album(making.artist(1, "Sigur Ønsk"), "Ágætis Æði", ["Svefn — ‘göngur’", "日本の歌", "Ünïcode & <Markup>"], 2020)
    # A track that the server lists and has no file for.
    bare = library.tracks[library.tracks_of[making.album(mira, "Lost Reels", ["Reel A", "Reel B"], 1987, loudness=0.0)][1]]
    del library.track_of_part[bare.part]
    library.tracks[bare.key] = bare._replace(part=0, stamp=0, file="", size=0, container="", codec="", bitrate=0)


def _attic_and_books(making: _Making) -> None:
    attic = making.artist(2, "The North Window", sort="North Window, The", mbid="", styles=(), moods=())
    making.album(attic, "Salt and Lantern", ["Morning Ferry", "Lantern"], 1998, mbid="", loudness=0.0)
    author = making.artist(4, "Ada Holm", genres=("Fiction",), mbid="")
    making.album(author, "The Long Winter", [f"Chapter {number}" for number in range(1, 6)], 2012, genres=("Fiction",), loudness=0.0)


def _lists(library: Library) -> None:
    albums = [album for album in library.rows(1, ALBUM)]
    artists = [artist for artist in library.rows(1, ARTIST)]
    vibes = [albums[0].key, albums[3].key, albums[6].key]
    for title, kind, items in (("Current Vibes", ALBUM, vibes), ("The Key Albums", ALBUM, [album.key for album in albums[:5]]),
                               ("People", ARTIST, [artists[0].key, artists[2].key]), ("Nothing Yet", ALBUM, [])):
        key = library.key()
        library.collections[key] = Collection(key, 1, title, kind, items, BORN, BORN + key)
    tracks = [library.tracks[key] for key in library.tracks_of[albums[0].key]]
    key = library.key()
    guest = next(track for track in library.tracks.values() if track.credit)
    twice = [tracks[0].key, guest.key, tracks[0].key]
    library.playlists[key] = Playlist(key, "Evening", [(40 + place, track) for place, track in enumerate(twice)], BORN, BORN + key)
    key = library.key()
    query = "library%3A%2F%2Fall%3Ftype%3D10%26userRating%3E%3E%3D7%26sort%3DtitleSort"
    library.playlists[key] = Playlist(key, "Favourites", [], BORN, BORN + key, content=query, section=1)
    key = library.key()
    library.playlists[key] = Playlist(key, "Empty", [], BORN, BORN + key)
    # Few items have ratings or plays.
    for number, track in enumerate(tracks[:3]):
        marks = library.marks_of(track.key)
        marks.rating, marks.rated = 10.0 - number * 2, BORN + 5000 + number
    library.marks_of(albums[0].key).rating = 9.0
    for number in range(4):
        library.played(tracks[number % 2].key, BORN + 10_000 + number * 300)
    library.history.append(View(len(library.history) + 1, tracks[3].key, BORN + 20_000, account=2))
