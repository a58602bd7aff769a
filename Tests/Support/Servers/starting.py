"""The options that all stand-ins share, and the library they ask for."""
from __future__ import annotations

import argparse
import gc
import json
import pathlib
from typing import Any

from demo import demo
from folder import read_folders
from library import Library
from synthetic import synthetic


def parser(about: str) -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(description=about)
    made.add_argument("--port", type=int, default=0, help="0: any that is free")
    made.add_argument("--host", default="127.0.0.1")
    what = made.add_mutually_exclusive_group()
    what.add_argument("--demo", action="store_true", help="a small library with every trap (the default)")
    what.add_argument("--music", action="append", metavar="DIR", help="real files; again for one more section")
    what.add_argument("--synthetic", type=int, metavar="N", help="N made-up tracks")
    made.add_argument("--seed", type=int, default=1, help="of the made-up library")
    made.add_argument("--seconds", type=int, default=0, help="how long each made-up track lasts; 0: two to six minutes")
    made.add_argument("--section", action="append", metavar="TITLE", help="title of a section; again for more")
    made.add_argument("--state", metavar="FILE", help="keeps marks and identity over a restart")
    made.add_argument("--stay", action="store_true", help="do not end when stdin closes")
    return made


def load(options: argparse.Namespace) -> Library:
    titles = options.section or ["Music"]
    gc.disable()
    if options.music:
        library = read_folders(options.music, options.section or [pathlib.Path(each).name for each in options.music])
    elif options.synthetic is not None:
        library = synthetic(options.synthetic, options.seed, titles, options.seconds)
    else:
        library = demo()
    # The rows live as long as the process: the collector need not look at them again.
    gc.collect()
    gc.freeze()
    gc.enable()
    return library


class State:
    """A file with what has to survive a restart."""

    def __init__(self, path: str | None, library: Library) -> None:
        self.path, self.library = pathlib.Path(path) if path else None, library
        self.kept: dict[str, Any] = json.loads(self.path.read_text()) if self.path and self.path.exists() else {}
        for key, marks in self.kept.get("marks", {}).items():
            for name, value in marks.items():
                setattr(library.marks_of(int(key)), name, value)

    def value(self, name: str, default: str) -> str:
        return str(self.kept.setdefault(name, default))

    def save(self) -> None:
        if self.path:
            self.kept["marks"] = {str(key): vars(marks) for key, marks in self.library.marks.items()}
            partial = self.path.with_suffix(".partial")
            partial.write_text(json.dumps(self.kept))
            partial.replace(self.path)
