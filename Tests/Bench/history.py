#!/usr/bin/env python3
"""Measures requests about the listening history of a library with many plays: pages and counts.

Usage: history.py [--plays N] [--tracks N] FOLDER-OF-PROGRAMS

Writes the plays into the database of a library without music, where plays of removed tracks stay, and runs `lunara
plays` and `lunara statistics`. A round measures the whole command, and the processor time of the library.
"""
import argparse
import datetime
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

ROUNDS = 7
QUESTIONS = [
    ("the newest 50", ["plays", "--last", "50"]),
    ("the newest 50 of a room", ["plays", "--room", "kitchen", "--last", "50"]),
    ("5,000 in pages of 200", ["plays", "--last", "5000"]),
    ("statistics, all time", ["statistics"]),
    ("statistics of the last five years", ["statistics", "--from", f"{datetime.date.today().year - 5}-01-01"]),
    ("statistics of this year", ["statistics", "--from", f"{datetime.date.today().year}-01-01"]),
    *((f"by {what}, all time", ["plays", "--by", what]) for what in ("track", "album", "artist", "day", "room")),
    *((f"by {what}, of a year", ["plays", "--by", what, "--since", "365d"]) for what in ("track", "artist", "day")),
]


def write(file, plays, tracks):
    """Writes plays of the last ten years in four rooms: many of a few tracks, some of most tracks."""
    chance = random.Random(3)
    now = time.time()
    with sqlite3.connect(file) as database:
        database.executemany(
            "INSERT INTO listen_tracks (id, track, number, album, identity, body) VALUES (?, ?, ?, ?, ?, ?)",
            ((number, f"old:t{number}", number, number // 12, number,
              json.dumps({"id": f"old:t{number}", "title": f"Title {number}", "artist": f"Artist {number // 120}",
                          "album": f"Album {number // 12}", "albumArtist": f"Artist {number // 120}", "disc": 1,
                          "albumID": f"old:a{number // 12}", "duration": 200_000, "genres": [f"Genre {number // 500 % 40}"]}))
             for number in range(1, tracks + 1)))
        database.executemany(
            """INSERT INTO listens (listen, track, room, started_at, day, heard, outcome, counted_at)
            VALUES (?1, ?2, ?3, ?4, CAST(strftime('%Y%m%d', ?4 / 1000000, 'unixepoch', 'localtime') AS INTEGER), 190000,
              ?5, ?4)""",
            ((f"{number:020}", 1 + int(tracks * chance.random() ** 3), chance.choice(["kitchen", "den", "bath", "attic"]),
              int((now - (plays - number) * 10 * 365 * 86400 / plays) * 1_000_000), chance.choice([1, 1, 1, 2]))
             for number in range(plays)))
    database.close()


def listens(run):
    return any(path.name.endswith(".desk") for path in run.iterdir())


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--plays", type=int, default=1_000_000)
    options.add_argument("--tracks", type=int, default=50_000)
    options.add_argument("programs", type=pathlib.Path, help="the folder that holds lunara and lunara-library")
    arguments = options.parse_args()
    programs = arguments.programs.resolve()
    with tempfile.TemporaryDirectory(prefix="history-") as home:
        home = pathlib.Path(home)
        with library.Library(programs, home, None) as made:
            figures.wait_for(lambda: listens(made.run), "lunara-library to listen")
            file = made.file
        write(file, arguments.plays, arguments.tracks)
        (home / "run").rename(home / "before")
        (home / "none").unlink()
        with library.Library(programs, home, None) as kept:
            environment = os.environ | {"LUNARA_HOME": str(home / "home"), "LUNARA_RUN": str(kept.run)}
            figures.wait_for(lambda: listens(kept.run), "lunara-library to listen")
            figures.heading(f"What was heard: {arguments.plays} plays of {arguments.tracks} tracks")
            figures.table("asked", "rows", "whole command, median", "slowest", "processor of the library")
            for name, words in QUESTIONS:
                took, used, rows = [], [], 0
                for _ in range(ROUNDS):
                    began, before = time.monotonic(), figures.processor_seconds(kept.process.pid)
                    done = subprocess.run([programs / "lunara", *words, "--json"], env=environment, text=True,
                                          capture_output=True, stdin=subprocess.DEVNULL, timeout=120)
                    took.append(time.monotonic() - began)
                    used.append(figures.processor_seconds(kept.process.pid) - before)
                    if done.returncode != 0:
                        figures.fail(f"lunara {' '.join(words)}: {done.stderr}")
                    found = json.loads(done.stdout)
                    rows = len(found if isinstance(found, list) else found.get("rows") or found["tracks"])
                if rows == 0:
                    figures.fail(f"lunara {' '.join(words)} found nothing")
                figures.row(name, rows, f"{figures.median(took) * 1000:.0f} ms", f"{max(took) * 1000:.0f} ms",
                            f"{figures.median(used) * 1000:.0f} ms")


if __name__ == "__main__":
    main()
