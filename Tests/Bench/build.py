#!/usr/bin/env python3
"""Measures the build: all programs from nothing and after edits, and the rules with their tests.

Usage: build.py [--only build|check] [--edit FILE]

Builds a copy of the sources in a temporary folder, so that no file of this checkout and none of its builds is touched.
A second table has the modules of the build from nothing: lines of Swift, and the seconds and processor time of their
compilers. The statistics for it make that step a little slower.
"""
import argparse
import collections
import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import figures

ROOT = pathlib.Path(__file__).resolve().parents[2]
SERVICE = "Services/Playback/PlaybackService.swift"
RULES = "Shared/Sync/SyncReport.swift"


def copy_sources(folder):
    """Copies what git tracks or would track."""
    listed = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True, check=True)
    for name in filter(None, listed.stdout.decode().split("\0")):
        if os.path.lexists(ROOT / name):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name, follow_symlinks=False)


def edit(file):
    """Adds a function that nothing calls."""
    with open(file, "a") as source:
        source.write("\nprivate func edited() {}\n")


def run(folder, *words):
    """Returns the seconds and the processor seconds of a command with all processes that it starts."""
    began = time.monotonic()
    with open(folder / ".build/output", "w+", errors="replace") as output:
        process = subprocess.Popen(words, cwd=folder, stdin=subprocess.DEVNULL, stdout=output,
                                   stderr=subprocess.STDOUT, start_new_session=True)
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            end(process.pid)
            raise
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            output.seek(0)
            figures.fail(f"{' '.join(words)} ended with status {process.returncode}:\n{output.read()[-4000:]}")
    return time.monotonic() - began, usage.ru_utime + usage.ru_stime


def processes(session):
    """Returns the processes of a session that have not ended. Compilers have groups of their own in it."""
    found = []
    for file in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, _, _, its_session, *_ = file.read_text().rpartition(")")[2].split()
            if its_session == str(session) and state not in "ZX":
                found.append(int(file.parent.name))
    return found


def end(session):
    """Ends a command that was interrupted, and waits for its processes, which write into the folder."""
    kill_at = time.monotonic() + 5
    while left := processes(session):
        for process in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGTERM if time.monotonic() < kill_at else signal.SIGKILL)
        time.sleep(0.1)


def read_modules(statistics):
    """Returns lines and seconds by module. Each compiler of a release build has written a file of statistics."""
    modules = collections.defaultdict(collections.Counter)
    for file in statistics.glob("stats-*-swift-frontend-*.json"):
        values = json.loads(file.read_text())
        for key, value in values.items():
            if key.startswith("time.swift-frontend.") and (unit := key.rsplit(".", 1)[1]) in ("wall", "user", "sys"):
                module = modules[key.split(".")[2].split("-")[0]]
                module[unit] += value
                module["lines"] = max(module["lines"], values.get("AST.NumSourceLines", 0))
    return modules


def print_modules(modules, processor):
    """Prints the modules, and what is left of the processor time of the whole build."""
    figures.heading("Modules")
    figures.table("module", "lines", "seconds", "processor seconds")
    for name, module in sorted(modules.items(), key=lambda one: -one[1]["user"]):
        used = module["user"] + module["sys"]
        processor -= used
        figures.row(name.replace("_", "-"), f"{module['lines']:,}", f"{module['wall']:.1f}", f"{used:.1f}")
    figures.row("C and C++, linking, planning", "", "", f"{processor:.1f}")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--only", choices=["build", "check"], help="the programs, or the rules and their tests")
    options.add_argument("--edit", default=SERVICE, help=f"the file of a service that is edited, {SERVICE} by default")
    arguments = options.parse_args()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    with tempfile.TemporaryDirectory(prefix="build-") as folder:
        folder = pathlib.Path(folder).resolve()
        copy_sources(folder)
        statistics = folder / ".build/statistics"
        statistics.mkdir(parents=True)
        figures.print_preamble(figures.first_line("swift", "--version"))
        figures.heading("Building")
        figures.table("step", "command", "seconds", "processor minutes")

        def step(name, *words, edited=None):
            if edited:
                edit(folder / edited)
            seconds, processor = run(folder, *words)
            figures.row(name, f"`{' '.join(words[:2])}`", f"{seconds:.0f}", f"{processor / 60:.2f}")
            return processor

        if arguments.only != "check":
            whole = step("all programs, from nothing", "make", "build", f"STATISTICS={statistics}")
            modules = read_modules(statistics)
            # The statistics are options of the compiler, and other options would build all anew.
            step("the same, nothing changed", "make", "build", f"STATISTICS={statistics}")
            step(f"after an edit of {arguments.edit}", "make", "build", f"STATISTICS={statistics}",
                 edited=arguments.edit)
        if arguments.only != "build":
            step("the rules and their tests, from nothing", "make", "check")
            step(f"after an edit of {RULES}", "make", "check", edited=RULES)
        if arguments.only != "check":
            print_modules(modules, whole)


if __name__ == "__main__":
    main()
