"""A bad cable: frames that enter one tap device leave another one late, out of order or not at all."""
import fcntl
import heapq
import os
import random
import select
import struct
import threading
import time

TUNSETIFF = 0x400454CA
IFF_TAP, IFF_NO_PI = 0x0002, 0x1000


def open_tap(name):
    """Creates a tap device in the network of the calling thread; it vanishes when its descriptor is closed."""
    descriptor = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
    fcntl.ioctl(descriptor, TUNSETIFF, struct.pack("16sH", name.encode(), IFF_TAP | IFF_NO_PI))
    return descriptor


class Relay:
    """Carries Ethernet frames between two taps.

    delay and jitter are seconds: a frame takes from delay - jitter to delay + jitter, so that later frames overtake it.
    """

    def __init__(self, one, other, delay=0.04, jitter=0.02, loss=0.05, seed=1):
        self.ends, self.delay, self.jitter, self.loss = (one, other), delay, jitter, loss
        self.dice = random.Random(seed)
        self.carried = self.lost = self.overtaken = 0
        self.wake, self.stop = os.pipe()
        self.thread = threading.Thread(target=self._carry, daemon=True)
        self.thread.start()

    def _carry(self):
        under_way, latest = [], {end: 0 for end in self.ends}
        while True:
            now = time.monotonic()
            while under_way and under_way[0][0] <= now:
                _, _, end, frame = heapq.heappop(under_way)
                try:
                    os.write(end, frame)
                except OSError:
                    self.lost += 1
            patience = max(0, under_way[0][0] - now) if under_way else None
            ready, _, _ = select.select([*self.ends, self.wake], [], [], patience)
            if self.wake in ready:
                return
            for end in ready:
                self._take(end, under_way, latest)

    def _take(self, end, under_way, latest):
        other = self.ends[end == self.ends[0]]
        while True:
            try:
                frame = os.read(end, 65536)
            except OSError:
                return
            if self.dice.random() < self.loss:
                self.lost += 1
                continue
            due = time.monotonic() + self.delay + self.dice.uniform(-self.jitter, self.jitter)
            self.overtaken += due < latest[end]
            latest[end] = max(due, latest[end])
            self.carried += 1
            heapq.heappush(under_way, (due, self.carried, other, frame))

    def close(self):
        os.close(self.stop)
        self.thread.join()
        for descriptor in (*self.ends, self.wake):
            os.close(descriptor)
