#!/usr/bin/env python3
"""Scans of a share on which each request takes long: lunara-library and mpd on the same files, in turns.

Usage: share.py [--short] [--files N] [--delay MILLISECONDS] [--head] FOLDER-OF-PROGRAMS

A file system of FUSE shows the files, and answers each request after a while. With --head it answers one at a time, like
a disk whose head has to move for each: many requests under way must not be slower there. Needs /dev/fuse and the Debian
package python3-fusepy.
"""
import argparse
import collections
import contextlib
import errno
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import sizes
from figures import fail, first_line, heading, print_preamble, row, spread, table, wait_for


# The shape of the library: albums of an artist, tracks of an album.
ALBUMS, TRACKS = 20, 10


# The interpreter for which Debian's modules are installed.
PYTHON = "/usr/bin/python3"


def serve(root, mount, delay, has_head):
    """Shows `root` at `mount` until it is unmounted, then prints the number of requests."""
    import fusepy

    head = threading.Lock() if has_head else contextlib.nullcontext()
    seen = collections.Counter()

    class Slow(fusepy.Operations):
        def wait(self, kind):
            with head:
                time.sleep(delay)
            seen[kind] += 1

        def getattr(self, path, fh=None):
            self.wait("look")
            try:
                found = os.lstat(root + path)
            except OSError as error:
                raise fusepy.FuseOSError(error.errno) from error
            names = ["atime", "ctime", "mtime", "mode", "nlink", "size", "uid", "gid", "ino"]
            return {f"st_{name}": getattr(found, f"st_{name}") for name in names}

        def readdir(self, path, fh):
            self.wait("list")
            return [".", "..", *os.listdir(root + path)]

        def open(self, path, flags):
            self.wait("open")
            return os.open(root + path, os.O_RDONLY)

        def read(self, path, size, offset, fh):
            self.wait("read")
            return os.pread(fh, size, offset)

        def release(self, path, fh):
            os.close(fh)
            return 0

        def getxattr(self, *_):
            raise fusepy.FuseOSError(errno.ENODATA)

    fusepy.FUSE(Slow(), mount, foreground=True, ro=True, use_ino=True)
    print(seen.total())


class Share:
    """The files at a mount, where each request takes long."""

    def __init__(self, root, delay, has_head):
        self.mount = pathlib.Path(tempfile.mkdtemp(prefix="share-"))
        words = [PYTHON, "-B", __file__, "--serve", str(root), str(self.mount), str(delay), "head" if has_head else ""]
        self.server = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        wait_for(lambda: os.path.ismount(self.mount), "the mount", limit=10, pause=0.05)

    def end(self):
        """Unmounts it; returns the number of requests."""
        subprocess.run(["umount", "-l", self.mount], check=True)
        try:
            try:
                words, _ = self.server.communicate(timeout=2)
            except subprocess.TimeoutExpired:
                # A thread of it waits for a request that no longer comes.
                self.server.terminate()
                words, _ = self.server.communicate(timeout=30)
            return int(words)
        finally:
            self.server.kill()
            self.mount.rmdir()


def measure(kind, tree, files, programs, delay, has_head):
    """Returns the seconds of a first scan, until the first albums are shown, of a scan again, and all requests."""
    home = pathlib.Path(tempfile.mkdtemp(prefix="share-home-"))
    share = Share(tree, delay, has_head)
    began = time.monotonic()
    service = kind(share.mount, home, programs)
    try:
        wait_for(service.shows_albums, "the first albums", limit=3600, pause=0.01)
        shown = time.monotonic() - began
        service.first(files)
        first = time.monotonic() - began
        # The library scans folders once more two seconds after it starts to watch them.
        time.sleep(4)
        began = time.monotonic()
        service.again(files)
        again = time.monotonic() - began
    finally:
        service.process.terminate()
        service.process.wait()
        requests = share.end()
        shutil.rmtree(home)
    return first, shown, again, requests


def main():
    if sys.argv[1:2] == ["--serve"]:
        return serve(sys.argv[2], sys.argv[3], float(sys.argv[4]), bool(sys.argv[5]))
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--short", action="store_true", help="a quick run of all parts, of which nothing is kept")
    options.add_argument("--files", type=int, default=1000)
    options.add_argument("--delay", type=float, default=10, help="the milliseconds of each request")
    options.add_argument("--head", action="store_true", help="answer one request at a time")
    options.add_argument("programs", type=pathlib.Path)
    arguments = options.parse_args()
    if not os.access("/dev/fuse", os.R_OK | os.W_OK):
        if not arguments.short:
            fail("needs /dev/fuse")
        print("share.py: NOT RUN, needs /dev/fuse")
        return None
    files, delay = (60, 1) if arguments.short else (arguments.files, arguments.delay)
    print_preamble(first_line("mpd", "--version"))
    heading(f"Scans of {files:,} files at {delay:g} ms a request{', one at a time' if arguments.head else ''}")
    table("program", "first scan", "first albums after", "nothing changed", "requests of a file, in all")
    tree = pathlib.Path(tempfile.mkdtemp(prefix="share-tree-"))
    try:
        sizes.make_files(tree, 0, files, cover=0, albums=ALBUMS, tracks=TRACKS)
        kinds = [sizes.Lunara, sizes.MPD]
        results = {kind: [] for kind in kinds}
        for turn in range(1 if arguments.short else 3):
            for kind in kinds if turn % 2 == 0 else reversed(kinds):
                results[kind].append(measure(kind, tree, files, arguments.programs, delay / 1000, arguments.head))
        for kind in kinds:
            first, shown, again, requests = zip(*results[kind])
            row(kind.name, spread(first), spread(shown), spread(again), f"{min(requests) / files:.1f}")
    finally:
        shutil.rmtree(tree)


if __name__ == "__main__":
    main()
