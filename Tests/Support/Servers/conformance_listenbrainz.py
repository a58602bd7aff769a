"""Uses the stand-in with the unmodified client liblistenbrainz. Exits with 1 where anything is wrong."""
from __future__ import annotations

import json
import pathlib
import sys
import time
import urllib.request

from liblistenbrainz import Listen, ListenBrainz
from liblistenbrainz.errors import InvalidAuthTokenException, ListenBrainzAPIException

from checking import Checker, StandIn, recordings_folder, started

RECORDING = "b1a9c0e9-d987-4042-ae91-78d6a3267d69"


def client(stand_in: StandIn) -> ListenBrainz:
    made = ListenBrainz(stand_in.url)
    made.set_auth_token(stand_in.about["token"])
    return made


def submitting(checker: Checker, stand_in: StandIn) -> None:
    brainz = client(stand_in)
    one = Listen(track_name="Träck", artist_name="Ada", listened_at=1_700_000_000, release_name="A", recording_mbid=RECORDING, tracknumber=3,
                 additional_info={"duration_ms": 200_000})
    brainz.submit_single_listen(one)
    brainz.submit_single_listen(one)
    brainz.submit_multiple_listens([Listen(track_name=f"T{i}", artist_name="Bob", listened_at=1_700_000_100 + i) for i in range(40)])
    summary = stand_in.order("summary")
    checker.equal("one of each time", (summary["listens"], summary["again"], summary["batches"]), (41, 1, [1, 1, 40]))
    user = stand_in.about["user"]
    listens = brainz.get_listens(user, count=100)
    checker.equal("the newest first", [listens[0].track_name, listens[-1].track_name, len(listens)], ["T39", "Träck", 41])
    checker.equal("what else was said", (listens[-1].recording_mbid, listens[-1].additional_info["duration_ms"]), (RECORDING, 200_000))
    brainz.submit_playing_now(Listen(track_name="Now", artist_name="Ada"))
    checker.equal("now playing", brainz.get_playing_now(user).track_name, "Now")
    brainz.submit_user_feedback(1, RECORDING)
    checker.equal("love", stand_in.order("summary")["loved"], {RECORDING: 1})
    read = brainz.get_user_feedback(user, 1, metadata=True)
    checker.equal("love that is read", (read["total_count"], read["feedback"][0]["recording_mbid"]), (1, RECORDING))
    brainz.submit_user_feedback(0, RECORDING)
    checker.equal("and no more", stand_in.order("summary")["loved"], {})


def scores(checker: Checker, stand_in: StandIn) -> None:
    brainz, user = client(stand_in), stand_in.about["user"]
    recordings = [f"00000000-0000-4000-8000-{number:012}" for number in range(130)]
    stand_in.order("describe", **{recordings[0]: {"artist": "Ada", "title": "First", "album": "A"}})
    stand_in.order("score", mbids=recordings)
    stand_in.order("score", msids=["11111111-0000-4000-8000-000000000000"])
    brainz.submit_user_feedback(-1, RECORDING)
    first = brainz.get_user_feedback(user, score=1, metadata=True, count=100)
    rest = brainz.get_user_feedback(user, score=1, metadata=True, count=100, offset=100)
    rows = first["feedback"] + rest["feedback"]
    checker.equal("pages of a hundred", (first["count"], rest["count"], first["total_count"], rest["offset"]), (100, 31, 131, 100))
    checker.equal("a listen has no recording", (rows[0]["recording_mbid"], rows[0]["recording_msid"][:4]), (None, "1111"))
    checker.equal("the newest first", [each["recording_mbid"] for each in rows[1:]], recordings[::-1])
    checker.equal("names", rows[-1]["track_metadata"]["track_name"], "First")
    hated = brainz.get_user_feedback(user, score=-1, metadata=False)
    checker.equal("hated", [each["recording_mbid"] for each in hated["feedback"]], [RECORDING])
    with checker.raises("another score", ListenBrainzAPIException):
        brainz._get(f"/1/feedback/user/{user}/get-feedback", {"score": 5})


