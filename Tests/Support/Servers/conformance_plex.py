"""Uses the stand-in with the unmodified client PlexAPI, and compares its answers with recordings of real servers.

The recordings are in $LUNARA_RECORDINGS; without it only the client decides. Exits with 1 where anything is wrong.
"""
from __future__ import annotations

import pathlib
import sys
import tempfile
from typing import Any

import requests
from plexapi.exceptions import BadRequest, NotFound, Unauthorized
from plexapi.myplex import MyPlexAccount, MyPlexPinLogin
from plexapi.server import PlexServer

from checking import Checker, StandIn, recordings_folder, started
from recordings import compare


class Elsewhere(requests.adapters.HTTPAdapter):
    """Redirects requests for plex.tv to the stand-in, which the client does not notice."""

    def __init__(self, url: str) -> None:
        self.url = url
        super().__init__()

    def send(self, request: requests.PreparedRequest, *words: Any, **more: Any) -> requests.Response:
        request.url = (request.url or "").replace("https://plex.tv", self.url)
        return super().send(request, *words, **more)


def browse(checker: Checker, plex: PlexServer) -> None:
    sections = {section.title: section for section in plex.library.sections() if section.type == "artist"}
    checker.equal("music sections", sorted(sections), ["Attic", "Audiobooks", "Music"])
    music = sections["Music"]
    artists, albums, tracks = music.all(), music.albums(), music.searchTracks()
    checker.equal("artists, albums and tracks", (len(artists), len(albums), len(tracks)), (6, 10, 32))
    checker.equal("artists by one name", len([artist for artist in artists if artist.title == "Echo"]), 2)
    checker.equal("halves of a split album", len([album for album in albums if album.title == "Paper Garden" and album.year == 2015]), 2)
    checker.equal("an album without year and picture", [(album.year, album.thumb) for album in albums if album.title == "Cellar Tapes"],
                  [(None, None)])
    credits = [track.originalTitle for track in tracks if track.grandparentTitle == "Various Artists"]
    checker.check("a compilation names its artists", credits and all(credits), credits)
    rivers = next(album for album in albums if album.title == "Two Rivers")
    checker.equal("discs", sorted({track.parentIndex for track in rivers.tracks()}), [1, 2])
    north = next(artist for artist in artists if artist.title == "The North Window")
    checker.equal("a sort title", north.titleSort, "North Window, The")
    checker.equal("an artist's albums", len(north.albums()), 3)
    checker.equal("an artist's tracks", len(north.tracks()), 14)
    missing = next(track for track in tracks if track.title == "Reel B")
    checker.equal("a track without a file", missing.media, [])
    track = next(track for track in tracks if track.title == "Morning Ferry")
    track.reload()
    stream = track.media[0].parts[0].streams[0]
    checker.check("a track's own loudness", stream.gain == stream.albumGain and stream.loudness != -18 - stream.gain, stream.loudness)
    checker.check("an identifier of MusicBrainz", track.guids and track.guids[0].id.startswith("mbid://"))
    album = next(album for album in albums if album.title == "Salt and Lantern")
    album.reload()
    checker.check("moods, styles and genres", album.moods and album.styles and album.genres)
    checker.equal("leaves of an album", (album.leafCount, len(album.tracks())), (4, 4))


def page_and_filter(checker: Checker, plex: PlexServer) -> None:
    music = plex.library.section("Music")
    wanted = [track.ratingKey for track in music.searchTracks()]
    for size in (1, 7, 100):
        rows = [track.ratingKey for track in music.search(libtype="track", container_size=size)]
        checker.equal(f"all rows in pages of {size}", rows, wanted)
    checker.equal("by artist and title", [album.title for album in music.searchAlbums(title="Two Rivers")], ["Two Rivers"])
    checker.equal("rated above 8", sorted(track.userRating for track in music.searchTracks(filters={"userRating>>": 7})), [8.0, 10.0])
    checker.equal("by genre", {album.title for album in music.searchAlbums(genre="Electronic")}, {"Oslo Sessions", "Leeds Sessions"})
    newest = music.searchAlbums(sort="addedAt:desc")
    checker.equal("the newest first", [album.addedAt for album in newest], sorted([album.addedAt for album in newest], reverse=True))
    since = newest[3].addedAt
    late = music.searchAlbums(filters={"addedAt>>": since.strftime("%Y-%m-%d")})
    checker.check("added since a day", late and all(album.addedAt.date() >= since.date() for album in late), late)
    checker.check("genres to choose from", "Jazz" in [choice.title for choice in music.listFilterChoices("genre", "album")])


