#!/usr/bin/env python3
"""Sends a running household the requests that openapi.json allows, and checks each answer. Usage: api.py
FOLDER-OF-PROGRAMS

Schemathesis generates the requests, always the same ones. An answer must have a described shape and a listed status,
and must not be an internal error of the service. The number of requests is fixed; a busy machine sends fewer, but at
least one for each operation.
"""
import faulthandler
import json
import logging
import pathlib
import re
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import load_all_checks
from schemathesis.core.failures import Failure, FailureGroup

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Bench"))
import proxy  # noqa: E402
import safety  # noqa: E402
import scan  # noqa: E402
from figures import fail, wait_for  # noqa: E402
from household import Household  # noqa: E402

TRACKS = 36
EXAMPLES = 8
SECONDS = 60
# Endless streams, operations with checks of their own, and operations that would send requests to generated addresses.
LEFT_OUT = {"followEvents", "followCard", "addSource", "beginSignIn", "addAccount", "removeSource", "setReviews",
            "setTodoWebhook", "setArticles"}
SECRET = "correct-horse-battery"


class Interface:
    """A plain client of the household's interface."""

    def __init__(self, household):
        self.base = "http://" + household.environment["LUNARA_WEB"]
        self.seen = []

    def ask(self, method, path, body=None, headers=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json", **(headers or {})}
        request = urllib.request.Request(self.base + path, data=data, method=method, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                status, text = answer.status, answer.read()
        except urllib.error.HTTPError as error:
            status, text = error.code, error.read()
        self.seen.append(text)
        return status, text

    def get(self, path):
        status, text = self.ask("GET", path)
        if status != 200:
            fail(f"GET {path}: {status} {text[:300]}")
        return json.loads(text)


def quoted(text):
    return urllib.parse.quote(text, safe="")


def things(interface):
    """The existing ids and names that requests may use, by operation."""
    album = interface.get("/api/v1/albums?first=0&limit=1")["items"][0]
    track = interface.get("/api/v1/tracks?limit=1")["items"][0]
    artist = interface.get("/api/v1/artists?limit=1")["items"][0]
    status, theme = interface.ask("POST", "/api/v1/themes", {"title": "Boat", "adding": [album["id"]]})
    if status != 200:
        fail(f"no theme is made: {status} {theme[:300]}")
    theme = json.loads(theme)["id"]
    return {
        "readTheme": {"id": theme}, "changeTheme": {"id": theme},
        "readAlbum": {"id": album["id"]}, "readArtist": {"id": artist["id"]}, "readTrack": {"id": track["id"]},
        "readLyrics": {"id": track["id"]}, "readTrackTags": {"id": track["id"]},
        "rate": {"id": track["id"]}, "setOpinion": {"id": album["id"]}, "setOpinionSharing": {"service": "plex"},
        "readArt": {"id": album["art"]}, "switchSection": {"name": "files"},
        "listTags": {"kind": "genre"}, "readReview": {"id": album["id"]}, "makeReview": {"id": album["id"]},
        "readArticleOfAlbum": {"id": album["id"]}, "findArticleOfAlbum": {"id": album["id"]},
        "chooseArticleOfAlbum": {"id": album["id"]}, "readArticleOfArtist": {"id": artist["id"]},
        "findArticleOfArtist": {"id": artist["id"]}, "chooseArticleOfArtist": {"id": artist["id"]},
    } | {
        name: {"room": "bench"} for name in [
            "readRoom", "transport", "readQueue", "explainQueue", "editQueue", "readPlayed", "readOutput", "setOutput", "move", "readCard",
            "drawCard", "showCard"]
    }


def judge(case, response, name, complaints):
    try:
        case.validate_response(response, checks=CHECKS)
    except (Failure, FailureGroup, AssertionError) as failure:
        found = getattr(failure, "exceptions", [failure])
        words = "; ".join(f"{type(one).__name__}: {one}" for one in found)
        complaints.append(f"{name}: {case.method} {case.formatted_path} {case.query} {case.body}\n  {response.status_code} "
                          f"{response.text[:300]}\n  {words[:800]}")
    # 503 and 504 mean that another service is away or slow, which is no fault of the interface.
    if response.status_code in (500, 501, 502):
        complaints.append(f"{name}: {case.method} {case.formatted_path}: {response.status_code} {response.text[:300]}")


def draw(operation, known, session, base, counts, complaints, deadline):
    name = operation.definition.raw["operationId"]
    turn, asked = 0, False

    @settings(max_examples=EXAMPLES, derandomize=True, database=None, deadline=None, phases=[Phase.generate],
              suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy())
    def ask(case):
        nonlocal turn, asked
        if asked and time.monotonic() > deadline:
            return
        turn += 1
        asked = True
        # Every other request is about something that exists.
        if turn % 2 == 1 and name in known:
            case.path_parameters = dict(case.path_parameters or {}) | known[name]
        response = case.call(base_url=base, session=session, timeout=90)
        counts[response.status_code // 100] = counts.get(response.status_code // 100, 0) + 1
        judge(case, response, name, complaints)

    ask()
    if not asked:
        fail(f"{name} was not asked for")
    return turn


def check_orders_of_artists(interface):
    """Has the artists and the people of a role listed in both directions of both orders, page by page."""
    def ids(path, parameters):
        found, after = [], ""
        while True:
            page = interface.get(f"{path}?limit=3{parameters}{after}")
            found += [one["id"] for one in page["items"]]
            if not page.get("next"):
                return found
            after = "&after=" + quoted(page["next"])

    for path in ("/api/v1/artists", "/api/v1/tags/albumArtist"):
        for sort in ("name", "albums"):
            forwards = ids(path, f"&sort={sort}")
            if not forwards or ids(path, f"&sort={sort}&reversed=true") != forwards[::-1]:
                fail(f"{path} by {sort} is not the same list backwards: {forwards}")
    if interface.ask("GET", "/api/v1/artists?sort=year")[0] != 400:
        fail("artists are sorted by an order that they do not have")


def check_reviews(interface):
    """Has a review asked for at an endpoint that is not there."""
    album = quoted(interface.get("/api/v1/albums?first=0&limit=1")["items"][0]["id"])
    status, text = interface.ask("PUT", "/api/v1/discovery", {})
    if status != 200:
        fail(f"walls do not begin: {status} {text}")
    wait_for(lambda: interface.ask("GET", f"/api/v1/albums/{album}/review")[0], "the album in the library of walls",
             equals=200)
    status, text = interface.ask("PUT", "/api/v1/discovery/reviews", {"endpoint": "http://music.example/v1", "model": "m"})
    if status != 400:
        fail(f"an endpoint without encryption was stored: {status} {text}")
    status, text = interface.ask("PUT", "/api/v1/discovery/reviews",
                                 {"endpoint": "http://127.0.0.1:9/v1", "model": "m", "key": SECRET, "dailyCap": 5})
    if status != 200 or not json.loads(text)["hasKey"]:
        fail(f"an endpoint was not stored: {status} {text}")
    status, text = interface.ask("POST", f"/api/v1/albums/{album}/review", {})
    if status != 200:
        fail(f"no review is made: {status} {text}")
    wait_for(lambda: interface.get(f"/api/v1/albums/{album}/review").get("problem", {}).get("code"),
             "the error of the endpoint that is not there", equals="discovery.modelAway")
    if interface.ask("PUT", "/api/v1/discovery/reviews", {"endpoint": None})[0] != 200:
        fail("reviews cannot be switched off")


def check_articles(interface):
    """Checks the settings of articles, which stay off: nobody outside is asked."""
    status, text = interface.ask("PUT", "/api/v1/discovery/articles", {"languages": ["de.evil.example/"]})
    if status != 400:
        fail(f"a language that is none was stored: {status} {text}")
    status, text = interface.ask("PUT", "/api/v1/discovery/articles", {"languages": ["de", "en"]})
    if status != 200 or json.loads(text)["isOn"] or json.loads(text)["languages"] != ["de", "en"]:
        fail(f"languages of articles were not stored: {status} {text}")
    album = quoted(interface.get("/api/v1/albums?first=0&limit=1")["items"][0]["id"])
    status, text = interface.ask("POST", f"/api/v1/albums/{album}/article", {})
    if status != 409 or b"discovery.articlesOff" not in text:
        fail(f"an article is searched although articles are off: {status} {text}")


def check_described(interface, room):
    """Checks by hand what schemathesis leaves out."""
    status, text = interface.ask("POST", "/api/v1/sources", {
        "type": "subsonic", "address": "http://127.0.0.1:9", "user": "ann", "secret": SECRET})
    if status < 400 or b"error" not in text:
        fail(f"a server that is not there was added: {status} {text}")
    status, text = interface.ask("POST", "/api/v1/scrobbles/accounts", {
        "service": "listenbrainz", "address": "http://127.0.0.1:9", "secret": SECRET})
    if status < 400 or b"error" not in text:
        fail(f"an account of a server that is not there was added: {status} {text}")
    check_orders_of_artists(interface)
    check_reviews(interface)
    check_articles(interface)
    for kind, stream in (("snapshot", "/api/v1/events"), ("card", f"/now/{room}/events")):
        with urllib.request.urlopen(interface.base + stream, timeout=60) as answer:
            while (line := answer.readline().decode()) != f"event: {kind}\n":
                if not line:
                    fail(f"{stream} ended before its first event")
    interface.get("/api/v1/sources")
    interface.get("/api/v1/status")
    for text in interface.seen:
        if SECRET.encode() in text:
            fail(f"a secret came back: {text[:400]}")


def check_monitoring(interface):
    """Checks that the dashboard and the alerts use existing metrics. A process that does not answer within 2 s is left
    out."""
    spoken_of = {file.name: set(re.findall(r"lunara_[a-z_]+", file.read_text())) for file in pathlib.Path("deploy/monitoring").iterdir()}
    names = set()

    def all_known():
        status, text = interface.ask("GET", "/api/v1/metrics")
        names.clear()
        names.update(re.findall(r"^# TYPE (\S+)", text.decode(), re.MULTILINE))
        return status == 200 and all(figures <= names for figures in spoken_of.values())

    wait_for(all_known, lambda: "figures that nobody serves: " + "; ".join(
        f"{', '.join(sorted(figures - names))} of {file}" for file, figures in spoken_of.items() if figures - names), pause=0.2)


CHECKS = []


def main():
    # `make test` ends this program a little later than this limit, whose message says what it was waiting for.
    faulthandler.dump_traceback_later(590)
    logging.disable(logging.CRITICAL)
    load_all_checks()
    from schemathesis.specs.openapi import checks
    CHECKS.extend([checks.status_code_conformance, checks.content_type_conformance, checks.response_schema_conformance])
    programs = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory(prefix="api-") as folder:
        folder = pathlib.Path(folder)
        scan.make_tree(folder / "music", TRACKS)
        with Household(programs, folder / "home", folder / "music") as household:
            household.wait_for_tracks(TRACKS)
            interface = Interface(household)
            wait_for(lambda: interface.get("/api/v1/rooms"), "the room on the page")
            wait_for(lambda: interface.get("/api/v1/albums?first=0&limit=1")["items"][0].get("art"), "a cover")
            interface.ask("POST", "/api/v1/play", {"ids": [interface.get("/api/v1/albums")["items"][0]["id"]]})
            known = things(interface)
            schema = schemathesis.openapi.from_dict(interface.get("/api/v1/openapi.json"))
            counts, complaints, asked = {}, [], 0
            deadline = time.monotonic() + SECONDS
            with requests.Session() as session:
                for result in schema.get_all_operations():
                    operation = result.ok()
                    if operation.definition.raw["operationId"] not in LEFT_OUT:
                        asked += draw(operation, known, session, interface.base, counts, complaints, deadline)
            check_described(interface, "bench")
            check_monitoring(interface)
        safety.check(programs, folder / "safety")
        proxy.check(programs, folder / "proxy")
    if complaints:
        fail(f"{len(complaints)} answers are not as described:\n" + "\n".join(complaints[:20]))
    late = " (stopped by time)" if time.monotonic() > deadline else ""
    print(f"api: {asked} requests, " + ", ".join(f"{count} of {kind}xx" for kind, count in sorted(counts.items())) + late)
    if counts.get(2, 0) < 40 and not late:
        fail("hardly anything was answered")


if __name__ == "__main__":
    main()
