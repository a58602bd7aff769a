"""Uses the stand-in with the unmodified client py-opensonic. Exits with 1 where anything is wrong."""
from __future__ import annotations

import contextlib
import hashlib
import json
import sys
from typing import Any, Iterator
from urllib.parse import urlencode

from libopensonic import Connection
from libopensonic.errors import CredentialError, DataNotFoundError, ParameterError, SonicError

from checking import Checker, StandIn, started


@contextlib.contextmanager
def connected(stand_in: StandIn, **more: Any) -> Iterator[Connection]:
    words = {} if "api_key" in more else {"username": stand_in.about["user"], "password": stand_in.about["password"]}
    client = Connection("http://127.0.0.1", port=stand_in.about["port"], **(words | more))
    try:
        yield client
    finally:
        client.cleanup()


def asked(stand_in: StandIn, method: str, **words: str) -> tuple[int, Any, bytes]:
    """Sends a request without the client, for what it does not do or does wrong."""
    about = stand_in.about
    return stand_in.get(f"/rest/{method}?" + urlencode({"u": about["user"], "p": about["password"], "v": "1.16.1", "c": "referee"} | words))


def payload(stand_in: StandIn, method: str, **words: str) -> dict[str, Any]:
    return json.loads(asked(stand_in, method, f="json", **words)[2])["subsonic-response"]


def browse(checker: Checker, client: Connection, stand_in: StandIn) -> None:
    # The client expects folders one level above their place in the protocol.
    folders = payload(stand_in, "getMusicFolders")["musicFolders"]["musicFolder"]
    checker.equal("music folders", sorted(folder["name"] for folder in folders), ["Attic", "Audiobooks", "Music"])
    indexes = client.get_artists().index or []
    artists = [artist for index in indexes for artist in index.artist or []]
    checker.equal("artists of all folders", len(artists), 8)
    checker.check("an artist under the letter of its sort name",
                  any(artist.name == "The North Window" for index in indexes if index.name == "N" for artist in index.artist or []))
    north = next(artist for artist in artists if artist.name == "The North Window" and artist.album_count == 3)
    albums = client.get_artist(north.id).album or []
    checker.equal("albums of an artist", sorted(album.name for album in albums), ["Cellar Tapes", "Salt and Lantern", "Two Rivers"])
    bare = next(album for album in albums if album.name == "Cellar Tapes")
    checker.equal("an album without year and cover", (bare.year, bare.cover_art), (None, None))
    album = client.get_album(next(album for album in albums if album.name == "Salt and Lantern").id)
    songs = album.song or []
    checker.equal("songs of an album", [song.title for song in songs], ["Morning Ferry", "Lantern", "Undertow", "Salt"])
    song = client.get_song(songs[0].id)
    checker.check("identifiers", song.music_brainz_id and album.music_brainz_id and north.music_brainz_id)
    checker.equal("genres and artists", ([genre.name for genre in song.genres or []], [each.id for each in song.artists or []]),
                  (["Rock", "Pop"], [north.id]))
    gain = song.replay_gain
    checker.check("gains of the song and of the album", gain and gain.track_gain == -8.75 and gain.album_gain == -8.5 and gain.album_peak, gain)
    checker.equal("the sort name", north.sort_name, "North Window, The")
    rivers = client.get_album(next(album for album in albums if album.name == "Two Rivers").id)
    checker.equal("discs", sorted({each.disc_number for each in rivers.song or []}), [1, 2])


