"""The faults that a test may order: for which path, how often, and which fault."""
from __future__ import annotations

import re
import threading
import time
from typing import TYPE_CHECKING, Any, Callable

if TYPE_CHECKING:
    from web import Answer, Request

# Faults that replace or delay an answer, damage its bytes, or are up to the writer of rows.
BEFORE = {"html", "slow", "hang", "redirect", "order"}
BYTES = {"cut", "twice", "close"}
ROWS = {"empty", "short", "wrongCount", "moreCounted", "stringNumbers", "failed"}


class Fault:
    def __init__(self, order: dict[str, Any]) -> None:
        self.order = order
        self.kind = str(order["fault"])
        if not self.kind.isdigit() and self.kind not in BEFORE | BYTES | ROWS:
            raise ValueError(f"no such fault: {self.kind}")
        self.path, self.query = re.compile(order.get("path", "")), re.compile(order.get("query", ""))
        self.left = int(order.get("times", 1))
        self.skips = int(order.get("skip", 0))

    def value(self, name: str, default: Any) -> Any:
        return self.order.get(name, default)

    def instead(self, error: Callable[[Request, int], Answer], request: Request) -> Answer | None:
        """Returns the answer in place of the right one, or None where the right one is made, perhaps later or
        damaged."""
        if self.kind.isdigit():
            return error(request, int(self.kind))
        if self.kind == "html":
            answer = error(request, 500)
            answer.status = 200
            return answer
        if self.kind == "redirect":
            answer = error(request, int(self.value("status", 302)))
            answer.headers["Location"] = str(self.value("to", "/"))
            return answer
        if self.kind == "slow":
            time.sleep(float(self.value("seconds", 1)))
        if self.kind == "hang":
            time.sleep(float(self.value("seconds", 3600)))
            raise ConnectionAbortedError("a hung request ends without an answer")
        return None


class Faults:
    """The orders that are left; the oldest matching one is used."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.orders: list[Fault] = []

    def add(self, order: dict[str, Any]) -> None:
        with self.lock:
            self.orders.append(Fault(order))

    def clear(self) -> None:
        with self.lock:
            self.orders.clear()

    def left(self) -> list[dict[str, Any]]:
        with self.lock:
            return [fault.order | {"times": fault.left, "skip": fault.skips} for fault in self.orders]

    def take(self, path: str, query: str) -> Fault | None:
        with self.lock:
            for fault in self.orders:
                if not fault.path.search(path) or not fault.query.search(query):
                    continue
                if fault.skips:
                    fault.skips -= 1
                    continue
                fault.left -= 1
                if fault.left == 0:
                    self.orders.remove(fault)
                return fault
        return None