def playlists(checker: Checker, stand_in: StandIn) -> None:
    """The client has no calls of its own for playlists; those of the documentation are made by it."""
    brainz, user, other = client(stand_in), stand_in.about["user"], ListenBrainz(stand_in.url)
    options, prefix = "https://musicbrainz.org/doc/jspf#playlist", "https://musicbrainz.org/recording/"
    ids = [f"00000000-0000-4000-8000-{number:012}" for number in range(6)]

    def post(path: str, data: object) -> dict[str, object]:
        return brainz._post(f"/1/playlist/{path}", json.dumps(data))

    def read() -> list[str]:
        return [each["identifier"][0].removeprefix(prefix) for each in brainz._get(f"/1/playlist/{made}")["playlist"]["track"]]

    def tracks(*wanted: str) -> dict[str, object]:
        return {"playlist": {"title": "x", "track": [{"identifier": prefix + each} for each in wanted]}}

    made = post("create", {"playlist": {"title": "L", "annotation": "a & b", "extension": {options: {"public": False}}}})["playlist_mbid"]
    post(f"{made}/item/add", tracks(*ids[:4]))
    post(f"{made}/item/add/1", tracks(*ids[4:]))
    checker.equal("added at a position", read(), [ids[0], ids[4], ids[5], ids[1], ids[2], ids[3]])
    post(f"{made}/item/move", {"mbid": ids[0], "from": 0, "to": 2, "count": 1})
    checker.equal("moved, counted without it", read(), [ids[4], ids[5], ids[0], ids[1], ids[2], ids[3]])
    post(f"{made}/item/delete", {"index": 1, "count": 2})
    checker.equal("deleted", read(), [ids[4], ids[1], ids[2], ids[3]])
    with checker.raises("101 at once", ListenBrainzAPIException):
        post(f"{made}/item/add", tracks(*[ids[0]] * 101))
    with checker.raises("no recording", ListenBrainzAPIException):
        post(f"{made}/item/add", tracks("x"))
    with checker.raises("a private list of another", ListenBrainzAPIException):
        other._get(f"/1/playlist/{made}")
    checker.equal("nor in an overview", other._get(f"/1/user/{user}/playlists")["playlist_count"], 0)
    before = brainz._get(f"/1/user/{user}/playlists")["playlists"][0]["playlist"]
    post(f"edit/{made}", {"playlist": {"title": "M", "annotation": ""}})
    after = brainz._get(f"/1/user/{user}/playlists")["playlists"][0]["playlist"]
    checker.equal("edited", (before["title"], before["annotation"], after["title"], "annotation" in after), ("L", "a &amp; b", "M", False))
    checker.check("its mark differs", before["extension"][options]["last_modified_at"] != after["extension"][options]["last_modified_at"])
    theirs = stand_in.order("playlist", creator="other", title="Theirs", recordings=ids)["id"]
    with checker.raises("a list of another", ListenBrainzAPIException):
        post(f"{theirs}/item/delete", {"index": 0, "count": 1})
    post(f"{made}/delete", {})
    checker.equal("deleted", brainz._get(f"/1/user/{user}/playlists")["playlist_count"], 0)


def refusals(checker: Checker, stand_in: StandIn) -> None:
    with checker.raises("a wrong token", InvalidAuthTokenException):
        ListenBrainz(stand_in.url).set_auth_token("wrong")
    brainz = client(stand_in)
    good = Listen(track_name="G", artist_name="Ada", listened_at=1_700_001_000)
    for what, bad in (("no name", Listen(track_name=" ", artist_name="Ada", listened_at=1_700_000_000)),
                      ("too early", Listen(track_name="T", artist_name="Ada", listened_at=1)),
                      ("no UUID", Listen(track_name="T", artist_name="Ada", listened_at=1_700_000_000, recording_mbid="x")),
                      ("two durations", Listen(track_name="T", artist_name="Ada", listened_at=1_700_000_000, additional_info={"duration": 1, "duration_ms": 1000})),
                      ("too large", Listen(track_name="T" * 11_000, artist_name="Ada", listened_at=1_700_000_000))):
        with checker.raises(what, ListenBrainzAPIException):
            brainz.submit_multiple_listens([good, bad])
    checker.check("one bad listen fails all", all(each["track"] != "G" for each in stand_in.order("listens")))


def limits(checker: Checker, stand_in: StandIn) -> None:
    stand_in.order("policy", limit=2, window=2)
    path, token = "/1/user/tester/listen-count", {"Authorization": f"Token {stand_in.about['token']}"}
    seen = [stand_in.get(path, token) for _ in range(3)]
    checker.equal("the third is too much", [each[0] for each in seen][-1], 429)
    checker.check("and says for how long", 1 <= int(seen[-1][1]["X-RateLimit-Reset-In"]) <= 3 and seen[-1][1]["X-RateLimit-Remaining"] == "0")
    time.sleep(2.1)
    # The client waits as long as the answer says, and succeeds.
    brainz = client(stand_in)
    for _ in range(3):
        brainz.get_listens(stand_in.about["user"])
    stand_in.order("policy", limit=1000, window=0)


def recordings(checker: Checker, stand_in: StandIn, folder: pathlib.Path) -> None:
    """Examples that the real server accepts and refuses are accepted and refused."""
    files = sorted(folder.glob("*.json"))
    checker.check("there are examples", files)
    for file in files:
        request = urllib.request.Request(f"{stand_in.url}/1/submit-listens", file.read_bytes(), {"Authorization": f"Token {stand_in.about['token']}"})
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                status = answer.status
        except urllib.error.HTTPError as error:
            status = error.code
        is_good = file.name.startswith("valid_") or file.name == "playing_now_with_duration_ms.json"
        checker.equal(file.name, (status, json.loads(file.read_text())["listen_type"] != ""), (200 if is_good else 400, True))


def main() -> int:
    checker = Checker("liblistenbrainz")
    with started("listenbrainz_server.py") as stand_in:
        for name, part in (("submitting", submitting), ("scores", scores), ("playlists", playlists), ("refusals", refusals), ("limits", limits)):
            with checker.part(name):
                part(checker, stand_in)
        folder = recordings_folder()
        if folder:
            with checker.part("recordings"):
                recordings(checker, stand_in, folder / "scrobble" / "listenbrainz")
        else:
            print("liblistenbrainz: recordings NOT REPLAYED, as LUNARA_RECORDINGS is not set")
    return checker.end()


if __name__ == "__main__":
    sys.exit(main())