def list_and_search(checker: Checker, client: Connection) -> None:
    seen: list[str] = []
    while len(seen) < 100:
        page = client.search3("", artist_count=0, album_count=0, song_count=7, song_offset=len(seen)).song or []
        if not page:
            break
        seen += [song.id for song in page]
    checker.equal("all songs in pages of seven", (len(seen), len(set(seen))), (39, 39))
    newest = client.get_album_list2("newest", size=500)
    checker.equal("all albums, the newest first", [album.created for album in newest], sorted([album.created for album in newest], reverse=True))
    second = client.get_album_list2("newest", size=5, offset=5)
    checker.equal("the second page", [album.id for album in second], [album.id for album in newest[5:10]])
    checker.equal("by year", {album.year for album in client.get_album_list2("byYear", size=50, from_year=1990, to_year=2000)}, {1998})
    found = client.search3("paper").album or []
    checker.equal("a word", [album.name for album in found], ["Paper Garden", "Paper Garden"])
    various = next(song for song in client.search3("Quay").song or [] if song.title == "Quay")
    checker.equal("the artist of a song on a compilation", (various.artist, various.display_album_artist), ("Mira Sund", "Various Artists"))
    lists = {playlist.name: playlist for playlist in client.get_playlists()}
    evening = client.get_playlist(lists["Evening"].id).entry or []
    checker.equal("a song twice in a playlist", (len(evening), len({song.id for song in evening})), (3, 2))
    status = client.get_scan_status()
    checker.equal("the state of the scan", (status.scanning, status.count), (False, 39))
    checker.check("extensions", {"formPost", "apiKeyAuthentication"} <= {each.name for each in client.get_open_subsonic_extensions()})


def edit_lists(checker: Checker, client: Connection) -> None:
    songs = [song.id for song in client.search3("", song_count=3).song]
    client.create_playlist(name="Made here", song_ids=songs[:2])
    made = client.get_playlist(next(each.id for each in client.get_playlists() if each.name == "Made here"))
    checker.equal("a playlist is made", [song.id for song in made.entry], songs[:2])
    client.create_playlist(playlist_id=made.id, song_ids=songs[1::-1])
    checker.equal("it gets other songs", [song.id for song in client.get_playlist(made.id).entry], songs[1::-1])
    client.create_playlist(playlist_id=made.id, song_ids=songs[:2])
    client.update_playlist(made.id, name="Renamed", comment="Slow", song_ids_to_add=[songs[2], songs[0]], song_indices_to_remove=[0])
    now = client.get_playlist(made.id)
    checker.equal("it is changed", ([song.id for song in now.entry], now.name, now.comment), ([songs[1], songs[2], songs[0]], "Renamed", "Slow"))
    client.delete_playlist(made.id)
    checker.check("it is deleted", "Renamed" not in [each.name for each in client.get_playlists()])


def write(checker: Checker, client: Connection, stand_in: StandIn) -> None:
    album = client.search3("Two Rivers").album[0]
    song = client.get_album(album.id).song[0]
    client.star(sids=[song.id], album_ids=[album.id])
    starred = client.get_starred2()
    checker.equal("stars", ([each.id for each in starred.song or []], [each.id for each in starred.album or []]), ([song.id], [album.id]))
    client.unstar(sids=[song.id], album_ids=[album.id])
    checker.check("no stars", not client.get_starred2().song)
    client.set_rating(song.id, 4)
    checker.equal("a rating", client.get_song(song.id).user_rating, 4)
    client.set_rating(song.id, 0)
    checker.equal("no rating", client.get_song(song.id).user_rating, None)
    client.scrobble(song.id, submission=False, listen_time=1_700_000_000_000)
    client.scrobble(song.id, submission=True, listen_time=1_700_000_000_000)
    checker.equal("one play", client.get_song(song.id).play_count, 1)
    lists = ("createPlaylist", "updatePlaylist", "deletePlaylist")
    checker.equal("what was received", [each["what"] for each in stand_in.order("received") if each["what"] not in lists],
                  ["star", "star", "unstar", "unstar", "rate", "rate", "nowPlaying", "scrobble"])


