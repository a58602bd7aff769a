#!/usr/bin/env python3
"""Processes of plugins: their memory, the first answer of a new process, and the cost of a call.

Usage: plugins.py [--short] FOLDER-OF-PROGRAMS

This program plays the resolver and answers what a plugin asks for at once, so a call with `fetch` costs what stands between
a plugin and the network, and nothing of the network.
"""
import argparse
import json
import pathlib
import subprocess
import time

from figures import MEGABYTE, fail, heading, memory, median, print_preamble, row, table

FILE = json.dumps({"manifest": {"id": "bench"}, "implementation": {
    "search": "async (words) => [{ title: words, artist: 'A', duration: 200 }]",
    "read": "async (address) => (await (await fetch(address)).json()).length",
}})


class Plugin:
    """A process with the plugin of this bench."""

    def __init__(self, programs):
        self.started = time.perf_counter()
        self.process = subprocess.Popen(
            [programs / "lunara-plugin"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env={"TZ": "UTC", "LC_ALL": "C.UTF-8"})
        self.send({"load": FILE})
        if "loaded" not in self.line():
            fail("the plugin was not loaded")

    def send(self, fields):
        self.process.stdin.write(json.dumps(fields).encode() + b"\n")
        self.process.stdin.flush()

    def line(self):
        return json.loads(self.process.stdout.readline())

    def call(self, function):
        self.send({"call": 1, "function": function, "arguments": ["x"]})
        answer = self.line()
        if "ask" in answer:
            self.send({"answer": answer["ask"], "result": {"status": 200, "text": "[1, 2]"}})
            answer = self.line()
        if "result" not in answer:
            fail(f"a call gave {answer}")

    def private(self):
        """Private memory in megabytes."""
        kilobytes = memory(self.process.pid)
        return (kilobytes["Private_Clean"] + kilobytes["Private_Dirty"]) / MEGABYTE

    def end(self):
        self.process.stdin.close()
        self.process.wait(10)


def microseconds(plugin, function, count):
    start = time.perf_counter()
    for _ in range(count):
        plugin.call(function)
    return (time.perf_counter() - start) / count * 1e6


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--short", action="store_true")
    options.add_argument("programs", type=pathlib.Path)
    options = options.parse_args()
    programs, count = options.programs.resolve(), 50 if options.short else 5000
    heading("Processes of plugins")
    print_preamble("nothing")
    print()
    plugins, first = [], []
    try:
        for _ in range(2 if options.short else 20):
            plugin = Plugin(programs)
            plugins.append(plugin)
            plugin.call("search")
            first.append((time.perf_counter() - plugin.started) * 1000)
        table("what", "figure", "bar")
        row("start of a process until its first answer", f"{median(first):.0f} ms ({min(first):.0f} to {max(first):.0f})", "60 ms")
        idle = [plugin.private() for plugin in plugins]
        row("private memory of an idle process", f"{median(idle):.1f} MB ({min(idle):.1f} to {max(idle):.1f})", "3 MB")
        row("a call; a call with a request", f"{microseconds(plugins[0], 'search', count):.0f} µs; "
            f"{microseconds(plugins[0], 'read', count):.0f} µs", "1 ms")
        # The process collects its garbage when it has not been called for half a second.
        time.sleep(1.5)
        row(f"private memory after {2 * count:,} calls and a pause", f"{plugins[0].private():.1f} MB", "")
    finally:
        for plugin in plugins:
            plugin.end()


if __name__ == "__main__":
    main()
