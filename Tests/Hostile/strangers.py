"""Strangers at the ports of a household: unfinished messages, silence, noise, and broken HTTP."""
import os
import re
import socket
import struct
import threading
import time
from pathlib import Path

# The first bytes of nanomsg on a connection, of a PUB and of a REQ socket, and of nothing at all.
GREETINGS = [b"\0SP\0\0\x20\0\0", b"\0SP\0\0\x30\0\0", b""]
REQUESTS = [
    b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ", b"POST /api/v1/session HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef", b"GET /" + b"a" * 70_000, b"\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03" * 20,
    b"GET /media/x HTTP/1.1\r\n", b""]


def listening_ports(pid):
    """Returns the TCP ports that a process listens at."""
    inodes = set()
    for number in os.listdir(f"/proc/{pid}/fd"):
        try:
            if found := re.fullmatch(r"socket:\[(\d+)\]", os.readlink(f"/proc/{pid}/fd/{number}")):
                inodes.add(found[1])
        except OSError:
            pass  # It was closed meanwhile.
    ports = set()
    for name in ("tcp", "tcp6"):
        for line in Path(f"/proc/{pid}/net/{name}").read_text().splitlines()[1:]:
            cells = line.split()
            if cells[3] == "0A" and cells[9] in inodes:
                ports.add(int(cells[1].rpartition(":")[2], 16))
    return sorted(ports)


class Strangers(threading.Thread):
    """Opens connections to all ports, holds up to `width` of them, and closes the oldest for new ones."""

    def __init__(self, dice, bus_ports, http_ports, count, width=300):
        super().__init__(daemon=True)
        self.dice, self.bus_ports, self.http_ports = dice, bus_ports, http_ports
        self.count, self.width, self.made, self.refused, self.over = count, width, 0, 0, threading.Event()

    def run(self):
        held = []
        while self.made < self.count and not self.over.is_set():
            if len(held) >= self.width:
                held.pop(0).close()
            self.made += 1
            try:
                held.append(self.connect())
            except OSError:
                self.refused += 1
                time.sleep(0.01)
        self.over.wait(5)
        for connection in held:
            connection.close()

    def connect(self):
        is_bus = self.dice.random() < 0.7
        connection = socket.create_connection(("127.0.0.1", self.dice.choice(self.bus_ports if is_bus else self.http_ports)), timeout=2)
        connection.settimeout(0.2)
        try:
            connection.sendall(self.noise() if is_bus else self.dice.choice(REQUESTS))
        except OSError:
            pass  # It is full, or was closed: it stays one of the held connections.
        return connection

    def noise(self):
        dice = self.dice
        size = dice.choice([1 << 20, 256 << 10, 20_000, (1 << 63) - 1, 100])
        body = dice.randbytes(min(size, dice.choice([0, 10, 19_000, 250_000])))
        return dice.choice(GREETINGS) + struct.pack(">Q", size) + body
