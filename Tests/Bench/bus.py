#!/usr/bin/env python3
"""Measures the bus beside other systems: signals, facts, bursts, catch-up, idle. Prints tables for docs/bus-benchmarks.md.

Usage: bus.py [--short] [--only SECTION]… [--rounds N] [--seconds N] [--priority N] FOLDER-OF-PROGRAMS

Publisher, reader and another system's server are separate processes. Each message contains the time of its publish
call, on the clock that all processes of a host share; the reader computes the latency. The publisher waits for an
acknowledgement, where the system gives one, before the next message. The systems are measured in turns, with one server
running at a time.

--short sends a few hundred messages of each kind, all at once, for `make test`: it fails when a message that must
arrive is lost, doubled or out of order, never because of a time. --priority N runs all processes with that real-time
priority, which keeps other work on a busy machine from disturbing them; it needs the right to.
"""
import argparse
import array
import concurrent.futures
import os
import pathlib
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

import systems
from figures import MEGABYTE, fail, heading, median, print_preamble, processor_seconds, row, table
from systems import NATS, Lunara, Mosquitto, Process, Redis


class Round:
    """The results of one system with one kind of message."""

    def __init__(self, samples, report, count, microseconds):
        self.sorted = sorted(samples)
        self.missing = count - report["received"]
        self.disordered = report["disordered"]
        self.microseconds = microseconds

    def part(self, share):
        """The latency that this share of the messages does not exceed, in microseconds."""
        return self.sorted[min(len(self.sorted) - 1, int(len(self.sorted) * share))] / 1000


def flow(bench, system, kind, rate, count, warm):
    """Sends `count` messages at a fixed rate from one process to another."""
    with bench.folder() as folder, system.run(folder) as server, open(folder / "clients.log", "w+") as log:
        samples = folder / "samples"
        with Process(system.reader(kind, f"count={count}", f"samples={samples}"), log) as reader:
            reader.expect("FOLLOWS")
            words = [f"rate={rate}", f"count={count}", f"warm={warm}"]
            with Process(system.publisher(kind, *words), log) as publisher:
                publisher.expect("READY")
                reader.expect("READY")
                publisher.tell()
                publisher.expect("MEASURED", limit=60 + warm)
                pids = [pid for pid in (publisher.pid, server, reader.pid) if pid]
                before = [processor_seconds(pid) for pid in pids]
                publisher.expect("DONE", limit=60 + count)
                is_whole = reader.hears("DONE", limit=2 if kind == "signal" else 60)
                used = sum(processor_seconds(pid) - spent for pid, spent in zip(pids, before))
                report = reader.stop()
                publisher.stop()
        latencies = array.array("q", samples.read_bytes())
        result = Round(latencies, report, count, used / count * 1e6)
        if kind != "signal" and (not is_whole or result.missing or result.disordered):
            fail(f"{system.name}: of {count} facts {result.missing} are missing, {result.disordered} out of order")
        if not latencies or result.disordered:
            fail(f"{system.name}: {len(latencies)} of {count} messages came, {result.disordered} of them out of order")
        return result


def spread(values, digits=0):
    text = f"{median(values):.{digits}f}"
    return text if len(values) == 1 else f"{text} ({min(values):.{digits}f} to {max(values):.{digits}f})"


def measure_flow(bench, title, kind, rate, candidates):
    seconds = 0.2 if bench.short else bench.seconds
    count, warm = int(rate * seconds), 0 if bench.short else rate
    results = {system: [] for system in candidates}
    for turn in range(bench.rounds):
        for system in candidates if turn % 2 == 0 else reversed(candidates):
            results[system].append(flow(bench, system, kind, rate, count, warm))
    lines = [f"{title}, {count} in each of {bench.rounds} rounds"]
    for system, rounds in results.items():
        lines.append((
            system.name, system.shown(), system.security, system.durability(kind), spread([r.part(0.5) for r in rounds]),
            spread([r.part(0.99) for r in rounds]), f"{max(r.part(1) for r in rounds) / 1000:.1f} ms",
            spread([r.microseconds for r in rounds]), sum(r.missing for r in rounds)))
    return lines


def print_flow(lines):
    heading(lines[0])
    table("system", "by", "security", "durability", "p50, µs", "p99, µs", "slowest", "processor a message, µs", "lost")
    for line in lines[1:]:
        row(*line)


