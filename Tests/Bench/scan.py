#!/usr/bin/env python3
"""Scan of a folder of tagged FLAC files with covers: lunara-library and mpd on the same files, in one run.

Usage: scan.py BINARIES [--files N] [--tree DIR] [--keep]

BINARIES is the folder that holds lunara-library. Prints the rows of a markdown table. Needs ffmpeg (one encoding) and
mpd; cold runs need root, to drop the page cache.
"""
import argparse
import os
import pathlib
import shutil
import signal
import socket
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time

TRACKS_PER_ALBUM = 12


# The music: one encoding, with other metadata blocks for every file.

def flac_parts(path):
    """The STREAMINFO block's body and the audio frames of a FLAC file."""
    data = path.read_bytes()
    assert data[:4] == b"fLaC"
    at, info = 4, None
    while True:
        kind, size = data[at], int.from_bytes(data[at + 1:at + 4], "big")
        if kind & 0x7F == 0:
            info = data[at + 4:at + 4 + size]
        at += 4 + size
        if kind & 0x80:
            return info, data[at:]


def block(kind, body, last=False):
    return bytes([kind | (0x80 if last else 0)]) + len(body).to_bytes(3, "big") + body


def comments(tags):
    vendor = b"bench"
    body = struct.pack("<I", len(vendor)) + vendor + struct.pack("<I", len(tags))
    for key, value in tags:
        entry = f"{key}={value}".encode()
        body += struct.pack("<I", len(entry)) + entry
    return block(4, body)


def picture(jpeg):
    mime = b"image/jpeg"
    return block(6, struct.pack(">II", 3, len(mime)) + mime + struct.pack(">IIIIII", 0, 500, 500, 24, 0, len(jpeg)) + jpeg)


def make_tree(root, files):
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        quiet = ["ffmpeg", "-v", "error", "-nostdin", "-y"]
        subprocess.run(quiet + ["-f", "lavfi", "-i", "sine=440:duration=2", "-ac", "2", scratch / "one.flac"], check=True)
        subprocess.run(
            quiet + ["-f", "lavfi", "-i", "mandelbrot=size=500x500,noise=alls=12", "-frames:v", "1", "-q:v", "4",
                     scratch / "cover.jpg"], check=True)
        info, frames = flac_parts(scratch / "one.flac")
        jpeg = (scratch / "cover.jpg").read_bytes()
    genres = ["Jazz", "Rock", "Electronic", "Classical", "Folk", "Ambient", "Soul"]
    for number in range(files):
        album, track = divmod(number, TRACKS_PER_ALBUM)
        artist = album // 4
        folder = root / f"Artist {artist:04}" / f"{1960 + album % 64} - Album {album:05}"
        if track == 0:
            folder.mkdir(parents=True, exist_ok=True)
        tags = [
            ("TITLE", f"Title {number:06} of the evening"), ("ARTIST", f"Artist {artist:04}"),
            ("ALBUMARTIST", f"Artist {artist:04}"), ("ALBUM", f"Album {album:05}"), ("DATE", f"{1960 + album % 64}-05-01"),
            ("TRACKNUMBER", f"{track + 1}"), ("TRACKTOTAL", f"{TRACKS_PER_ALBUM}"), ("DISCNUMBER", "1"),
            ("GENRE", genres[album % 7]), ("GENRE", genres[(album + 3) % 7]),
            ("MUSICBRAINZ_TRACKID", f"00000000-0000-4000-8000-{number:012}"),
            ("MUSICBRAINZ_ALBUMID", f"00000000-0000-4000-9000-{album:012}"),
        ]
        cover = jpeg + album.to_bytes(4, "big")
        data = b"fLaC" + block(0, info) + comments(tags) + picture(cover) + block(1, bytes(4096), last=True) + frames
        (folder / f"{track + 1:02} - Title {number:06}.flac").write_bytes(data)
    return len(jpeg)


# The measurements.

def drop_caches():
    os.sync()
    pathlib.Path("/proc/sys/vm/drop_caches").write_text("3\n")


def private_dirty(pid):
    for line in pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Private_Dirty:"):
            return int(line.split()[1]) / 1024
    return 0.0


def wait_for(read, what, limit=600, equals=None):
    """Calls `read` until its value is true, or equals `equals` where that is given, and returns the value."""
    deadline = time.monotonic() + limit
    while True:
        value = read()
        if value == equals if equals is not None else value:
            return value
        if time.monotonic() > deadline:
            sys.exit(f"scan.py: waited {limit} s in vain for {what}; the last value: {value!r}")
        time.sleep(0.005)