def look_at_lists(checker: Checker, plex: PlexServer) -> None:
    music = plex.library.section("Music")
    found = {collection.title: collection for collection in music.collections()}
    checker.equal("collections", sorted(found), ["Current Vibes", "Nothing Yet", "People", "The Key Albums"])
    checker.equal("items of a collection", [album.type for album in found["The Key Albums"].items()], ["album"] * 5)
    checker.equal("items of an empty one", found["Nothing Yet"].items(), [])
    lists = {playlist.title: playlist for playlist in plex.playlists(playlistType="audio")}
    evening, favourites = lists["Evening"].items(), lists["Favourites"]
    checker.equal("a track twice in a playlist", (len(evening), len({track.ratingKey for track in evening})), (3, 2))
    checker.equal("the rows of a playlist have ids", len({track.playlistItemID for track in evening}), 3)
    checker.check("a smart playlist", favourites.smart and len(favourites.items()) == 2, favourites.items())
    checker.equal("a line of history each play", [view.title for view in plex.history(maxresults=2)], ["Salt", "Lantern"])


def edit_lists(checker: Checker, plex: PlexServer) -> None:
    one, two, three = plex.library.section("Music").searchTracks(maxresults=3)
    made = plex.createPlaylist("Made here", items=[one, two])
    checker.equal("a playlist is made", [track.title for track in made.items()], [one.title, two.title])
    made.addItems([three])
    made.reload()
    checker.equal("tracks are added", [track.title for track in made.items()], [each.title for each in (one, two, three)])
    made.moveItem(three)
    made.moveItem(one, after=two)
    made.reload()
    checker.equal("rows are moved", [track.title for track in made.items()], [each.title for each in (three, two, one)])
    made.removeItems([two])
    made.reload()
    checker.equal("a row is removed", [track.title for track in made.items()], [each.title for each in (three, one)])
    made.editTitle("Renamed").editSummary("Slow")
    made.reload()
    checker.equal("it has another title", (made.title, made.summary), ("Renamed", "Slow"))
    made.delete()
    checker.check("it is deleted", "Renamed" not in [each.title for each in plex.playlists()])


def write(checker: Checker, plex: PlexServer, stand_in: StandIn) -> None:
    track = plex.library.section("Music").searchTracks(title="Undertow")[0]
    track.rate(7)
    track.reload()
    checker.equal("a rating is kept", track.userRating, 7.0)
    track.rate(None)
    track.reload()
    checker.equal("a rating is taken back", track.userRating, None)
    before, lines = track.viewCount, len(plex.history())
    track.markPlayed()
    track.reload()
    checker.equal("a play is counted", track.viewCount, before + 1)
    checker.equal("a count is no history", len(plex.history()), lines)
    track.markUnplayed()
    track.reload()
    checker.equal("a play is taken back", track.viewCount, 0)
    track.updateTimeline(2000, state="playing", duration=track.duration)
    heard = [each for each in stand_in.order("received") if "Playlist" not in each["what"]]
    checker.equal("what was received", [each["what"] for each in heard], ["rate", "rate", "scrobble", "unscrobble", "timeline"])
    checker.equal("where it played", (heard[-1]["time"], heard[-1]["state"]), (2000, "playing"))
    with checker.raises("a rating beyond ten", BadRequest):
        plex.query(f"/:/rate?key={track.ratingKey}&identifier=com.plexapp.plugins.library&rating=11", method=plex._session.put)
    with checker.raises("an item that is not there", NotFound):
        plex.fetchItem(987654)


def download(checker: Checker, plex: PlexServer, stand_in: StandIn) -> None:
    track = plex.library.section("Music").searchTracks(title="Morning Ferry")[0]
    part = track.media[0].parts[0]
    with tempfile.TemporaryDirectory() as folder:
        paths = track.download(folder)
        whole = pathlib.Path(paths[0]).read_bytes()
    checker.check("a WAV as long as was said", whole[:4] == b"RIFF" and len(whole) == part.size, (whole[:4], len(whole), part.size))
    token = {"X-Plex-Token": stand_in.about["token"]}
    status, headers, middle = stand_in.get(part.key, token | {"Range": "bytes=100-299"})
    checker.check("a range", status == 206 and middle == whole[100:300] and headers["Content-Range"] == f"bytes 100-299/{part.size}", status)
    checker.equal("a range beyond the end", stand_in.get(part.key, token | {"Range": f"bytes={part.size}-"})[0], 416)
    cover = requests.get(plex.transcodeImage(track.thumb, 90, 120, imageFormat="png"), timeout=30)
    checker.check("a PNG of the size asked for", cover.content[:8] == b"\x89PNG\r\n\x1a\n" and cover.content[16:24] == bytes([0, 0, 0, 120, 0, 0, 0, 90]),
                  cover.content[:24])
    checker.equal("a JPEG", stand_in.get(track.thumb, token)[2][:2], b"\xff\xd8")


