#!/usr/bin/env python3
"""Measures the rules of smart playlists within the library, without the bus.

Usage: rules.py [--tracks N]… [--keep DIR] FOLDER-OF-PROGRAMS

Invented tracks of two words each, twelve on an album, with genres, ratings, files and listens, are written into the
tables of a new database; lunara-search-bench then finds the tracks of each list. --keep DIR keeps the databases in DIR,
and takes those that are already there.
"""
import argparse
import json
import pathlib
import random
import sqlite3
import subprocess
import tempfile
import time

import figures

ROUNDS = 9
DAY = 86_400_000_000
GENRES = ["Jazz", "Rock", "Pop", "Folk", "Metal", "Techno", "Ambient", "Soul", "Blues", "Punk", "House", "Classical",
          "Opera", "Reggae", "Ska", "Funk", "Disco", "Country", "Swing", "Bop", "Noise", "Drone", "Dub", "Grime"]
WORDS = ["Night", "Home", "River", "Stone", "Light", "Summer", "Winter", "Road", "Blue", "Green", "Heart", "Dream",
         "Rain", "Fire", "Moon", "Sun", "Star", "Wind", "Sea", "Été", "Ænima", "Über", "Glass", "Shadow", "Dance"]
LISTS = [
    ("genre, year and rating",
     '{"all":[{"is":{"genre":"Jazz"}},{"inTheRange":{"year":[1960,1989]}},{"gt":{"rating":3}}],"sort":"-rating,title"}'),
    ("the same, the best 50", '{"all":[{"is":{"genre":"Jazz"}},{"gt":{"rating":3}}],"sort":"-rating","limit":50}'),
    ("a word in the title", '{"all":[{"contains":{"title":"winter ni"}}]}'),
    ("played in the last 30 days", '{"all":[{"inTheLast":{"lastplayed":30}}],"sort":"-lastplayed"}'),
    ("not played for a year, 100 by rating",
     '{"all":[{"notInTheLast":{"lastplayed":365}},{"gt":{"rating":3}}],"sort":"-rating","limit":100}'),
    ("random 100 of all", '{"all":[{"gt":{"duration":0}}],"sort":"random","seed":7,"limit":100}'),
    ("random 100 of a genre", '{"all":[{"is":{"genre":"Rock"}}],"sort":"random","seed":7,"limit":100}'),
    ("played more than 5 times", '{"all":[{"gt":{"playcount":5}}],"sort":"-playcount","limit":100}'),
    ("an artist", '{"all":[{"is":{"artist":"Artist 7"}}]}'),
    ("added in the last 90 days, 3 hours", '{"all":[{"inTheLast":{"added":90}}],"sort":"-added","limitMinutes":180}'),
    ("a folder and a format", '{"all":[{"is":{"folder":"/music/a7"}},{"is":{"format":"flac"}}]}'),
    ("20 random albums of a genre",
     '{"all":[{"is":{"genre":"Soul"}}],"sort":"random","seed":3,"limit":20,"unit":"albums"}'),
]


