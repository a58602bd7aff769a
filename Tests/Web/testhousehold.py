"""A household for the browser: its own folders and ports, two rooms, and a library that a test can kill."""
import contextlib
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

LIMIT = 60


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(read, what, limit=LIMIT, pause=0.05, equals=None):
    """Calls `read` until its value is true, or equals `equals` where that is given, and returns the value.

    The limit only ends a test that hangs.
    """
    end = time.monotonic() + limit
    while True:
        value = read()
        if value == equals if equals is not None else value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"waited {limit} s in vain for {what}; the last value: {value!r}")
        time.sleep(pause)


class TestHousehold:
    """`lunara up` without the library, which is a process of its own, and a second room. All end with the `with` block."""

    def __init__(self, programs, music, rooms=("kitchen", "study"), environment=None):
        self.programs = pathlib.Path(programs)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="lunara-web-"))
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        plain = {key: value for key, value in os.environ.items() if not key.startswith("LUNARA_")}
        plain.pop("DBUS_SESSION_BUS_ADDRESS", None)
        self.environment = plain | {
            "HOME": str(self.folder), "LUNARA_HOME": str(self.folder / "home"), "LUNARA_RUN": str(self.folder / "run"),
            "LUNARA_ROOM": rooms[0], "LUNARA_AUDIO": "null", "LUNARA_WEB": f"127.0.0.1:{self.port}",
            "LUNARA_MEDIA": f"127.0.0.1:{free_port()}", "LUNARA_CONFIG": "/dev/null", "LUNARA_MUSIC": str(music),
        } | (environment or {})
        self.rooms = rooms
        self.processes = {}
        self.log = open(self.folder / "log", "wb")

    def __enter__(self):
        try:
            services = "media,playback,router,scrobble,web"
            self.start("up", ["lunara", "up", "--services", services])
            self.start("library", ["lunara-library"])
            for room in self.rooms[1:]:
                home = {"LUNARA_HOME": str(self.folder / f"home-{room}"), "LUNARA_ROOM": room}
                self.start(room, ["lunara-playback"], home)
            wait_for(lambda: {room["name"] for room in self.maybe("rooms") or []} == set(self.rooms), "the rooms")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for process in self.processes.values():
            if process.poll() is None:
                process.terminate()
        for process in self.processes.values():
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.log.close()
        self.transcript = (self.folder / "log").read_text(errors="replace")
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self, name, words, environment=None):
        self.processes[name] = subprocess.Popen(
            [self.programs / words[0], *words[1:]], env=self.environment | (environment or {}), stdin=subprocess.DEVNULL,
            stdout=self.log, stderr=self.log)

    def start_resolver(self, environment=None):
        """Starts a resolver, and waits until the page reaches it. The status may still list one that has ended."""
        self.start("resolver", ["lunara-resolver"], environment)
        pid = self.processes["resolver"].pid
        wait_for(lambda: any(node["pid"] == pid and not node["away"] for node in (self.maybe("status") or {"nodes": []})["nodes"]), "the resolver")

    def start_discovery(self):
        """Starts the service that makes walls, as `lunara up` does without `--services` once its folder is there."""
        wait_for((self.folder / "home/discovery").is_dir, "the folder of discovery")
        self.start("discovery", ["lunara-discovery"])
        wait_for(lambda: self.maybe("discovery"), "the service that makes walls")

    def start_providers(self):
        """Starts the process that talks to services with playlists, unless it runs."""
        if "providers" not in self.processes:
            self.start("providers", ["lunara-providers"])

    def kill(self, name):
        """Kills a process that nobody starts again."""
        self.processes[name].kill()
        self.processes[name].wait()

    def service(self, role):
        """Returns the process id of a service that `lunara up` has started, or None while there is none."""
        up = self.processes["up"].pid
        for child in pathlib.Path(f"/proc/{up}/task/{up}/children").read_text().split():
            with contextlib.suppress(OSError):
                if pathlib.Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")[0].endswith(f"lunara-{role}".encode()):
                    return int(child)
        return None

    def kill_service(self, role):
        """Kills a service, and waits until `lunara up` has started it again."""
        old = wait_for(lambda: self.service(role), role)
        os.kill(old, signal.SIGKILL)
        wait_for(lambda: self.service(role) not in (None, old), f"another {role}")

    def ask(self, path, body=None, method=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            f"{self.address}/api/v1/{path}", data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=LIMIT) as answer:
            return json.load(answer)

    def maybe(self, path):
        try:
            return self.ask(path)
        except (OSError, ValueError):
            return None

    def room(self, name):
        return next(room for room in self.ask("rooms") if room["name"] == name)

    def steer(self, room, **command):
        return self.ask(f"rooms/{room}/transport", command)

    def wait_for_albums(self, count):
        wait_for(lambda: (self.maybe("albums?first=0&limit=1") or {}).get("total"), f"{count} albums", limit=600,
                 equals=count)
