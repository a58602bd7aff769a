"""Rooms with a library and a router as separate processes, for benches and chaos tests; nothing restarts them."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

from figures import fail, free_port, wait_for


class Rooms:
    """A library, a router and some rooms in their own folders; everything ends with the `with` block."""

    def __init__(self, programs, rooms=("bench",), music=None, settings=None):
        self.programs, self.rooms = programs, list(rooms)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="lb-"))
        self.run = self.folder / "run"
        plain = {key: value for key, value in os.environ.items() if not key.startswith("LUNARA_")}
        plain.pop("DBUS_SESSION_BUS_ADDRESS", None)
        self.environment = plain | {
            "HOME": str(self.folder), "LUNARA_HOME": str(self.folder / "home"), "LUNARA_RUN": str(self.run),
            "LUNARA_CONFIG": str(self.folder / "none"), "LUNARA_AUDIO": "null", "LUNARA_MEDIA": f"127.0.0.1:{free_port()}",
            "LUNARA_DEBUGGABLE": "1", "SWIFT_BACKTRACE": "enable=no"}
        if music:
            self.environment["LUNARA_MUSIC"] = str(music)
        self.environment |= settings or {}
        (self.folder / "none").touch()
        self.log = open(self.folder / "log", "ab")
        self.children = {}

    def __enter__(self):
        self.run.mkdir(mode=0o700)
        try:
            for name in ["library", "router", *self.rooms]:
                self.start(name)
            wait_for(lambda: len([node for node in self.nodes() if not node["away"]]) == len(self.children),
                     "library, router and rooms")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for child in self.children.values():
            child.terminate()
        for child in self.children.values():
            try:
                child.wait(10)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self, name, **settings):
        """Starts `library`, `router` or the room of that name."""
        is_room = name in self.rooms
        program = "lunara-playback" if is_room else f"lunara-{name}"
        environment = self.environment | ({"LUNARA_ROOM": name} if is_room else {}) | settings
        self.children[name] = subprocess.Popen(
            [self.programs / program], env=environment, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)

    def nodes(self):
        return (self.lunara("status", "--json", may_fail=True) or {"nodes": []})["nodes"]

    def lunara(self, *words, may_fail=False):
        """Returns the output of `lunara WORDS`: parsed where it is JSON; None where it failed and `may_fail` is set."""
        done = subprocess.run([self.programs / "lunara", *words], env=self.environment, capture_output=True, timeout=60)
        if done.returncode != 0:
            if may_fail:
                return None
            fail(f"lunara {' '.join(words)}: {done.stderr.decode(errors='replace')}\n{self.transcript()}")
        return json.loads(done.stdout) if "--json" in words else done.stdout.decode()

    def room(self, name=None):
        """The state of a room, as `lunara rooms` shows it."""
        rooms = self.lunara("rooms", "--json")
        return next(room for room in rooms if name is None or room["name"] == name)

    def albums(self, count):
        """The albums by title, once there are that many."""
        found = wait_for(lambda: len(items := self.lunara("albums", "--json")["items"]) >= count and items, f"{count} albums")
        return {album["title"]: album["id"] for album in found}

    def transcript(self):
        return (self.folder / "log").read_text(errors="replace")[-4000:]


def encode(path, *words, tags=None):
    """Makes an audio file with ffmpeg."""
    path.parent.mkdir(parents=True, exist_ok=True)
    marks = [word for name, value in (tags or {}).items() for word in ("-metadata", f"{name}={value}")]
    done = subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-y", *words, *marks, path], capture_output=True, text=True)
    if done.returncode != 0:
        fail(f"ffmpeg cannot make {path.name}: {done.stderr}")
