#!/usr/bin/env python3
"""Scans of folders of three sizes: lunara-library and mpd on the same files, in turns, with their memory meanwhile.

Usage: sizes.py [--short] [--cover BYTES] [--albums N] [--tracks N] [--tree FOLDER] [--files N ...] FOLDER-OF-PROGRAMS

Measures the first scan, the time until the first albums are listed, a scan with nothing changed, one in which every file
was tagged anew (the library writes in portions then), one changed file until a search finds it, and the most memory.
A million files have to fit on a disk: each has tags, a twentieth of a second of sound, and a cover of the usual size,
whose bytes are a hole in the file.
"""
import argparse
import functools
import hashlib
import pathlib
import shutil
import sqlite3
import struct
import subprocess
import tempfile
import threading
import time

import scan
from figures import ask_pages, fail, first_line, heading, print_preamble, row, spread, table, wait_for


# The bytes of the cover in each file.
COVER = 60_000


# The albums of an artist, and the tracks of an album.
ALBUMS, TRACKS = 4, scan.TRACKS_PER_ALBUM


def make_files(root, first, last, edition="1", cover=COVER, albums=ALBUMS, tracks=TRACKS):
    """Writes the files from `first` to before `last`; another edition has other tags."""
    info, frames = sound()
    genres = ["Jazz", "Rock", "Electronic", "Classical", "Folk", "Ambient", "Soul"]
    for number in range(first, last):
        album, track = divmod(number, tracks)
        artist = f"Artist {album // albums:05}"
        folder = root / artist / f"Album {album:06}"
        if track == 0:
            folder.mkdir(parents=True, exist_ok=True)
        tags = [
            ("TITLE", f"Title {number:07} of the evening"), ("ARTIST", artist), ("ALBUMARTIST", artist),
            ("ALBUM", f"Album {album:06}"), ("DATE", f"{1960 + album % 64}-05-01"), ("TRACKNUMBER", f"{track + 1}"),
            ("GENRE", genres[album % 7]), ("COMMENT", f"edition {edition}"),
        ]
        digest = hashlib.md5(str(number).encode()).digest()
        head = b"fLaC" + scan.block(0, info[:18] + digest) + scan.comments(tags)
        with open(folder / f"{track + 1:02}.flac", "wb") as file:
            file.write(head)
            if cover:
                mime = b"image/jpeg"
                description = struct.pack(">II", 3, len(mime)) + mime + struct.pack(">IIIIII", 0, 500, 500, 24, 0, cover)
                file.write(bytes([6]) + (len(description) + cover).to_bytes(3, "big") + description)
                file.seek(cover, 1)
            file.write(scan.block(1, bytes(16), last=True) + frames)


_sound = []


def sound():
    if not _sound:
        with tempfile.TemporaryDirectory() as scratch:
            path = pathlib.Path(scratch) / "one.flac"
            subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", "sine=440:duration=0.05", path], check=True)
            _sound.extend(scan.flac_parts(path))
    return _sound