def write(file, tracks):
    """Writes tracks of some years into empty tables."""
    chance = random.Random(5)
    now = int(time.time() * 1_000_000)
    albums = tracks // 12
    with sqlite3.connect(file) as database:
        artists = max(1, albums // 10)
        for number in range(1, artists + 1):
            name = f"Artist {number}"
            database.execute("INSERT INTO artists (id, source, key, name, sort, albums) VALUES (?, 'files', ?, ?, ?, 10)",
                             (number, name.lower(), name, name.lower()))
            database.execute("INSERT INTO artist_names (key, artist, name, is_whole) VALUES (?, ?, ?, 0)",
                             (name.lower(), number, name))
            database.execute("INSERT INTO folders (id, path, device) VALUES (?, ?, 1)",
                             (number, f"/music/a{number}".encode()))
        for number in range(1, albums + 1):
            artist = 1 + number % artists
            added = now - chance.randrange(3000) * DAY
            database.execute(
                """INSERT INTO albums (id, source, key, title, title_sort, artist, artist_sort, artist_id, year, genres,
                  tracks, duration, added_at, shelf, listed, merge_key, name_key, group_key)
                VALUES (?1, 'files', ?1, ?2, ?3, ?4, ?5, ?6, ?7, '', 12, 2880000, ?8, ?1, 1, 'k' || ?1, 'k' || ?1,
                  'k' || ?1)""",
                (number, f"Album {number}", f"album {number}", f"Artist {artist}", f"artist {artist}", artist,
                 chance.randrange(1950, 2026), added))
            database.execute("INSERT INTO album_artists (album, place, artist, name) VALUES (?, 0, ?, ?)",
                             (number, artist, f"Artist {artist}"))
            for genre in {chance.choice(GENRES), chance.choice(GENRES[:8])}:
                database.execute("INSERT INTO album_tags (album, kind, folded, name, place) VALUES (?, 0, ?, ?, 0)",
                                 (number, genre.lower(), genre))
            rows = []
            for place in range(1, 13):
                track = number * 12 + place
                title = f"{chance.choice(WORDS)} {chance.choice(WORDS)} {place}"
                rows.append((track, number, title, title.lower(), f"Artist {artist}", place, 1950 + number % 76,
                             180_000 + chance.randrange(120_000), added,
                             now - chance.randrange(2000) * DAY if chance.random() < 0.3 else 0,
                             chance.choice([6, 7, 8, 10]) if chance.random() < 0.2 else None,
                             chance.choice(["flac", "mp3"])))
            database.executemany(
                """INSERT INTO tracks (id, source, album, title, title_sort, artist, disc, number, year, genres, duration,
                  added_at, played_at, rating, codec, format, shelf, shown, identity, sample_rate, bit_depth, bit_rate)
                VALUES (?1, 'files', ?2, ?3, ?4, ?5, 1, ?6, ?7, 'Jazz', ?8, ?9, ?10, ?11, ?12, ?12, ?2, ?1, ?1, 44100, 16,
                  900)""", rows)
            database.executemany(
                "INSERT INTO files (folder, name, inode, size, modified, track, tags) VALUES (?, ?, 1, 1, 1, ?, '')",
                [(artist, f"{row[0]}.flac".encode(), row[0]) for row in rows])
        heard = tracks // 10
        database.executemany(
            "INSERT INTO listen_tracks (id, track, number, identity, body) VALUES (?1, ?1, ?1, ?1, '{}')",
            ((13 + number * 10,) for number in range(heard)))
        database.executemany(
            """INSERT INTO listens (listen, track, room, started_at, day, heard, outcome)
            VALUES (?, ?, 'den', ?, 1, 1, ?)""",
            ((f"{number}", 13 + int(heard * chance.random() ** 3) * 10, now - number * 1000, chance.choice([1, 1, 1, 2]))
             for number in range(tracks // 2)))
    database.close()


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--tracks", type=int, action="append")
    options.add_argument("--keep", type=pathlib.Path)
    options.add_argument("programs", type=pathlib.Path, help="the folder that holds lunara-search-bench")
    arguments = options.parse_args()
    bench = arguments.programs.resolve() / "lunara-search-bench"
    with tempfile.TemporaryDirectory(prefix="rules-") as folder:
        folder = arguments.keep or pathlib.Path(folder)
        for tracks in arguments.tracks or [100_000, 1_000_000]:
            file = folder / f"rules-{tracks}.sqlite"
            if not file.exists():
                run(bench, file, "")
                write(file, tracks)
            figures.heading(f"Rules of smart playlists: {tracks} tracks")
            figures.table("list", "tracks", "median", "slowest")
            for name, rules in LISTS:
                times = json.loads(run(bench, file, f"{rules}\n" * ROUNDS))
                figures.row(name, times["hits"] // ROUNDS, f"{times['clock']['p50']:.1f} ms",
                            f"{times['clock']['most']:.1f} ms")


def run(bench, file, lines):
    done = subprocess.run([bench, file], input=lines, text=True, capture_output=True)
    if done.returncode != 0:
        figures.fail(f"lunara-search-bench: {done.stderr}")
    return done.stdout


if __name__ == "__main__":
    main()
