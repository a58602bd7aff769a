"""The envelope of Subsonic answers, their errors, and who may ask."""
from __future__ import annotations

import hashlib
from typing import Any

from tree import stringed, xml
from web import Answer, Request, json_answer

MESSAGES = {0: "A generic error.", 10: "Required parameter is missing.", 20: "Client must upgrade.", 30: "Server must upgrade.",
            40: "Wrong username or password.", 41: "Token authentication not supported for this user.",
            42: "Provided authentication mechanism not supported.", 43: "Multiple conflicting authentication mechanisms provided.",
            44: "Invalid API key.", 50: "User is not authorized for the given operation.", 60: "The trial period is over.",
            70: "The requested data was not found."}


def worded(value: Any) -> Any:
    """The same tree with true and false as words, as this protocol writes them in XML."""
    if isinstance(value, dict):
        return {key: worded(each) for key, each in value.items()}
    if isinstance(value, list):
        return [worded(each) for each in value]
    return str(value).lower() if isinstance(value, bool) else value


class Failed(Exception):
    """A method that ends with an error code of the protocol."""

    def __init__(self, code: int) -> None:
        super().__init__(MESSAGES.get(code, "An error."))
        self.code = code


class Envelope:
    """How this server writes. `policy` is what servers differ in; a test switches it."""

    def __init__(self, user: str, password: str, key: str) -> None:
        self.user, self.password, self.key = user, password, key
        self.policy: dict[str, Any] = {
            # Which ways to prove who one is are taken, and the code for a token where it is not.
            "auth": ["token", "password", "apiKey"], "tokenRefusal": 41,
            # Without the fields and methods of OpenSubsonic, and with empty lists left out.
            "legacy": False}

    def ok(self, request: Request, payload: dict[str, Any]) -> Answer:
        return self.written(request, {"status": "ok"} | self.about() | payload)

    def failed(self, request: Request, code: int, status: int = 200) -> Answer:
        error = {"code": code, "message": MESSAGES.get(code, "An error.")}
        return self.written(request, {"status": "failed"} | self.about() | {"error": error}, status)

    def about(self) -> dict[str, Any]:
        if self.policy["legacy"]:
            return {"version": "1.10.2"}
        return {"version": "1.16.1", "type": "lunara-stand-in", "serverVersion": "1.0", "openSubsonic": True}

    def written(self, request: Request, content: dict[str, Any], status: int = 200) -> Answer:
        if request.fault and request.fault.kind == "stringNumbers":
            content = stringed(content)
        if request.query("f") == "json":
            return json_answer({"subsonic-response": content}, status)
        content = {"xmlns": "http://subsonic.org/restapi"} | worded(content)
        return Answer(status, xml("subsonic-response", content), "text/xml; charset=utf-8")

    def check(self, request: Request) -> None:
        """Who asks, by one of three ways; fails with the code of what is wrong."""
        user, token, salt = request.query("u"), request.query("t"), request.query("s")
        password, key = request.query("p"), request.query("apiKey")
        allowed = self.policy["auth"]
        if key:
            if user or token or password:
                raise Failed(43)
            if "apiKey" not in allowed or self.policy["legacy"]:
                raise Failed(42)
            if key != self.key:
                raise Failed(44)
            return
        if not user or not request.query("c") or not request.query("v"):
            raise Failed(10)
        if token and salt:
            if "token" not in allowed:
                raise Failed(int(self.policy["tokenRefusal"]))
            right = hashlib.md5((self.password + salt).encode()).hexdigest()
            if user != self.user or token != right:
                raise Failed(40)
        elif password:
            if "password" not in allowed:
                raise Failed(42)
            if password.startswith("enc:"):
                password = bytes.fromhex(password[4:]).decode("utf-8", "replace")
            if user != self.user or password != self.password:
                raise Failed(40)
        else:
            raise Failed(10)
