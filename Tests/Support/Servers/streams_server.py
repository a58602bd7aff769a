"""A server of sounds that misbehaves: /HOW/FILE is a file of its folder, handed out as HOW says. README.md lists them.

Prints {"port"} when it is ready. Ends on SIGTERM and when stdin closes.
"""
from __future__ import annotations

import argparse
import pathlib
import time
from typing import Iterator

from web import Answer, Request, Server, ranged, run

PIECE = 16_384


class Streams:
    def __init__(self, folder: str) -> None:
        self.folder = pathlib.Path(folder)
        self.asked: dict[str, int] = {}

    def error(self, request: Request, status: int) -> Answer:
        return Answer(status, f"<html><body><h1>{status}</h1></body></html>".encode())

    def respond(self, request: Request) -> Answer:
        how, _, name = request.path.strip("/").partition("/")
        path = self.folder / name
        if not path.is_file():
            return self.error(request, 404)
        self.asked[request.path] = self.asked.get(request.path, 0) + 1
        body = path.read_bytes()
        if how.isdigit():
            return self.error(request, int(how))
        match how:
            case "empty":
                return Answer(200, b"", "audio/flac")
            case "page":
                return Answer(200, b"<html><body><h1>Sign in</h1></body></html>")
            case "list":
                return Answer(200, f"#EXTM3U\nhttp://{request.host}/whole/{name}\n".encode(), "audio/x-mpegurl")
            case "mute":
                time.sleep(3600)
            case "moved":
                return Answer(302, headers={"Location": f"http://{request.host}/whole/{name}"})
            case "norange":
                return Answer(200, body, "audio/flac")
            case "late":
                time.sleep(0.15)
            case "heals" if self.asked[request.path] == 1:
                return ranged(request, len(body), "audio/flac", lambda first, count: self.pieces("breaks", body, first, count))
            case "once" if self.asked[request.path] > 1:
                return self.error(request, 404)
        return ranged(request, len(body), "audio/flac", lambda first, count: self.pieces(how, body, first, count))

    def pieces(self, how: str, body: bytes, first: int, count: int) -> Iterator[bytes]:
        """The bytes in pieces, for as long as HOW has them flow."""
        # Half of the file for one that stalls or breaks there whatever is asked; two fifths more for one that breaks each time.
        ends = {"stalls": len(body) // 2, "breaks": len(body) // 2, "tears": first + 2 * len(body) // 5}
        end = min(first + count, ends.get(how, len(body)))
        for at in range(first, end, PIECE):
            yield body[at:min(end, at + PIECE)]
        if how == "stalls" and end < first + count:
            time.sleep(3600)
        if end < first + count:
            raise ConnectionAbortedError("the stream ends early")


def main() -> None:
    options = argparse.ArgumentParser(description="A server of sounds that misbehaves as its addresses say.")
    options.add_argument("--port", type=int, default=0, help="0: any that is free")
    options.add_argument("--stay", action="store_true", help="do not end when stdin closes")
    options.add_argument("folder", help="where the files are")
    chosen = options.parse_args()
    streams = Streams(chosen.folder)
    run(Server("127.0.0.1", chosen.port, streams.respond, streams.error, {"Server": "stand-in"}), {}, chosen.stay, lambda: None)


if __name__ == "__main__":
    main()
