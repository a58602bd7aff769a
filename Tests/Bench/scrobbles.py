#!/usr/bin/env python3
"""Measures the scrobbler: catching up with listens, sending a long queue, now-playing reports, and idling.

Usage: scrobbles.py [--short] [--queued N] FOLDER-OF-PROGRAMS

The services are the stand-ins of Tests/Support/Servers, on this machine. The room is a real one with the null output.

--short takes a fiftieth of everything, for `make test`: it fails when counts are wrong, never because of a time.
"""
import argparse
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request

from figures import MEGABYTE, fail, free_port, heading, median, memory, print_preamble, row, table, wait_for

SERVERS = pathlib.Path(__file__).resolve().parent.parent / "Support/Servers"


class Service:
    """A stand-in that is started on demand, at a port that is known before."""

    def __init__(self, name, *words):
        self.name, self.words, self.port, self.process = name, words, free_port(), None

    def start(self):
        self.process = subprocess.Popen([SERVERS / self.name, "--port", str(self.port), *self.words], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        self.about = json.loads(self.process.stdout.readline())
        return self

    def order(self, verb, **order):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/__control__/{verb}", json.dumps(order).encode(), method="POST")
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def stop(self):
        if self.process:
            self.process.stdin.close()
            self.process.wait(60)
            self.process.stdout.close()
            self.process = None


class Household:
    """A folder, the stand-ins for the services, and the started processes."""

    def __init__(self, programs):
        self.programs, self.folder = programs, pathlib.Path(tempfile.mkdtemp(prefix="lu-", dir="/tmp"))
        self.lastfm, self.listenbrainz = Service("lastfm"), Service("listenbrainz")
        self.children = {}
        self.environment = {
            "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "HOME": str(self.folder), "LUNARA_HOME": f"{self.folder}/home",
            "LUNARA_RUN": f"{self.folder}/run", "LUNARA_ROOM": "den", "LUNARA_MUSIC": f"{self.folder}/music", "LUNARA_AUDIO": "null",
            "LUNARA_MEDIA": f"127.0.0.1:{free_port()}", "SWIFT_BACKTRACE": "enable=no",
            "LUNARA_LASTFM_URL": f"http://127.0.0.1:{self.lastfm.port}/2.0/", "LUNARA_LASTFM_KEY": "0123456789abcdef0123456789abcdef",
            "LUNARA_LASTFM_SECRET": "secret", "LUNARA_LISTENBRAINZ_URL": f"http://127.0.0.1:{self.listenbrainz.port}"}
        if "LD_LIBRARY_PATH" in os.environ:
            self.environment["LD_LIBRARY_PATH"] = os.environ["LD_LIBRARY_PATH"]

    def start(self, *names):
        for name in names:
            with open(self.folder / f"{name}.log", "ab") as log:
                self.children[name] = subprocess.Popen([self.programs / f"lunara-{name}"], env=self.environment, stdin=subprocess.DEVNULL,
                                                       stdout=log, stderr=log)

    def stop(self, *names):
        for name in names or list(self.children):
            child = self.children.pop(name)
            child.terminate()
            child.wait(60)

    def lunara(self, *words, text=None):
        done = subprocess.run([self.programs / "lunara", *words], env=self.environment, input=text, capture_output=True, text=True, timeout=600)
        return done.stdout if done.returncode == 0 else None

    def title(self):
        """The title of the playing track."""
        rooms = json.loads(self.lunara("rooms", "--json") or "[]")
        return rooms[0]["track"]["title"] if rooms and rooms[0].get("track") else None

    def rows(self, name, query):
        files = sorted((self.folder / "home").glob(f"**/{name}*.sqlite"))
        if not files:
            return []
        connection = sqlite3.connect(f"file:{files[0]}?mode=ro", uri=True, timeout=30)
        try:
            return connection.execute(query).fetchall()
        except sqlite3.OperationalError:
            return []  # no tables yet
        finally:
            connection.close()

    def count(self, query):
        return (self.rows("scrobble", query) or [(0,)])[0][0]

    def sign_in(self):
        wait_for(lambda: self.lunara("login", "lastfm", "--user", "tester", text="password\n"), "the sign-in at lastfm")
        wait_for(lambda: self.lunara("login", "listenbrainz", text=self.listenbrainz.about["token"]), "the sign-in at listenbrainz")

    def end(self):
        self.stop()
        self.lastfm.stop()
        self.listenbrainz.stop()
        shutil.rmtree(self.folder)


def used_by(pid):
    """The processor time of a process in seconds, to a hundredth, including threads that have ended."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def fact(number):
    track = {"id": f"files:t{number}", "albumID": "files:a1", "title": f"Title {number}", "artist": "The Lanterns", "albumArtist": "The Lanterns",
             "album": "Tide Tables", "disc": 1, "number": 1 + number % 12, "genres": ["Ambient"], "duration": 200_000}
    moment = time.strftime("%Y-%m-%dT%H:%M:%S.000000Z", time.gmtime(1_700_000_000 + 200 * number))
    subject = {"listen": f"bench-{number:012}", "room": "den", "startedAt": moment,
               "item": {"entry": f"e{number}", "track": track, "origin": {"node": "bench@main"}}}
    return json.dumps({"subject": subject, "heard": 199_000, "reason": "finished"}, separators=(",", ":")).encode()


def catch_up(household, listens):
    """Measures reading the listens that a room recorded while there was no scrobbler."""
    household.start("playback")
    wait_for(lambda: household.rows("playback", "SELECT 1 FROM bus_epochs"), "the room's journal")
    household.stop("playback")
    file = sorted((household.folder / "home").glob("**/playback*.sqlite"))[0]
    with sqlite3.connect(file) as connection:
        head, epoch = connection.execute("SELECT ifnull((SELECT max(seq) FROM bus_facts), 0), max(epoch) FROM bus_epochs").fetchone()
        connection.executemany("INSERT INTO bus_facts (seq, epoch, id, kind, time, payload) VALUES (?, ?, ?, 'playback.listen-ended', ?, ?)",
                               [(head + 1 + i, epoch, f"bench{i:015}", int(time.time() * 1e6), fact(i)) for i in range(listens)])
    connection.close()
    household.start("playback")
    wait_for(lambda: household.lunara("rooms", "--json"), "the room")
    began = time.monotonic()
    household.start("scrobble")
    first = wait_for(lambda: household.count("SELECT count(*) FROM scrobbles") and time.monotonic(), "the first listen", pause=0.005)
    wait_for(lambda: household.count("SELECT count(*) FROM scrobbles") >= listens, "all listens", pause=0.005)
    ended = time.monotonic()
    if household.count("SELECT count(*) FROM bus_facts WHERE kind = 'scrobble.listen-counted'") != listens:
        fail("not every listen was told of once")
    row(f"catch-up of {listens:,} listen facts, from the start of the process", f"{ended - began:.2f} s", "2 s")
    row("of which until the first was taken in", f"{first - began:.2f} s", "")
    household.stop()


def drain(household, queued):
    """Measures sending that many listens to two services that were away."""
    household.lastfm.start(), household.listenbrainz.start()
    household.start("scrobble")
    household.sign_in()
    household.lastfm.stop(), household.listenbrainz.stop()
    before = household.count("SELECT count(*) FROM scrobbles")
    lines = household.folder / "listens.jsonl"
    with lines.open("w") as file:
        for i in range(queued):
            data = {"artist_name": "The Lanterns", "track_name": f"Queued {i}", "release_name": "Tide Tables", "additional_info": {"duration_ms": 200_000}}
            file.write(json.dumps({"listened_at": 1_500_000_000 + i, "track_metadata": data}) + "\n")
    household.start("library")
    wait_for(lambda: household.lunara("albums") is not None, "the library, which has the history")
    if household.lunara("scrobbles", "import", str(lines), "--send") is None:
        fail("the listens were not taken in")
    household.stop("library")
    if household.count("SELECT count(*) FROM scrobbles") != before + queued:
        fail("not every listen was taken in")
    pid, most = household.children["scrobble"].pid, 0
    household.lastfm.start(), household.listenbrainz.start()
    wait_for(lambda: household.lunara("scrobbles", "retry") is not None, "it to be tried at once")
    began, used = time.monotonic(), used_by(pid)
    took, samples = {}, []
    for service in (household.lastfm, household.listenbrainz):
        service.order("policy", **({} if service is household.lastfm else {"limit": 1_000_000}))
    while len(took) < 2:
        time.sleep(0.5)
        samples.append(memory(pid)["Pss"])
        for service in (household.lastfm, household.listenbrainz):
            if service not in took and service.order("summary")["listens"] >= queued:
                took[service] = time.monotonic() - began
        if time.monotonic() - began > 60 + queued / 50:
            fail("the queue was not drained")
    wait_for(lambda: household.count("SELECT count(*) FROM deliveries WHERE state <> 'sent'"), "the last answers",
             equals=0)
    for service in (household.lastfm, household.listenbrainz):
        summary = service.order("summary")
        if summary["listens"] != queued or summary["again"]:
            fail(f"{service.name} has {summary['listens']} of {queued} listens, {summary['again']} came again")
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    peak = int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")))
    row(f"{queued:,} queued listens drained to Last.fm, 50 at a time, a request a quarter of a second", f"{took[household.lastfm]:.0f} s", "the service's limit")
    row("the same to ListenBrainz beside it, 100 at a time", f"{took[household.listenbrainz]:.0f} s", "the service's limit")
    row("memory meanwhile: most private and shared part (PSS); most ever resident", f"{max(samples) / MEGABYTE:.1f} MB; {peak / MEGABYTE:.1f} MB", "40 MB")
    row("processor meanwhile", f"{used_by(pid) - used:.1f} s", "")


def idle(household, seconds):
    pid = household.children["scrobble"].pid
    time.sleep(2)
    before, calls = used_by(pid), household.lastfm.order("log")["total"] + household.listenbrainz.order("log")["total"]
    time.sleep(seconds)
    after = household.lastfm.order("log")["total"] + household.listenbrainz.order("log")["total"]
    row(f"processor time of {seconds} s with nothing to do, two accounts, the bus's heartbeat included",
        f"{100 * (used_by(pid) - before) / seconds:.2f} % of a core, {after - calls} requests", "nil")


def now_playing(household, tracks):
    """Measures the time from the start of a listen in the room's journal until the service has its title."""
    place = household.folder / "music/Tide"
    place.mkdir(parents=True)
    for number in range(1, tracks + 1):
        subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", f"sine={200 + 20 * number}:sample_rate=22050:duration=60",
                        "-metadata", f"title=Tide {number}", "-metadata", "artist=Ada", "-metadata", "album=Tide", "-metadata", f"track={number}",
                        place / f"{number:02}.flac"], check=True)
    household.start("library", "router", "playback")
    wait_for(lambda: household.lunara("sync", "--wait"), "the music")
    wait_for(lambda: household.lunara("play", "Tide"), "the first track")
    late = []
    for number in range(1, tracks + 1):
        seen = wait_for(lambda: (now := household.listenbrainz.order("summary")["now"]) and now["track_metadata"]["track_name"] == f"Tide {number}" and now,
                        f"Tide {number}", pause=0.01)
        started = [json.loads(each[0])["subject"] for each in
                   household.rows("playback", "SELECT CAST(payload AS TEXT) FROM bus_facts WHERE kind = 'playback.listen-started' ORDER BY seq")]
        moment = next(each["startedAt"] for each in reversed(started) if each["item"]["track"]["title"] == f"Tide {number}")
        seconds = time.mktime(time.strptime(moment[:19], "%Y-%m-%dT%H:%M:%S")) - time.timezone + float("0" + moment[19:-1])
        late.append(1000 * (seen["at"] - seconds))
        if number < tracks:
            time.sleep(0.5)
            # A command that failed may still have had its effect.
            wait_for(lambda: household.lunara("next") is not None or household.title() == f"Tide {number + 1}", f"the way to Tide {number + 1}")
    row(f"now-playing at the service, from the first sample of each of {tracks} tracks: p50; most", f"{median(late):.0f} ms; {max(late):.0f} ms", "500 ms")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--short", action="store_true")
    options.add_argument("--queued", type=int, default=100_000)
    options.add_argument("programs", type=pathlib.Path)
    options = options.parse_args()
    part = 50 if options.short else 1
    heading("Scrobbles")
    print_preamble(f"stand-ins of Last.fm and ListenBrainz in Python {sys.version.split()[0]} on this machine")
    print()
    table("what", "figure", "bar")
    household = Household(options.programs.resolve())
    try:
        catch_up(household, 10_000 // part)
        drain(household, options.queued // part)
        idle(household, 60 // part + 1)
        now_playing(household, 20 // (4 if options.short else 1))
    finally:
        household.end()


if __name__ == "__main__":
    main()
