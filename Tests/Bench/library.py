#!/usr/bin/env python3
"""Measures the library with a Plex server: first sync, a sync without changes, pages of albums, search compared with
mpd.

Usage: library.py [--short] [--tracks N]… [--keep DIR] [--priority N] FOLDER-OF-PROGRAMS

For each size the stand-in of Tests/Support/Servers makes a library from a seed, and lunara-library reads it over HTTP.
Searches then run within the library, without the bus: `lunara-search-bench`. mpd gets a database with the same songs
and answers the same searches over its socket.

--short reads 2,000 tracks and makes few requests, for `make test`: it fails when counts are wrong, never because of a
time. --keep DIR keeps the catalogues in DIR. A catalogue that is already there is not synced again, so those rows are
left out. --priority N gives pages and searches that real-time priority, which keeps other work on a busy machine from
disturbing them; it needs the right to.
"""
import argparse
import contextlib
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

from figures import (MEGABYTE, ask_pages, fail, first_line, heading, memory, print_preamble, processor_seconds, row, table,
                     wait_for)
from mpd_search import search_mpd

STAND_IN = pathlib.Path(__file__).resolve().parent.parent / "Support/Servers/plex"
SEARCH_BARS = {10_000: 1, 100_000: 3, 1_000_000: 10}  # milliseconds
SPELLING_BAR = 30  # milliseconds
HITS = 50
NOTES, NOTES_BAR = 20_000, 5  # milliseconds


@contextlib.contextmanager
def prioritised(priority, *pids):
    """Gives this process, its later children and the threads of others a real-time priority, if one is set."""
    if priority is not None:
        for pid in (os.getpid(), *pids):
            for thread in os.listdir(f"/proc/{pid}/task"):
                os.sched_setscheduler(int(thread), os.SCHED_FIFO, os.sched_param(priority))
    yield
    if priority is not None:
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


class StandIn:
    """A Plex server with that many invented tracks, until the end of the block."""

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
        """The requests since the log was cleared, except those for covers, which continue after a refresh."""
        return [f"{entry['method']} {entry['path']}" for entry in self.order("log")["requests"]
                if not entry["path"].startswith(("/__control__", "/photo/"))]


class Library:
    """A lunara-library with one Plex server, until the end of the block."""

    def __init__(self, programs, home, stand_in):
        self.file = home / "home/library.sqlite"
        self.run = home / "run"
        self.run.mkdir(mode=0o700)
        (home / "none").touch()
        environment = {name: value for name, value in os.environ.items() if not name.startswith("LUNARA_")}
        environment |= {"LUNARA_HOME": str(home / "home"), "LUNARA_RUN": str(self.run), "LUNARA_CONFIG": str(home / "none"),
                        "LUNARA_LOG": "error", "LUNARA_DEBUGGABLE": "1"}
        if isinstance(stand_in, StandIn):
            environment |= {"LUNARA_PLEX_URL": stand_in.base, "LUNARA_PLEX_TOKEN": stand_in.token}
        with open(home / "log", "w") as log:
            self.process = subprocess.Popen([programs / "lunara-library"], env=environment, stdin=subprocess.DEVNULL, stderr=log)
        self.log = home / "log"
        self.peak = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def runs(self):
        """The counts of the ended refreshes: new and unchanged tracks."""
        if self.process.poll() is not None:
            fail(f"lunara-library ended with {self.process.returncode}: {self.log.read_text()}")
        self.peak = max(self.peak, memory(self.process.pid).get("Private_Dirty", 0))
        try:
            with sqlite3.connect(f"file:{self.file}?mode=ro", uri=True) as database:
                return database.execute("SELECT new, unchanged FROM runs WHERE source = 'plex' ORDER BY id").fetchall()
        except sqlite3.Error:
            return []

    def settle(self, seconds):
        """Waits until no refresh has ended for that many seconds."""
        def is_quiet():
            before = len(self.runs())
            time.sleep(seconds)
            return len(self.runs()) == before
        wait_for(is_quiet, "the refreshes to end", limit=120)


def measure_first_sync(library, tracks):
    began = time.monotonic()
    wait_for(library.runs, f"the first sync of {tracks} tracks", limit=120 + tracks / 100, pause=0.1)
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
        fail(f"a refresh with nothing changed made {len(asked)} requests: {', '.join(asked[:20])}")
    return str(len(asked)), f"{used:.2f} s", f"{seconds:.2f} s"


# Search.

def searches(file, count):
    """Searches for beginnings of words and whole words of random titles, the same for the same catalogue."""
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


def misspelt(texts, count):
    """Searches with an error in each word of six letters or more: two neighbours are swapped, or a letter is missing,
    wrong or too many. The generator's words are made of syllables, so that some have none like them."""
    chance = random.Random(8)
    words = [word for text in texts for word in text.split() if len(word) >= 6 and word.isascii() and word.isalpha()]
    found = []
    while words and len(found) < count:
        word = chance.choice(words).lower()
        place = chance.randint(1, len(word) - 2)
        found.append(chance.choice([
            word[:place] + word[place + 1] + word[place] + word[place + 2:], word[:place] + word[place + 1:],
            word[:place] + "q" + word[place + 1:], word[:place] + "z" + word[place:]]))
    return found


