"""The formats of Last.fm: signatures, errors, and answers as XML and as JSON."""
from __future__ import annotations

import hashlib
import json
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from web import Answer, Request

WORDS = {2: "Invalid service", 3: "Invalid Method - No method with that name in this package", 4: "Authentication Failed", 5: "Invalid format",
         6: "Invalid parameters", 7: "Invalid resource specified", 8: "Operation failed - Something else went wrong. Please try again.",
         9: "Invalid session key - Please re-authenticate", 10: "Invalid API Key", 11: "Service Offline", 13: "Invalid method signature supplied",
         14: "This token has not been authorized", 15: "This token has expired", 16: "The service is temporarily unavailable, please try again.",
         26: "Suspended API key", 27: "This type of request is no longer supported", 29: "Rate limit exceeded"}
STATUS = {8: 500, 11: 503, 16: 503, 29: 429, 3: 400, 5: 400, 6: 400, 7: 400, 2: 400, 27: 400}


class Failed(Exception):
    def __init__(self, code: int, words: str = "") -> None:
        self.code, self.words = code, words or WORDS.get(code, "Failed")


def signature(parameters: dict[str, str], secret: str) -> str:
    """last.fm/api/authspec, 8: all parameters but `format` and `callback`, sorted by the bytes of their names."""
    signed = sorted((name.encode(), value.encode()) for name, value in parameters.items() if name not in ("format", "callback", "api_sig"))
    return hashlib.md5(b"".join(name + value for name, value in signed) + secret.encode()).hexdigest()


def xml(name: str, value: Any) -> str:
    """A mapping is an element: names with @ are attributes, `#text` is its text; a list gives several elements."""
    if isinstance(value, list):
        return "".join(xml(name, each) for each in value)
    if not isinstance(value, dict):
        return f"<{name}>{escape(str(value))}</{name}>"
    attributes = "".join(f" {key[1:]}={quoteattr(str(each))}" for key, each in value.items() if key.startswith("@"))
    inner = "".join(xml(key, each) for key, each in value.items() if not key.startswith("@") and key != "#text")
    return f"<{name}{attributes}>{escape(str(value.get('#text', '')))}{inner}</{name}>"


def plain(value: Any, numbers: bool) -> Any:
    """Converts to JSON: attributes of list holders go into @attr, those of leaves beside #text; a list of one becomes
    its element."""
    if isinstance(value, list):
        made = [plain(each, numbers) for each in value]
        return made[0] if len(made) == 1 else made
    if not isinstance(value, dict):
        return value if numbers or not isinstance(value, int) else str(value)
    own = {key[1:]: plain(each, numbers) for key, each in value.items() if key.startswith("@")}
    rest = {key: plain(each, numbers) for key, each in value.items() if not key.startswith("@")}
    return rest | (own if "#text" in value else {"@attr": own} if own else {})


class Wire:
    def __init__(self) -> None:
        self.policy: dict[str, Any] = {"lowercase": False, "numbers": True, "statusOK": False, "xml": False}

    def is_json(self, request: Request) -> bool:
        return request.query("format") == "json" and not self.policy["xml"]

    def cased(self, text: str) -> str:
        for name in ("ignoredMessage", "albumArtist"):
            text = text.replace(name, name.lower()) if self.policy["lowercase"] else text
        return text

    def done(self, request: Request, answer: dict[str, Any]) -> Answer:
        if self.is_json(request):
            text = json.dumps(plain(answer, self.policy["numbers"]), ensure_ascii=False)
            return Answer(200, self.cased(text).encode(), "application/json; charset=utf-8")
        inner = "".join(xml(name, value) for name, value in answer.items())
        text = f'<?xml version="1.0" encoding="UTF-8"?>\n<lfm status="ok">{inner}</lfm>'
        return Answer(200, self.cased(text).encode(), "text/xml; charset=utf-8")

    def failed(self, request: Request, failed: Failed) -> Answer:
        status = 200 if self.policy["statusOK"] else STATUS.get(failed.code, 403)
        if self.is_json(request):
            body = json.dumps({"message": failed.words, "error": failed.code})
            return Answer(status, body.encode(), "application/json; charset=utf-8")
        text = f'<?xml version="1.0" encoding="UTF-8"?>\n<lfm status="failed"><error code="{failed.code}">{escape(failed.words)}</error></lfm>'
        return Answer(status, text.encode(), "text/xml; charset=utf-8")
