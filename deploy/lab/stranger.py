#!/usr/bin/env python3
"""Somebody on the household's network who has no key: listens, repeats what was heard, and floods.

usage: stranger.py ADDRESS SECONDS CONNECTIONS MEGABITS PORT…     floods these ports
"""
import contextlib
import os
import random
import select
import socket
import struct
import sys
import threading
import time
from collections import defaultdict

# The first bytes of nanomsg on a connection: a PUB socket (2.0) connects to an inbox, which has an even port, a REQ
# socket (3.0) to a request socket, which has an odd port.
GREETING = {0: b"\0SP\0\0\x20\0\0", 1: b"\0SP\0\0\x30\0\0"}


def greeting(port):
    return GREETING[port % 2]


class PacketCapture:
    """Captures the frames at a port of the bridge, and stores the data of each TCP connection."""

    def __init__(self, bridge, device):
        self.streams = defaultdict(dict)
        self.starts = {}
        self.socket = bridge.call(lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3)))
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 24)
        self.socket.bind((device, 3))
        self.wake, self.stop = os.pipe()
        self.thread = threading.Thread(target=self._hear, daemon=True)
        self.thread.start()

    def _hear(self):
        while True:
            ready, _, _ = select.select([self.socket, self.wake], [], [])
            if self.wake in ready:
                return
            self._take(self.socket.recv(1 << 17))

    def _take(self, frame):
        if len(frame) < 54 or frame[12:14] != b"\x08\x00" or frame[23] != 6:
            return
        packet = frame[14:14 + struct.unpack("!H", frame[16:18])[0]] or frame[14:]
        header = 4 * (packet[0] & 15)
        source, target, sequence, _, lengths = struct.unpack("!HHIIH", packet[header:header + 14])
        stream = (packet[12:16], source, packet[16:20], target)
        if lengths & 2:
            self.starts[stream] = sequence + 1
        payload = packet[header + 4 * (lengths >> 12):]
        if payload and stream in self.starts:
            self.streams[stream][(sequence - self.starts[stream]) & 0xFFFFFFFF] = payload

    def close(self):
        os.write(self.stop, b".")
        self.thread.join()
        self.socket.close()

    def spoken_to(self, address):
        """Returns the messages to an address: for each connection to a port from 7700 on, the port and its messages."""
        found = []
        for (_, _, target, port), parts in list(self.streams.items()):
            if socket.inet_ntoa(target) != address or not 7700 <= port < 7764:
                continue
            said = b""
            for place in sorted(list(parts)):
                if place > len(said):
                    break
                said = said[:place] + parts[place]
            if said[:8] == greeting(port):
                found.append((port, list(messages(said[8:]))))
        return found


def messages(said):
    while len(said) >= 8:
        length = struct.unpack("!Q", said[:8])[0]
        if len(said) < 8 + length:
            return
        yield said[8:8 + length]
        said = said[8 + length:]


@contextlib.contextmanager
def repeated(namespace, address, spoken):
    """Sends captured messages again, on one connection for each port, which stays open.

    A node closes the oldest connections of a stranger that opens more than 24 at a port, and would not count what it had
    not read of them.
    """
    with contextlib.ExitStack() as connections:
        for port in {port for port, _ in spoken}:
            dialled = namespace.call(lambda: socket.create_connection((address, port), timeout=10))
            connection = connections.enter_context(dialled)
            said = [one for other, messages in spoken if other == port for one in messages]
            connection.sendall(greeting(port) + b"".join(struct.pack("!Q", len(one)) + one for one in said))
        yield


def flood(address, seconds, connections, megabits, ports):
    """Opens connections, half of them silent, and sends noise on the others; prints their number and the Mbit/s."""
    end = time.monotonic() + seconds
    dice = random.Random(7)
    noise = [struct.pack("!Q", size) + dice.randbytes(size) for size in (20, 300, 2000, 60000)]
    # Some of the noise looks like frames.
    noise += [struct.pack("!Q", 400) + b"playback.den.state.\0\x11" + dice.randbytes(380) for _ in range(8)]

    def dial(port):
        connection = socket.socket()
        connection.setblocking(False)
        connection.connect_ex((address, port))
        return [connection, port, greeting(port)]

    opened, sent = [], 0
    while (turn := time.monotonic()) < end:
        for _ in range(min(50, connections - len(opened))):
            opened.append(dial(ports[len(opened) % len(ports)]))
        left = megabits * 125_000 / 50
        for index in dice.sample(range(0, len(opened), 2), min(len(opened) // 2, 40)):
            connection, port, rest = opened[index]
            try:
                while left > 0:
                    count = connection.send(rest)
                    sent, left = sent + count, left - count
                    rest = opened[index][2] = rest[count:] or b"".join(dice.choices(noise, k=8))
            except BlockingIOError:
                continue
            except OSError:
                connection.close()
                opened[index] = dial(port)
        time.sleep(max(0, 0.02 - (time.monotonic() - turn)))
    print(len(opened), f"{sent * 8 / seconds / 1e6:.0f}", flush=True)
    for connection, _, _ in opened:
        connection.close()


if __name__ == "__main__":
    address, seconds, connections, megabits, *ports = sys.argv[1:]
    flood(address, float(seconds), int(connections), float(megabits), [int(port) for port in ports])
