"""Answers that go wrong at random, by a seed: what a bad line and a busy service do to requests."""
from __future__ import annotations

import random
import threading
import time
from typing import Any

from faults import Fault

# The faults that may happen, each with its order.
KINDS: dict[str, dict[str, Any]] = {
    "drop": {"fault": "hang", "seconds": 0}, "lose": {"fault": "close"}, "cut": {"fault": "cut"},
    "twice": {"fault": "twice"}, "fail": {"fault": "500"}, "html": {"fault": "html"},
    "busy": {"fault": "429"}}


class RandomFaults:
    """`rates` says how likely each kind is, 0 to 1, with `seed`, and `seconds` for the longest delay."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.rates: dict[str, float] = {}
        self.seconds = 0.2
        self.random = random.Random(1)
        self.seen = {"well": 0, "delay": 0} | {kind: 0 for kind in KINDS}

    def set(self, order: dict[str, Any]) -> dict[str, int]:
        with self.lock:
            self.random = random.Random(int(order.get("seed", 1)))
            self.seconds = float(order.get("seconds", 0.2))
            self.rates = {kind: float(order[kind]) for kind in [*KINDS, "delay"] if kind in order}
            return dict(self.seen)

    def take(self) -> Fault | None:
        """What goes wrong with a request; a delay comes before whatever else does."""
        with self.lock:
            delay = self.random.random() * self.seconds if self.random.random() < self.rates.get("delay", 0) else 0
            self.seen["delay"] += delay > 0
            fault = self.drawn()
        time.sleep(delay)
        return fault

    def drawn(self) -> Fault | None:
        draw = self.random.random()
        for kind, order in KINDS.items():
            draw -= self.rates.get(kind, 0)
            if draw < 0:
                self.seen[kind] += 1
                return Fault(dict(order))
        self.seen["well"] += 1
        return None