def media(checker: Checker, client: Connection, stand_in: StandIn) -> None:
    song = client.search3("Morning Ferry").song[0]
    status, headers, whole = asked(stand_in, "stream", id=song.id)
    checker.check("audio as long as was said", status == 200 and whole[:4] == b"RIFF" and len(whole) == song.size, (status, len(whole)))
    words = urlencode({"apiKey": stand_in.about["apiKey"], "id": song.id})
    status, headers, part = stand_in.get(f"/rest/stream?{words}", {"Range": "bytes=10-19"})
    checker.check("a range", status == 206 and part == whole[10:20] and headers["Content-Range"] == f"bytes 10-19/{song.size}", status)
    status, headers, cover = asked(stand_in, "getCoverArt", id=song.id, size="100")
    checker.check("a cover", headers["Content-Type"] == "image/jpeg" and cover[:2] == b"\xff\xd8", headers["Content-Type"])
    bare = next(album for album in client.search3("Cellar").album or [])
    checker.equal("no cover is an error document", payload(stand_in, "getCoverArt", id=bare.id)["error"]["code"], 70)


def sign_in(checker: Checker, stand_in: StandIn) -> None:
    for what, words in (("a token", {}), ("a password", {"legacy_auth": True}), ("a key", {"api_key": stand_in.about["apiKey"]})):
        with connected(stand_in, **words) as client:
            checker.check(what, client.ping())
    with checker.raises("a wrong password", CredentialError), connected(stand_in, password="wrong") as client:
        client.get_artists()
    with checker.raises("a song that is not there", DataNotFoundError), connected(stand_in) as client:
        client.get_song("tr-99999")
    # The test vector of the API's own description.
    checker.equal("the digest", hashlib.md5(b"sesamec19b2d").hexdigest(), "26719a1196d2a940705a59634eb18eab")
    codes = []
    for refusal, query in ((41, "u=tester&t=0&s=abcdef"), (10, "u=tester&t=0&s=abcdef"), (42, "u=tester&p=secret"), (44, "apiKey=wrong"),
                           (43, "apiKey=wrong&u=tester"), (10, "u=tester")):
        token_only = {"auth": ["apiKey"], "tokenRefusal": refusal} if refusal in (41, 42, 10) else {"auth": ["apiKey"]}
        stand_in.order("policy", **token_only)
        body = stand_in.get(f"/rest/ping?{query}&v=1.16.1&c=referee&f=json")[2]
        codes.append(json.loads(body)["subsonic-response"]["error"]["code"])
    checker.equal("refusals", codes, [41, 10, 42, 44, 43, 10])
    stand_in.order("policy", auth=["token", "password", "apiKey"])
    for code, kind in ((10, ParameterError), (70, DataNotFoundError), (0, SonicError)):
        stand_in.order("fault", path="getArtists", fault="failed", code=code)
        with checker.raises(f"the error {code}", kind), connected(stand_in) as client:
            client.get_artists()


def legacy(checker: Checker, stand_in: StandIn) -> None:
    stand_in.order("policy", legacy=True, auth=["password"], tokenRefusal=10)
    with connected(stand_in, legacy_auth=True) as client:
        song = client.search3("Lantern").song[0]
    checker.equal("a legacy song", (song.genres, song.replay_gain, song.music_brainz_id), (None, None, None))
    checker.check("its bit rate is in bits", song.bit_rate == 64000, song.bit_rate)
    status, _, body = stand_in.get("/rest/getOpenSubsonicExtensions?u=tester&p=secret&v=1.10.2&c=referee&f=json")
    checker.equal("an unknown method", (status, json.loads(body)["subsonic-response"]["status"]), (404, "failed"))
    stand_in.order("policy", legacy=False, auth=["token", "password", "apiKey"], tokenRefusal=41)


def main() -> int:
    checker = Checker("py-opensonic")
    with started("subsonic_server.py", "--demo") as stand_in, connected(stand_in) as client:
        for name, part in (("browsing", lambda: browse(checker, client, stand_in)), ("lists", lambda: list_and_search(checker, client)),
                           ("editing lists", lambda: edit_lists(checker, client)),
                           ("writing", lambda: write(checker, client, stand_in)), ("media", lambda: media(checker, client, stand_in)),
                           ("signing in", lambda: sign_in(checker, stand_in)), ("a legacy server", lambda: legacy(checker, stand_in))):
            with checker.part(name):
                part()
    return checker.end()


if __name__ == "__main__":
    sys.exit(main())
