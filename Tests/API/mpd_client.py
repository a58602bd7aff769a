"""Drives a running lunara-mpd with python-mpd2, a client that nobody here wrote. Usage: mpd_client.py PORT"""
import sys
import threading
import time

import mpd

port = int(sys.argv[1])


def connect():
    client = mpd.MPDClient()
    client.timeout = 60
    client.connect("127.0.0.1", port)
    return client


def hold(condition, what):
    if not condition:
        raise SystemExit(f"mpd_client: {what}")


def refused(code, call, *arguments):
    try:
        call(*arguments)
    except mpd.CommandError as error:
        hold(str(error).startswith(f"[{code}@0]"), f"{error} instead of code {code}")
        return
    raise SystemExit(f"mpd_client: {call} was not refused")


client = connect()
hold(client.mpd_version == "0.23.5", f"version {client.mpd_version}")

# The library: the same songs by tags, by folders and by filters.
songs = client.search("any", "")
hold(len(songs) == int(client.stats()["songs"]) > 3, f"{len(songs)} songs")
albums = client.list("album", "group", "albumartist")
hold(albums and all({"album", "albumartist"} <= set(album) for album in albums), f"albums {albums}")
first = albums[0]["album"]
of_album = client.find(f"(Album == {mpd.base.escape(first).join(chr(39) * 2)})")
hold(of_album == client.find("album", first) and of_album, "filters in both forms find the same")
folder = of_album[0]["file"].rsplit("/", 1)[0]
hold([song["file"] for song in client.lsinfo(folder)] == [song["file"] for song in of_album], "a folder is an album")
hold(int(client.count("album", first)["songs"]) == len(of_album), "counted")
refused(50, client.lsinfo, "No Such Artist")

# The queue.
client.clear()
client.add(folder)
queue = client.playlistinfo()
hold([song["file"] for song in queue] == [song["file"] for song in of_album], "the album is queued")
version = client.status()["playlist"]
number = client.addid(of_album[0]["file"], 0)
hold(client.playlistid(number)[0]["pos"] == "0", "a song is added at the start")
hold(len(client.plchanges(version)) == len(of_album) + 1, "all positions behind it changed")
client.deleteid(number)
refused(50, client.playid, number)
refused(2, client.play, 9999)
refused(55, client.next)

# Playing, seen by a second connection that waits.
other = connect()
changes = []


def wait():
    while "player" not in changes:
        changes.extend(other.idle("player"))


waiter = threading.Thread(target=wait)
waiter.start()
client.play(0)
waiter.join(60)
hold("player" in changes, "idle reports that a song plays")
end = time.monotonic() + 60
while client.status()["state"] != "play" and time.monotonic() < end:
    time.sleep(0.05)
status = client.status()
hold(status["state"] == "play" and client.currentsong()["file"] == of_album[0]["file"], f"status {status}")
client.pause(1)
hold(client.status()["state"] == "pause", "paused")
client.seekcur(2)
hold(1.9 <= float(client.status()["elapsed"]) <= 2.1, f"elapsed {client.status()['elapsed']}")
client.setvol(40)
hold(client.status()["volume"] == "40", "volume")
client.repeat(1)
client.single(1)
status = client.status()
hold((status["repeat"], status["single"]) == ("1", "1"), f"one song repeats: {status}")
client.single(0)
client.repeat(0)

# A list of commands, which stops at an error.
client.command_list_ok_begin()
client.ping()
client.status()
hold(len(client.command_list_end()) == 2, "a list of commands")

# Covers, in parts.
cover = client.readpicture(of_album[0]["file"])
hold(not cover or cover["binary"][:2] in (b"\xff\xd8", b"\x89P", b"RI"), "a cover is a picture")

# Stored playlists.
client.save("Evening")
refused(56, client.save, "Evening")
hold([row["playlist"] for row in client.listplaylists()] == ["Evening"], f"lists {client.listplaylists()}")
hold(client.listplaylist("Evening") == [song["file"] for song in of_album], "the list is the queue")
client.playlistadd("Evening", of_album[0]["file"])
client.playlistmove("Evening", len(of_album), 0)
client.playlistdelete("Evening", 1)
hold(len(client.listplaylistinfo("Evening")) == len(of_album), "edited")
client.rename("Evening", "Night")
client.clear()
client.load("Night", "1:3")
hold([song["file"] for song in client.playlistinfo()] == client.listplaylist("Night")[1:3], "a part is loaded")
client.rm("Night")
refused(50, client.load, "Night")

# Ratings.
song = of_album[0]["file"]
refused(50, client.sticker_get, "song", song, "rating")
client.sticker_set("song", song, "rating", 8)
hold(client.sticker_get("song", song, "rating") == "8", "rated")
hold([found["file"] for found in client.sticker_find("song", "", "rating")] == [song], "found by its rating")
client.sticker_delete("song", song, "rating")

hold("default" in [row["partition"] for row in client.listpartitions()], "partitions")
print("mpd_client: all held")