class Memory(threading.Thread):
    """Samples the private memory of a process until it is stopped; `most` is the largest sample in MB."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.pid, self.most, self.ended = pid, 0.0, threading.Event()
        self.start()

    def run(self):
        while not self.ended.wait(0.1):
            try:
                self.most = max(self.most, scan.private_dirty(self.pid))
            except OSError:
                return

    def stop(self):
        self.ended.set()
        self.join()
        return self.most


class Lunara(scan.Lunara):
    def shows_albums(self):
        try:
            with sqlite3.connect(f"file:{self.home}/library.sqlite?mode=ro", uri=True) as database:
                return database.execute("SELECT albums FROM sources").fetchone()[0] > 0
        except (sqlite3.Error, TypeError):
            return False

    def finds(self, title):
        with sqlite3.connect(f"file:{self.home}/library.sqlite?mode=ro", uri=True) as database:
            return database.execute("SELECT count(*) FROM tracks WHERE title = ?", [title]).fetchone()[0] > 0


class MPD(scan.MPD):
    def shows_albums(self):
        stats = self.ask("stats")
        return stats is not None and int(stats["songs"]) > 0

    def finds(self, title):
        return bool(self.ask(f'find title "{title}"'))


def measure(kind, tree, files, programs, turn):
    """The figures of one program on one tree, by their names."""
    home = pathlib.Path(tempfile.mkdtemp(prefix="sizes-"))
    figures = {}

    def timed(name, action):
        memory, began = Memory(service.process.pid), time.monotonic()
        action()
        figures[name] = time.monotonic() - began
        figures[name + " MB"] = memory.stop()
    service = kind(tree, home, programs)
    try:
        def first():
            began = time.monotonic()
            wait_for(service.shows_albums, "the first albums", limit=3600, pause=0.01)
            figures["shown"] = time.monotonic() - began
            service.first(files)
        timed("first", first)
        time.sleep(3)
        timed("again", lambda: service.again(files))
        changed = tree / "Artist 00000" / "Album 000000" / "01.flac"
        before = changed.read_bytes()
        title = f"Changed {turn} by {kind.name}".ljust(28, ".")
        changed.write_bytes(before.replace(b"Title 0000000 of the evening", title.encode()))

        def change():
            if kind is MPD:
                # It follows changes only with a setting that others do without; it is told the folder instead.
                service.ask('update "Artist 00000/Album 000000"')
            wait_for(lambda: service.finds(title), "the changed title", limit=600, pause=0.01)
        timed("change", change)
        changed.write_bytes(before)
        # By then the change back is found, and what was read for it is given back.
        time.sleep(15)
        figures["rest MB"] = scan.private_dirty(service.process.pid)
        if kind is Lunara:
            pages = ask_pages(programs, home / "run", 200)
            figures["pages"] = (pages["p50"], pages["p99"])
    finally:
        service.process.terminate()
        service.process.wait()
        shutil.rmtree(home)
    return figures


def measure_all_changed(tree, files, programs, make):
    """The scan of the library after every file was tagged anew, and the most memory meanwhile."""
    home = pathlib.Path(tempfile.mkdtemp(prefix="sizes-"))
    service = Lunara(tree, home, programs)
    try:
        service.first(files)
        service.process.terminate()
        service.process.wait()
        make(tree, 0, files, edition="2")
        service = Lunara(tree, home, programs)
        before = service.runs()
        memory, began = Memory(service.process.pid), time.monotonic()
        wait_for(lambda: service.runs() > before, "the scan of all files", limit=3600, pause=0.01)
        return time.monotonic() - began, memory.stop()
    finally:
        service.process.terminate()
        service.process.wait()
        shutil.rmtree(home)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--short", action="store_true", help="a quick run of all parts, of which nothing is kept")
    options.add_argument("--files", type=int, nargs="*", help="the sizes, from small to large")
    options.add_argument("--cover", type=int, default=COVER, help="the bytes of the cover in each file; 0 for none")
    options.add_argument("--albums", type=int, default=ALBUMS, help="the albums of an artist")
    options.add_argument("--tracks", type=int, default=TRACKS, help="the tracks of an album")
    options.add_argument("--tree", type=pathlib.Path, help="keep the files here between runs")
    options.add_argument("programs", type=pathlib.Path)
    arguments = options.parse_args()
    sizes = arguments.files or ([240] if arguments.short else [10_000, 100_000, 1_000_000])
    make = functools.partial(make_files, cover=arguments.cover, albums=arguments.albums, tracks=arguments.tracks)
    if sizes != sorted(sizes):
        fail("the sizes have to grow")
    print_preamble(first_line("mpd", "--version"))
    heading(f"Scans at several sizes, with covers of {arguments.cover:,} bytes")
    table("program", "files", "first scan; most memory", "first albums after", "nothing changed; most memory",
          "one file changed, until it is found", "memory at rest", "a page of 100 albums, p50; p99")
    tree, made = arguments.tree or pathlib.Path(tempfile.mkdtemp(prefix="sizes-tree-")), 0
    later = []
    try:
        for files in sizes:
            make(tree, made, files)
            made = files
            rounds = 1 if arguments.short or files > 100_000 else 3
            kinds = [Lunara, MPD]
            results = {kind: [] for kind in kinds}
            for turn in range(rounds):
                for kind in kinds if turn % 2 == 0 else reversed(kinds):
                    results[kind].append(measure(kind, tree, files, arguments.programs, turn))
            for kind in kinds:
                cells = {name: [one[name] for one in results[kind]] for name in results[kind][0]}
                pages = cells.get("pages", [])
                row(kind.name, f"{files:,}", f"{spread(cells['first'])}; {max(cells['first MB']):.0f} MB",
                    spread(cells["shown"]), f"{spread(cells['again'])}; {max(cells['again MB']):.0f} MB",
                    spread(cells["change"]), f"{max(cells['rest MB']):.1f} MB",
                    f"{min(p for p, _ in pages):.1f}; {min(p for _, p in pages):.1f} ms" if pages else "")
            later.append((files, *measure_all_changed(tree, files, arguments.programs, make)))
        heading("Scans of the library after all files were tagged anew")
        table("files", "scan", "most memory")
        for files, seconds, most in later:
            row(f"{files:,}", f"{seconds:.2f} s", f"{most:.0f} MB")
    finally:
        if arguments.tree is None:
            shutil.rmtree(tree)


if __name__ == "__main__":
    main()
