#!/usr/bin/env python3
"""Measures rooms: gapless joins, the first sample, commands, processor and memory. Prints tables for
docs/benchmarks.md.

Usage: playback.py [--short] [--only SECTION]… FOLDER-OF-PROGRAMS

Library, router and room are separate processes. They are compared with libmpv alone, and with `mpv`. --short measures
each a few times, for `make test`: it fails when samples differ or a command has no effect, never because of a time.
Needs ffmpeg and mpv.
"""
import argparse
import datetime
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time

from figures import (MEGABYTE, children, fail, first_line, heading, median, memory, print_preamble, processor_seconds, row,
                     table, wait_for)
from rooms import Rooms, encode
from sound import PipeReader, Player, decode, differing, wave

RATE = 44_100
# The number of samples in half of the sine, which is no whole number of frames of any codec.
HALF = 100_003
STAND_IN = pathlib.Path(__file__).resolve().parent.parent / "Support/Servers/plex"

# The two files of each format and the encoder's options. An MP4 gives its length in units of its time scale, which is
# milliseconds unless it is set to samples.
FORMATS = {
    "FLAC": ("flac", ["-sample_fmt", "s16"]), "MP3, LAME tags": ("mp3", ["-c:a", "libmp3lame", "-b:a", "256k"]),
    "Opus": ("opus", ["-c:a", "libopus", "-b:a", "192k"]), "AAC, MP4": ("m4a", ["-c:a", "aac", "-b:a", "256k", "-movie_timescale", str(RATE)]),
}


# One sine over two files.

def make_halves(folder, name):
    """Makes an album of the two halves of one sine."""
    ending, words = FORMATS[name]
    album = name.split(",")[0]
    rate = 48_000 if ending == "opus" else RATE
    paths = []
    for half in (0, 1):
        path = folder / album / f"{half + 1} Half.{ending}"
        cut = f"aevalsrc=0.4*sin(441*2*PI*t)|0.4*sin(441*2*PI*t):s={rate}:d=6,atrim=start_sample={half * HALF}:" \
              f"end_sample={(half + 1) * HALF},asetpts=PTS-STARTPTS"
        encode(path, "-f", "lavfi", "-i", cut, *words, tags={
            "title": f"Half {half + 1}", "artist": "Bench", "album_artist": "Bench", "album": album, "track": f"{half + 1}/2"})
        paths.append(path)
    return album, paths


def hear(bench, music, albums, settings=None):
    """Returns what rooms write when they play these albums, each in a room of its own.

    The rooms write into pipes that are read in real time: a room that writes as fast as it can may have played a track
    before it knows the next one, which never happens with audible sound.
    """
    heard = {}
    with Rooms(bench.programs, [], music, settings) as household:
        ids = household.albums(len(albums))
        readers = {f"room{number}": PipeReader(household.folder / f"{number}", keeps=True) for number in range(len(albums))}
        for number, name in enumerate(readers):
            household.rooms.append(name)
            household.start(name, LUNARA_AUDIO=f"pcm:{household.folder / str(number)}")
        for name, album in zip(readers, albums):
            wait_for(lambda: any(node["role"] == "playback" and node["name"] == name for node in household.nodes()), name)
            readers[name].listen()
            household.lunara("play", ids[album], "--room", name)
        for (name, reader), album in zip(readers.items(), albums):
            wait_for(lambda: reader.heard > reader.HEADER and household.room(name)["state"] == "idle", f"{album} to be heard")
            # The file is complete once the room has closed the device.
            household.lunara("stop", "--room", name, may_fail=True)
            child = household.children.pop(name)
            child.terminate()
            child.wait(60)
            household.rooms.remove(name)
            reader.close()
            heard[album] = wave(b"".join(reader.kept))
    return heard