def sign_in(checker: Checker, stand_in: StandIn) -> None:
    session = requests.Session()
    session.mount("https://plex.tv", Elsewhere(stand_in.url))
    login = MyPlexPinLogin(session=session)
    checker.equal("a PIN of four characters", len(login.pin), 4)
    checker.check("nobody typed it yet", not login.checkLogin())
    stand_in.order("claim", code=login.pin)
    checker.check("somebody typed it", login.checkLogin() and login.token)
    account = MyPlexAccount(token=login.token, session=session)
    checker.equal("who it is", account.username, "listener")
    servers = [resource for resource in account.resources() if "server" in resource.provides]
    checker.equal("servers", [server.clientIdentifier for server in servers], [stand_in.about["machineIdentifier"]])
    checker.check("a server has a token of its own", servers[0].accessToken != login.token)
    checker.equal("a server that was discovered", servers[0].connect().machineIdentifier, stand_in.about["machineIdentifier"])
    with checker.raises("a token of nobody", Unauthorized):
        MyPlexAccount(token="nobody", session=session)
    with checker.raises("a server's token of nobody", Unauthorized):
        PlexServer(stand_in.url, "nobody")


def change(checker: Checker, plex: PlexServer, stand_in: StandIn) -> None:
    music = plex.library.section("Music")
    counted = music.totalViewSize("track"), stand_in.order("library")["1"]["changes"]
    made = stand_in.order("add", section=1, artist="Mira Sund", album="New Leaves", title="First")
    checker.equal("one more track", music.totalViewSize("track"), counted[0] + 1)
    checker.check("the counter of changes moves", stand_in.order("library")["1"]["changes"] > counted[1])
    checker.equal("the new track", plex.fetchItem(int(made["track"])).parentTitle, "New Leaves")
    guids = {track.guid: (track.ratingKey, track.media[0].parts[0].file) for track in music.searchTracks() if track.media}
    stand_in.order("renumber", section=1)
    again = {track.guid: (track.ratingKey, track.media[0].parts[0].file) for track in music.searchTracks() if track.media}
    checker.check("after a renumbering: the guids and files, not the keys", set(guids) == set(again) and all(
        guids[guid][0] != again[guid][0] and guids[guid][1] == again[guid][1] for guid in guids))
    for fault, kind in (("500", BadRequest), ("404", NotFound), ("401", Unauthorized), ("cut", requests.RequestException)):
        stand_in.order("fault", path="/all$", fault=fault)
        with checker.raises(f"the fault {fault}", kind):
            music.all()
    checker.equal("all is well again", len(music.all()), 6)


def main() -> int:
    checker = Checker("plexapi")
    with started("plex_server.py", "--demo") as stand_in:
        plex = PlexServer(stand_in.url, stand_in.about["token"])
        checker.equal("who the server is", plex.machineIdentifier, stand_in.about["machineIdentifier"])
        for name, part in (("browsing", lambda: browse(checker, plex)), ("paging and filters", lambda: page_and_filter(checker, plex)),
                           ("lists", lambda: look_at_lists(checker, plex)), ("editing lists", lambda: edit_lists(checker, plex)),
                           ("writing", lambda: write(checker, plex, stand_in)),
                           ("audio and pictures", lambda: download(checker, plex, stand_in)),
                           ("signing in", lambda: sign_in(checker, stand_in)), ("changes", lambda: change(checker, plex, stand_in))):
            with checker.part(name):
                part()
    status = checker.end()
    folder = recordings_folder()
    if not folder:
        print("plexapi: recordings NOT REPLAYED, as LUNARA_RECORDINGS is not set")
        return status
    with started("plex_server.py", "--demo") as stand_in:
        return status | compare(stand_in, folder / "plex")


if __name__ == "__main__":
    sys.exit(main())
