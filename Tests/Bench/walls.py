#!/usr/bin/env python3
"""Measures walls in the discovery service. Usage: walls.py [--short] FOLDER-OF-PROGRAMS

A wall of 100 albums is made from libraries of 10,000 and 100,000 albums: with the library read again, with it in memory, and a further page; then 12 albums near another one are found. The bars are 100 ms for a wall of 10,000 albums
and for albums near one of 100,000, and 20 MB of private memory."""

import json
import subprocess
import sys
import tempfile


def measure(programs, albums):
    with tempfile.TemporaryDirectory() as folder:
        command = [f"{programs}/lunara-wall-bench", f"{folder}/discovery.sqlite", str(albums)]
        return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main():
    programs, short = sys.argv[-1], "--short" in sys.argv
    for albums in [1000] if short else [10_000, 100_000]:
        figures = measure(programs, albums)
        memory = figures["memory"]
        for name in ["first", "again", "further", "similar"]:
            print(f"{albums:>7} albums, {name:<8} {figures[name]['median']:>7} ms, at most {figures[name]['most']} ms")
        print(f"{albums:>7} albums, memory   {memory['before']:>7} MB before, {memory['after']} MB afterwards")
        if albums == 10_000 and (figures["first"]["median"] > 100 or memory["after"] > 20):
            print("   over the bar: a wall of 10,000 albums took more than 100 ms or 20 MB")
        if figures["similar"]["median"] > 100:
            print("   over the bar: albums near another one took more than 100 ms")


if __name__ == "__main__":
    main()
