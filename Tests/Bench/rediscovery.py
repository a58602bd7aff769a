#!/usr/bin/env python3
"""Measures the shelves of the day, and an album by chance, of a library with many plays.

Usage: rediscovery.py [--short] [--tracks N] [--plays N] FOLDER-OF-PROGRAMS

Writes albums, tracks and plays into the database of a library without music, as those of a server that is away, and asks for
the shelves over the bus. A round measures the whole command, and the processor time of the library. The bar is 100 ms
of the library's time for 100,000 tracks and 1,000,000 plays. --short takes 2,000 tracks and 20,000 plays.
"""
import argparse
import json
import os
import pathlib
import random
import sqlite3
import subprocess
import tempfile
import time

import figures
import library

ROUNDS = 9
TRACKS_OF_ALBUM = 12
YEARS = 10
BAR = 0.1


def write(file, tracks, plays):
    """Writes albums of the last ten years, a fifth of them rated, and plays of them: many of a few, some of most."""
    chance = random.Random(3)
    now = int(time.time())
    year = 365 * 86400
    albums = tracks // TRACKS_OF_ALBUM
    artists = max(1, albums // 8)
    heard = {}
    listens = []
    for number in range(plays):
        # A tenth of the albums is never heard.
        track = 1 + int(tracks * 0.9 * chance.random() ** 2)
        at = int(now - (plays - number) * YEARS * year / plays)
        heard[track] = at
        listens.append((f"{number:020}", track, at * 1_000_000, chance.choice([1, 1, 1, 2])))

    def album_of(track):
        return (track - 1) // TRACKS_OF_ALBUM + 1
    last = {}
    for track, at in heard.items():
        last[album_of(track)] = max(at, last.get(album_of(track), 0))
    with sqlite3.connect(file) as database:
        database.execute("INSERT INTO sources (name, kind, problem_count, problems) VALUES ('bench', 'subsonic', 0, '[]')")
        database.executemany(
            "INSERT INTO artists (id, source, key, name, sort, albums) VALUES (?1, 'bench', ?2, ?2, ?2, 8)",
            ((number, f"Artist {number}") for number in range(1, artists + 1)))
        database.executemany(
            """INSERT INTO albums (id, source, key, title, title_sort, artist, artist_sort, artist_id, year, genres, tracks,
              duration, added_at, played_at, shelf, listed, merge_key, arrived_at, rating, date)
            VALUES (?1, 'bench', ?1, ?2, ?2, ?3, ?3, ?4, ?5, 'Jazz', ?6, 2400000, ?7, ?8, ?1, 1, ?2, ?7, ?9, ?10)""",
            ((number, f"Album {number}", f"Artist {number % artists + 1}", number % artists + 1, 1960 + number % 60, TRACKS_OF_ALBUM,
              int((now - chance.random() * YEARS * year) * 1_000_000), last.get(number, 0) * 1_000_000,
              chance.choice([None, None, None, None, 9]), f"{1960 + number % 60}-{1 + number % 12:02}-{1 + number % 28:02}")
             for number in range(1, albums + 1)))
        database.executemany(
            """INSERT INTO tracks (id, source, album, title, title_sort, artist, disc, number, year, genres, duration, added_at,
              played_at, shelf, shown, native)
            VALUES (?1, 'bench', ?2, ?3, ?3, 'Artist', 1, ?4, 1990, '', 200000, 1, ?5, ?2, ?1, ?1)""",
            ((number, album_of(number), f"Title {number}", (number - 1) % TRACKS_OF_ALBUM + 1, heard.get(number, 0) * 1_000_000)
             for number in range(1, albums * TRACKS_OF_ALBUM + 1)))
        database.executemany(
            "INSERT INTO listen_tracks (id, track, number, album, identity, body) VALUES (?1, ?2, ?1, ?3, ?1, '{}')",
            ((number, f"bench:t{number}", album_of(number)) for number in range(1, tracks + 1)))
        database.executemany(
            """INSERT INTO listens (listen, track, room, started_at, day, heard, outcome, counted_at)
            VALUES (?1, ?2, 'den', ?3, CAST(strftime('%Y%m%d', ?3 / 1000000, 'unixepoch', 'localtime') AS INTEGER), 190000,
              ?4, ?3)""", listens)
        database.execute("UPDATE catalogue SET generation = 1, albums = ?, tracks = ?", (albums, tracks))
    database.close()


def is_up(run):
    return any(path.name.endswith(".desk") for path in run.iterdir())


def ask(programs, environment, process, words):
    """Returns the answer, the time of the whole command and the processor time of the library."""
    began, before = time.monotonic(), figures.processor_seconds(process.pid)
    done = subprocess.run([programs / "lunara", *words, "--json"], env=environment, text=True, capture_output=True,
                          stdin=subprocess.DEVNULL, timeout=120)
    took, used = time.monotonic() - began, figures.processor_seconds(process.pid) - before
    if done.returncode != 0:
        figures.fail(f"lunara {' '.join(words)}: {done.stderr}")
    return json.loads(done.stdout), took, used


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--short", action="store_true")
    options.add_argument("--tracks", type=int, default=100_000)
    options.add_argument("--plays", type=int, default=1_000_000)
    options.add_argument("programs", type=pathlib.Path, help="the folder that holds lunara and lunara-library")
    arguments = options.parse_args()
    tracks, plays = (2000, 20_000) if arguments.short else (arguments.tracks, arguments.plays)
    programs = arguments.programs.resolve()
    with tempfile.TemporaryDirectory(prefix="rediscovery-") as home:
        home = pathlib.Path(home)
        with library.Library(programs, home, None) as made:
            figures.wait_for(lambda: is_up(made.run), "lunara-library to listen")
            file = made.file
        write(file, tracks, plays)
        (home / "run").rename(home / "before")
        (home / "none").unlink()
        with library.Library(programs, home, None) as kept:
            environment = os.environ | {"LUNARA_HOME": str(home / "home"), "LUNARA_RUN": str(kept.run)}
            figures.wait_for(lambda: is_up(kept.run), "lunara-library to listen")
            rounds = [ask(programs, environment, kept.process, ["rediscover"]) for _ in range(ROUNDS)]
            shelves = {shelf["shelf"]: len(shelf["items"]) for shelf in rounds[0][0]}
            # With so many plays, spread over all artists, nobody is played often enough lately to have a shelf.
            if missing := {"chance", "forgotten", "unheard"} - set(shelves):
                figures.fail(f"there is no shelf {', '.join(missing)}: {shelves}")
            figures.heading(f"The shelves of the day: {tracks:,} tracks, {plays:,} plays")
            figures.table("shelves", "whole command, median", "slowest", "processor of the library, median")
            used = figures.median([one for _, _, one in rounds])
            took = [one for _, one, _ in rounds]
            figures.row(", ".join(f"{name} {count}" for name, count in shelves.items()), f"{figures.median(took) * 1000:.0f} ms",
                        f"{max(took) * 1000:.0f} ms", f"{used * 1000:.0f} ms")
            if used > BAR and not arguments.short:
                print("   over the bar of 100 ms")


if __name__ == "__main__":
    main()
