"""A server of Last.fm's protocol for tests and manual runs. README.md in this folder describes its use.

Prints {"port", "key", "secret", "user", "password", "session"} when it is ready. Ends on SIGTERM and when stdin closes.
"""
from __future__ import annotations

import hashlib
import re
import secrets
import ssl
import time
from typing import Any

from received_listens import Orders, ReceivedListens, parser
from lastfm_wire import Failed, Wire, signature
from web import Answer, Request, Server, run

WRITES = {"track.scrobble", "track.updateNowPlaying", "track.love", "track.unlove", "auth.getMobileSession"}
INDEXED = re.compile(r"^(\w+)\[(\d+)\]$")
LIMIT = 50


class LastFM:
    def __init__(self, host: str, port: int, user: str, state: str | None) -> None:
        self.key, self.secret, self.user, self.password = "0123456789abcdef0123456789abcdef", "secret", user, "password"
        self.sessions = {hashlib.md5(user.encode()).hexdigest(): user}
        # The time at which each token was given out, and whether a person has allowed it.
        self.tokens: dict[str, tuple[float, bool]] = {}
        self.heard, self.wire = ReceivedListens(state), Wire()
        self.policy: dict[str, Any] = {"ignore": {}, "daily": None, "brackets": True, "maximumAge": None, "tokenLifetime": 3600, "refuse": {}, "correct": {}}
        self.server = Server(host, port, self.respond, self.error, {"Server": "stand-in"})
        self.orders = Orders(self.server, self.heard, {"policy": self.set_policy, "allow": self.allow, "revoke": self.revoke,
                                                       "token/expire": self.expire})

    def error(self, request: Request, status: int) -> Answer:
        return Answer(status, f"<html><body><h1>{status}</h1></body></html>".encode())

    def respond(self, request: Request) -> Answer:
        if request.path.startswith("/__control__/"):
            return self.orders.answer(request)
        if request.path.rstrip("/") == "/api/auth":
            return Answer(200, b"<html><body>Allow it by the control endpoint.</body></html>")
        if request.path.rstrip("/") != "/2.0":
            return self.error(request, 404)
        try:
            with self.heard.lock:
                return self.wire.done(request, self.called(request))
        except Failed as failed:
            answer = self.wire.failed(request, failed)
            if request.fault and request.fault.value("retryAfter", None):
                answer.headers["Retry-After"] = str(request.fault.value("retryAfter", None))
            return answer

    def called(self, request: Request) -> dict[str, Any]:
        if request.fault and request.fault.kind == "failed":
            raise Failed(int(request.fault.value("code", 8)))
        if request.fault and request.fault.kind.isdigit():
            raise Failed(8)
        if not request.headers.get("user-agent"):
            raise Failed(6, "An identifiable User-Agent is wanted")
        parameters = dict(request.pairs)
        if len(parameters) != len(request.pairs):
            raise Failed(6, "A parameter came twice")
        method = parameters.get("method", "")
        if method in WRITES and (request.method != "POST" or not re.fullmatch(r"(username=[^&]*)?", request.raw_query)):
            raise Failed(6, "Writes are posted, with all parameters in the body")
        if parameters.get("api_key") != self.key:
            raise Failed(10)
        name = method.replace(".", "_")
        if not hasattr(self, name) or "." not in method:
            raise Failed(3)
        if method in WRITES or method.startswith("auth.") or "sk" in parameters:
            if parameters.get("api_sig") != signature(parameters, self.secret):
                raise Failed(13)
        if method in WRITES - {"auth.getMobileSession"} and parameters.get("sk") not in self.sessions:
            raise Failed(9)
        return getattr(self, name)(parameters)

    # Signing in.

    def auth_getToken(self, parameters: dict[str, str]) -> dict[str, Any]:
        token = secrets.token_hex(16)
        self.tokens[token] = (time.time(), False)
        return {"token": token}

    def auth_getSession(self, parameters: dict[str, str]) -> dict[str, Any]:
        given, is_allowed = self.tokens.get(parameters.get("token", ""), (None, False))
        if given is None:
            raise Failed(4)
        if time.time() - given > self.policy["tokenLifetime"]:
            raise Failed(15)
        if not is_allowed:
            raise Failed(14)
        del self.tokens[parameters["token"]]
        return self.session()

    def auth_getMobileSession(self, parameters: dict[str, str]) -> dict[str, Any]:
        hashed = hashlib.md5((self.user + hashlib.md5(self.password.encode()).hexdigest()).encode()).hexdigest()
        if parameters.get("username") != self.user or (parameters.get("password") != self.password and parameters.get("authToken") != hashed):
            raise Failed(4)
        return self.session()

    def session(self) -> dict[str, Any]:
        # The same for each sign-in, so that it survives a kill as with the real service.
        key = hashlib.md5(self.user.encode()).hexdigest()
        self.sessions[key] = self.user
        return {"session": {"name": self.user, "key": key, "subscriber": 0}}

    # Listens.

    def track_scrobble(self, parameters: dict[str, str]) -> dict[str, Any]:
        rows: dict[int, dict[str, str]] = {}
        for name, value in parameters.items():
            found = INDEXED.match(name)
            if found:
                rows.setdefault(int(found[2]), {})[found[1]] = value
        if not rows:
            rows = {0: {name: parameters[name] for name in parameters if name not in ("method", "api_key", "sk", "api_sig", "format")}}
        elif len(rows) == 1 and not self.policy["brackets"]:
            raise Failed(6, "Missing required parameter artist")
        if len(rows) > LIMIT or sorted(rows) != list(range(len(rows))):
            raise Failed(6, "Up to 50, counted from 0")
        for row in rows.values():
            for name in ("artist", "track", "timestamp"):
                if not row.get(name):
                    raise Failed(6, f"Missing required parameter {name}")
            for pattern, code in self.policy["refuse"].items():
                if re.search(pattern, row["track"]):
                    raise Failed(int(code))
        self.heard.batches.append(len(rows))
        shown = [self.scrobbled(rows[index]) for index in sorted(rows)]
        ignored = sum(1 for each in shown if each["ignoredMessage"]["@code"])
        return {"scrobbles": {"@accepted": len(shown) - ignored, "@ignored": ignored, "scrobble": shown}}

    def scrobbled(self, row: dict[str, str]) -> dict[str, Any]:
        code = next((int(code) for pattern, code in self.policy["ignore"].items() if re.search(pattern, row["track"])), 0)
        age, limit = time.time() - int(row["timestamp"]), self.policy["maximumAge"]
        if limit is not None and age > limit:
            code = 3
        if age < -86_400:
            code = 4
        if row["artist"].lower() in ("unknown artist", "various artists", "[unknown]"):
            code = 1
        is_known = (int(row["timestamp"]), row["artist"], row["track"]) in self.heard.listens
        if self.policy["daily"] is not None and len(self.heard.listens) >= self.policy["daily"] and not is_known:
            code = 5
        if not code:
            self.heard.keep(row)
        return self.described(row) | {"timestamp": row["timestamp"], "ignoredMessage": {"@code": code, "#text": f"filter {code}" if code else ""}}

    def described(self, row: dict[str, str]) -> dict[str, Any]:
        artist = self.policy["correct"].get(row["artist"])
        return {"track": {"@corrected": 0, "#text": row["track"]}, "artist": {"@corrected": int(artist is not None), "#text": artist or row["artist"]},
                "album": {"@corrected": 0, "#text": row.get("album", "")}, "albumArtist": {"@corrected": 0, "#text": row.get("albumArtist", "")}}

    def track_updateNowPlaying(self, parameters: dict[str, str]) -> dict[str, Any]:
        for name in ("artist", "track"):
            if not parameters.get(name):
                raise Failed(6, f"Missing required parameter {name}")
        self.heard.now = {name: parameters[name] for name in parameters if name not in ("api_key", "sk", "api_sig")} | {"at": time.time()}
        return {"nowplaying": self.described(parameters) | {"ignoredMessage": {"@code": 0, "#text": ""}}}

    def track_love(self, parameters: dict[str, str]) -> dict[str, Any]:
        self.heard.loved[f"{parameters['artist']}\n{parameters['track']}"] = 1
        return {}

    def track_unlove(self, parameters: dict[str, str]) -> dict[str, Any]:
        self.heard.loved.pop(f"{parameters['artist']}\n{parameters['track']}", None)
        return {}

    def track_getInfo(self, parameters: dict[str, str]) -> dict[str, Any]:
        loved = int(f"{parameters.get('artist')}\n{parameters.get('track')}" in self.heard.loved)
        return {"track": {"name": parameters.get("track", ""), "artist": {"name": parameters.get("artist", "")}, "userloved": loved}}

    def user_getRecentTracks(self, parameters: dict[str, str]) -> dict[str, Any]:
        rows = [{"artist": {"#text": row["artist"]}, "name": row["track"], "album": {"#text": row.get("album", "")},
                 "date": {"@uts": row["timestamp"], "#text": row["timestamp"]}} for row in self.heard.newest(int(parameters.get("limit", 50)))]
        return {"recenttracks": {"@user": self.user, "@page": 1, "@totalPages": 1, "@total": len(rows), "track": rows}}

    # Orders of tests.

    def set_policy(self, order: dict[str, Any]) -> None:
        for name, value in order.items():
            (self.wire.policy if name in self.wire.policy else self.policy)[name] = value

    def allow(self, order: dict[str, Any]) -> None:
        token = order.get("token") or list(self.tokens)[-1]
        self.tokens[token] = (self.tokens[token][0], True)

    def expire(self, order: dict[str, Any]) -> None:
        for token in self.tokens:
            self.tokens[token] = (0, False)

    def revoke(self, order: dict[str, Any]) -> None:
        self.sessions.clear()


def main() -> None:
    made = parser("A server of Last.fm's protocol for tests.")
    made.add_argument("--tls", nargs=2, metavar=("CERTIFICATE", "KEY"), help="speak https, for clients that speak nothing else")
    options = made.parse_args()
    lastfm = LastFM(options.host, options.port, options.user, options.state)
    if options.tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*options.tls)
        lastfm.server.socket = context.wrap_socket(lastfm.server.socket, server_side=True)
    session = next(iter(lastfm.sessions))
    run(lastfm.server, {"key": lastfm.key, "secret": lastfm.secret, "user": lastfm.user, "password": lastfm.password, "session": session},
        options.stay, lambda: None)


if __name__ == "__main__":
    main()