class MPD:
    name = "mpd"

    def __init__(self, tree, home, _binaries):
        self.socket = home / "socket"
        conf = home / "mpd.conf"
        conf.write_text(
            f'music_directory "{tree}"\ndb_file "{home}/db"\nbind_to_address "{self.socket}"\nlog_file "{home}/log"\n'
            'auto_update "no"\naudio_output {\n type "null"\n name "null"\n}\n')
        self.process = subprocess.Popen(["mpd", "--no-daemon", str(conf)], stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)

    def ask(self, command):
        try:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.connect(str(self.socket))
                reader = connection.makefile("rb")
                reader.readline()
                connection.sendall(command.encode() + b"\n")
                answer = {}
                while (line := reader.readline().decode().strip()) not in ("OK", ""):
                    key, _, value = line.partition(": ")
                    answer[key] = value
                return answer
        except OSError:
            return None

    def finished(self, files):
        status = self.ask("status")
        return status is not None and "updating_db" not in status and int(self.ask("stats")["songs"]) == files

    def first(self, files):
        wait_for(lambda: self.finished(files), "mpd's first update")

    def again(self, files):
        self.ask("update")
        wait_for(lambda: self.finished(files), "mpd's update")


class Lunara:
    name = "lunara-library"

    def __init__(self, tree, home, binaries, log="warning"):
        self.home = home
        environment = {k: v for k, v in os.environ.items() if not k.startswith("LUNARA_")}
        environment |= {"LUNARA_HOME": str(home), "LUNARA_RUN": str(home / "run"), "LUNARA_MUSIC": str(tree),
                        "LUNARA_LOG": log, "LUNARA_DEBUGGABLE": "1"}
        self.process = subprocess.Popen([str(binaries / "lunara-library")], env=environment)

    def runs(self):
        """The number of finished scans: the cheapest question, as it is asked all the time."""
        try:
            with sqlite3.connect(f"file:{self.home}/library.sqlite?mode=ro", uri=True) as database:
                return database.execute("SELECT count(*) FROM runs").fetchone()[0]
        except sqlite3.Error:
            return 0

    def first(self, files):
        wait_for(self.runs, "the first scan", equals=1)
        with sqlite3.connect(f"file:{self.home}/library.sqlite?mode=ro", uri=True) as database:
            found = database.execute("SELECT count(*) FROM tracks").fetchone()[0]
        if found != files:
            sys.exit(f"scan.py: the first scan found {found} of {files} tracks")

    def again(self, files):
        before = self.runs()
        self.process.send_signal(signal.SIGHUP)
        wait_for(lambda: self.runs() > before, "the scan again")


def measure(kind, tree, files, binaries, cold, rest=6):
    """Seconds of the first scan and of one without changes, and private memory `rest` seconds later."""
    home = pathlib.Path(tempfile.mkdtemp(prefix="scan-"))
    if cold:
        drop_caches()
    started = time.monotonic()
    service = kind(tree, home, binaries)
    try:
        service.first(files)
        first = time.monotonic() - started
        # The library scans folders once more two seconds after it starts to watch them.
        time.sleep(min(4, rest))
        if cold:
            drop_caches()
        started = time.monotonic()
        service.again(files)
        again = time.monotonic() - started
        time.sleep(rest)
        memory = private_dirty(service.process.pid)
    finally:
        service.process.terminate()
        service.process.wait()
        shutil.rmtree(home)
    return first, again, memory


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("binaries", type=pathlib.Path)
    options.add_argument("--files", type=int, default=10_000)
    options.add_argument("--tree", type=pathlib.Path, help="keep the files here between runs")
    options.add_argument("--rounds", type=int, default=3, help="the median of so many rounds counts")
    options.add_argument("--only", choices=["mpd", "lunara"], help="measure one of the two")
    arguments = options.parse_args()
    tree = arguments.tree or pathlib.Path(tempfile.mkdtemp(prefix="scan-tree-"))
    try:
        if not any(tree.glob("*")):
            tree.mkdir(parents=True, exist_ok=True)
            make_tree(tree, arguments.files)
        kinds = [kind for kind in (Lunara, MPD) if arguments.only in (None, kind.name.split("-")[0])]
        print("| scan of tagged FLAC files with covers | files | page cache | first scan | nothing changed | private memory after |")
        print("|---|---|---|---|---|---|")
        for cold in (False, True):
            if cold and os.geteuid() != 0:
                print("scan.py: cold runs are left out, they need root", file=sys.stderr)
                continue
            results = {kind: [] for kind in kinds}
            for _ in range(arguments.rounds):
                for kind in kinds:
                    results[kind].append(measure(kind, tree, arguments.files, arguments.binaries, cold))
            for kind in kinds:
                first, again, memory = (sorted(column)[len(column) // 2] for column in zip(*results[kind]))
                print(f"| {kind.name} | {arguments.files} | {'cold' if cold else 'warm'} | {first:.2f} s | {again:.2f} s"
                      f" | {memory:.1f} MB |", flush=True)
    finally:
        if arguments.tree is None:
            shutil.rmtree(tree)


if __name__ == "__main__":
    main()
