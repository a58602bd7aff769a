#!/usr/bin/env python3
"""Measures a whole household: scan, pages, start, memory, recovery, processor. Prints tables for docs/benchmarks.md.

Usage: household.py [--short] [--only SECTION]… FOLDER-OF-PROGRAMS

--short takes 200 files and one run of each, for `make test`: it fails only when something does not work, never because
of a time. Needs ffmpeg and mpd.
"""
import argparse
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

import scan
from figures import (MEGABYTE, ask_pages, children, fail, first_line, free_port, heading, median, memory, print_preamble,
                     processor_seconds, row, spread, table, wait_for)

SERVICES = ["library", "playback", "router", "scrobble", "nowplaying", "web"]


class Household:
    """`lunara up` in its own folders and on its own ports; everything ends with the `with` block."""

    def __init__(self, programs, home, music=None, settings=None):
        self.programs, self.music, self.home = programs, music, home
        self.run = pathlib.Path(tempfile.mkdtemp(prefix="lb-"))
        self.log = open(self.run / "log", "wb")
        plain = {key: value for key, value in os.environ.items() if not key.startswith("LUNARA_")}
        plain.pop("DBUS_SESSION_BUS_ADDRESS", None)
        self.environment = plain | {
            "HOME": str(self.run), "LUNARA_HOME": str(home), "LUNARA_RUN": str(self.run / "run"), "LUNARA_ROOM": "bench",
            "LUNARA_DEBUGGABLE": "1", "LUNARA_AUDIO": "null", "LUNARA_WEB": f"127.0.0.1:{free_port()}", "LUNARA_MEDIA": f"127.0.0.1:{free_port()}",
        } | (settings or {})

    def __enter__(self):
        words = [self.programs / "lunara", "up"] + (["--music", self.music] if self.music else [])
        self.began = time.monotonic()
        self.up = subprocess.Popen(words, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=self.log)
        for line in self.up.stdout:
            if line.startswith(b"READY"):
                self.seconds_to_ready = time.monotonic() - self.began
                return self
        self.__exit__()
        fail(f"`lunara up` did not become ready:\n{self.transcript}")

    def __exit__(self, *_):
        if self.up.poll() is None:
            self.up.terminate()
            try:
                self.up.wait(10)
            except subprocess.TimeoutExpired:
                self.up.kill()
                self.up.wait()
        self.up.stdout.close()
        self.log.close()
        self.transcript = (self.run / "log").read_text(errors="replace")
        shutil.rmtree(self.run, ignore_errors=True)

    def ask(self, *words):
        done = subprocess.run([self.programs / "lunara", *words, "--json"], env=self.environment, capture_output=True,
                              timeout=60)
        if done.returncode != 0:
            fail(f"lunara {' '.join(words)}: {done.stderr.decode(errors='replace')}")
        return json.loads(done.stdout)

    def processes(self):
        """The running services by role, and `lunara up`."""
        nodes = self.ask("status")["nodes"]
        return {node["role"]: node["pid"] for node in nodes if not node["away"]} | {"up": self.up.pid}

    def wait_for_tracks(self, count):
        def complete():
            sources = self.ask("status")["sources"]
            return sources and sources[0]["health"] == "ready" and sources[0]["tracks"] == count
        wait_for(complete, f"{count} tracks in `lunara status`", limit=600, pause=0.05)


# The measurements. Each prints one table.

def measure_household_scan(bench):
    first, again = [], []
    for _ in range(bench.runs(3)):
        with bench.home() as home, Household(bench.programs, home, bench.tree) as household:
            household.wait_for_tracks(bench.files)
            first.append(time.monotonic() - household.began)
            began = time.monotonic()
            counts = household.ask("sync", "--wait")
            again.append(time.monotonic() - began)
            if counts["unchanged"] != bench.files:
                fail(f"a refresh with nothing changed says {counts}")
    row("`lunara up`, until `lunara status` shows all", "warm", spread(first), spread(again), "")


def measure_scan(bench):
    heading(f"Scan of {bench.files} tagged FLAC files with covers")
    table("program", "page cache", "first scan", "scan with nothing changed", "dirty private memory after")
    kinds = [scan.Lunara, scan.MPD]
    rest = 0.2 if bench.short else 6
    for cold in [False] if bench.short or os.geteuid() != 0 else [False, True]:
        results = {kind: [] for kind in kinds}
        for turn in range(bench.runs(3)):
            for kind in kinds if turn % 2 == 0 else reversed(kinds):
                results[kind].append(scan.measure(kind, bench.tree, bench.files, bench.programs, cold, rest))
        for kind in kinds:
            first, again, megabytes = zip(*results[kind])
            row(kind.name, "cold" if cold else "warm", spread(first), spread(again), f"{median(megabytes):.1f} MB")
        if not cold:
            measure_household_scan(bench)


def measure_pages(bench):
    heading("A page of 100 albums through the bus")
    table("catalogue", "half of the pages within", "99 of 100 within", "bar (half)")
    count = 50 if bench.short else 2000
    with bench.home() as home, Household(bench.programs, home, bench.tree) as household:
        household.wait_for_tracks(bench.files)
        library = household.processes()["library"]
        for meanwhile in ["while thumbnails are made", "at rest"]:
            if meanwhile == "at rest":
                wait_for(lambda: not children(library), "the end of the thumbnails", limit=600, pause=0.5)
            took = ask_pages(bench.programs, household.run / "run", count)
            row(f"{bench.files} tracks, {meanwhile}", f"{took['p50']:.2f} ms", f"{took['p99']:.2f} ms", "2 ms")


