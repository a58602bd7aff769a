"""A server of ListenBrainz's interface for tests and manual runs. README.md in this folder describes its use.

Prints {"port", "user", "token"} when it is ready. Ends on SIGTERM and when stdin closes.
"""
from __future__ import annotations

import json
import re
import time
import uuid
from typing import Any

from listenbrainz_playlists import Failed, Feedback, Playlists, is_uuid
from received_listens import Orders, ReceivedListens, parser
from web import Answer, Request, Server, json_answer, run

# listenbrainz.readthedocs.io, Constants.
MOST_LISTENS, LISTEN_SIZE, REQUEST_SIZE = 1000, 10_240, 10_240_000
MOST_TAGS, TAG_LENGTH = 50, 64
EARLIEST, LATEST, LONGEST = 1_033_410_600, 3600, 24 * 86_400
UUIDS, UUID_LISTS = ("recording_mbid", "release_mbid", "release_group_mbid", "recording_msid"), ("artist_mbids", "work_mbids")


def check(row: Any, kind: str) -> None:
    """Refuses what ListenBrainz refuses: one bad listen fails all that came with it."""
    def require(is_right: object, words: str) -> None:
        if not is_right:
            raise Failed(400, words)

    require(isinstance(row, dict), "a listen is an object")
    require(set(row) <= {"listened_at", "track_metadata"}, "unknown keys in a listen")
    require(len(json.dumps(row, ensure_ascii=False).encode()) <= LISTEN_SIZE, f"Payload too large. Maximum is {LISTEN_SIZE} bytes")
    require("\\u0000" not in json.dumps(row), "a listen contains a NUL")
    if kind == "playing_now":
        require("listened_at" not in row, "JSON document should not contain listened_at while submitting playing_now.")
    else:
        at = row.get("listened_at")
        require(isinstance(at, int) and not isinstance(at, bool), "JSON document should contain the key listened_at as an integer")
        require(EARLIEST <= at <= time.time() + LATEST, "Value for key listened_at is out of range")
    data = row.get("track_metadata")
    require(isinstance(data, dict), "JSON document should contain track_metadata")
    require(set(data) <= {"artist_name", "track_name", "release_name", "additional_info", "mbid_mapping"}, "unknown keys in track_metadata")
    for name in ("artist_name", "track_name"):
        require(isinstance(data.get(name), str) and data[name].strip(), f"JSON document does not contain required track_metadata.{name}")
    require("release_name" not in data or (isinstance(data["release_name"], str) and data["release_name"]), "release_name is empty")
    more = data.get("additional_info", {})
    require(isinstance(more, dict), "additional_info is no object")
    tags = more.get("tags", [])
    require(len(tags) <= MOST_TAGS and all(len(tag) <= TAG_LENGTH for tag in tags), "too many tags, or one too long")
    require(not {"duration", "duration_ms"} <= set(more), "JSON document should not contain both duration and duration_ms.")
    for name, most in (("duration", LONGEST), ("duration_ms", LONGEST * 1000)):
        value = more.get(name, 1)
        require(isinstance(value, (int, float)) and 0 < value <= most, f"Value for {name} is invalid")
    for name in UUIDS:
        require(name not in more or is_uuid(more[name]), f"{name} is not a valid UUID")
    for name in UUID_LISTS:
        require(all(is_uuid(each) for each in more.get(name, [])), f"{name} holds what is no UUID")


