"""What tests rely on and no client of others can judge: faults, notifications, state, real files, the log. Status 1 where it is not so."""
from __future__ import annotations

import base64
import gzip
import http.client
import json
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
from typing import Any

from checking import Checker, StandIn, started

JSON = {"Accept": "application/json"}
LISTING = "/library/sections/1/all?type=10&X-Plex-Container-Start=0&X-Plex-Container-Size=10"


def token(stand_in: StandIn) -> dict[str, str]:
    return {"X-Plex-Token": stand_in.about["token"]} | JSON


def listed(stand_in: StandIn, path: str = LISTING) -> dict[str, Any]:
    return json.loads(stand_in.get(path, token(stand_in))[2])["MediaContainer"]


def faults(checker: Checker, stand_in: StandIn) -> None:
    whole = listed(stand_in)
    packed = stand_in.get(LISTING, token(stand_in) | {"Accept-Encoding": "gzip"})
    checker.equal("the same packed", (packed[1]["Content-Encoding"], json.loads(gzip.decompress(packed[2]))["MediaContainer"]), ("gzip", whole))
    checker.equal("ten rows as asked", (len(whole["Metadata"]), whole["totalSize"]), (10, 32))
    stand_in.order("fault", path="/all$", fault="wrongCount", times=2, skip=1)
    checker.equal("a fault that is to skip one, twice", [len(listed(stand_in)["Metadata"]) for _ in range(4)], [10, 20, 20, 10])
    stand_in.order("fault", path="/all$", fault="short", rows=3)
    checker.equal("a short page", [len(listed(stand_in)["Metadata"]) for _ in range(2)], [3, 10])
    stand_in.order("fault", path="/all$", fault="empty")
    empty = listed(stand_in)
    checker.equal("an empty section", (empty["size"], empty["totalSize"], "Metadata" in empty), (0, 0, False))
    stand_in.order("fault", path="/all$", fault="stringNumbers")
    row = listed(stand_in)["Metadata"][0]
    checker.equal("numbers as strings", (type(row["duration"]), type(row["Media"][0]["Part"][0]["size"])), (str, str))
    stand_in.order("fault", path="/all$", fault="html")
    status, headers, body = stand_in.get(LISTING, token(stand_in))
    checker.equal("a page instead of JSON", (status, headers["Content-Type"], body[:6]), (200, "text/html", b"<html>"))
    stand_in.order("fault", path="/all$", fault="slow", seconds=0.3)
    began = time.monotonic()
    listed(stand_in)
    checker.check("a slow answer", time.monotonic() - began >= 0.3)
    stand_in.order("fault", path="/all$", fault="cut", after=100)
    try:
        stand_in.get(LISTING, token(stand_in))
        checker.check("an answer that is cut", False)
    except http.client.IncompleteRead as cut:
        checker.equal("an answer that is cut", len(cut.partial), 100)
    stand_in.order("fault", path="/all$", fault="hang", seconds=0.2)
    try:
        stand_in.get(LISTING, token(stand_in))
        checker.check("no answer at all", False)
    except (http.client.RemoteDisconnected, ConnectionError):
        checker.check("no answer at all", True)
    stand_in.order("unready", keys=[whole["Metadata"][0]["ratingKey"]])
    part = whole["Metadata"][0]["Media"][0]["Part"][0]["key"]
    checker.equal("a part that is not ready", [stand_in.get(part + more, token(stand_in))[0] for more in ("", "?download=1")], [500, 200])
    stand_in.order("fault", path="/all$", query="Start=10&", fault="order", verb="remove", order={"key": whole["Metadata"][0]["ratingKey"]})
    second = listed(stand_in, LISTING.replace("Start=0", "Start=10"))
    checker.equal("rows that move while a client pages", (second["totalSize"], listed(stand_in)["Metadata"][0]["ratingKey"]),
                  (31, whole["Metadata"][1]["ratingKey"]))
    stand_in.order("fault", path="/all$", fault="500", times=5)
    stand_in.order("faults/clear")
    checker.equal("no faults are left", (stand_in.order("faults"), len(listed(stand_in)["Metadata"])), ([], 10))


def finding(checker: Checker, stand_in: StandIn) -> None:
    found = listed(stand_in, "/library/sections/1/search?type=10&query=fer")
    checker.equal("a search in a section", [row["title"] for row in found["Metadata"]], ["Morning Ferry", "Ferry Home"])
    hubs = listed(stand_in, "/hubs/search?query=paper&limit=1")["Hub"]
    checker.equal("a search everywhere", {hub["type"]: hub["size"] for hub in hubs}, {"artist": 0, "album": 1, "track": 1})
    for query, status in (("addedAt>>=1", 200), ("addedAt%3E%3E=1", 200), ("addedAt%3E%3E%3D1", 400), ("addedAt>=1", 400), ("addedAt", 400)):
        checker.equal(f"the filter {query}", stand_in.get(f"/library/sections/1/all?type=9&{query}", token(stand_in))[0], status)


def secrets_and_log(checker: Checker, stand_in: StandIn) -> None:
    secret = stand_in.about["token"]
    stand_in.order("log/clear")
    stand_in.get(f"/library/sections?X-Plex-Token={secret}&a=b")
    log = stand_in.order("log")
    checker.equal("the log", log["requests"], [{"method": "GET", "path": "/library/sections", "query": "X-Plex-Token=…&a=b", "status": 200, "range": ""}])
    checker.equal("counts", log["counts"], {"GET /library/sections": 1})
    new = stand_in.order("token")["token"]
    checker.equal("an expired token", (stand_in.get("/library/sections", token(stand_in))[0], new != secret), (401, True))
    stand_in.order("token", token=secret)
    checker.equal("and its return", stand_in.get("/library/sections", token(stand_in))[0], 200)


