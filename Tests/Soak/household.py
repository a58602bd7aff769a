"""The household of the soak test: one machine with all services, a second room, and the disturbances."""
import ctypes
import os
import random
import shutil
import subprocess
import sys
import threading
import urllib.request
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "deploy/lab"))
import network  # noqa: E402  (the lab's)

loader = SourceFileLoader("scrobbles", str(HERE.parent / "Chaos/scrobbles"))
scrobbles = module_from_spec(spec_from_loader("scrobbles", loader))
loader.exec_module(scrobbles)
scrobbles.house.SERVICES = ["library", "media", "router", "scrobble", "nowplaying", "web", "playback"]
SECOND_MACHINE = "playback of the den"


class NetworkLink:
    """The network between the two machines. The whole run is inside the first one; without root both are one
    machine."""

    def __init__(self):
        self.bridge = self.den = self.relay = None
        self.is_cut = False
        if os.geteuid() == 0:
            try:
                self.bridge = network.Bridge()
            except (OSError, RuntimeError) as error:
                self.why = str(error)
                return
            self.address = self.bridge.machine("attic").address
            self.den = self.bridge.machine("den")
            with open(f"/proc/{self.bridge.machines[0].pid}/ns/net") as namespace:
                if network.libc.setns(namespace.fileno(), network.CLONE_NEWNET):
                    raise OSError(ctypes.get_errno(), "setns")
        else:
            self.why = "it needs root"

    def mend(self):
        if self.den and self.is_cut:
            self.den.join()
        if self.den and self.relay:
            self.den.mend()
        self.is_cut, self.relay = False, None

    def cut(self):
        self.mend()
        self.den.cut()
        self.is_cut = True

    def worsen(self):
        self.mend()
        self.den.worsen(delay=0.04, jitter=0.02, loss=0.05)
        self.relay = True

    def close(self):
        if self.bridge:
            self.bridge.close()


class Household(scrobbles.Household):
    """All services and the kitchen on one machine; the den on a second machine."""

    def __init__(self, programs, folder, services, link):
        self.link = link
        self.den_home = folder / "den"
        self.den_home.mkdir()
        self.network = {}
        if link.den:
            key = folder / "household.key"
            (folder / "home").mkdir(mode=0o700)
            subprocess.run([programs / "lunara", "key", "new"], check=True, capture_output=True,
                           env={"PATH": os.environ["PATH"], "HOME": str(folder), "LUNARA_HOME": f"{folder}/home", "LUNARA_KEY_FILE": str(key)})
            self.network = {"LUNARA_LISTEN": f"tcp://{link.address}", "LUNARA_KEY_FILE": str(key), "LUNARA_MEDIA": f"{link.address}:8788"}
        super().__init__(programs, folder, 100, services)
        self.logs[SECOND_MACHINE] = open(folder / "den.log", "ab")
        self.start(SECOND_MACHINE)

    def start(self, name):
        self.environment |= self.network
        if name != SECOND_MACHINE:
            return super().start(name)
        environment = self.environment | {"LUNARA_ROOM": "den", "LUNARA_HOME": str(self.den_home)}
        words = [self.programs / "lunara-playback"]
        if self.link.den:
            environment |= {"LUNARA_RUN": f"{self.folder}/run-den", "LUNARA_LISTEN": f"tcp://{self.link.den.address}",
                            "LUNARA_SEEDS": self.link.address}
            words = self.link.den.enter(*words)
        self.children[name] = subprocess.Popen(
            words, env=environment, stdin=subprocess.DEVNULL, stdout=self.logs[name], stderr=self.logs[name])

    def den_is_ready(self):
        """Returns true if the den's present process has told that it is ready."""
        log = Path(self.logs[SECOND_MACHINE].name).read_text(errors="replace")
        return any("ready" in line and line.endswith(f"pid={self.children[SECOND_MACHINE].pid}") for line in log.splitlines())

    def restart(self, name, is_polite):
        if not is_polite:
            return self.kill(name)
        child = self.children[name]
        if child.poll() is not None:
            raise RuntimeError(f"{name} ended by itself with {child.returncode}: see {self.logs[name].name}")
        child.terminate()
        if child.wait(60):
            raise RuntimeError(f"{name} ended with {child.returncode} at SIGTERM: see {self.logs[name].name}")
        self.kills[name] += 1
        self.start(name)

    def rooms(self):
        import json
        return {room["name"]: room for room in json.loads(self.lunara("rooms", "--json") or "[]")}

    def den(self, query):
        import sqlite3
        connection = sqlite3.connect(f"file:{next(self.den_home.glob('**/playback*.sqlite'))}?mode=ro", uri=True, timeout=30)
        try:
            return connection.execute(query).fetchall()
        finally:
            connection.close()


class Browser(threading.Thread):
    """A browser that opens the page's event stream, reads for a while, and disconnects without closing."""

    def __init__(self, port, seed):
        super().__init__(daemon=True)
        self.port, self.dice, self.over, self.visits, self.bytes = port, random.Random(seed), threading.Event(), 0, 0

    def run(self):
        while not self.over.wait(self.dice.uniform(0.1, 3)):
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/v1/events", timeout=2) as stream:
                    for _ in range(self.dice.randrange(1, 60)):
                        line = stream.readline()
                        self.bytes += len(line)
                        if not line or self.over.is_set():
                            break
                self.visits += 1
            except OSError:
                # The page's server is restarting, or the stream is silent: connects again.
                self.visits += 1


class ChangingMusicFolder:
    """A music folder that changes daily: one album is added, one renamed, one removed."""

    def __init__(self, music):
        self.music, self.number = music, 0

    def change(self):
        self.number += 1
        for place in self.music.glob("Today *"):
            shutil.rmtree(place)
        place = self.music / f"Today {self.number}"
        place.mkdir()
        for number in (1, 2, 3):
            tags = {"artist": "The Weather", "album_artist": "The Weather", "album": f"Today {self.number}", "title": f"Hour {number} of {self.number}",
                    "track": str(number)}
            subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-y", "-i", self.music / f"Tide Tables/{number:02}.flac", "-c", "copy", "-map_metadata", "-1",
                            *[word for name, value in tags.items() for word in ("-metadata", f"{name}={value}")], place / f"{number}.flac"], check=True)