class ListenBrainz:
    def __init__(self, host: str, port: int, user: str, state: str | None) -> None:
        self.user, self.token = user, str(uuid.uuid5(uuid.NAMESPACE_DNS, user))
        self.heard = ReceivedListens(state)
        self.policy: dict[str, Any] = {"limit": 1000, "window": 10, "break": "", "returnsUser": True, "recordings": {},
                                       "identifiers": "list", "countsAllScores": False}
        self.window, self.used = 0.0, 0
        self.server = Server(host, port, self.respond, self.error, {"Server": "stand-in"})
        self.playlists = Playlists(user, self.policy)
        self.scores = Feedback(self.heard.loved, self.playlists)
        # The things that are not to be recommended, one entry for each kind and id.
        self.hidden: dict[tuple[str, str], dict[str, Any]] = {}
        self.orders = Orders(self.server, self.heard, {
            "policy": self.policy.update, "token": self.set_token, "playlist": self.playlists.order, "playlists": self.playlists.all,
            "describe": self.playlists.described.update, "score": self.scores.order,
            "do-not-recommend": lambda order: list(self.hidden.values())})
        self.server.order = self.obey

    def obey(self, verb: str, order: dict[str, Any]) -> Any:
        with self.heard.lock:
            return self.orders.verbs[verb](order)

    def error(self, request: Request, status: int) -> Answer:
        if status == 429:
            return json_answer({"code": 429, "error": "You have exceeded your rate limit"}, 429)
        return Answer(status, f"<html><body><h1>{status}</h1></body></html>".encode())

    def respond(self, request: Request) -> Answer:
        if request.path.startswith("/__control__/"):
            return self.orders.answer(request)
        with self.heard.lock:
            now = time.time()
            if now >= self.window + self.policy["window"]:
                self.window, self.used = now, 0
            self.used += 1
            left = max(0, int(self.window + self.policy["window"] - now) + 1)
            try:
                if self.used > self.policy["limit"]:
                    raise Failed(429, "You have exceeded your rate limit")
                answer = self.called(request)
            except Failed as failed:
                answer = json_answer({"code": failed.status, "error": failed.words}, failed.status)
            answer.headers |= {"X-RateLimit-Limit": str(self.policy["limit"]), "X-RateLimit-Remaining": str(max(0, self.policy["limit"] - self.used)),
                               "X-RateLimit-Reset-In": str(left), "X-RateLimit-Reset": str(int(now) + left)}
            return answer

    def called(self, request: Request) -> Answer:
        method, path = request.method, request.path
        if (method, path) == ("GET", "/1/validate-token"):
            return self.validate(request)
        if (method, path) == ("POST", "/1/submit-listens"):
            return self.submit(request)
        if (method, path) == ("POST", "/1/feedback/recording-feedback"):
            return self.feedback(request)
        if (method, path) == ("POST", "/1/do-not-recommend/add"):
            return self.hide(request)
        if (method, path) == ("GET", "/1/metadata/lookup/"):
            return self.looked_up(request)
        if (method, path) == ("GET", f"/1/feedback/user/{self.user}/get-feedback"):
            return json_answer(self.scores.given(request))
        found = self.playlists.called(request, self.caller(request))
        if found is not None:
            return json_answer(found)
        found = re.fullmatch(r"/1/user/([^/]+)/(listens|playing-now|listen-count)", path)
        if method == "GET" and found and found[1] == self.user:
            return self.listed(request, found[2])
        raise Failed(404, "Not Found")

    def caller(self, request: Request) -> str | None:
        """The user whose token came with a request; None where none came."""
        if not request.headers.get("authorization"):
            return None
        self.authorise(request)
        return self.user

    def authorise(self, request: Request) -> None:
        given = request.headers.get("authorization", "")
        if not given:
            raise Failed(401, "You need to provide an Authorization header.")
        if given != f"Token {self.token}":
            raise Failed(401, "Invalid authorization token.")

    def validate(self, request: Request) -> Answer:
        given = request.headers.get("authorization", "")
        if not given.startswith("Token ") or not given[6:]:
            raise Failed(400, "You need to provide an Authorization token.")
        if given[6:] != self.token:
            return json_answer({"code": 200, "message": "Token invalid.", "valid": False})
        return json_answer({"code": 200, "message": "Token valid.", "valid": True, "user_name": self.user})

    def submit(self, request: Request) -> Answer:
        self.authorise(request)
        if len(request.body) > REQUEST_SIZE:
            raise Failed(413, "Payload too large")
        try:
            data = json.loads(request.body)
        except ValueError:
            raise Failed(400, "Cannot parse JSON document") from None
        kind, rows = data.get("listen_type"), data.get("payload")
        if kind not in ("single", "import", "playing_now") or set(data) - {"listen_type", "payload"}:
            raise Failed(400, "JSON document requires a valid listen_type key.")
        if not isinstance(rows, list) or not rows or (kind != "import" and len(rows) != 1) or len(rows) > MOST_LISTENS:
            raise Failed(400, "JSON document contains a wrong number of listens")
        for row in rows:
            check(row, kind)
            if self.policy["break"] and re.search(self.policy["break"], row["track_metadata"]["track_name"]):
                raise Failed(500, "An unknown error occured.")
        if kind == "playing_now":
            self.heard.now = rows[0] | {"at": time.time()}
            return json_answer({"status": "ok"})
        self.heard.batches.append(len(rows))
        for row in rows:
            data = row["track_metadata"]
            self.heard.keep({"timestamp": row["listened_at"], "artist": data["artist_name"], "track": data["track_name"], "row": row})
        return json_answer({"status": "ok"})

    def feedback(self, request: Request) -> Answer:
        self.authorise(request)
        data = json.loads(request.body)
        if data.get("score") not in (-1, 0, 1) or not is_uuid(data.get("recording_mbid")):
            raise Failed(400, "recording_mbid and a score of -1, 0 or 1 are wanted")
        self.scores.add(data["recording_mbid"], data["score"])
        return json_answer({"status": "ok"})

    def hide(self, request: Request) -> Answer:
        """As in the source of ListenBrainz: an entry that is added again only gets another time."""
        self.authorise(request)
        data = json.loads(request.body)
        entity, mbid = data.get("entity"), data.get("entity_mbid")
        if entity not in ("artist", "release", "release_group", "recording") or not is_uuid(mbid):
            raise Failed(400, "entity and entity_mbid are wanted")
        self.hidden[entity, mbid] = {"entity": entity, "entity_mbid": mbid, "created": int(time.time()), "until": data.get("until")}
        return json_answer({"status": "ok"})

    def looked_up(self, request: Request) -> Answer:
        """Finds recordings fuzzily like the real service: a title that only has the same beginning is found as well."""
        artist, title = request.query("artist_name", ""), request.query("recording_name", "")
        if not artist or not title:
            raise Failed(400, "artist_name and recording_name are wanted")
        for name, recording in self.policy["recordings"].items():
            if name.lower().startswith(title.lower()):
                return json_answer({"artist_credit_name": artist, "artist_mbids": [], "recording_mbid": recording, "recording_name": name,
                                    "release_mbid": str(uuid.uuid5(uuid.NAMESPACE_DNS, name)), "release_name": "A"})
        return json_answer({})

    def listed(self, request: Request, what: str) -> Answer:
        if what == "listen-count":
            return json_answer({"payload": {"count": len(self.heard.listens)}})
        if what == "playing-now":
            rows = [{"track_metadata": self.heard.now["track_metadata"], "playing_now": True}] if self.heard.now else []
        else:
            rows = [each["row"] | {"user_name": self.user, "recording_msid": str(uuid.uuid5(uuid.NAMESPACE_DNS, each["track"]))}
                    for each in self.heard.newest(int(request.query("count", "25")))]
        return json_answer({"payload": {"count": len(rows), "user_id": self.user, "listens": rows}})

    def set_token(self, order: dict[str, Any]) -> dict[str, str]:
        self.token = str(order.get("token") or uuid.uuid4())
        return {"token": self.token}


def main() -> None:
    options = parser("A server of ListenBrainz's interface for tests.").parse_args()
    brainz = ListenBrainz(options.host, options.port, options.user, options.state)
    run(brainz.server, {"user": brainz.user, "token": brainz.token}, options.stay, lambda: None)


if __name__ == "__main__":
    main()
