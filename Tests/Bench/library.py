#!/usr/bin/env python3
"""Measures the library with a Plex server: first sync, a refresh with nothing changed, pages of albums, search beside mpd.

Usage: library.py [--short] [--tracks N]… FOLDER-OF-PROGRAMS

For each size the stand-in of Tests/Support/Servers makes a library from a seed, and lunara-library reads it over HTTP.
Searches then run within the service, without the bus: `lunara-library measure-search`. mpd gets a database with the same
songs and answers the same words over its socket.

--short reads 2,000 tracks and asks little, for `make test`: it fails when counts are wrong, never because of a time.
"""
import argparse
import gzip
import json
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time
import urllib.request

import scan
from figures import (MEGABYTE, ask_pages, fail, first_line, heading, memory, print_preamble, processor_seconds, row, table,
                     wait_for)

STAND_IN = pathlib.Path(__file__).resolve().parent.parent / "Support/Servers/plex"
SEARCH_BARS = {10_000: 1, 100_000: 3, 1_000_000: 10}  # milliseconds
HITS = 50


class StandIn:
    """A Plex server with so many made-up tracks, until the end of the block."""

    def __init__(self, tracks):
        self.process = subprocess.Popen([STAND_IN, "--synthetic", str(tracks)], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        if not line:
            fail("the stand-in for Plex did not start")
        answer = json.loads(line)
        self.base, self.token = f"http://127.0.0.1:{answer['port']}", answer["token"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()

    def order(self, verb):
        request = urllib.request.Request(f"{self.base}/__control__/{verb}", data=b"{}", method="POST")
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def requests(self):
        """What clients asked since the log was cleared."""
        return [f"{entry['method']} {entry['path']}" for entry in self.order("log")["requests"]
                if "__control__" not in entry["path"]]


class Library:
    """A lunara-library that knows one Plex server, until the end of the block."""

    def __init__(self, programs, home, stand_in):
        self.file = home / "home/library.sqlite"
        self.run = home / "run"
        self.run.mkdir(mode=0o700)
        (home / "none").touch()
        environment = {name: value for name, value in os.environ.items() if not name.startswith("LUNARA_")}
        environment |= {"LUNARA_HOME": str(home / "home"), "LUNARA_RUN": str(self.run), "LUNARA_CONFIG": str(home / "none"),
                        "LUNARA_PLEX_URL": stand_in.base, "LUNARA_PLEX_TOKEN": stand_in.token, "LUNARA_LOG": "error"}
        self.process = subprocess.Popen([programs / "lunara-library"], env=environment, stdin=subprocess.DEVNULL)
        self.peak = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def runs(self):
        """The counts of the refreshes that ended: new and unchanged."""
        if self.process.poll() is not None:
            fail(f"lunara-library ended with {self.process.returncode}")
        self.peak = max(self.peak, memory(self.process.pid).get("Private_Dirty", 0))
        try:
            with sqlite3.connect(f"file:{self.file}?mode=ro", uri=True) as database:
                return database.execute("SELECT new, unchanged FROM runs WHERE source = 'plex' ORDER BY id").fetchall()
        except sqlite3.Error:
            return []

    def settle(self, seconds):
        """Waits until no refresh has ended for so long."""
        def is_quiet():
            before = len(self.runs())
            time.sleep(seconds)
            return len(self.runs()) == before
        wait_for(is_quiet, "the refreshes to end", limit=120)


def measure_first_sync(library, tracks):
    began = time.monotonic()
    wait_for(library.runs, f"the first sync of {tracks} tracks", limit=60 + tracks / 500, pause=0.1)
    seconds, used = time.monotonic() - began, processor_seconds(library.process.pid)
    if library.runs()[0][0] != tracks:
        fail(f"the first sync took in {library.runs()[0][0]} of {tracks} tracks")
    return f"{seconds:.1f} s", f"{used:.1f} s", f"{library.peak / MEGABYTE:.0f} MB"


def measure_unchanged(library, stand_in, tracks, pause):
    library.settle(pause)
    known = len(library.runs())
    stand_in.order("log/clear")
    used, began = processor_seconds(library.process.pid), time.monotonic()
    library.process.send_signal(signal.SIGHUP)
    wait_for(lambda: len(library.runs()) > known, "the refresh with nothing changed")
    seconds = time.monotonic() - began
    time.sleep(pause)
    used = processor_seconds(library.process.pid) - used
    if library.runs()[known] != (0, tracks):
        fail(f"a refresh with nothing changed says {library.runs()[known]}")
    asked = stand_in.requests()
    if len(asked) > 4:
        fail(f"a refresh with nothing changed made {len(asked)} requests: {', '.join(asked)}")
    return str(len(asked)), f"{used:.2f} s", f"{seconds:.2f} s"


# Search.

def searches(file, count):
    """Words from their first letters to whole ones, of random titles, the same for the same catalogue."""
    with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as database:
        titles = [title for title, in database.execute("SELECT title FROM tracks WHERE shelf IS NOT NULL ORDER BY id")]
    chance = random.Random(7)
    texts = []
    while len(texts) < count:
        title = chance.choice(titles)
        words = title.split()
        texts.append(chance.choice([
            title[:1], title[:chance.randint(1, len(title))], chance.choice(words),
            " ".join(word[:chance.randint(1, len(word))] for word in words[:2]), title]).strip())
    return texts


def search_here(programs, file, texts):
    done = subprocess.run([programs / "lunara-library", "measure-search", file], input="\n".join(texts) + "\n", text=True,
                          capture_output=True, timeout=600)
    if done.returncode != 0:
        fail(f"lunara-library measure-search: {done.stderr}")
    took = json.loads(done.stdout)
    if took["searches"] != len(texts) or took["hits"] < len(texts):
        fail(f"searches for words of titles found too little: {took}")
    return took


def write_mpd_database(file, home):
    """A database of mpd with the songs of the catalogue. Its head is one that mpd wrote, since it names mpd's settings."""
    with tempfile.TemporaryDirectory(dir=home) as tree:
        tree = pathlib.Path(tree)
        scan.make_tree(tree, 1)
        mpd = scan.MPD(tree, home, None)
        mpd.first(1)
        mpd.process.terminate()
        mpd.process.wait()
    with gzip.open(home / "db", "rt") as written:
        head = written.read().split("info_end\n")[0]
    with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as database, gzip.open(home / "db", "wt", compresslevel=1) as out:
        out.write(head + "info_end\n")
        album, count = None, 0
        rows = database.execute(
            """SELECT a.id, t.id, t.title, t.artist, a.title, a.artist, ifnull(t.number, 0), ifnull(t.year, a.year), t.duration
            FROM albums a JOIN tracks t ON t.shelf = a.id ORDER BY a.id, t.disc, t.number""")
        for number, track, title, artist, album_title, album_artist, place, year, duration in rows:
            if number != album:
                if album is not None:
                    out.write(f"end: {album}\n")
                out.write(f"directory: {number}\nmtime: 1\nbegin: {number}\n")
                album = number
            out.write(f"song_begin: {track}.flac\nTime: {duration / 1000}\nTitle: {title}\nArtist: {artist}\n"
                      f"Album: {album_title}\nAlbumArtist: {album_artist}\nTrack: {place}\nDate: {year}\nmtime: 1\nsong_end\n")
            count += 1
        out.write(f"end: {album}\n")
    return count


def search_mpd(home, file, texts):
    """The milliseconds of each search by mpd, in order, over its socket."""
    count = write_mpd_database(file, home)
    mpd = scan.MPD(home / "empty", home, None)
    (home / "empty").mkdir()
    try:
        wait_for(lambda: mpd.finished(count), "mpd to read its database")
        took = []
        with scan.socket.socket(scan.socket.AF_UNIX) as connection:
            connection.connect(str(mpd.socket))
            reader = connection.makefile("rb")
            reader.readline()
            for text in texts:
                terms = " AND ".join(f"(any contains \\\"{word}\\\")" for word in text.split())
                command = f'search "({terms})" window 0:{HITS}\n' if " AND " in terms else f'search "{terms}" window 0:{HITS}\n'
                began = time.monotonic()
                connection.sendall(command.encode())
                songs = 0
                while (line := reader.readline()) not in (b"OK\n", b""):
                    if line.startswith(b"ACK"):
                        fail(f"mpd: {line.decode().strip()}")
                    songs += line.startswith(b"file: ")
                took.append((time.monotonic() - began) * 1000)
                if songs == 0:
                    fail(f"mpd found nothing for {text}")
    finally:
        mpd.process.terminate()
        mpd.process.wait()
    return sorted(took)


def milliseconds(took):
    return f"{took['p50']:.2f} ms", f"{took['p99']:.2f} ms", f"{took['most']:.1f} ms"


def measure_search(programs, home, file, tracks, short):
    texts = searches(file, 100 if short else 3000)
    here = search_here(programs, file, texts)
    bar = f"{SEARCH_BARS[tracks]} ms" if tracks in SEARCH_BARS else ""
    yield ("lunara-library, by the clock", tracks, len(texts), *milliseconds(here["clock"]), bar)
    yield ("the same, of the processor", tracks, len(texts), *milliseconds(here["processor"]), "")
    # mpd looks at every song, so it is asked less where there are many.
    texts = texts[:20 if short else max(30, min(len(texts), 10_000_000 // tracks))]
    (home / "mpd").mkdir()
    took = search_mpd(home / "mpd", file, texts)
    shares = {name: took[int((len(took) - 1) * share)] for name, share in (("p50", 0.5), ("p99", 0.99), ("most", 1))}
    yield ("mpd, `search`, songs only", tracks, len(texts), *milliseconds(shares), "")


def measure(programs, home, tracks, short):
    """The cells of all tables for one size."""
    with StandIn(tracks) as stand_in, Library(programs, home, stand_in) as library:
        first = measure_first_sync(library, tracks)
        unchanged = measure_unchanged(library, stand_in, tracks, 0.3 if short else 3)
        pages = ask_pages(programs, library.run, 50 if short else 2000)
    return first, unchanged, pages, list(measure_search(programs, home, library.file, tracks, short))


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--short", action="store_true", help="2,000 tracks")
    options.add_argument("--tracks", type=int, action="append", help="a size; may be given again")
    options.add_argument("programs", type=pathlib.Path, help="the folder that holds lunara-library and lunara-bus-bench")
    arguments = options.parse_args()
    programs = arguments.programs.resolve()
    for name in ("lunara-library", "lunara-bus-bench"):
        if not os.access(programs / name, os.X_OK):
            fail(f"{programs / name} is missing. `make tools` builds it.")
    for tool in ("ffmpeg", "mpd"):
        if shutil.which(tool) is None:
            fail(f"{tool} is missing. `deploy/setup run test` installs it.")
    print_preamble(first_line("mpd", "--version"))
    print(f"- other work on the machine: load {os.getloadavg()[0]:.1f} at the start")
    results = {}
    for tracks in arguments.tracks or ([2000] if arguments.short else list(SEARCH_BARS)):
        with tempfile.TemporaryDirectory(prefix="library-") as home:
            results[tracks] = measure(programs, pathlib.Path(home), tracks, arguments.short)

    heading("First sync with a Plex server")
    table("tracks", "until the catalogue is complete", "processor time", "dirty private memory at most", "bar for 100000")
    for tracks, (first, *_) in results.items():
        row(tracks, *first, "20 s of the processor, 120 MB" if tracks == 100_000 else "")
    heading("Refresh with a Plex server, nothing changed")
    table("tracks", "requests", "processor time", "until it has ended", "bar for 100000")
    for tracks, (_, unchanged, *_) in results.items():
        row(tracks, *unchanged, "4 requests, 1 s of the processor" if tracks == 100_000 else "")
    heading("A page of 100 albums through the bus, of a Plex server's")
    table("tracks", "p50", "p99", "bar (p50)")
    for tracks, (_, _, pages, _) in results.items():
        row(tracks, f"{pages['p50']:.2f} ms", f"{pages['p99']:.2f} ms", "2 ms")
    heading(f"Search, {HITS} hits of each kind")
    table("program", "tracks", "searches", "p50", "p99", "slowest", "bar (p99)")
    for *_, found in results.values():
        for cells in found:
            row(*cells)


if __name__ == "__main__":
    main()
