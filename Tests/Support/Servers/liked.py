"""Prints, as JSON, what an unmodified client of others finds liked at a server.

    liked.py plex URL TOKEN                 {"albums": [{"title", "rating"}, …]}
    liked.py subsonic PORT USER PASSWORD    {"albums": [{"title"}, …]}
"""
from __future__ import annotations

import json
import sys


def plex(url: str, token: str) -> list[dict[str, str | float | None]]:
    from plexapi.server import PlexServer

    music = PlexServer(url, token).library.section("Music")
    return [{"title": album.title, "rating": album.userRating} for album in music.albums()]


def subsonic(port: str, user: str, password: str) -> list[dict[str, str]]:
    from libopensonic import Connection

    client = Connection("http://127.0.0.1", port=int(port), username=user, password=password)
    try:
        return [{"title": album.name} for album in client.get_starred2().album or []]
    finally:
        client.cleanup()


if __name__ == "__main__":
    print(json.dumps({"albums": {"plex": plex, "subsonic": subsonic}[sys.argv[1]](*sys.argv[2:])}))
