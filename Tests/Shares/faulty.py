"""Shows a folder at a mount, read-only, and answers as a file names it: see `Faulty`.

Usage: faulty.py FOLDER MOUNT FILE-WITH-THE-FAULT
"""
import errno
import os
import random
import sys
import time

import fusepy

ROOT, MOUNT, FAULT = sys.argv[1:4]
FIELDS = ["atime", "ctime", "mtime", "mode", "nlink", "size", "uid", "gid", "ino"]


def fault():
    try:
        with open(FAULT) as file:
            return file.read().strip()
    except OSError:
        return ""


class Faulty(fusepy.Operations):
    """The faults: the name of an error number for some of all requests; `slow`; `empty` folders; names cut in `half`;
    lengths that are not those of the files (`length`); times in the `future`; the same `inode` for all; `eof`, where
    reading ends in the middle; `pause`, where it stops for five of each ten seconds."""

    def ask(self, path):
        how = fault()
        if how.startswith("E") and path != "/" and random.random() < 0.3:
            raise fusepy.FuseOSError(getattr(errno, how))
        if how == "slow":
            time.sleep(0.03)
        return how

    def getattr(self, path, fh=None):
        how = self.ask(path)
        try:
            found = os.lstat(ROOT + path)
        except OSError as error:
            raise fusepy.FuseOSError(error.errno) from error
        row = {f"st_{name}": getattr(found, f"st_{name}") for name in FIELDS}
        if how == "length":
            row["st_size"] *= 3
        if how == "future":
            row["st_mtime"] = row["st_ctime"] = 4_000_000_000
        if how == "inode":
            row["st_ino"] = 7
        return row

    def readdir(self, path, fh):
        how = self.ask(path)
        names = [] if how == "empty" else os.listdir(ROOT + path)
        if how == "half":
            names = [name[:len(name) // 2 + 1] for name in names]
        return [".", "..", *names]

    def open(self, path, flags):
        self.ask(path)
        return os.open(ROOT + path, os.O_RDONLY)

    def read(self, path, size, offset, fh):
        how = self.ask(path)
        if how == "pause":
            time.sleep(max(0, 5 - time.monotonic() % 10))
        return b"" if how == "eof" and offset > 0 else os.pread(fh, size, offset)

    def release(self, path, fh):
        os.close(fh)
        return 0

    def getxattr(self, *_):
        raise fusepy.FuseOSError(errno.ENODATA)


# The type is that of a program whose server is another machine and whose inode numbers last.
fusepy.FUSE(Faulty(), MOUNT, foreground=True, ro=True, subtype="ceph", use_ino=True, attr_timeout=0, entry_timeout=0,
            negative_timeout=0)
