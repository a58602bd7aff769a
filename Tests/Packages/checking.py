"""Functions that the checks of packages share."""
import os
import subprocess
import time


class Failure(Exception):
    """A condition that does not hold."""


def hold(condition, otherwise):
    if not condition:
        raise Failure(otherwise)


def run(*words, limit=300, **options):
    """Runs a program to its end and returns its output."""
    options.setdefault("check", True)
    options.setdefault("text", True)
    done = subprocess.run(
        [str(word) for word in words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        timeout=limit, **options)
    return done.stdout


def until(what, limit, read, equals=None):
    """Calls `read` until its value is true, or equals `equals` where that is given, and returns the value."""
    start = time.monotonic()
    while True:
        found = read()
        if found == equals if equals is not None else found:
            return found
        if time.monotonic() - start > limit:
            raise Failure(f"{what} does not come about within {limit} s; the last value: {found!r}")
        time.sleep(0.1)


def build(programs, folder, version=None):
    """Builds both packages; returns their paths."""
    # A test package need not be small, so it is hardly compressed.
    words = ["deploy/deb", programs, folder] + ([version] if version else [])
    said = run(*words, limit=900, env={**os.environ, "LUNARA_DEB_COMPRESSION": "none"})
    paths = [line for line in said.splitlines() if line.endswith(".deb")]
    hold(len(paths) == 2, f"deploy/deb made {len(paths)} packages:\n{said}")
    return paths