def measure_signals(bench):
    candidates = [Lunara(bench.programs), Lunara(bench.programs, elsewhere=True), Lunara(bench.programs, "tcp"),
                  Lunara(bench.programs, "sealed"), NATS(bench.clients, "core"), Mosquitto(bench.clients, 0),
                  Redis(bench.clients, "channel")]
    return print_flow, measure_flow(bench, "Signals at 5000 a second", "signal", 5000, candidates)


def measure_facts(bench):
    candidates = [Lunara(bench.programs), Lunara(bench.programs, forgets=True), Lunara(bench.programs, "tcp"),
                  Lunara(bench.programs, "sealed"), NATS(bench.clients, "stream"), Mosquitto(bench.clients, 1),
                  Mosquitto(bench.clients, 2)]
    return print_flow, measure_flow(bench, "Facts that survive a kill at 1000 a second", "fact", 1000, candidates)


def measure_kept(bench):
    candidates = [Lunara(bench.programs), Lunara(bench.programs, "sealed"), Redis(bench.clients, "stream")]
    return print_flow, measure_flow(bench, "Facts that survive a power cut at 1000 a second", "kept", 1000, candidates)


# Measurements of the bus alone.

def status(pid, name):
    """A figure of /proc/PID/status, in megabytes."""
    lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name + ":")) / MEGABYTE


def check_effects(path, count):
    """Fails unless the reader applied each fact once, in order."""
    with sqlite3.connect(path) as database:
        total, disordered = database.execute("SELECT count(*), ifnull(sum(place != number), 0) FROM heard").fetchone()
    if total != count or disordered:
        fail(f"{path.name}: of {count} facts {total} were applied, {disordered} not in their place")


def measure_burst(bench):
    count = 2000 if bench.short else 100_000
    bus = Lunara(bench.programs)
    with bench.folder() as folder, bus.run(folder), open(folder / "clients.log", "w+") as log:
        words = [f"count={count}", f"samples={folder / 'samples'}"]
        with Process(bus.reader("fact", *words, name="quick"), log) as quick, \
                Process(bus.reader("fact", *words, "pause=100", name="slow"), log) as slow:
            for reader in (quick, slow):
                reader.expect("FOLLOWS")
            with Process(bus.publisher("fact", "batch=100", f"count={count}"), log) as publisher:
                publisher.expect("READY")
                for reader in (quick, slow):
                    reader.expect("READY")
                before = status(publisher.pid, "VmRSS")
                began = time.monotonic()
                publisher.tell()
                publisher.expect("DONE", limit=300)
                published = time.monotonic() - began
                seconds = []
                for reader in (quick, slow):
                    reader.expect("DONE", limit=300)
                    seconds.append(time.monotonic() - began)
                peak = status(publisher.pid, "VmHWM")
                peaks = [status(reader.pid, "VmHWM") for reader in (quick, slow)]
                for process in (quick, slow, publisher):
                    process.stop()
        for name in ("quick", "slow"):
            check_effects(folder / f"hall@{name}.sqlite", count)

    def show(_):
        heading(f"A burst of {count} facts that survive a kill, 100 in each transaction, to two durable readers")
        table("process", "done after", "a second", "memory before", "at most")
        row("publisher", f"{published:.2f} s", f"{count / published:.0f}", f"{before:.1f} MB", f"{peak:.1f} MB")
        for name, time_taken, most in zip(("quick reader", "slow reader (0.1 ms a fact)"), seconds, peaks):
            row(name, f"{time_taken:.2f} s", f"{count / time_taken:.0f}", "", f"{most:.1f} MB")
    return show, None


def measure_catch_up(bench):
    count = 2000 if bench.short else 1_000_000
    bus = Lunara(bench.programs)
    with bench.folder() as folder, bus.run(folder), open(folder / "clients.log", "w+") as log:
        began = time.monotonic()
        subprocess.run([bus.program, "fill", f"count={count}", f"database={folder / 'bench@publisher.sqlite'}"], check=True)
        filled = time.monotonic() - began
        with Process(bus.publisher("fact", "count=0"), log) as publisher:
            publisher.expect("READY")
            publisher.tell()
            publisher.expect("DONE")
            began = time.monotonic()
            with Process(bus.reader("fact", f"count={count}", f"samples={folder / 'samples'}"), log) as reader:
                reader.expect("DONE", limit=600)
                seconds = time.monotonic() - began
                used = [processor_seconds(process.pid) for process in (publisher, reader)]
                peaks = [status(process.pid, "VmHWM") for process in (publisher, reader)]
                reader.stop()
            publisher.stop()
        check_effects(folder / "hall@reader.sqlite", count)

    def show(_):
        heading(f"A durable reader that was away catches up with {count} facts")
        table("from its start to its last fact", "facts a second", "bar", "publisher's and reader's processor time",
              "their memory at most", "the facts were written in")
        row(f"{seconds:.1f} s", f"{count / seconds:.0f}", "50000", f"{used[0]:.1f} s and {used[1]:.1f} s",
            f"{peaks[0]:.1f} MB and {peaks[1]:.1f} MB", f"{filled:.1f} s")
    return show, None