def connection(stand_in: StandIn, path: str, headers: dict[str, str]) -> http.client.HTTPResponse:
    client = http.client.HTTPConnection("127.0.0.1", stand_in.about["port"], timeout=10)
    client.request("GET", path, headers=headers)
    return client.getresponse()


def entry_of(stream: http.client.HTTPResponse) -> dict[str, Any]:
    """Returns the next timeline entry of an event source."""
    while line := stream.readline():
        if line.startswith(b"data: "):
            return json.loads(line[6:])["NotificationContainer"]["TimelineEntry"][0]
    raise EOFError("the event source ended")


def notifications(checker: Checker, stand_in: StandIn) -> None:
    stream = connection(stand_in, "/:/eventsource/notifications", token(stand_in))
    checker.equal("an event source", stream.getheader("Content-Type"), "text/event-stream")
    checker.equal("a ping at first", stream.readline() + stream.readline() + stream.readline(), b"event: ping\ndata: {}\n\n")
    made = stand_in.order("add", artist="Mira Sund", album="Paper Garden", title="Late Page")
    seen = [entry_of(stream), entry_of(stream)]
    checker.equal("created and processed", [(entry["state"], entry["type"], entry["itemID"]) for entry in seen],
                  [(0, 10, made["track"]), (5, 10, made["track"])])
    stand_in.order("remove", key=made["track"])
    entry = entry_of(stream)
    checker.equal("deleted", (entry["state"], entry["itemID"]), (9, made["track"]))
    checker.equal("listening", stand_in.order("notifications", drop=True), {"listening": 1, "dropped": 1})
    checker.equal("the end of the stream", stream.read().strip(), b"")
    key = base64.b64encode(b"sixteen bytes so").decode()
    words = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": key, "Sec-WebSocket-Version": "13"}
    client = http.client.HTTPConnection("127.0.0.1", stand_in.about["port"], timeout=10)
    client.request("GET", "/:/websockets/notifications", headers=token(stand_in) | words)
    assert client.sock
    socket = client.sock.makefile("rb")
    checker.check("a web socket", socket.readline().startswith(b"HTTP/1.1 101"))
    while len(socket.readline()) > 2:
        pass
    stand_in.order("notify", NotificationContainer={"type": "status", "size": 0})
    first, length = socket.read(2)
    checker.equal("a frame", (first, json.loads(socket.read(length))["NotificationContainer"]["type"]), (0x81, "status"))
    client.close()


def many(checker: Checker) -> None:
    """Four clients that page through a large library get every row once, and the same after a restart."""
    walks: list[list[str]] = []
    for _ in range(2):
        with started("plex_server.py", "--synthetic", "20000", "--seed", "3", "--section", "One", "--section", "Two") as stand_in:
            keys: list[str] = []

            def walk(first: int) -> None:
                for start in range(first, 10_000, 2000):
                    page = listed(stand_in, f"/library/sections/2/all?type=10&X-Plex-Container-Start={start}&X-Plex-Container-Size=500")
                    keys.extend(row["guid"] for row in page["Metadata"])
            threads = [threading.Thread(target=walk, args=(first,)) for first in range(0, 2000, 500)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            walks.append(sorted(keys))
    checker.equal("rows of a large library", (len(walks[0]), len(set(walks[0]))), (10_000, 10_000))
    checker.check("the same from the same seed", walks[0] == walks[1])


def files_and_state(checker: Checker) -> None:
    with tempfile.TemporaryDirectory() as folder:
        music = pathlib.Path(folder) / "music"
        music.mkdir()
        for number in (1, 2):
            tags = {"title": f"Tone {number}", "artist": "Guest" if number == 2 else "Host", "album_artist": "Host", "album": "Tones",
                    "track": str(number), "date": "1999", "genre": "Drone"}
            words = [word for name, value in tags.items() for word in ("-metadata", f"{name}={value}")]
            subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=d=1", *words, str(music / f"{number}.flac")], check=True)
        state = str(pathlib.Path(folder) / "state.json")
        rated = ("/:/rate?identifier=com.plexapp.plugins.library&rating=8&key=", "userRating")
        abouts = []
        for turn in range(2):
            with started("plex_server.py", "--music", str(music), "--state", state) as stand_in:
                rows = listed(stand_in)["Metadata"]
                checker.equal("real files", [(row["title"], row["grandparentTitle"], row.get("originalTitle"), row["parentYear"]) for row in rows],
                              [("Tone 1", "Host", None, 1999), ("Tone 2", "Host", "Guest", 1999)])
                part = rows[0]["Media"][0]["Part"][0]
                whole = stand_in.get(part["key"], token(stand_in))[2]
                checker.check("their own bytes", whole == (music / "1.flac").read_bytes() and part["size"] == len(whole))
                checker.equal("a rating over a restart", rows[1].get("userRating"), 8.0 if turn else None)
                stand_in.get(rated[0] + rows[1]["ratingKey"], token(stand_in), "PUT")
                abouts.append((stand_in.about["token"], stand_in.about["machineIdentifier"]))
        checker.equal("who it is over a restart", abouts[0], abouts[1])


def main() -> int:
    checker = Checker("contract")
    with started("plex_server.py", "--demo") as stand_in:
        for name, part in (("finding", finding), ("faults", faults), ("the log", secrets_and_log), ("notifications", notifications)):
            with checker.part(name):
                part(checker, stand_in)
    for name, alone in (("a large library", many), ("files and state", files_and_state)):
        with checker.part(name):
            alone(checker)
    return checker.end()


if __name__ == "__main__":
    sys.exit(main())
