"""Lunara's bus and the systems compared with it, each with a publisher, a reader and, where it needs one, a server."""
import contextlib
import json
import os
import pathlib
import queue
import secrets
import shutil
import socket
import subprocess
import threading
import time

from figures import fail, first_line, free_port, wait_for

HERE = pathlib.Path(__file__).parent

# The scheduling of all measured processes: None for the usual one, a number for a real-time priority.
priority = None


def prioritise():
    if priority is not None:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(priority))


class Process:
    """A client that prints its results line by line. It ends with the `with` block."""

    def __init__(self, words, log):
        self.words = [str(word) for word in words]
        self.lines = queue.Queue()
        self.log = log
        self.child = subprocess.Popen(self.words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log,
                                      preexec_fn=prioritise, text=True)
        self.pid = self.child.pid
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.child.stdout:
            self.lines.put(line.strip())
        self.lines.put(None)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.child.poll() is None:
            self.child.kill()
        self.child.wait()
        self.child.stdin.close()

    def hears(self, word, limit=60):
        """Waits for a line; returns whether it came in time. A process that ends before fails the bench."""
        deadline = time.monotonic() + limit
        while True:
            try:
                line = self.lines.get(timeout=max(0.01, deadline - time.monotonic()))
            except queue.Empty:
                return None
            if line is None:
                self.log.flush()
                fail(f"{' '.join(self.words)} ended:\n{pathlib.Path(self.log.name).read_text(errors='replace')}")
            if line.startswith(word):
                return line

    def expect(self, word, limit=60):
        line = self.hears(word, limit)
        if line is None:
            fail(f"{' '.join(self.words)} did not say {word} within {limit} s")
        return line

    def tell(self):
        self.child.stdin.write("\n")
        self.child.stdin.flush()

    def stop(self, limit=60):
        """Tells it to stop; returns its report, if there is one."""
        self.tell()
        report = None
        try:
            self.child.wait(limit)
        except subprocess.TimeoutExpired:
            fail(f"{' '.join(self.words)} did not stop")
        while (line := self.lines.get()) is not None:
            if line.startswith("{"):
                report = json.loads(line)
        if self.child.returncode != 0:
            fail(f"{' '.join(self.words)} failed:\n{pathlib.Path(self.log.name).read_text(errors='replace')}")
        return report


