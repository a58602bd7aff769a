"""What scrobbling stand-ins keep: each listen of a user once, by time, artist and title, over a kill -9."""
from __future__ import annotations

import argparse
import json
import pathlib
import threading
from typing import Any, Callable

from web import Answer, Request, Server, json_answer
from random_faults import RandomFaults

Listen = tuple[int, str, str]


class ReceivedListens:
    def __init__(self, path: str | None) -> None:
        self.lock = threading.RLock()
        self.path = pathlib.Path(path) if path else None
        self.listens: dict[Listen, dict[str, Any]] = {}
        self.order: list[Listen] = []
        # How often each came: more than once where an answer was lost.
        self.came: dict[Listen, int] = {}
        self.now: dict[str, Any] | None = None
        self.loved: dict[str, int] = {}
        self.batches: list[int] = []
        if self.path and self.path.exists():
            for line in self.path.read_text().splitlines():
                # The last line may be half a line.
                if line.endswith("}"):
                    self.keep(json.loads(line), writes=False)
        self.file = self.path.open("a") if self.path else None

    def keep(self, listen: dict[str, Any], writes: bool = True) -> bool:
        """Whether it is new. It is in the file before anybody is told."""
        with self.lock:
            key = (int(listen["timestamp"]), str(listen["artist"]), str(listen["track"]))
            self.came[key] = self.came.get(key, 0) + 1
            if key in self.listens:
                return False
            self.listens[key] = listen
            self.order.append(key)
            if writes and self.file:
                self.file.write(json.dumps(listen) + "\n")
                self.file.flush()
            return True

    def newest(self, limit: int) -> list[dict[str, Any]]:
        with self.lock:
            return [self.listens[key] for key in sorted(self.listens, reverse=True)[:limit]]

    def summary(self, order: dict[str, Any]) -> dict[str, Any]:
        with self.lock:
            return {"listens": len(self.listens), "again": sum(self.came.values()) - len(self.came), "now": self.now,
                    "loved": self.loved, "batches": self.batches[-100:], "requests": len(self.batches)}

    def all(self, order: dict[str, Any]) -> list[dict[str, Any]]:
        """In the order in which they came."""
        with self.lock:
            first = int(order.get("first", 0))
            return [self.listens[key] | {"came": self.came[key]} for key in self.order[first:first + int(order.get("count", 1_000_000))]]


class Orders:
    """The control endpoint of a stand-in that has no library."""

    def __init__(self, server: Server, heard: ReceivedListens, more: dict[str, Callable[[dict[str, Any]], Any]]) -> None:
        journal, faults, random_faults = server.journal, server.faults, RandomFaults()
        server.random_faults = lambda request: random_faults.take()
        self.verbs: dict[str, Callable[[dict[str, Any]], Any]] = {
            "fault": faults.add, "faults": lambda order: faults.left(), "faults/clear": lambda order: faults.clear(),
            "random-faults": random_faults.set, "log": lambda order: journal.log(), "log/clear": lambda order: journal.clear(),
            "listens": heard.all, "summary": heard.summary} | more

    def answer(self, request: Request) -> Answer:
        verb = request.path.removeprefix("/__control__/")
        if not request.address.startswith("127.") and request.address != "::1":
            return json_answer({"error": "only from this machine"}, 403)
        if verb not in self.verbs or request.method != "POST":
            return json_answer({"error": "no such verb", "verbs": sorted(self.verbs)}, 404)
        try:
            found = self.verbs[verb](json.loads(request.body or b"{}"))
            return json_answer({} if found is None else found)
        except (KeyError, ValueError, TypeError) as wrong:
            return json_answer({"error": f"{type(wrong).__name__}: {wrong}"}, 400)


def parser(about: str) -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(description=about)
    made.add_argument("--port", type=int, default=0, help="0: any that is free")
    made.add_argument("--host", default="127.0.0.1")
    made.add_argument("--user", default="tester")
    made.add_argument("--state", metavar="FILE", help="keeps what was heard over a restart, be it by kill -9")
    made.add_argument("--stay", action="store_true", help="do not end when stdin closes")
    return made
