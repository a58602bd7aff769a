"""A library of any size from a seed: the same seed and number give the same library, on every machine."""
from __future__ import annotations

import random

from audio import bytes_of_tone
from library import ALBUM, Library
from model import Album, Artist, Collection, Playlist, Section, Track, identity, short_identity

FIRST = ("Silver Quiet Amber Northern Paper Velvet Distant Hollow Golden Early Crooked Slow Bright Winter Salt Glass Copper "
         "Little Second Blue Wild Broken Open Sudden").split()
SECOND = ("Harbour Orchard Lantern Engine River Parade Window Signal Garden Mirror Station Letter Meadow Weather Compass "
          "Choir Ladder Island Thread Machine Feather Avenue Tide Echo").split()
GENRES = "Rock Jazz Electronic Folk Classical Soul Ambient Pop Metal Country Reggae Blues".split()
MOODS = "Calm Brooding Joyful Restless Warm Wistful Driving Playful".split()
STYLES = "Chamber Indie Modal Minimal Acoustic Dub Progressive Baroque".split()
EPOCH = 1_500_000_000


def synthetic(number: int, seed: int, sections: list[str], seconds: int = 0) -> Library:
    """`number` tracks over the sections; each lasts `seconds`, or between two and six minutes."""
    library = Library()
    chance = random.Random(seed)
    for place, title in enumerate(sections, 1):
        library.sections[place] = Section(place, title, root=f"/music/{title}")
    left = {key: number // len(sections) + (key <= number % len(sections)) for key in library.sections}
    for key, section in library.sections.items():
        while left[key] > 0:
            left[key] -= add_artist(library, section, chance, seed, left[key], seconds)
    add_lists_and_marks(library)
    return library


def add_lists_and_marks(library: Library) -> None:
    """Two collections, a long playlist, and a mark on every thirtieth track."""
    albums, tracks = list(library.albums), list(library.tracks)
    for title, first in (("Current Vibes", 0), ("The Key Albums", 5)):
        key = library.key()
        in_first = [album for album in albums if library.artists[library.albums[album].artist].section == 1]
        library.collections[key] = Collection(key, 1, title, ALBUM, in_first[first::10][:100], EPOCH, EPOCH + key)
    key = library.key()
    library.playlists[key] = Playlist(key, "Long", [(place, track) for place, track in enumerate(tracks[::7][:1000], 1)], EPOCH, EPOCH + key)
    for place, track in enumerate(tracks[::30]):
        marks = library.marks_of(track)
        marks.rating, marks.rated = float(place % 10 + 1), EPOCH + place
        marks.views, marks.viewed = place % 5, EPOCH + place if place % 5 else 0


def name(chance: random.Random) -> str:
    return f"{chance.choice(FIRST)} {chance.choice(SECOND)}"


def add_artist(library: Library, section: Section, chance: random.Random, seed: int, most: int, seconds: int) -> int:
    key = library.key()
    title = f"{name(chance)} {key}" if chance.random() < 0.9 else f"The {name(chance)} {key}"
    born = EPOCH + key * 60
    genre = chance.choice(GENRES)
    library.put_artist(Artist(
        key, section.key, title, f"plex://artist/{short_identity(seed, 'artist', key)}", born, born + 600,
        sort=title[4:] + ", The" if title.startswith("The ") else "", mbid=identity(seed, "mb artist", key), genres=(genre,),
        styles=(chance.choice(STYLES),), countries=("Norway",) if chance.random() < 0.3 else (), has_thumb=chance.random() < 0.8))
    made = 0
    for _ in range(chance.randint(1, 6)):
        if made < most:
            made += add_album(library, section, key, title, genre, chance, seed, most - made, seconds)
    return made


def add_album(library: Library, section: Section, artist: int, artist_title: str, genre: str, chance: random.Random, seed: int,
              most: int, seconds: int) -> int:
    key = library.key()
    title, year, born = name(chance), chance.randint(1959, 2025), EPOCH + key * 60
    loudness = round(chance.uniform(-16, -7), 2) if chance.random() < 0.8 else 0.0
    library.put_album(Album(
        key, artist, title, f"plex://album/{short_identity(seed, 'album', key)}", born, born + 600, year=year, date=f"{year}-01-01",
        mbid=identity(seed, "mb album", key), studio=f"{name(chance)} Records" if chance.random() < 0.6 else "", genres=(genre,),
        styles=(chance.choice(STYLES),), moods=(chance.choice(MOODS),), has_thumb=chance.random() < 0.92, loudness=loudness))
    discs = 2 if chance.random() < 0.05 else 1
    count = min(most, chance.randint(5, 16) * discs)
    for place in range(count):
        disc, index = place * discs // max(count, 1) + 1, place // discs + 1
        drawn = chance.randint(120, 360)
        length = (seconds or drawn) * 1000
        own, part = library.key(), library.part()
        library.put_track(Track(
            own, key, f"{name(chance)} {index}", f"plex://track/{short_identity(seed, 'track', own)}", born, born + 600, disc, index,
            length, part, born, f"{section.root}/{artist_title}/{title} ({key})/{disc}{index:02} {own}.wav", bytes_of_tone(length),
            "wav", "pcm", 64, loudness=round(loudness + chance.uniform(-3, 3), 2) if loudness else 0.0,
            mbid=identity(seed, "mb track", own)))
    return count