def measure_join(bench):
    rows, wrong = [], []
    with tempfile.TemporaryDirectory(dir=bench.folder) as folder:
        music = pathlib.Path(folder)
        made = {name: make_halves(music, name) for name in FORMATS}
        albums = [album for album, _ in made.values()]
        places = {"files": lambda: hear(bench, music, albums), "HTTP": lambda: hear_over_http(bench, music, albums)}
        for place, listen in places.items():
            heard = listen()
            for name, (album, paths) in made.items():
                sound, form = heard[album]
                # Each half as another program decodes it, without what an encoder appended.
                first, second = (decode(path, form)[:2 * HALF] for path in paths)
                count = differing(sound, first + second)
                if count:
                    wrong.append(f"{count} samples of {name} from {place} ({len(sound)} of {len(first + second)} were heard)")
                rows.append((name, place, 2 * HALF, len(sound) // 2, count, 0))
    heading("Two halves of one sine over two files, played by a room into a file")
    table("format", "from", "samples of the source", "samples heard", "samples that differ", "bar")
    for cells in rows:
        row(*cells)
    bench.broken += [f"where two files join there differ {each}" for each in wrong]


def hear_over_http(bench, music, albums):
    """The same over HTTP, from the stand-in of Tests/Support/Servers with real files."""
    words = [STAND_IN, "--music", music]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        try:
            answer = json.loads(server.stdout.readline())
            return hear(bench, None, albums, {
                "LUNARA_PLEX_URL": f"http://127.0.0.1:{answer['port']}", "LUNARA_PLEX_TOKEN": answer["token"]})
        finally:
            server.terminate()


# Times.

def milliseconds(seconds):
    ordered = sorted(seconds)
    return f"{1000 * median(ordered):.1f} ms", f"{1000 * ordered[int(0.9 * (len(ordered) - 1))]:.1f} ms"


def measure_play(bench):
    count = bench.times(3, 60)
    path = bench.music / "Long/01.flac"
    own, ours, restarts, samples = [], [], [], []
    with tempfile.TemporaryDirectory(dir=bench.folder) as folder:
        pipes = [pathlib.Path(folder) / name for name in ("ours", "theirs")]
        here, there = PipeReader(pipes[0]), PipeReader(pipes[1])
        # libmpv reports a restart when the output's buffer is full, which is late with a pipe that is read in real
        # time.
        silent, piped = Player(ao="null"), Player(ao="pcm", ao_pcm_file=str(pipes[1]))
        with Rooms(bench.programs, music=bench.music, settings={"LUNARA_AUDIO": f"pcm:{pipes[0]}"}) as household:
            album = household.albums(1)["Long"]
            for turn in range(-2, count):
                began = time.monotonic()
                subprocess.run([bench.programs / "lunara", "--version"], capture_output=True, check=True)
                started = time.monotonic() - began
                taken = [started, first_sample(bench, household, album, here), restart(silent, path), piped_sample(piped, path, there)]
                if turn >= 0:
                    for values, value in zip((own, ours, restarts, samples), taken):
                        values.append(value)
        for each in (silent, piped, here, there):
            each.close()
    heading(f"From `lunara play` to the first sample, {count} times; the room has played before and is silent")
    table("what", "p50", "p90", "bar (p50)")
    row("libmpv by itself, `loadfile` to restart", *milliseconds(restarts), "")
    row("libmpv by itself, `loadfile` to the first sample", *milliseconds(samples), "")
    row("`lunara --version`: a program's start", *milliseconds(own), "")
    row("`lunara play ID` to the first sample", *milliseconds(ours), f"{1000 * median(restarts) + 15:.1f} ms")


def first_sample(bench, household, album, reader):
    """Seconds from the start of `lunara play` until its first sample is heard; then the room is silenced."""
    reader.listen()
    began = time.monotonic()
    with subprocess.Popen([bench.programs / "lunara", "play", album], env=household.environment, stdout=subprocess.DEVNULL) as asked:
        seconds = reader.wait() - began
        if asked.wait(60) != 0:
            fail("lunara play failed")
    reader.hurry()
    household.lunara("stop")
    wait_for(lambda: time.monotonic() - reader.last > 0.1, "silence")
    return seconds


def restart(player, path):
    """Seconds from libmpv's `loadfile` until it reports that playback has restarted."""
    player.forget()
    began = time.monotonic()
    player.command("loadfile", path, "replace")
    seconds = player.wait(Player.RESTART) - began
    player.command("stop")
    player.wait(Player.IDLE)
    return seconds


def piped_sample(player, path, reader):
    """Seconds from libmpv's `loadfile` until a sample is heard."""
    player.forget()
    reader.listen()
    began = time.monotonic()
    player.command("loadfile", path, "replace")
    seconds = reader.wait() - began
    reader.hurry()
    player.command("stop")
    player.wait(Player.IDLE)
    return seconds


def measure_steer(bench):
    count = bench.times(5, 300)
    with Rooms(bench.programs, music=bench.music) as household:
        album = household.albums(1)["Long"]
        household.lunara("play", album)
        words = ["steer", f"run={household.run}", "node=bench@steer", "room=bench", f"album={album}", f"count={count}"]
        done = subprocess.run([bench.programs / "lunara-bus-bench", *words], capture_output=True, stdin=subprocess.DEVNULL,
                              timeout=120 + 2 * count)
        if done.returncode != 0:
            fail(f"lunara-bus-bench steer: {done.stderr.decode(errors='replace')}\n{household.transcript()}")
        took = json.loads(done.stdout)
    heading(f"From a command until a node that hears the room sees it, {count} of each")
    table("command", "seen as", "p50", "p99", "slowest", "bar")
    for name, seen, bar in [
            ("play", "shown", "20 ms (p99)"), ("pause", "shown", "20 ms (p99)"), ("resume", "shown", "20 ms (p99)"),
            ("next", "shown", "20 ms (p99)"), ("next", "sounds", "50 ms (p50)"), ("play", "sounds", ""),
            ("resume", "sounds", "")]:
        times = took[f"{name} {seen}"]
        words = {"shown": "state on the bus", "sounds": "state in which sound flows"}[seen]
        row(f"{name} (prepared)" if (name, seen) == ("next", "sounds") else name, words, *[
            f"{times[part]:.1f} ms" for part in ("p50", "p99", "most")], bar)


# Moves.

class StateRecorder:
    """The states of rooms in order, each with the time of its arrival."""

    def __init__(self, household):
        words = [household.programs / "lunara", "tap", "--kind", "playback.state", "--json"]
        self.process = subprocess.Popen(words, env=household.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=household.log)
        self.states = []
        self.thread = threading.Thread(target=self._listen, daemon=True)
        self.thread.start()

    def _listen(self):
        for line in self.process.stdout:
            state = json.loads(line)["payload"]
            position = state["position"]
            taken = datetime.datetime.fromisoformat(position["takenAt"].replace("Z", "+00:00")).timestamp()
            flows = state["state"]["name"] == "playing" and position["rate"] > 0
            self.states.append((state["room"], taken, position["offset"] / 1000, flows))

    def find(self, since, room, flows):
        """The time and place in the list at which a room's sound first flows, or first does not, after this index."""
        return wait_for(lambda: next((state[1:3] for state in self.states[since:] if state[0] == room and state[3] == flows), None),
                        f"{room} to {'sound' if flows else 'be silent'}")

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.thread.join()


def measure_move(bench):
    count = bench.times(2, 40)
    gaps, jumps, took = [], [], []
    with Rooms(bench.programs, ["den", "kitchen"], music=bench.music) as household:
        album = household.albums(1)["Long"]
        household.lunara("play", album, "--room", "den")
        recorder = StateRecorder(household)
        recorder.find(0, "den", True)
        source, target = "den", "kitchen"
        for _ in range(count):
            time.sleep(1)
            said, began = len(recorder.states), time.monotonic()
            household.lunara("move", source, target)
            took.append(time.monotonic() - began)
            (silent, left), (sounds, taken) = recorder.find(said, source, False), recorder.find(said, target, True)
            gaps.append(sounds - silent)
            jumps.append(abs(taken - left))
            source, target = target, source
        recorder.close()
    heading(f"A move of what plays between two rooms, {count} times")
    table("what", "p50", "p90", "most", "bar")
    for name, values, bar in [("silence between the rooms", gaps, "300 ms"),
                              ("media time said twice or left out", jumps, "100 ms"), ("`lunara move`", took, "")]:
        row(name, *milliseconds(values), f"{1000 * max(values):.1f} ms", bar)


# Cost.

def measure_cost(bench):
    rest, span = (2, 2) if bench.short else (10, 60)
    path = bench.music / "Long/01.flac"
    with Rooms(bench.programs, music=bench.music) as household:
        album = household.albums(1)["Long"]
        room = household.children["bench"].pid
        time.sleep(rest)
        began, before = time.monotonic(), processor_seconds(room)
        time.sleep(span / 2)
        idle = (processor_seconds(room) - before) / (time.monotonic() - began)
        household.lunara("play", album)
        words = ["mpv", "--no-config", "--ao=null", "--vid=no", "--no-terminal", path]
        with subprocess.Popen(words, stdin=subprocess.DEVNULL) as peer:
            try:
                time.sleep(rest)
                processes = [room, *children(room), peer.pid]
                if len(processes) != 3:
                    fail(f"the room has {len(processes) - 2} processes for its player, not one")
                began, before = time.monotonic(), [processor_seconds(pid) for pid in processes]
                time.sleep(span)
                elapsed = time.monotonic() - began
                used = [processor_seconds(pid) - spent for pid, spent in zip(processes, before)]
                sizes = [memory(pid) for pid in processes]
            finally:
                peer.terminate()
        if household.room()["state"] != "playing":
            fail(f"the room did not play:\n{household.transcript()}")
    heading(f"Cost of a room beside `mpv` with the same file, both at once over {span} s")
    table("process", "of one core", "private memory", "of it dirty", "proportional (PSS)", "bar")

    def cells(size):
        return [f"{size[name] / MEGABYTE:.1f} MB" for name in ("Private", "Private_Dirty", "Pss")]
    for size in sizes:
        size["Private"] = size["Private_Clean"] + size["Private_Dirty"]
    both = {name: sizes[0][name] + sizes[1][name] for name in sizes[0]}
    bar = f"{110 * used[2] / elapsed:.2f} %, {sizes[2]['Pss'] / MEGABYTE + 20:.1f} MB (PSS)"
    row("lunara-playback, idle", f"{100 * idle:.2f} %", "", "", "", "0.2 %")
    row("lunara-playback, playing: the room", f"{100 * used[0] / elapsed:.2f} %", *cells(sizes[0]), "")
    row("lunara-playback, playing: its player", f"{100 * used[1] / elapsed:.2f} %", *cells(sizes[1]), "")
    row("lunara-playback, playing: both", f"{100 * (used[0] + used[1]) / elapsed:.2f} %", *cells(both), bar)
    row("mpv, playing", f"{100 * used[2] / elapsed:.2f} %", *cells(sizes[2]), "")


SECTIONS = {"join": measure_join, "play": measure_play, "steer": measure_steer, "move": measure_move, "cost": measure_cost}


class Bench:
    def __init__(self, programs, short, folder):
        self.programs, self.short, self.folder = programs, short, folder
        self.music = folder / "music"
        self.broken = []

    def times(self, short, whole):
        return short if self.short else whole

    def prepare(self):
        """Makes an album of four tracks, the first long enough for every measurement."""
        for number, seconds in enumerate([300, 60, 60, 60], 1):
            encode(self.music / f"Long/{number:02}.flac", "-f", "lavfi", "-i",
                   f"anoisesrc=color=pink:sample_rate={RATE}:duration={seconds}:seed={number}:amplitude=0.3", "-ac", "2",
                   "-sample_fmt", "s16", tags={"title": f"Long {number}", "artist": "Bench", "album_artist": "Bench",
                                               "album": "Long", "track": f"{number}/4"})


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--short", action="store_true", help="a few of each")
    options.add_argument("--only", action="append", choices=list(SECTIONS), help="one section; may be given again")
    options.add_argument("programs", type=pathlib.Path, help="the folder that holds lunara and its services")
    arguments = options.parse_args()
    programs = arguments.programs.resolve()
    for name in ["lunara", "lunara-bus-bench", "lunara-library", "lunara-router", "lunara-playback"]:
        if not os.access(programs / name, os.X_OK):
            fail(f"{programs / name} is missing. `make build` builds it.")
    for tool in ["ffmpeg", "mpv"]:
        if shutil.which(tool) is None:
            fail(f"{tool} is missing. `deploy/setup run test` installs it.")
    with tempfile.TemporaryDirectory(prefix="lb-") as folder:
        bench = Bench(programs, arguments.short, pathlib.Path(folder))
        print_preamble(first_line("mpv", "--version").split(" Copyright")[0])
        bench.prepare()
        for section in arguments.only or SECTIONS:
            SECTIONS[section](bench)
    if bench.broken:
        sys.exit("bench: " + "; ".join(bench.broken))


if __name__ == "__main__":
    main()