def search_here(programs, file, texts, notes=0, least=None):
    """Searches; with notes it first writes that many into the catalogue, and searches in them as well."""
    done = subprocess.run([programs / "lunara-search-bench", file, str(notes)], input="\n".join(texts) + "\n", text=True,
                          capture_output=True, timeout=600)
    if done.returncode != 0:
        fail(f"lunara-search-bench: {done.stderr}")
    took = json.loads(done.stdout)
    if took["searches"] != len(texts) or took["hits"] < (len(texts) if least is None else least):
        fail(f"searches for words of titles found too little: {took}")
    return took


def milliseconds(took):
    return f"{took['p50']:.2f} ms", f"{took['p99']:.2f} ms", f"{took['most']:.1f} ms"


def measure_search(programs, home, file, tracks, short):
    texts = searches(file, 100 if short else 3000)
    here = search_here(programs, file, texts)
    bar = f"{SEARCH_BARS[tracks]} ms" if tracks in SEARCH_BARS else ""
    yield ("lunara-library, by the clock", tracks, len(texts), *milliseconds(here["clock"]), bar)
    yield ("the same, of the processor", tracks, len(texts), *milliseconds(here["processor"]), "")
    notes = 500 if short else NOTES
    planted = home / "planted.sqlite"
    with contextlib.closing(sqlite3.connect(file)) as source, contextlib.closing(sqlite3.connect(planted)) as copy:
        source.backup(copy)
    noted = search_here(programs, planted, texts, notes)
    if noted["hits"] <= here["hits"]:
        fail(f"searches in {notes} notes found none: {noted}")
    yield (f"lunara-library, in {notes} notes as well", tracks, len(texts), *milliseconds(noted["clock"]), f"{NOTES_BAR} ms")
    wrong = misspelt(texts, 20 if short else 300)
    if wrong:
        here = search_here(programs, file, wrong, least=len(wrong) // 2)
        yield ("lunara-library, misspelt words, by the clock", tracks, len(wrong), *milliseconds(here["clock"]),
               f"{SPELLING_BAR} ms")
    # mpd scans every song for each search, so it gets fewer searches where there are many songs.
    texts = texts[:20 if short else max(30, min(len(texts), 10_000_000 // tracks))]
    (home / "mpd").mkdir()
    took = search_mpd(home / "mpd", file, texts, HITS)
    shares = {name: took[int((len(took) - 1) * share)] for name, share in (("p50", 0.5), ("p99", 0.99), ("most", 1))}
    yield ("mpd, `search`, songs only", tracks, len(texts), *milliseconds(shares), "")


def measure(bench, home, tracks):
    """Returns the cells of all tables for one size."""
    first = unchanged = None
    kept = bench.keep / f"{tracks}.sqlite" if bench.keep else None
    if kept:
        kept.parent.mkdir(parents=True, exist_ok=True)
    if kept and kept.exists():
        (home / "home").mkdir()
        shutil.copy(kept, home / "home/library.sqlite")
        stand_in = contextlib.nullcontext()
    else:
        stand_in = StandIn(tracks)
    with stand_in, Library(bench.programs, home, stand_in) as library:
        if isinstance(stand_in, StandIn):
            first = measure_first_sync(library, tracks)
            unchanged = measure_unchanged(library, stand_in, tracks, 0.3 if bench.short else 3)
        else:
            wait_for(lambda: any(library.run.iterdir()), "lunara-library to listen")
        with prioritised(bench.priority, library.process.pid):
            pages = ask_pages(bench.programs, library.run, 50 if bench.short else 2000)
    if kept and first:
        shutil.copy(library.file, kept)
    with prioritised(bench.priority):
        found = list(measure_search(bench.programs, home, library.file, tracks, bench.short))
    return first, unchanged, pages, found


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--short", action="store_true", help="2,000 tracks")
    options.add_argument("--tracks", type=int, action="append", help="a size; may be given again")
    options.add_argument("programs", type=pathlib.Path, help="the folder that holds lunara-library and the programs of the benches")
    options.add_argument("--keep", type=pathlib.Path, help="keep the catalogues here between runs")
    options.add_argument("--priority", type=int, help="a real-time priority for what is asked, 1 to 99")
    arguments = options.parse_args()
    programs = arguments.programs = arguments.programs.resolve()
    for name in ("lunara-library", "lunara-bus-bench", "lunara-search-bench"):
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
            results[tracks] = measure(arguments, pathlib.Path(home), tracks)

    heading("First sync with a Plex server")
    table("tracks", "until the catalogue is complete", "processor time", "dirty private memory at most", "bar for 100000")
    for tracks, (first, *_) in results.items():
        if first:
            row(tracks, *first, "20 s of the processor, 120 MB" if tracks == 100_000 else "")
    heading("Refresh with a Plex server, nothing changed")
    table("tracks", "requests", "processor time", "until it has ended", "bar for 100000")
    for tracks, (_, unchanged, *_) in results.items():
        if unchanged:
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