def measure_start(bench):
    heading("Start of the whole household until READY")
    table("library", "median", "slowest", "bar")
    empty, full = [], []
    for _ in range(bench.runs(5)):
        with bench.home() as home, Household(bench.programs, home) as household:
            empty.append(household.seconds_to_ready)
    for _ in range(bench.runs(5)):
        with Household(bench.programs, bench.kept_home, bench.tree) as household:
            full.append(household.seconds_to_ready)
            household.wait_for_tracks(bench.files)
    for name, seconds in [("empty", empty), (f"{bench.files} tracks", full)]:
        row(name, f"{median(seconds):.2f} s", f"{max(seconds):.2f} s", "2 s")


def measure_idle(bench):
    rest, span = (2, 2) if bench.short else (30, 20)
    with bench.home() as home, Household(bench.programs, home, bench.tree) as household:
        household.wait_for_tracks(bench.files)
        time.sleep(rest)
        processes = household.processes()
        sizes = {role: memory(pid) for role, pid in processes.items()}
        began, before = time.monotonic(), {role: processor_seconds(pid) for role, pid in processes.items()}
        time.sleep(span)
        elapsed = time.monotonic() - began
        used = {role: processor_seconds(pid) - before[role] for role, pid in processes.items()}

    heading(f"Memory of the idle household, {rest} s after it has read {bench.files} tracks for the first time")
    table("process", "private", "of it dirty", "proportional (PSS)", "bar (private)")

    def cells(chosen):
        totals = [sum(sizes[role][name] for role in chosen) for name in
                  ("Private_Clean", "Private_Dirty", "Pss")]
        return [f"{kilobytes / MEGABYTE:.1f} MB" for kilobytes in (totals[0] + totals[1], totals[1], totals[2])]
    for role in [*SERVICES, "up"]:
        row(f"lunara-{role}" if role != "up" else "lunara up", *cells([role]), "" if role in ("playback", "up") else "8 MB")
    row("all", *cells(sizes), "45 MB proportional")

    heading(f"Processor time of the idle household over {span} s")
    table("process", "of one core")
    for role in [*SERVICES, "up"]:
        row(f"lunara-{role}" if role != "up" else "lunara up", f"{100 * used[role] / elapsed:.2f} %")
    row("all", f"{100 * sum(used.values()) / elapsed:.2f} %")


def measure_recovery(bench):
    heading("From `kill -9` of a service, while music plays, until `lunara status` shows it again")
    table("service", "median", "slowest", "bar")
    results = {role: [] for role in SERVICES}
    for _ in range(bench.runs(3)):
        # A new household each time, since a service that ends again within a minute is started again later.
        with Household(bench.programs, bench.kept_home, bench.tree) as household:
            household.wait_for_tracks(bench.files)
            album = household.ask("albums", "--limit", "1")["items"][0]["id"]
            for role in SERVICES:
                household.ask("play", album)
                wait_for(lambda: household.ask("rooms")[0]["state"], "the music", equals="playing")
                victim = household.processes()[role]
                began = time.monotonic()
                os.kill(victim, signal.SIGKILL)
                wait_for(lambda: household.processes().get(role, victim) != victim, f"{role} to come back")
                results[role].append(time.monotonic() - began)
    for role in SERVICES:
        row(f"lunara-{role}", f"{median(results[role]):.2f} s", f"{max(results[role]):.2f} s", "2 s")


SECTIONS = {"scan": measure_scan, "pages": measure_pages, "start": measure_start, "idle": measure_idle, "recovery": measure_recovery}


class Bench:
    def __init__(self, programs, short, folder):
        self.programs, self.short, self.folder = programs, short, folder
        self.files = 200 if short else 10_000
        self.tree = folder / "music"
        self.kept_home = folder / "home"

    def runs(self, count):
        return 1 if self.short else count

    @contextlib.contextmanager
    def home(self):
        path = pathlib.Path(tempfile.mkdtemp(prefix="home-", dir=self.folder))
        yield path
        shutil.rmtree(path)

    def prepare(self, sections):
        """Makes the music, and a home whose library has scanned it."""
        self.tree.mkdir()
        scan.make_tree(self.tree, self.files)
        if any(section != "scan" for section in sections):
            with Household(self.programs, self.kept_home, self.tree) as household:
                household.wait_for_tracks(self.files)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--short", action="store_true", help="200 files, one run of each")
    options.add_argument("--only", action="append", choices=list(SECTIONS), help="one section; may be given again")
    options.add_argument("programs", type=pathlib.Path, help="the folder that holds lunara and its services")
    arguments = options.parse_args()
    programs = arguments.programs.resolve()
    for name in ["lunara", "lunara-bus-bench"] + [f"lunara-{service}" for service in SERVICES]:
        if not os.access(programs / name, os.X_OK):
            fail(f"{programs / name} is missing. `make build` builds it.")
    for tool in ["ffmpeg", "mpd"]:
        if shutil.which(tool) is None:
            fail(f"{tool} is missing. `deploy/setup run test` installs it.")
    sections = arguments.only or list(SECTIONS)
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        bench = Bench(programs, arguments.short, pathlib.Path(folder))
        print_preamble(first_line("mpd", "--version"))
        bench.prepare(sections)
        for section in sections:
            SECTIONS[section](bench)


if __name__ == "__main__":
    main()
