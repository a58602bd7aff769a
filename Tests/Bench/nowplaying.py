#!/usr/bin/env python3
"""Measures the now-playing service: signals to a desktop, commands from it, many tracks, very many key presses.

Usage: nowplaying.py [--short] [--changes N] [--priority N] FOLDER-OF-PROGRAMS

The desktop is a D-Bus session bus of its own with playerctl and busctl on it; the room is real and plays into the null
output.

--short takes a fiftieth of everything, for `make test`: it fails when a signal is missing or surplus, when a file is
left over or memory keeps growing, never because of a time. --priority N runs all processes with that real-time
priority, which other work on the machine does not have. Needs ffmpeg, dbus-daemon, playerctl and busctl.
"""
import argparse
import json
import os
import pathlib
import queue
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

from figures import MEGABYTE, fail, first_line, free_port, heading, memory, print_preamble, processor_seconds, row, table, wait_for

ROOM = "den"
PLAYER = f"org.mpris.MediaPlayer2.lunara.{ROOM}"
INTERFACE = "org.mpris.MediaPlayer2.Player"
TRACKS = 24


class Lines:
    """The lines that a program prints, each with the time of its arrival."""

    def __init__(self, process):
        self.process, self.lines = process, queue.SimpleQueue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put((time.time(), line))
        self.lines.put((time.time(), None))

    def next(self, what, limit=60):
        try:
            moment, line = self.lines.get(timeout=limit)
        except queue.Empty:
            fail(f"waited {limit} s in vain for {what}")
        if line is None:
            fail(f"{self.process.args[0]} ended before {what}")
        return moment, line

    def passed(self):
        """The lines that have arrived so far."""
        found = []
        while not self.lines.empty():
            found.append(self.lines.get())
        return found


