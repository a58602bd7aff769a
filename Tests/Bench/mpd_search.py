"""mpd for comparison with the library: the same songs and the same searches."""
import gzip
import pathlib
import sqlite3
import tempfile
import time

import scan
from figures import fail, wait_for


def write_mpd_database(file, home):
    """Writes a database of mpd with the songs of the catalogue. Its head comes from mpd, as it contains mpd's
    settings."""
    with tempfile.TemporaryDirectory(dir=home) as tree:
        tree = pathlib.Path(tree)
        scan.make_tree(tree, 1)
        mpd = scan.MPD(tree, home, None)
        mpd.first(1)
        mpd.process.terminate()
        mpd.process.wait()
    with gzip.open(home / "db", "rt") as written:
        head = written.read().split("info_end\n")[0]
    with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as database, gzip.open(home / "db", "wt", compresslevel=1) as out:
        out.write(head + "info_end\n")
        album, count = None, 0
        rows = database.execute(
            """SELECT a.id, t.id, t.title, t.artist, a.title, a.artist, ifnull(t.number, 0), ifnull(t.year, a.year), t.duration
            FROM albums a JOIN tracks t ON t.shelf = a.id ORDER BY a.id, t.disc, t.number""")
        for number, track, title, artist, album_title, album_artist, place, year, duration in rows:
            if number != album:
                if album is not None:
                    out.write(f"end: {album}\n")
                out.write(f"directory: {number}\nmtime: 1\nbegin: {number}\n")
                album = number
            out.write(f"song_begin: {track}.flac\nTime: {duration / 1000}\nTitle: {title}\nArtist: {artist}\n"
                      f"Album: {album_title}\nAlbumArtist: {album_artist}\nTrack: {place}\nDate: {year}\nmtime: 1\nsong_end\n")
            count += 1
        out.write(f"end: {album}\n")
    return count


def search_mpd(home, file, texts, hits):
    """The milliseconds of each search by mpd, in order, over its socket."""
    count = write_mpd_database(file, home)
    mpd = scan.MPD(home / "empty", home, None)
    (home / "empty").mkdir()
    try:
        wait_for(lambda: mpd.finished(count), "mpd to read its database")
        took = []
        with scan.socket.socket(scan.socket.AF_UNIX) as connection:
            connection.connect(str(mpd.socket))
            reader = connection.makefile("rb")
            reader.readline()
            for text in texts:
                terms = " AND ".join(f"(any contains \\\"{word}\\\")" for word in text.split())
                command = f'search "({terms})" window 0:{hits}\n' if " AND " in terms else f'search "{terms}" window 0:{hits}\n'
                began = time.monotonic()
                connection.sendall(command.encode())
                songs = 0
                while (line := reader.readline()) not in (b"OK\n", b""):
                    if line.startswith(b"ACK"):
                        fail(f"mpd: {line.decode().strip()}")
                    songs += line.startswith(b"file: ")
                took.append((time.monotonic() - began) * 1000)
                if songs == 0:
                    fail(f"mpd found nothing for {text}")
    finally:
        mpd.process.terminate()
        mpd.process.wait()
    return sorted(took)
