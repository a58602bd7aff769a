"""An OpenSubsonic server for tests, benches and hand runs. README.md beside says how it is used.

Prints {"port", "user", "password", "apiKey"} when it is ready. Ends on SIGTERM and when stdin closes.
"""
from __future__ import annotations

from typing import Any

from control import Control
from library import Library
from playlist_writes import SubsonicPlaylistWrites
from starting import State, load, parser
from subsonic_media import SubsonicMedia
from subsonic_methods import SubsonicMethods
from subsonic_wire import Envelope, Failed
from subsonic_writes import SubsonicWrites
from web import Answer, Request, Server, run

EXTENSIONS = [{"name": name, "versions": [1]} for name in ("formPost", "apiKeyAuthentication", "transcodeOffset", "songLyrics")]


class SubsonicServer:
    def __init__(self, library: Library, host: str, port: int, user: str, password: str, key: str) -> None:
        self.library = library
        self.server = Server(host, port, self.respond, self.error, {"Server": "stand-in"})
        self.envelope = Envelope(user, password, key)
        reading = SubsonicMethods(library, user, lambda: self.envelope.policy["legacy"])
        self.methods = reading.methods | SubsonicWrites(library, self.server.journal).methods
        self.methods |= SubsonicPlaylistWrites(library, self.server.journal, user).methods
        self.media = SubsonicMedia(library)
        self.control = Control(library, self.server, {"policy": self.set_policy, "password": self.set_password, "lyrics": self.set_lyrics})
        self.lyrics: dict[str, list[dict[str, Any]]] = {}

    def error(self, request: Request, status: int) -> Answer:
        """What a web server in front of the real one would say."""
        return Answer(status, f"<html><body><h1>{status}</h1></body></html>".encode())

    def respond(self, request: Request) -> Answer:
        if request.path.startswith("/__control__/"):
            return self.control.answer(request)
        if not request.path.startswith("/rest/"):
            return self.error(request, 404)
        method = request.path.removeprefix("/rest/").removesuffix(".view")
        with self.library.lock:
            try:
                return self.called(request, method)
            except Failed as failed:
                return self.envelope.failed(request, failed.code)

    def called(self, request: Request, method: str) -> Answer:
        if request.fault and request.fault.kind == "failed":
            raise Failed(int(request.fault.value("code", 0)))
        is_open = not self.envelope.policy["legacy"]
        if method == "getOpenSubsonicExtensions" and is_open:
            return self.envelope.ok(request, {"openSubsonicExtensions": EXTENSIONS})
        self.envelope.check(request)
        if method in self.media.methods:
            return self.media.methods[method](request)
        if method == "tokenInfo" and is_open:
            return self.envelope.ok(request, {"tokenInfo": {"username": self.envelope.user}})
        if method == "getLyricsBySongId" and is_open:
            song = self.methods["getSong"](request)["song"]["id"]
            return self.envelope.ok(request, {"lyricsList": {"structuredLyrics": self.lyrics.get(song, [])}})
        if method not in self.methods:
            # A legacy server says so with a status; the others in the envelope.
            return self.envelope.failed(request, 70 if is_open else 0, 200 if is_open else 404)
        return self.envelope.ok(request, self.methods[method](request))

    # The orders of a test.

    def set_policy(self, order: dict[str, Any]) -> dict[str, Any]:
        for name in order:
            if name not in self.envelope.policy:
                raise KeyError(name)
        self.envelope.policy |= order
        return self.envelope.policy

    def set_lyrics(self, order: dict[str, Any]) -> None:
        """The lyrics of a song, as the protocol has them."""
        self.lyrics[str(order["id"])] = order["lyrics"]

    def set_password(self, order: dict[str, Any]) -> None:
        self.envelope.password = str(order.get("password", self.envelope.password))
        self.envelope.key = str(order.get("apiKey", self.envelope.key))


def main() -> None:
    made = parser("An OpenSubsonic server for tests.")
    made.add_argument("--user", default="tester")
    made.add_argument("--password", default="secret")
    made.add_argument("--api-key", default="0f1e2d3c4b5a")
    options = made.parse_args()
    library = load(options)
    state = State(options.state, library)
    subsonic = SubsonicServer(library, options.host, options.port, options.user, options.password, options.api_key)
    run(subsonic.server, {"user": options.user, "password": options.password, "apiKey": options.api_key}, options.stay, state.save)


if __name__ == "__main__":
    main()
