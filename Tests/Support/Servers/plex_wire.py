"""The two ways a Plex answer is written: XML unless JSON is asked for. One tree of values serves both."""
from __future__ import annotations

import gzip
import json
from typing import Any

from faults import Fault
from tree import stringed, xml
from web import Answer, Request

COMMON = {"X-Plex-Protocol": "1.0", "Cache-Control": "no-cache"}
MEDIA_TAGS = {"mediaTagPrefix": "/system/bundle/media/flags/", "mediaTagVersion": 1700000000}
IDENTIFIER = "com.plexapp.plugins.library"

# How rows are called in XML where JSON says Metadata.
ELEMENTS = {"track": "Track", "playlist": "Playlist"}
TITLES = {400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 500: "Internal Server Error",
          503: "Service Unavailable"}
# At the root a browser without a token is sent to the web client.
LEAVE_ROOT = "<script>window.location = window.location.href.match(/(^.+\\/)[^\\/]*$/)[1] + 'web/index.html';</script>"


def error(request: Request, status: int) -> Answer:
    """A small page, whatever was accepted."""
    title = TITLES.get(status, "Error")
    script = LEAVE_ROOT if status == 401 and request.path == "/" else ""
    page = f"<html><head>{script}<title>{title}</title></head><body><h1>{status} {title}</h1></body></html>"
    return Answer(status, page.encode(), closes=status == 401)


def packed(request: Request, answer: Answer) -> Answer:
    """The answer as gzip where the client takes that, with the lengths that the real server adds."""
    if answer.pieces is not None or not answer.body or "gzip" not in request.headers.get("accept-encoding", "") or "image" in answer.type:
        return answer
    body = gzip.compress(answer.body, 1)
    lengths = {"Content-Encoding": "gzip", "X-Plex-Content-Original-Length": str(len(answer.body)),
               "X-Plex-Content-Compressed-Length": str(len(body))}
    return Answer(answer.status, body, answer.type, answer.headers | lengths, closes=answer.closes)


def done() -> Answer:
    """What an action answers."""
    return Answer(200)


def wants_json(request: Request) -> bool:
    return "json" in request.headers.get("accept", "")


def container(request: Request, content: dict[str, Any], name: str = "MediaContainer") -> Answer:
    if request.fault:
        content = spoiled(request.fault, content)
    if wants_json(request):
        body = json.dumps({name: content}, ensure_ascii=False, separators=(",", ":"))
        return Answer(200, body.encode(), "application/json")
    return Answer(200, xml(name, content, element), "text/xml;charset=utf-8")


def element(key: str, child: dict[str, Any]) -> str:
    return ELEMENTS.get(str(child.get("type")), "Directory") if key == "Metadata" else key


def spoiled(fault: Fault, content: dict[str, Any]) -> dict[str, Any]:
    """The content as the ordered fault leaves it."""
    lists = [key for key in ("Metadata", "Directory") if key in content]
    rows = content[lists[0]] if lists else []
    if fault.kind == "empty":
        content = {key: value for key, value in content.items() if key not in lists}
        return content | {"size": 0} | ({"totalSize": 0} if "totalSize" in content else {})
    if fault.kind == "short":
        rows = rows[:int(fault.value("rows", len(rows) // 2))]
    elif fault.kind == "stringNumbers":
        return stringed(content)
    else:
        return content
    return content | ({lists[0]: rows} if lists else {}) | {"size": len(rows)}
