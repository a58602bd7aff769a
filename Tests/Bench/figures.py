"""Shared by the benches of this folder: resources of processes, and tables for docs/benchmarks.md."""
import contextlib
import datetime
import json
import os
import pathlib
import platform
import socket
import subprocess
import sys
import time

MEGABYTE = 1024  # in the kilobytes of /proc


def fail(message):
    sys.exit(f"bench: {message}")


def median(values):
    return sorted(values)[len(values) // 2]


def spread(seconds):
    """The median of several values, with the fastest and the slowest."""
    text = f"{median(seconds):.2f} s"
    return text if len(seconds) == 1 else f"{text} ({min(seconds):.2f} to {max(seconds):.2f})"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(read, what, limit=120, pause=0.02, equals=None):
    """Calls `read` until its value is true, or equals `equals` where that is given, and returns the value.

    `what` may be a function, where its text is known at the end only.
    """
    deadline = time.monotonic() + limit
    while True:
        value = read()
        if value == equals if equals is not None else value:
            return value
        if time.monotonic() > deadline:
            fail(f"waited {limit} s in vain for {what() if callable(what) else what}; the last value: {value!r}")
        time.sleep(pause)


# The resources of a process, from /proc.

def memory(pid):
    """Kilobytes by name, of the whole process."""
    lines = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
    return {name: int(value.split()[0]) for name, value in (line.split(":", 1) for line in lines)}


def processor_seconds(pid):
    """The processor time of the process so far, including threads that have ended; finer than the ticks of
    /proc/PID/stat.

    The clock's number is what clock_getcpuclockid(3) gives for a process.
    """
    return time.clock_gettime_ns((~pid << 3) | 2) / 1e9


def children(pid):
    """Returns the identifiers of the processes that a process has started and that have not ended."""
    found = []
    for thread in os.listdir(f"/proc/{pid}/task"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # a thread that has ended meanwhile has none
            found += map(int, pathlib.Path(f"/proc/{pid}/task/{thread}/children").read_text().split())
    return found


# Requests.

def ask_pages(programs, run, count):
    """Milliseconds of requests for pages of 100 albums over the bus of this runtime folder: p50, p99, maximum."""
    words = ["ask", f"run={run}", "node=bench@ask", f"count={count}", "page=100"]
    done = subprocess.run([programs / "lunara-bus-bench", *words], capture_output=True, stdin=subprocess.DEVNULL, timeout=120)
    if done.returncode != 0:
        fail(f"lunara-bus-bench ask: {done.stderr.decode(errors='replace')}")
    took = json.loads(done.stdout)
    if took["albums"] < count:
        fail(f"the pages of albums were empty: {took}")
    return took


# Output.

def heading(text):
    print(f"\n## {text}\n", flush=True)


def table(*columns):
    print("| " + " | ".join(columns) + " |")
    print("|" + "---|" * len(columns))


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def first_line(*words):
    try:
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout.splitlines()[0]
    except (OSError, subprocess.CalledProcessError, IndexError):
        return "unknown"


def machine():
    names = [line.split(":", 1)[1].strip() for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines()
             if line.startswith("model name")]
    kilobytes = int(pathlib.Path("/proc/meminfo").read_text().split()[1])
    return (f"{names[0] if names else platform.machine()}, {os.cpu_count()} cores, {kilobytes / MEGABYTE ** 2:.0f} GB, "
            f"Linux {platform.release()}")


def print_preamble(*beside):
    """Prints the date, the machine and the versions, and the command that repeats the measurement."""
    here = pathlib.Path(__file__).parent
    commit = first_line("git", "-C", str(here), "describe", "--always", "--dirty", "--abbrev=10")
    today = datetime.datetime.now(datetime.timezone.utc).date()
    program = pathlib.Path(sys.argv[0]).resolve()
    command = " ".join([f"Tests/{program.parent.name}/{program.name}", *sys.argv[1:]])
    print(f"- machine: {machine()}\n- date: {today}, commit: {commit}\n- beside it: {', '.join(beside)}\n"
          f"- command: `{command}`")
