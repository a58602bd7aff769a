"""Lets the unmodified client pylast use the stand-in, over https as it wants it. Status 1 where anything is wrong."""
from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request

from checking import Checker, StandIn, started
from lastfm_wire import signature

# pylast reads the trusted certificates when it is imported.
FOLDER = tempfile.TemporaryDirectory()
CERTIFICATE, KEY = (str(pathlib.Path(FOLDER.name, name)) for name in ("certificate.pem", "key.pem"))
subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", KEY, "-out", CERTIFICATE, "-days", "2",
                "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"], check=True, capture_output=True)
os.environ["SSL_CERT_FILE"] = CERTIFICATE

import pylast  # noqa: E402


def network(stand_in: StandIn, **more: str) -> pylast.LastFMNetwork:
    about = stand_in.about
    made = pylast.LastFMNetwork(api_key=about["key"], api_secret=more.pop("secret", about["secret"]))
    made.ws_server = (f"localhost:{about['port']}", "/2.0/")
    made.session_key = more.get("session", about["session"])
    made.username = about["user"]
    return made


def listens(count: int, first: int = 0) -> list[dict[str, object]]:
    return [{"artist": f"Artist {i}", "title": f"Träck {i}", "timestamp": 1_700_000_000 + 240 * i, "album": "Records & <Tapes>", "album_artist": "Several",
             "track_number": i + 1, "duration": 200} for i in range(first, first + count)]


def scrobbling(checker: Checker, stand_in: StandIn) -> None:
    client = network(stand_in)
    client.scrobble_many(listens(12))
    client.scrobble_many(listens(60, 100))
    checker.equal("batches", stand_in.order("summary")["batches"], [12, 50, 10])
    client.scrobble(artist="Ada", title="One", timestamp=1_700_100_000)
    client.scrobble(artist="Ada", title="One", timestamp=1_700_100_000)
    summary = stand_in.order("summary")
    checker.equal("one of each time", (summary["listens"], summary["again"]), (73, 1))
    recent = client.get_user(stand_in.about["user"]).get_recent_tracks(limit=5)
    checker.equal("the newest first", [(each.track.title, each.timestamp) for each in recent][:2], [("One", "1700100000"), ("Träck 159", "1700038160")])
    first = stand_in.order("listens", count=1)[0]
    checker.equal("all that was sent", {name: first[name] for name in ("track", "album", "albumArtist", "trackNumber", "duration")},
                  {"track": "Träck 0", "album": "Records & <Tapes>", "albumArtist": "Several", "trackNumber": "1", "duration": "200"})
    client.update_now_playing("Ada", "Two", album="A")
    checker.equal("now playing", stand_in.order("summary")["now"]["track"], "Two")
    track = client.get_track("Ada", "One")
    track.love()
    checker.check("a loved track", stand_in.order("summary")["loved"])
    track.username = stand_in.about["user"]
    checker.check("which the client sees", track.get_userloved())
    track.unlove()
    checker.check("and one that is not any more", not stand_in.order("summary")["loved"])


def signing_in(checker: Checker, stand_in: StandIn) -> None:
    client = network(stand_in, session="")
    door = pylast.SessionKeyGenerator(client)
    url = door.get_web_auth_url()
    with checker.raises("nobody has allowed it", pylast.WSError):
        door.get_web_auth_session_key(url)
    stand_in.order("allow")
    session, user = door.get_web_auth_session_key_username(url)
    checker.equal("whose session", user, stand_in.about["user"])
    network(stand_in, session=session).scrobble(artist="Ada", title="Mine", timestamp=1_700_200_000)
    with checker.raises("a token is good once", pylast.WSError):
        door.get_web_auth_session_key(url)
    checker.check("a session for a password", door.get_session_key(stand_in.about["user"], pylast.md5(stand_in.about["password"])))


def refusals(checker: Checker, stand_in: StandIn) -> None:
    codes = []
    for wrong in (network(stand_in, secret="other"), network(stand_in, session="0" * 32)):
        try:
            wrong.scrobble(artist="Ada", title="No", timestamp=1_700_300_000)
        except pylast.WSError as error:
            codes.append(str(error.status))
    checker.equal("a wrong secret, a wrong session", codes, ["13", "9"])
    stand_in.order("fault", path="/2.0", fault="failed", code=11)
    with checker.raises("a service that is away", pylast.WSError):
        network(stand_in).scrobble(artist="Ada", title="No", timestamp=1_700_300_000)
    stand_in.order("fault", path="/2.0", fault="html")
    with checker.raises("a page", (pylast.MalformedResponseError, IndexError)):
        network(stand_in).scrobble(artist="Ada", title="No", timestamp=1_700_300_000)


def shapes(checker: Checker, stand_in: StandIn) -> None:
    """Checks what pylast never uses: JSON with its one-element lists, and the test vectors of the signature."""
    about = stand_in.about
    checker.equal("the documented vector", signature({"api_key": "x" * 10, "method": "auth.getSession", "token": "yyyyyy"}, "ilovecher"),
                  "b87d61da3cda91a8b6746c4aef55d6f8")

    def call(**parameters: str) -> dict[str, object]:
        words = {"method": "track.scrobble", "api_key": about["key"], "sk": about["session"]} | parameters
        body = urllib.parse.urlencode(words | {"api_sig": signature(words, about["secret"]), "format": "json"}).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{about['port']}/2.0/", body, {"User-Agent": "referee"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    one = call(artist="Ada", track="Json", timestamp="1700000001")["scrobbles"]
    checker.equal("one is no list", (one["@attr"]["accepted"], one["scrobble"]["ignoredMessage"]["code"]), (1, 0))
    two = call(**{"artist[0]": "Ada", "track[0]": "Json", "timestamp[0]": "1700000002", "artist[1]": "Unknown Artist", "track[1]": "J", "timestamp[1]": "1700000003"})
    checker.equal("two are", [each["ignoredMessage"]["code"] for each in two["scrobbles"]["scrobble"]], [0, 1])


def main() -> int:
    checker = Checker("pylast")
    with started("lastfm_server.py", "--tls", CERTIFICATE, KEY) as stand_in:
        stand_in.url = stand_in.url.replace("http://127.0.0.1", "https://localhost")
        for name, part in (("scrobbling", scrobbling), ("signing in", signing_in), ("refusals", refusals)):
            with checker.part(name):
                part(checker, stand_in)
    with started("lastfm_server.py") as stand_in, checker.part("shapes"):
        shapes(checker, stand_in)
    return checker.end()


if __name__ == "__main__":
    sys.exit(main())
