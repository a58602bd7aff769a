"""Machines that are network namespaces, joined by a bridge in a namespace of its own.

A namespace lives as long as the process that holds it, and that one ends when its standard input closes. So nothing
stays behind, however the lab ends. No address of the machine that it runs on is touched.
"""
import ctypes
import os
import subprocess
import threading

from relay import Relay, open_tap

CLONE_NEWNET = 0x40000000
libc = ctypes.CDLL(None, use_errno=True)


class Namespace:
    """A network namespace, at first with a loopback device only."""

    def __init__(self):
        self.holder = subprocess.Popen(
            ["unshare", "--net", "--", "sh", "-c", "ip link set lo up && echo up && exec cat"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.holder.stdout.readline() != "up\n":
            self.close()
            raise RuntimeError("no network namespace can be made here: that needs root with CAP_SYS_ADMIN and CAP_NET_ADMIN")
        self.pid = self.holder.pid

    def enter(self, *words):
        """Returns the words that run a command in this namespace; no further process stays beside it."""
        return ["nsenter", f"--net=/proc/{self.pid}/ns/net", "--", *map(str, words)]

    def ip(self, *words):
        done = subprocess.run(self.enter("ip", *words), capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"ip {' '.join(map(str, words))}: {done.stderr.strip()}")

    def call(self, body):
        """Calls `body` on a thread in this namespace; the sockets and devices that it opens stay in it."""
        found = {}

        def run():
            try:
                with open(f"/proc/{self.pid}/ns/net") as namespace:
                    if libc.setns(namespace.fileno(), CLONE_NEWNET):
                        raise OSError(ctypes.get_errno(), "setns")
                found["value"] = body()
            except BaseException as error:
                found["error"] = error

        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
        if "error" in found:
            raise found["error"]
        return found["value"]

    def close(self):
        self.holder.stdin.close()
        self.holder.wait()


class Machine(Namespace):
    """A namespace with one device, `eth0`, whose other end is a port of the bridge."""

    def __init__(self, hub, name, number):
        super().__init__()
        self.hub, self.name, self.relay = hub, name, None
        self.address = f"10.77.0.{number}"
        self.mac = f"02:00:00:00:00:{number:02x}"
        self.port = f"to-{name}"
        hub.ip("link", "add", self.port, "type", "veth", "peer", "name", "eth0", "netns", self.pid)
        hub.ip("link", "set", self.port, "master", "bridge", "up")
        self._raise("eth0")

    def _raise(self, device):
        self.ip("link", "set", device, "address", self.mac)
        self.ip("address", "add", f"{self.address}/24", "dev", device)
        self.ip("link", "set", device, "up")

    def cut(self):
        """Removes the port from the bridge: no frame passes any more, and neither side gets an error."""
        self.hub.ip("link", "set", self.port, "nomaster")

    def join(self):
        self.hub.ip("link", "set", self.port, "master", "bridge")

    def worsen(self, **faults):
        """Replaces the good cable by a slow and lossy one; connections stay open."""
        self.cut()
        self.ip("link", "set", "eth0", "down")
        self.ip("address", "flush", "dev", "eth0")
        inner = self.call(lambda: open_tap("bad0"))
        outer = self.hub.call(lambda: open_tap(f"bad-{self.name}"))
        self._raise("bad0")
        self.hub.ip("link", "set", f"bad-{self.name}", "master", "bridge", "up")
        self.relay = Relay(inner, outer, **faults)

    def mend(self):
        """Puts the good cable back; returns the relay of the bad one, for its counts."""
        relay, self.relay = self.relay, None
        relay.close()
        self._raise("eth0")
        self.join()
        return relay

    def close(self):
        if self.relay:
            self.relay.close()
        super().close()


class Bridge(Namespace):
    """The bridge that connects the machines."""

    def __init__(self):
        self.machines = []
        super().__init__()
        self.ip("link", "add", "bridge", "type", "bridge", "forward_delay", "0")
        self.ip("link", "set", "bridge", "up")

    def machine(self, name):
        self.machines.append(Machine(self, name, len(self.machines) + 1))
        return self.machines[-1]

    def close(self):
        for machine in self.machines:
            machine.close()
        super().close()
