"""The requests to a stand-in, without secrets, and the reports of its clients."""
from __future__ import annotations

import re
import threading
from collections import Counter, deque
from typing import Any

SECRET = re.compile(r"(?i)\b(X-Plex-Token|apiKey|authToken|t|s|p)=[^&]*")


class Journal:
    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.requests: deque[dict[str, Any]] = deque(maxlen=10_000)
        self.counts: Counter[str] = Counter()
        self.received: list[dict[str, Any]] = []

    def add(self, method: str, path: str, query: str, status: int, range: str) -> None:
        with self.lock:
            self.requests.append({"method": method, "path": path, "query": SECRET.sub(r"\1=…", query), "status": status, "range": range})
            self.counts[f"{method} {path}"] += 1

    def receive(self, what: str, **facts: Any) -> None:
        """Records a rating, a scrobble or a timeline as it arrived."""
        with self.lock:
            self.received.append({"what": what} | facts)

    def log(self) -> dict[str, Any]:
        with self.lock:
            return {"requests": list(self.requests), "counts": dict(self.counts), "total": sum(self.counts.values())}

    def clear(self) -> None:
        with self.lock:
            self.requests.clear()
            self.counts.clear()
            self.received.clear()
