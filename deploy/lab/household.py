"""The household of the lab: hosts that run the real services, each with folders of its own."""
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import threading
import time

ALL = {"library": "library@main", "router": "router@main", "scrobble": "scrobble@main", "web": "web@main"}


class Failure(Exception):
    """A check of the lab has failed."""


# The longest time to wait for anything, in seconds: far longer than it should take, so that slow machines do not fail.
PATIENCE = 60


def until(what, read, pause=0.05, equals=None, at_least=None):
    """Calls `read` until its value is true, or equals `equals` or is at least `at_least` where one of them is given.

    Returns the value and the time that it took, in seconds.
    """
    def is_so(found):
        return found == equals if equals is not None else found >= at_least if at_least is not None else found

    start = time.monotonic()
    while True:
        found = read()
        if is_so(found):
            return found, time.monotonic() - start
        if time.monotonic() - start > PATIENCE:
            raise Failure(f"not within {PATIENCE} s: {what}; the last value: {found!r}")
        time.sleep(pause)


def hold(is_so, what):
    if not is_so:
        raise Failure(what)


class Host:
    """A machine of the household."""

    def __init__(self, lab, name, seeds=(), room=None):
        self.lab, self.name, self.children = lab, name, {}
        self.machine = lab.bridge.machine(name)
        self.folder = lab.folder / name
        self.folder.mkdir()
        (self.folder / "home").mkdir(mode=0o700)
        # All hosts have the same files, so they have one host id for the library, which gives paths only to rooms on
        # its own host.
        (self.folder / "home/host-id").write_text("lab")
        self.key = self.folder / "household.key"
        self.environment = {
            "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "HOME": str(self.folder),
            "LUNARA_HOME": f"{self.folder}/home", "LUNARA_RUN": f"{self.folder}/run",
            "LUNARA_LISTEN": f"tcp://{self.machine.address}", "LUNARA_SEEDS": ",".join(seeds),
            "LUNARA_KEY_FILE": str(self.key), "LUNARA_ROOM": room or name, "LUNARA_MUSIC": f"{lab.folder}/music",
            "LUNARA_AUDIO": "null", "LUNARA_AUDIO_SPEED": "10", "SWIFT_BACKTRACE": "enable=no",
            # Descriptor 0 is a pipe from the lab: the services end when the lab does, in whatever way.
            "LUNARA_PARENT_FD": "0"}
        if "LD_LIBRARY_PATH" in os.environ:
            self.environment["LD_LIBRARY_PATH"] = os.environ["LD_LIBRARY_PATH"]

    def give_key(self, key):
        """Copies a key file to this host."""
        shutil.copyfile(key, self.key)
        self.key.chmod(0o600)

    def launch(self, name, words, before=(), **settings):
        log = open(self.folder / f"{name}.log", "ab")
        # The soft limit of descriptors is 1024, as under systemd and at a login.
        self.children[name] = subprocess.Popen(
            ["prlimit", "--nofile=1024:", *self.machine.enter(*before, self.lab.programs / words[0], *words[1:])],
            env=self.environment | settings, stdin=subprocess.PIPE, stdout=log, stderr=log)
        return self.children[name]

    def start(self, *services, **settings):
        for service in services:
            self.launch(service, [f"lunara-{service}"], **settings)

    def worker(self, role, **options):
        """Starts a node of Tests/Chaos, which by its role writes facts, reads them or sends commands that cause them."""
        node = f"{'chaos' if role == 'handler' else role}@{self.name}"
        options = {
            "node": node, "folder": self.folder, "run": f"{self.folder}/run", "key": self.key, "host": self.name,
            "listen": f"tcp://{self.machine.address}", "seeds": self.lab.seed, "kept": f"{self.folder}/home/kept",
        } | options
        return self.launch(role, ["lunara-chaos-node", role, *(f"{name}={value}" for name, value in options.items())])

    def kill(self, *names):
        """Kills processes with SIGKILL, all at once."""
        for name in names:
            self.children[name].kill()
        for name in names:
            self.children.pop(name).wait()

    def stop(self, *names):
        for name in names:
            self.children[name].stdin.close()
            self.children[name].terminate()
        for name in names:
            child = self.children.pop(name)
            try:
                child.wait(5)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()

    def said(self, name):
        """Returns the log of a process."""
        return (self.folder / f"{name}.log").read_text(errors="replace")

    def lunara(self, *words, **settings):
        """Runs `lunara` on this host; returns its output, or None if it failed."""
        done = subprocess.run(
            self.machine.enter(self.lab.programs / "lunara", *words), env=self.environment | settings, capture_output=True,
            text=True, timeout=30)
        return done.stdout if done.returncode == 0 else None

    def nodes(self):
        """Returns the services that this host sees: by their name, True if the service is away."""
        status = self.lunara("status", "--json")
        nodes = json.loads(status)["nodes"] if status else []
        return {f"{node['role']}@{node['name']}": node["away"] for node in nodes}

    def room(self, name):
        rooms = json.loads(self.lunara("rooms", "--json") or "[]")
        return next((room for room in rooms if room["name"] == name), None)

    def shown(self, name):
        """Returns a room as soon as it is there and answers."""
        return until(f"{self.name} shows the {name}", lambda: (room := self.room(name)) and not room["away"] and room)[0]

    def set_volume(self, room, percent):
        until(f"the {room} takes a volume", lambda: self.lunara("volume", percent, "--room", room) is not None)

    def counted(self, name, *nodes):
        """Returns the sum of a metric over these nodes, once all of them have answered."""
        def of(node, text):
            role, place = node.split("@")
            return [float(value) for labels, value in re.findall(rf"^{name}{{(.*)}} ([0-9.e+]+)$", text, re.M)
                    if f'role="{role}"' in labels and f'name="{place}"' in labels]

        def read():
            text = self.lunara("status", "--metrics") or ""
            told = [of(node, text) for node in nodes]
            return told if all(told) else None

        return sum(map(sum, until(f"{self.name} has {name} of {' and '.join(nodes)}", read)[0]))

    def presences(self):
        """Returns the lines in which this host's sink has reported that nodes went away and came back."""
        return [line for line in self.said("sink").splitlines() if line.startswith(("AWAY", "HERE"))]

    def until_told(self, what, since):
        """Waits until the sink writes a line after the first `since` ones; returns the time that it took, in seconds."""
        return until(f"{self.name} hears {what}", lambda: what in self.presences()[since:], pause=0.01)[1]

    def ports(self, name):
        """Returns the ports of a process: its inbox and its request socket."""
        pid = self.children[name].pid
        listing = subprocess.run(self.machine.enter("ss", "-Hltnp"), capture_output=True, text=True).stdout
        ports = {int(line.split()[3].rpartition(":")[2]) for line in listing.splitlines() if f"pid={pid}," in line}
        return sorted(port for port in ports if 7700 <= port < 7764)

    def size(self, name):
        """Returns the number of descriptors and the resident kilobytes of a process."""
        pid = self.children[name].pid
        resident = re.search(r"VmRSS:\s+(\d+)", open(f"/proc/{pid}/status").read())
        return len(os.listdir(f"/proc/{pid}/fd")), int(resident[1])

    def rows(self, database, query):
        if "/" in database:
            home, database = database.split("/")
            places = [*self.folder.glob(f"{home}/**/{database}*.sqlite")]
        else:
            places = [*self.folder.glob(f"home/**/{database}*.sqlite"), *self.folder.glob(f"{database}.sqlite")]
        hold(places, f"{self.name} has no database {database}")
        connection = sqlite3.connect(f"file:{places[0]}?mode=ro", uri=True, timeout=30)
        try:
            return connection.execute(query).fetchall()
        finally:
            connection.close()

    def count(self, database, table, condition="1"):
        return self.rows(database, f"SELECT count(*) FROM {table} WHERE {condition}")[0][0]

    def facts(self, database, kind):
        rows = self.rows(database, f"SELECT CAST(payload AS TEXT) FROM bus_facts WHERE kind = '{kind}' ORDER BY seq")
        return [json.loads(row[0]) for row in rows]


def record(folder):
    """Makes two albums of three tracks; those over 30 s can count as listens."""
    commands = []
    for album, lengths in [("Morning Tide", [36, 38, 20]), ("Evening Ebb", [40, 31, 34])]:
        place = folder / album
        place.mkdir(parents=True)
        for number, seconds in enumerate(lengths, 1):
            tags = {"artist": "The Lanterns", "album_artist": "The Lanterns", "album": album,
                    "title": f"{album} {number}", "track": f"{number}/3"}
            commands.append(subprocess.Popen(
                ["ffmpeg", "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i",
                 f"sine={200 + 50 * number}:sample_rate=8000:duration={seconds}",
                 *[word for name, value in tags.items() for word in ("-metadata", f"{name}={value}")],
                 place / f"{number:02}.flac"]))
    for command in commands:
        hold(command.wait() == 0, "ffmpeg records nothing")