@contextlib.contextmanager
def server(words, folder, is_up):
    """Runs another system's server until the end of the block; gives its pid."""
    log = open(folder / "server.log", "w+b")
    child = subprocess.Popen([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=folder,
                             preexec_fn=prioritise)
    try:
        def answers():
            if child.poll() is not None:
                fail(f"{words[0]} ended:\n{(folder / 'server.log').read_text(errors='replace')}")
            return is_up()
        wait_for(answers, f"{words[0]} to answer")
        yield child.pid
    finally:
        child.terminate()
        try:
            child.wait(10)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
        log.close()


def accepts(port):
    def connects():
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0
    return connects


class Lunara:
    def __init__(self, programs, transport="ipc", *, elsewhere=False, forgets=False):
        """The publisher runs on its node's thread, or on another one (`elsewhere`); the reader stores its cursor or not
        (`forgets`)."""
        self.program = programs / "lunara-bus-bench"
        self.elsewhere, self.forgets = elsewhere, forgets
        self.name = "Lunara" + (", said by another thread" if elsewhere else "") + (", heard by a reader without a place" if forgets else "")
        self.transport = transport
        self.security = {"ipc": "the directory's rights", "tcp": "none", "sealed": "sealed (XChaCha20-Poly1305)"}[transport]

    def durability(self, kind):
        journal = {"fact": "journal in SQLite, no fsync", "kept": "journal in SQLite, fsync before it is sent"}.get(kind, "none")
        return journal if kind == "signal" or self.forgets else f"{journal}; effect and place in the reader's database"

    def shown(self):
        return "ipc" if self.transport == "ipc" else "tcp"

    @contextlib.contextmanager
    def run(self, folder):
        self.folder = folder
        # Over tcp the nodes must not share a directory, where they would use ipc.
        for place in ("run", "there"):
            (folder / place).mkdir(mode=0o700)
        key = folder / "household.key"
        key.touch(mode=0o600)
        key.write_text(f"lunara-key-1 {secrets.token_hex(32)}\n")
        self.bases = free_port(), free_port()
        yield None

    def _words(self, role, node, kind, *more):
        words = [self.program, role, f"node={node}", f"kind={kind}", f"database={self.folder / (node + '.sqlite')}", *more]
        if self.transport == "ipc":
            return [*words, f"run={self.folder / 'run'}"]
        own, other = self.bases if role == "publish" else reversed(self.bases)
        words += [f"run={self.folder / ('run' if role == 'publish' else 'there')}", f"listen=tcp://127.0.0.1:{own}",
                  f"seed=127.0.0.1:{other}"]
        return words + ([f"keys={self.folder / 'household.key'}"] if self.transport == "sealed" else [])

    def publisher(self, kind, *more):
        return self._words("publish", "bench@publisher", kind, *more, *(["elsewhere="] if self.elsewhere else []))

    def reader(self, kind, *more, name="reader"):
        return self._words("read", f"hall@{name}", kind, *more, *(["forgets="] if self.forgets else []))


class Peer:
    security = "none"

    def __init__(self, clients):
        self.client = clients / self.source
        self.port = free_port()

    def shown(self):
        return "tcp"

    def publisher(self, kind, *more):
        return [self.client, "publish", *self.options(), *more]

    def reader(self, kind, *more):
        return [self.client, "read", *self.options(), *more]


class NATS(Peer):
    source, library = "nats", "nats"
    programs = ["nats-server"]

    def __init__(self, clients, mode):
        super().__init__(clients)
        self.mode = mode
        self.name = "NATS core" if mode == "core" else "NATS JetStream"

    def durability(self, kind):
        return "none" if self.mode == "core" else "file, acknowledged; fsync every 2 minutes; durable reader, each acknowledged"

    def options(self):
        return [f"url=nats://127.0.0.1:{self.port}", f"mode={self.mode}"]

    def run(self, folder):
        words = ["nats-server", "-a", "127.0.0.1", "-p", self.port]
        if self.mode == "stream":
            words += ["-js", "-sd", folder / "stream"]
        return server(words, folder, accepts(self.port))


class Redis(Peer):
    source, library = "redis", "hiredis"
    programs = ["redis-server"]

    def __init__(self, clients, mode):
        super().__init__(clients)
        self.mode = mode
        self.name = "Redis PUBLISH" if mode == "channel" else "Redis Streams"

    def durability(self, kind):
        return "none" if self.mode == "channel" else "append-only file, `appendfsync always`"

    def options(self):
        return [f"port={self.port}", f"mode={self.mode}"]

    def run(self, folder):
        words = ["redis-server", "--bind", "127.0.0.1", "--port", self.port, "--dir", folder, "--save", ""]
        if self.mode == "stream":
            words += ["--appendonly", "yes", "--appendfsync", "always"]
        return server(words, folder, accepts(self.port))


class Mosquitto(Peer):
    source, library = "mosquitto", "mosquitto"
    programs = ["mosquitto"]

    def __init__(self, clients, quality):
        super().__init__(clients)
        self.quality = quality
        self.name = f"mosquitto QoS {quality}"

    def durability(self, kind):
        return "none" if self.quality == 0 else "memory, acknowledged; written out every 30 minutes and at its end"

    def options(self):
        return [f"port={self.port}", f"qos={self.quality}"]

    def run(self, folder):
        file = folder / "mosquitto.conf"
        file.write_text(
            f"listener {self.port} 127.0.0.1\nallow_anonymous true\nset_tcp_nodelay true\nmax_queued_messages 0\n"
            f"max_inflight_messages 0\npersistence true\npersistence_location {folder}/\n"
            + ("user root\n" if os.geteuid() == 0 else ""))
        return server(["mosquitto", "-c", file], folder, accepts(self.port))


def build_clients(folder):
    """Compiles the clients of the other systems; fails where one of them, or a server, is missing."""
    folder.mkdir()
    # Debian installs servers in folders that are not in everyone's PATH.
    os.environ["PATH"] = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    compiler = shutil.which("cc") or shutil.which("clang")
    if compiler is None:
        fail("There is no C compiler, neither cc nor clang, for the clients of the peers.")
    for peer in (NATS, Redis, Mosquitto):
        for program in peer.programs:
            if shutil.which(program) is None:
                fail(f"{program} is missing. `deploy/setup test` installs it.")
        source = HERE / "Peers" / f"{peer.source}.c"
        done = subprocess.run([compiler, "-O2", "-Wall", "-Wextra", "-Werror", "-o", folder / peer.source, source,
                               f"-l{peer.library}", "-lpthread"], capture_output=True, text=True)
        if done.returncode != 0:
            fail(f"{source.name} does not compile. `deploy/setup test` installs what it needs.\n{done.stderr}")


def versions():
    """The servers of the other systems with their versions."""
    redis = dict(word.split("=", 1) for word in first_line("redis-server", "--version").split() if "=" in word)
    # mosquitto prints its version with its usage, and exits with 3.
    usage = subprocess.run(["mosquitto", "-h"], capture_output=True, text=True, check=False).stdout
    mosquitto = usage.split("\n", 1)[0].removeprefix("mosquitto version ")
    return [first_line("nats-server", "--version").replace(":", ""), f"redis-server {redis.get('v', '?')}",
            "mosquitto " + mosquitto]