def measure_idle(bench):
    rest, span = (1, 1) if bench.short else (15, 30)
    bus = Lunara(bench.programs)
    with bench.folder() as folder, bus.run(folder), open(folder / "clients.log", "w+") as log:
        nodes = []
        try:
            for number in range(7):
                nodes.append(Process([bus.program, "idle", f"node=bench@n{number}", f"run={folder / 'run'}",
                                      f"database={folder / f'n{number}.sqlite'}"], log))
            for node in nodes:
                node.expect("READY")
            time.sleep(rest)
            began, before = time.monotonic(), [processor_seconds(node.pid) for node in nodes]
            time.sleep(span)
            elapsed = time.monotonic() - began
            used = [processor_seconds(node.pid) - spent for node, spent in zip(nodes, before)]
            for node in nodes:
                node.stop()
        finally:
            for node in nodes:
                node.__exit__()

    def show(_):
        heading(f"Processor time of 7 idle nodes over {span} s, each with a journal and following the other six")
        table("all together, of one core", "the most one takes", "bar")
        row(f"{100 * sum(used) / elapsed:.2f} %", f"{100 * max(used) / elapsed:.2f} %", "1 %")
    return show, None


SECTIONS = {"signals": measure_signals, "facts": measure_facts, "kept": measure_kept, "burst": measure_burst,
            "catch-up": measure_catch_up, "idle": measure_idle}


class Bench:
    def __init__(self, programs, short, rounds, seconds, root):
        self.programs, self.short, self.seconds, self.root = programs, short, seconds, root
        self.rounds = 1 if short else rounds
        self.clients = root / "clients"

    def folder(self):
        """A temporary folder for one measurement, on the same file system for all."""
        made = tempfile.TemporaryDirectory(dir=self.root, ignore_cleanup_errors=True)
        return _Path(made)


class _Path:
    def __init__(self, made):
        self.made = made

    def __enter__(self):
        return pathlib.Path(self.made.name)

    def __exit__(self, *_):
        self.made.cleanup()


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--short", action="store_true", help="a few hundred messages of each kind, one round")
    options.add_argument("--only", action="append", choices=list(SECTIONS), help="one section; may be given again")
    options.add_argument("--rounds", type=int, default=3, help="how often systems take turns")
    options.add_argument("--seconds", type=int, default=10, help="how long each of them takes one")
    options.add_argument("--priority", type=int, help="the real-time priority of what is measured")
    options.add_argument("programs", type=pathlib.Path, help="the folder that holds lunara-bus-bench")
    arguments = options.parse_args()
    programs = arguments.programs.resolve()
    if not os.access(programs / "lunara-bus-bench", os.X_OK):
        fail(f"{programs / 'lunara-bus-bench'} is missing. `make build` builds it.")
    systems.priority = arguments.priority
    # Ending the bench ends the processes that it started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    chosen = [SECTIONS[name] for name in arguments.only or SECTIONS]
    with tempfile.TemporaryDirectory(prefix="lb-") as root:
        bench = Bench(programs, arguments.short, arguments.rounds, arguments.seconds, pathlib.Path(root))
        systems.build_clients(bench.clients)
        print_preamble(*systems.versions())
        print(f"- other work on the machine: load {os.getloadavg()[0]:.1f} at the start")
        # In the short form times do not count, so the systems run concurrently.
        with concurrent.futures.ThreadPoolExecutor(len(chosen)) as pool:
            run = pool.map if bench.short else map
            for show, lines in run(lambda section: section(bench), chosen):
                show(lines)
        print(f"\nLoad at the end: {os.getloadavg()[0]:.1f}.")


if __name__ == "__main__":
    main()