class Household:
    """A library, a router, a room and the measured service, with a session bus."""

    def __init__(self, programs):
        self.programs, self.folder = programs, pathlib.Path(tempfile.mkdtemp(prefix="lu-", dir="/tmp"))
        self.children = {}
        (self.folder / "runtime").mkdir(mode=0o700)
        self.environment = {
            "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "HOME": str(self.folder), "LUNARA_HOME": f"{self.folder}/home",
            "LUNARA_RUN": f"{self.folder}/run", "LUNARA_ROOM": ROOM, "LUNARA_MUSIC": f"{self.folder}/music", "LUNARA_AUDIO": "null",
            "LUNARA_MEDIA": f"127.0.0.1:{free_port()}", "LUNARA_DEBUGGABLE": "1", "SWIFT_BACKTRACE": "enable=no",
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={self.folder}/bus"}
        if "LD_LIBRARY_PATH" in os.environ:
            self.environment["LD_LIBRARY_PATH"] = os.environ["LD_LIBRARY_PATH"]

    def compose(self):
        """Makes albums of one track, each with a cover of its own."""
        for number in range(TRACKS):
            place = self.folder / f"music/Album {number:02}"
            place.mkdir(parents=True)
            red, green = (number * 53) % 256, (number * 97) % 256
            subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i",
                            f"color=c=0x{red:02x}{green:02x}80:s=1200x1200", "-frames:v", "1", place / "cover.jpg"], check=True)
            subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i",
                            f"sine={200 + 20 * number}:sample_rate=8000:duration=900", "-metadata", f"title=Tide {number}", "-metadata",
                            "artist=Ada", "-metadata", f"album=Album {number:02}", "-metadata", "track=1", "-metadata", "genre=Dub",
                            place / "1.flac"], check=True)

    def start(self, name, *words, **others):
        self.children[name] = subprocess.Popen(words, env=self.environment, stdin=subprocess.DEVNULL, **others)
        return self.children[name]

    def start_all(self):
        with open(self.folder / "log", "ab") as log:
            self.start("dbus", "dbus-daemon", "--session", "--nofork", "--nopidfile", f"--address={self.environment['DBUS_SESSION_BUS_ADDRESS']}",
                       stdout=log, stderr=log)
            wait_for(lambda: (self.folder / "bus").exists(), "the session bus")
            for name in ["library", "router", "playback", "nowplaying"]:
                self.start(name, self.programs / f"lunara-{name}", stdout=log, stderr=log)
        wait_for(lambda: self.lunara("sync", "--wait"), "the music")
        wait_for(lambda: self.lunara("play", "--all"), "the first track")
        wait_for(lambda: self.lunara("repeat", "all"), "the mode")
        wait_for(lambda: self.playerctl("status"), "the player on the session bus", equals="Playing")
        wait_for(lambda: self.playerctl("metadata", "mpris:artUrl"), "the first cover")

    def run(self, *words):
        return subprocess.run(words, env=self.environment, capture_output=True, stdin=subprocess.DEVNULL, text=True, timeout=120)

    def lunara(self, *words):
        done = self.run(self.programs / "lunara", *words)
        return done.stdout or "done" if done.returncode == 0 else None

    def playerctl(self, *words):
        return self.run("playerctl", f"--player=lunara.{ROOM}", *words).stdout.strip()

    def press(self, word):
        """Runs `playerctl`; repeats where the room is busy, since it remembers no more than 4,096 commands of two
        minutes."""
        wait_for(lambda: self.run("playerctl", f"--player=lunara.{ROOM}", word).returncode, f"playerctl {word}", limit=300, pause=0.5,
                 equals=0)

    def signals(self):
        """Starts a monitor of the player's signals; none is missed after this returns."""
        child = self.start("monitor", "busctl", f"--address={self.environment['DBUS_SESSION_BUS_ADDRESS']}", "monitor", "--json=short",
                           "--match=type='signal',path='/org/mpris/MediaPlayer2'", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        lines = Lines(child)
        while "Monitoring" not in lines.next("the monitor")[1]:
            pass
        return lines

    def settle(self, signals):
        """Waits until the cover of the playing track has been announced and no more signals come."""
        wait_for(lambda: self.playerctl("status"), "the player to play", equals="Playing")
        wait_for(lambda: self.playerctl("metadata", "mpris:artUrl"), "the cover of what plays")
        deadline, is_told = time.monotonic() + 120, True
        while is_told:
            if time.monotonic() > deadline:
                fail("a track that plays on is told of again and again")
            time.sleep(1)
            is_told = signals.passed()
        # The bus keeps the order of signals: earlier ones have arrived when this one has.
        done = self.run("busctl", f"--address={self.environment['DBUS_SESSION_BUS_ADDRESS']}", "emit", "/org/mpris/MediaPlayer2",
                        "org.lunara.Bench", "Settled")
        if done.returncode != 0:
            fail(f"busctl emit: {done.stderr}")
        while '"Settled"' not in signals.next("the bench's own signal")[1]:
            pass

    def states(self):
        """The states that the room publishes on the bus."""
        child = self.start("tap", self.programs / "lunara", "tap", "--kind", "playback.state", "--json", stdout=subprocess.PIPE, text=True)
        return Lines(child)

    def pid(self, name):
        return self.children[name].pid

    def covers(self):
        folder = self.folder / "run/covers-main"
        return len(list(folder.iterdir())) if folder.exists() else 0

    def end(self):
        for child in reversed(list(self.children.values())):
            child.terminate()
        for child in self.children.values():
            try:
                child.wait(10)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
        shutil.rmtree(self.folder)


def spread(values):
    """p50, p99 and maximum of seconds, in milliseconds."""
    values = sorted(values)
    return "; ".join(f"{1000 * values[min(len(values) - 1, int(len(values) * part))]:.1f}" for part in (0.5, 0.99, 1)) + " ms"


def seconds(text):
    """Parses a time as the tap writes it."""
    whole, _, rest = text.rstrip("Z").partition(".")
    return time.mktime(time.strptime(whole, "%Y-%m-%dT%H:%M:%S")) - time.timezone + float(f"0.{rest or 0}")


def changed(line):
    """Parses a PropertiesChanged: the interface and the new values, None where only names are given; None for other
    lines."""
    if not line.startswith("{"):
        return None
    signal = json.loads(line)
    return signal["payload"]["data"][:2] if signal.get("member") == "PropertiesChanged" else None


class Tally:
    """Counts the signals for each change of track in the order of tracks: a late signal counts for its own track."""

    def __init__(self):
        self.track, self.counts = None, []

    def take(self, line):
        """Counts a line of the monitor; None for lines that are not the player's. A change of playing or paused alone
        counts for no track."""
        change = changed(line) if line else None
        if not change:
            return None
        interface, values = change
        track = track_of(values) or self.track
        if track != self.track:
            self.track = track
            self.counts.append(0)
        if self.counts and list(values) != ["PlaybackStatus"]:
            self.counts[-1] += 1
        return values if interface == INTERFACE else None


def track_of(values):
    return values.get("Metadata", {}).get("data", {}).get("mpris:trackid", {}).get("data")


def path_of(state):
    """The object path of the track in a room's state."""
    item = state["payload"].get("item")
    if not item:
        return None
    return "/org/lunara/entry/" + re.sub(r"[^0-9A-Za-z]", lambda found: f"_{ord(found[0]):02x}", item["entry"])


def next_state(states, holds, what):
    """The next state of the room that meets the condition, and the time at which it was published."""
    while True:
        state = json.loads(states.next(what)[1])
        if state["kind"] == "playback.state" and holds(state):
            return seconds(state["time"]), state


def steer(household, signals, states, now, count):
    """playerctl skips to the next track; the room publishes it on the bus; the player announces it."""
    commands, shown, pauses, tally = [], [], [], Tally()
    for _ in range(count):
        time.sleep(0.1)
        for _, line in signals.passed():
            tally.take(line)
        before, asked = path_of(now), time.time()
        household.playerctl("next")
        said, state = next_state(states, lambda state: path_of(state) not in (None, before), "the next track")
        while True:
            came, line = signals.next("the signal of the next track")
            values = tally.take(line)
            if values and track_of(values) == path_of(state):
                break
        commands.append(said - asked)
        shown.append(came - said)
        time.sleep(0.25)
        asked = time.time()
        household.playerctl("play-pause")
        pauses.append(next_state(states, lambda state: state["payload"]["state"]["name"] == "paused", "the pause")[0] - asked)
        household.playerctl("play")
        now = next_state(states, lambda state: state["payload"]["state"]["name"] == "playing", "the end of the pause")[1]
    told = tally.counts
    if max(told) > 2:
        fail(f"a change of track was told of by {max(told)} signals")
    row(f"the room's state on the bus to `PropertiesChanged` at another program, {count} tracks: p50; p99; most", spread(shown), "p99 20 ms")
    row(f"`playerctl next`, from its start to the room's state, {count} times", spread(commands), "p99 50 ms")
    row(f"`playerctl play-pause`, the same, {count} times", spread(pauses), "p99 50 ms")
    row("`PropertiesChanged` a change of track: mean; most", f"{sum(told) / len(told):.2f}; {max(told)}", "2")


def rest(household, signals, length, is_short):
    """One track keeps playing."""
    household.press("play")
    household.settle(signals)
    used = processor_seconds(household.pid("nowplaying"))
    time.sleep(length)
    told = [line for _, line in signals.passed() if line and line.startswith("{")]
    # On a machine so busy that the sound stutters, the player may announce a seek now and then. A few seconds cannot
    # tell these from one every second.
    if any(map(changed, told)) or not is_short and len(told) > 2 + length // 30:
        fail(f"a track that plays on was told of: {told}")
    used = processor_seconds(household.pid("nowplaying")) - used
    row(f"signals in {length} s of a track that plays on; processor of the service", f"{len(told)}; {100 * used / length:.2f} % of a core", "0")


def storm(household, length):
    """Presses a key a hundred times a second."""
    presses, began = [], time.monotonic()
    for number in range(100 * length):
        time.sleep(max(0, began + number / 100 - time.monotonic()))
        presses.append(subprocess.Popen(["playerctl", f"--player=lunara.{ROOM}", "play-pause"], env=household.environment, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE))
    refused = [error for press in presses if (error := press.communicate(timeout=60)[1])]
    took = time.monotonic() - began
    asked = time.time()
    if household.playerctl("status") not in ("Playing", "Paused"):
        fail("the player does not answer after a storm")
    row(f"{100 * length} presses of play-pause at 100 a second: done after; refused; the next answer",
        f"{took:.1f} s; {len(refused)}; {1000 * (time.time() - asked):.0f} ms", "")


def many(household, signals, count):
    """Skips through very many tracks, as fast as the room allows."""
    household.press("play")
    pid, first, most = household.pid("nowplaying"), None, 0
    for number in range(count):
        household.press("next")
        if number % 500 == 499:
            # Entries that were never used before, so that memory kept for each would show.
            wait_for(lambda: household.lunara("play", "--all") and household.lunara("repeat", "all"), "the queue to be loaded anew")
        if number % 50 == 0:
            signals.passed()
            most = max(most, household.covers())
        if number == count // 10:
            first = memory(pid)["Pss"]
    last = memory(pid)["Pss"]
    household.press("stop")
    wait_for(household.covers, "the covers to be removed", equals=0)
    wait_for(lambda: not household.playerctl("metadata", "mpris:artUrl"), "the metadata to be cleared")
    # With few changes most of the memory is taken once, by the first ones.
    if last > first + (1 if count >= 1000 else 8) * MEGABYTE:
        fail(f"memory grew from {first} to {last} kB")
    row(f"memory (PSS) after {count // 10:,} and after {count:,} changes of track", f"{first / MEGABYTE:.1f} MB; {last / MEGABYTE:.1f} MB", "flat")
    row("files of covers at a time, most; left over when playback stops", f"{most}; 0", "0")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--short", action="store_true")
    options.add_argument("--changes", type=int, default=10_000)
    options.add_argument("--priority", type=int, help="the real-time priority of what is measured")
    options.add_argument("programs", type=pathlib.Path)
    options = options.parse_args()
    heading("Now playing")
    print_preamble(first_line("playerctl", "--version"), first_line("dbus-daemon", "--version"))
    print()
    table("what", "figure", "bar")
    household = Household(options.programs.resolve())
    try:
        household.compose()
        if options.priority:
            # The measuring process gets the priority as well, and its children inherit it.
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(options.priority))
        household.start_all()
        signals, states = household.signals(), household.states()
        now = next_state(states, lambda state: state["payload"]["state"]["name"] == "playing", "the room's state")[1]
        steer(household, signals, states, now, 10 if options.short else 300)
        rest(household, signals, 3 if options.short else 60, options.short)
        storm(household, 1 if options.short else 10)
        many(household, signals, options.changes // (50 if options.short else 1))
    finally:
        household.end()


if __name__ == "__main__":
    main()
