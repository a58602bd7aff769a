"""The HTTP that all stand-ins speak: HTTP/1.1 with keep-alive, one thread a connection, ranges, faults and a log."""
from __future__ import annotations

import json
import os
import signal
import socket
import sys
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Iterable, Iterator
from urllib.parse import unquote_plus, urlsplit

from faults import Fault, Faults
from journal import Journal


@dataclass
class Request:
    method: str
    path: str
    raw_query: str
    headers: dict[str, str]
    body: bytes
    address: str
    host: str
    fault: Fault | None = None
    pairs: list[tuple[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        for part in self.raw_query.split("&"):
            if part:
                name, _, value = part.partition("=")
                self.pairs.append((unquote_plus(name), unquote_plus(value)))
        if self.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
            for part in self.body.decode("utf-8", "replace").split("&"):
                name, _, value = part.partition("=")
                self.pairs.append((unquote_plus(name), unquote_plus(value)))

    def query(self, name: str, default: str = "") -> str:
        return next((value for key, value in self.pairs if key == name), default)

    def all(self, name: str) -> list[str]:
        return [value for key, value in self.pairs if key == name]

    def named(self, name: str) -> str:
        """What Plex takes from a header or from the query alike."""
        return self.headers.get(name.lower(), "") or self.query(name)


@dataclass
class Answer:
    status: int = 200
    body: bytes = b""
    type: str = "text/html"
    headers: dict[str, str] = field(default_factory=dict)
    # Instead of a body: its length (None: until the connection closes) and its pieces.
    length: int | None = None
    pieces: Iterable[bytes] | None = None
    closes: bool = False


def json_answer(value: object, status: int = 200) -> Answer:
    return Answer(status, json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(), "application/json")


def ranged(request: Request, size: int, type: str, read: Callable[[int, int], Iterator[bytes]]) -> Answer:
    """Bytes by `read(first, count)`: all, the part that Range asks for, or 416."""
    wanted = request.headers.get("range", "")
    headers = {"Accept-Ranges": "bytes"}
    if not wanted.startswith("bytes=") or "," in wanted:
        return Answer(200, type=type, headers=headers, length=size, pieces=read(0, size))
    first, _, last = wanted[6:].strip().partition("-")
    try:
        start = int(first) if first else max(0, size - int(last))
        end = min(size, int(last) + 1) if first and last else size
    except ValueError:
        start, end = size, size
    if start >= end:
        return Answer(416, headers={"Content-Range": f"bytes */{size}"})
    headers["Content-Range"] = f"bytes {start}-{end - 1}/{size}"
    return Answer(206, type=type, headers=headers, length=end - start, pieces=read(start, end - start))


class Server(ThreadingHTTPServer):
    """One listening port. `respond` makes an answer; faults and the log are in front of it."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, host: str, port: int, respond: Callable[[Request], Answer],
                 error: Callable[[Request, int], Answer], common: dict[str, str]) -> None:
        self.respond, self.error, self.common = respond, error, common
        self.faults, self.journal = Faults(), Journal()
        # The action of a fault of the kind `order`, just before the answer is made.
        self.order: Callable[[str, dict[str, Any]], object] = lambda verb, order: None
        # The faults that happen by themselves where none was ordered.
        self.random_faults: Callable[[Request], Fault | None] = lambda request: None
        super().__init__((host, port), _Handler)

    @property
    def port(self) -> int:
        return self.server_address[1]

    def answer(self, request: Request) -> Answer:
        """The answer with the faults that were set for this path, logged."""
        if request.path.startswith("/__control__"):
            return self.respond(request)
        request.fault = self.faults.take(request.path, request.raw_query) or self.random_faults(request)
        if request.fault and request.fault.kind == "order":
            self.order(request.fault.value("verb", ""), request.fault.value("order", {}))
        answer = request.fault.instead(self.error, request) if request.fault else None
        if answer is None:
            answer = self.respond(request)
        self.journal.add(request.method, request.path, request.raw_query, answer.status, request.headers.get("range", ""))
        return answer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients hang up whenever they like; only what is our own mistake is said."""
        if not isinstance(sys.exc_info()[1], (ConnectionError, TimeoutError)):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = 20  # what the real server announces as its keep-alive
    server: Server

    def handle_any(self) -> None:
        parts = urlsplit(self.path)
        length = int(self.headers.get("Content-Length") or 0)
        request = Request(self.command, unquote_plus(parts.path.replace("+", "%2B")), parts.query,
                          {name.lower(): value for name, value in self.headers.items()},
                          self.rfile.read(length) if length else b"", self.client_address[0],
                          self.headers.get("Host") or f"127.0.0.1:{self.server.port}")
        answer = self.server.answer(request)
        self.send(answer, request)

    do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = do_OPTIONS = handle_any

    def send(self, answer: Answer, request: Request) -> None:
        length = answer.length if answer.pieces is not None else len(answer.body)
        closes = answer.closes or (answer.pieces is not None and length is None)
        head = {"Content-Type": answer.type} if answer.type else {}
        if length is not None:
            head["Content-Length"] = str(length)
        # A proxy before the server sends none of the server's own headers.
        is_proxy = request.fault is not None and bool(request.fault.value("proxy", False))
        head |= ({} if is_proxy else self.server.common) | answer.headers
        head |= {"Connection": "close"} if closes else {"Connection": "Keep-Alive", "Keep-Alive": "timeout=20"}
        if answer.status == 101:
            head = answer.headers
        self.close_connection = closes
        lines = [f"HTTP/1.1 {answer.status} {self.responses.get(answer.status, ('Other',))[0]}", f"Date: {self.date_time_string()}"]
        first = "\r\n".join(lines + [f"{name}: {value}" for name, value in head.items()]).encode() + b"\r\n\r\n"
        pieces = iter([answer.body] if answer.pieces is None else answer.pieces)
        if request.fault and request.fault.kind == "close":
            # What was asked for is done, and nobody learns of it.
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        if self.command == "HEAD":
            self.wfile.write(first)
            return
        if request.fault and request.fault.kind == "cut" and length:
            self.cut(first, pieces, int(request.fault.value("after", length // 2)))
            return
        if answer.pieces is None:
            # Whatever stands between may say the same once more: nobody asked for the second.
            self.wfile.write((first + answer.body) * (2 if request.fault and request.fault.kind == "twice" else 1))
            return
        # A player that pauses takes no bytes for as long as it likes.
        self.connection.settimeout(None)
        self.wfile.write(first)
        for piece in pieces:
            self.wfile.write(piece)
        self.connection.settimeout(self.timeout)

    def cut(self, first: bytes, pieces: Iterator[bytes], limit: int) -> None:
        self.wfile.write(first)
        for piece in pieces:
            self.wfile.write(piece[:limit])
            limit -= len(piece)
            if limit <= 0:
                break
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def log_message(self, format: str, *args: object) -> None:
        """The journal is the log; nothing is printed, tokens least of all."""


def run(server: Server, announcement: dict[str, object], stays: bool, ended: Callable[[], None]) -> None:
    """Says that the server is ready and serves until SIGTERM, or until stdin closes unless it stays."""
    def stop(*_: object) -> None:
        threading.Thread(target=server.shutdown, daemon=True).start()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    print(json.dumps({"port": server.port} | announcement), flush=True)
    if not stays:
        def watch() -> None:
            while os.read(sys.stdin.fileno(), 4096):
                pass
            stop()
        threading.Thread(target=watch, daemon=True).start()
    server.serve_forever(poll_interval=0.1)
    ended()
