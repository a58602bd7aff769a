"""The notifications of a Plex Media Server: an event source and a web socket with the same frames."""
from __future__ import annotations

import base64
import hashlib
import json
import queue
import struct
import time
from typing import Any, Iterator

from model import Change
from plex_wire import IDENTIFIER
from web import Answer, Request

PING = 10.0
HANDSHAKE = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
ENDED = None
STATES = {"created": (0, 5), "changed": (5,), "deleted": (9,)}
MOST = 10_000


def timeline(change: Change, state: int) -> dict[str, Any]:
    entry: dict[str, Any] = {"identifier": IDENTIFIER, "sectionID": str(change.section), "itemID": str(change.key)}
    entry |= {"parentItemID": str(change.parent)} if change.parent else {}
    entry |= {"rootItemID": str(change.root)} if change.root else {}
    entry |= {"type": change.kind, "title": change.title, "state": state}
    names = {0: "created", 9: "deleted"}
    entry |= {"metadataState": names[state]} if state in names else {}
    return {"NotificationContainer": {"type": "timeline", "size": 1, "TimelineEntry": [entry | {"updatedAt": int(time.time())}]}}


class Notifications:
    def __init__(self) -> None:
        self.subscribers: list[queue.Queue[dict[str, Any] | None]] = []
        self.ping = PING
        # Of changes while nobody may hear them: a lost frame is lost.
        self.is_mute = False

    def answer(self, request: Request) -> Answer | None:
        if request.path == "/:/eventsource/notifications":
            return Answer(200, type="text/event-stream", pieces=self.events(self.listen(), request.query("filters")), closes=True)
        if request.path in ("/:/websockets/notifications", "/:/websocket/notifications"):
            return self.socket(request)
        return None

    def listen(self) -> queue.Queue[dict[str, Any] | None]:
        subscriber: queue.Queue[dict[str, Any] | None] = queue.Queue(MOST)
        self.subscribers.append(subscriber)
        return subscriber

    def heard(self, changes: list[Change]) -> None:
        if self.is_mute:
            return
        for change in changes:
            for state in STATES[change.what]:
                self.push(timeline(change, state))

    def push(self, frame: dict[str, Any]) -> None:
        for subscriber in list(self.subscribers):
            try:
                subscriber.put_nowait(frame)
            except queue.Full:
                self.subscribers.remove(subscriber)

    def drop(self) -> int:
        """Ends every stream, as a restart of the server does."""
        subscribers, self.subscribers = self.subscribers, []
        for subscriber in subscribers:
            subscriber.put(ENDED)
        return len(subscribers)

    def frames(self, subscriber: queue.Queue[dict[str, Any] | None], filters: str) -> Iterator[dict[str, Any] | None]:
        """Frames as they come; None where a ping is due."""
        wanted = set(filters.split(",")) if filters else set()
        try:
            while True:
                try:
                    frame = subscriber.get(timeout=self.ping)
                except queue.Empty:
                    yield None
                    continue
                if frame is ENDED:
                    return
                if not wanted or frame.get("NotificationContainer", {}).get("type") in wanted:
                    yield frame
        finally:
            if subscriber in self.subscribers:
                self.subscribers.remove(subscriber)

    def events(self, subscriber: queue.Queue[dict[str, Any] | None], filters: str) -> Iterator[bytes]:
        yield b"event: ping\ndata: {}\n\n"
        for frame in self.frames(subscriber, filters):
            name = frame.get("NotificationContainer", {}).get("type", "message") if frame else "ping"
            yield f"event: {name}\ndata: {json.dumps(frame or {}, separators=(',', ':'))}\n\n".encode()

    def socket(self, request: Request) -> Answer | None:
        key = request.headers.get("sec-websocket-key")
        if not key:
            return None
        accepted = base64.b64encode(hashlib.sha1((key + HANDSHAKE).encode()).digest()).decode()
        headers = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Accept": accepted}
        return Answer(101, headers=headers, pieces=self.messages(self.listen(), request.query("filters")), closes=True)

    def messages(self, subscriber: queue.Queue[dict[str, Any] | None], filters: str) -> Iterator[bytes]:
        for frame in self.frames(subscriber, filters):
            content = json.dumps(frame, separators=(",", ":")).encode() if frame else b""
            length = bytes([len(content)]) if len(content) < 126 else struct.pack(">BH", 126, len(content))
            yield (b"\x81" if frame else b"\x89") + length + content
        yield b"\x88\x00"
