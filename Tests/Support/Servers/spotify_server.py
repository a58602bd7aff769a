"""A server of Spotify's Web API as it is since February 2026, and of its sign-in, for tests. README.md in this folder describes its use.

Prints {"port", "client"} when it is ready. Ends on SIGTERM and when stdin closes. Its tracks are made up: the title of an id ends with its last digits.
"""
from __future__ import annotations

import base64
import hashlib
import json
import re
import time
import uuid
from typing import Any
from urllib.parse import urlencode

from received_listens import Orders, ReceivedListens, parser
from spotify_library import BATCH, Failed, SpotifyLibrary
from web import Answer, Request, Server, json_answer, run

CLIENT, REDIRECT, LIFETIME = "lunara-test-client", "http://127.0.0.1:8888/callback", 3600


class Spotify:
    def __init__(self, host: str, port: int, user: str) -> None:
        self.library = SpotifyLibrary(user)
        self.codes: dict[str, dict[str, str]] = {}
        # Each grant has the refresh token that is valid now; one that was used before ends the grant.
        self.grants: dict[str, str] = {}
        self.used: dict[str, str] = {}
        self.access: dict[str, tuple[str, float]] = {}
        self.policy: dict[str, Any] = {"lifetime": LIFETIME, "rotates": True, "denies": False}
        self.refreshes = 0
        self.server = Server(host, port, self.respond, self.error, {"Server": "stand-in"})
        self.orders = Orders(self.server, ReceivedListens(None), {
            "policy": self.policy.update, "revoke": lambda order: self.revoke(), "expire": lambda order: self.access.clear(),
            "refreshes": lambda order: self.refreshes} | self.library.verbs)

    def revoke(self) -> None:
        self.grants.clear()
        self.access.clear()

    def error(self, request: Request, status: int) -> Answer:
        answer = json_answer({"error": {"status": status, "message": "API rate limit exceeded" if status == 429 else "An error"}}, status)
        if status == 429:
            answer.headers["Retry-After"] = "1"
        return answer

    def respond(self, request: Request) -> Answer:
        if request.path.startswith("/__control__/"):
            return self.orders.answer(request)
        with self.library.lock:
            try:
                if (request.method, request.path) == ("GET", "/authorize"):
                    return self.authorized(request)
                if (request.method, request.path) == ("POST", "/api/token"):
                    return self.tokens(request)
                if not request.path.startswith("/v1/"):
                    raise Failed(404, "Service not found")
                self.authorise(request)
                return self.library.called(request)
            except Failed as failed:
                return json_answer({"error": {"status": failed.status, "message": failed.words}}, failed.status)

    def authorise(self, request: Request) -> None:
        given = request.headers.get("authorization", "").removeprefix("Bearer ")
        if given not in self.access:
            raise Failed(401, "Invalid access token")
        if self.access[given][1] <= time.time():
            raise Failed(401, "The access token expired")

    def authorized(self, request: Request) -> Answer:
        """A person who opens this address allows everything at once. The page names the address to which the real one leads."""
        if request.query("client_id") != CLIENT or request.query("redirect_uri") != REDIRECT or request.query("response_type") != "code":
            return Answer(400, b"INVALID_CLIENT: Invalid redirect URI")
        if request.query("code_challenge_method") != "S256" or not re.fullmatch(r"[A-Za-z0-9_-]{43}", request.query("code_challenge")):
            return Answer(400, b"code_challenge must be S256")
        back: dict[str, str] = {"state": request.query("state")}
        if self.policy["denies"]:
            back["error"] = "access_denied"
        else:
            back["code"] = str(uuid.uuid4())
            self.codes[back["code"]] = {"challenge": request.query("code_challenge"), "scope": request.query("scope")}
        return json_answer({"location": f"{REDIRECT}?{urlencode(back)}"})

    def tokens(self, request: Request) -> Answer:
        if request.query("client_id") != CLIENT:
            return json_answer({"error": "invalid_client"}, 400)
        if request.query("grant_type") == "authorization_code":
            code = self.codes.pop(request.query("code"), None)
            digest = base64.urlsafe_b64encode(hashlib.sha256(request.query("code_verifier").encode()).digest()).decode().rstrip("=")
            if not code or code["challenge"] != digest or request.query("redirect_uri") != REDIRECT:
                return json_answer({"error": "invalid_grant", "error_description": "Invalid authorization code"}, 400)
            grant = str(uuid.uuid4())
            return self.given(grant, str(uuid.uuid4()))
        if request.query("grant_type") == "refresh_token":
            self.refreshes += 1
            token = request.query("refresh_token")
            grant = next((name for name, valid in self.grants.items() if valid == token), None)
            if grant is None:
                # A token that was used before is a stolen one: the grant ends.
                self.grants.pop(self.used.get(token, ""), None)
                return json_answer({"error": "invalid_grant", "error_description": "Refresh token revoked"}, 400)
            if not self.policy["rotates"]:
                return self.given(grant, None)
            self.used[token] = grant
            return self.given(grant, str(uuid.uuid4()))
        return json_answer({"error": "unsupported_grant_type"}, 400)

    def given(self, grant: str, refresh: str | None) -> Answer:
        access = str(uuid.uuid4())
        self.access[access] = (grant, time.time() + self.policy["lifetime"])
        body = {"access_token": access, "token_type": "Bearer", "expires_in": self.policy["lifetime"], "scope": ""}
        if refresh:
            self.grants[grant] = refresh
            body["refresh_token"] = refresh
        return json_answer(body)


def main() -> None:
    options = parser("A server of Spotify's Web API for tests.").parse_args()
    spotify = Spotify(options.host, options.port, options.user)
    run(spotify.server, {"client": CLIENT, "batch": BATCH}, options.stay, lambda: None)


if __name__ == "__main__":
    main()
