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
import multiprocessing
import os
import pathlib
import shutil
import subprocess
import tempfile
import threading
import time

import sizes
from figures import fail, first_line, heading, print_preamble, row, spread, table, wait_for


# The shape of the library: albums of an artist, tracks of an album.
ALBUMS, TRACKS = 20, 10


def serve(root, mount, delay, has_head, counts):
    """Shows `root` at `mount` until it is unmounted, and counts the requests by kind."""
    import fusepy

    head = threading.Lock() if has_head else contextlib.nullcontext()
    seen = collections.Counter()

    class Slow(fusepy.Operations):
        def wait(self, kind):
            with head:
                time.sleep(delay)
            seen[kind] += 1
            counts[kind] = seen[kind]

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

    fusepy.FUSE(Slow(), str(mount), foreground=True, ro=True, use_ino=True)


@contextlib.contextmanager
def mounted(root, delay, has_head):
    """Mounts the files; yields the mount and the counted requests."""
    mount = pathlib.Path(tempfile.mkdtemp(prefix="share-"))
    with multiprocessing.Manager() as manager:
        counts = manager.dict()
        server = multiprocessing.Process(target=serve, args=(str(root), mount, delay, has_head, counts), daemon=True)
        server.start()
        try:
            wait_for(lambda: os.path.ismount(mount), "the mount", limit=10, pause=0.05)
            yield mount, counts
        finally:
            subprocess.run(["umount", "-l", mount], check=False)
            server.terminate()
            server.join()
            mount.rmdir()


def measure(kind, tree, files, programs, delay, has_head):
    """Returns the seconds of a first scan, until the first albums are shown, of a scan again, and all requests."""
    home = pathlib.Path(tempfile.mkdtemp(prefix="share-home-"))
    with mounted(tree, delay, has_head) as (mount, counts):
        began = time.monotonic()
        service = kind(mount, home, programs)
        try:
            wait_for(service.shows_albums, "the first albums", limit=3600, pause=0.01)
            shown = time.monotonic() - began
            service.first(files)
            first, requests = time.monotonic() - began, sum(counts.values())
            # The library scans folders once more two seconds after it starts to watch them.
            time.sleep(4)
            began = time.monotonic()
            service.again(files)
            return first, shown, time.monotonic() - began, requests
        finally:
            service.process.terminate()
            service.process.wait()
            shutil.rmtree(home)


def main():
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
        return
    files, delay = (60, 1) if arguments.short else (arguments.files, arguments.delay)
    print_preamble(first_line("mpd", "--version"))
    heading(f"Scans of {files:,} files at {delay:g} ms a request{', one at a time' if arguments.head else ''}")
    table("program", "first scan", "first albums after", "nothing changed", "requests of a file")
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
