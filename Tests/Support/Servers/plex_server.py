"""A Plex Media Server and plex.tv in one, for tests, benches and manual runs. README.md in this folder describes its
use.

Prints {"port", "token", "machineIdentifier", "accountToken"} when it is ready. Ends on SIGTERM and when stdin closes.
"""
from __future__ import annotations

import secrets
from typing import Any, Protocol

import plex_wire
from control import Control
from library import Library
from model import identity
from plex_library import PlexLibrary
from plex_media import PlexMedia
from plex_notifications import Notifications
from playlist_writes import PlexPlaylistWrites
from plex_tv import PlexTV
from plex_wire import container, error, packed
from plex_writes import PlexWrites
from starting import State, load, parser
from web import Answer, Request, Server, run

VERSION = "1.41.0.1"


class Area(Protocol):
    """A part of the server: answers its own requests, and gives None for the rest."""

    def answer(self, request: Request) -> Answer | None: ...


class PlexServer:
    def __init__(self, library: Library, host: str, port: int, token: str, machine: str, name: str) -> None:
        self.library, self.token, self.machine, self.name = library, token, machine, name
        self.server = Server(host, port, self.respond, error, plex_wire.COMMON)
        self.tv = PlexTV(machine, token, name)
        self.notifications = Notifications()
        self.media = PlexMedia(library)
        self.writes = PlexWrites(library, self.server.journal)
        self.areas: list[Area] = [PlexLibrary(library), self.writes, self.media, self.notifications,
                                  PlexPlaylistWrites(library, self.server.journal)]
        library.listeners.append(self.notifications.heard)
        self.control = Control(library, self.server, {
            "token": self.set_token, "claim": self.tv.claim, "pins/expire": self.tv.expire, "policy": self.set_policy,
            "notify": self.notifications.push, "notifications": self.set_notifications, "unready": self.set_unready,
            "connections": lambda order: self.tv.connections.__setitem__(slice(None), order["connections"])})

    def respond(self, request: Request) -> Answer:
        if request.path.startswith("/__control__/"):
            return self.control.answer(request)
        return packed(request, self.found(request))

    def found(self, request: Request) -> Answer:
        with self.library.lock:
            if request.path.startswith("/api/v2/"):
                return self.tv.answer(request) or error(request, 404)
            if request.path == "/identity":
                return container(request, self.identity())
            if request.named("X-Plex-Token") != self.token:
                return error(request, 401)
            if request.path == "/":
                return container(request, self.capabilities())
            return next((answer for area in self.areas if (answer := area.answer(request))), None) or error(request, 404)

    def identity(self) -> dict[str, Any]:
        return {"size": 0, "apiVersion": "1.0.0", "claimed": True, "machineIdentifier": self.machine, "version": VERSION}

    def capabilities(self) -> dict[str, Any]:
        about = {"size": 4, "allowCameraUpload": False, "allowChannelAccess": True, "allowMediaDeletion": True, "allowSharing": True,
                 "allowSync": True, "allowTuners": False, "backgroundProcessing": True, "certificate": True, "companionProxy": True,
                 "countryCode": "nor", "diagnostics": "logs,databases", "eventStream": True, "friendlyName": self.name, "hubSearch": True,
                 "itemClusters": True, "livetv": 0, "machineIdentifier": self.machine, "mediaProviders": True, "multiuser": True,
                 "musicAnalysis": 2, "myPlex": True, "myPlexMappingState": "mapped", "myPlexSigninState": "ok",
                 "myPlexSubscription": True, "myPlexUsername": "listener", "offlineTranscode": 1, "ownerFeatures": "loudness,lyrics,pass",
                 "platform": "Linux", "platformVersion": "12", "pluginHost": False, "pushNotifications": False,
                 "readOnlyLibraries": False, "streamingBrainABRVersion": 3, "streamingBrainVersion": 2, "sync": True,
                 "transcoderActiveVideoSessions": 0, "transcoderAudio": False, "transcoderLyrics": False, "transcoderPhoto": True,
                 "transcoderSubtitles": False, "transcoderVideo": False, "updatedAt": 1_700_000_000, "updater": False,
                 "version": VERSION, "voiceSearch": False}
        names = ("library", "playlists", "photo", "status")
        return about | {"Directory": [{"count": 1, "key": name, "title": name} for name in names]}

    # Orders of tests.

    def set_token(self, order: dict[str, Any]) -> dict[str, Any]:
        """`expire` makes the token of clients invalid; a new one is what a new sign-in gives."""
        self.token = self.tv.token = str(order.get("token") or secrets.token_urlsafe(15))
        if order.get("account", False):
            self.tv.accounts.clear()
        return {"token": self.token}

    def set_policy(self, order: dict[str, Any]) -> dict[str, Any]:
        for name in order:
            if name not in self.writes.policy:
                raise KeyError(name)
        self.writes.policy |= order
        return self.writes.policy

    def set_notifications(self, order: dict[str, Any]) -> dict[str, Any]:
        self.notifications.ping = float(order.get("ping", self.notifications.ping))
        self.notifications.is_mute = bool(order.get("mute", self.notifications.is_mute))
        listening = len(self.notifications.subscribers)
        return {"listening": listening, "dropped": self.notifications.drop() if order.get("drop") else 0}

    def set_unready(self, order: dict[str, Any]) -> dict[str, Any]:
        tracks = [self.library.tracks[int(key)] for key in order.get("keys", [])]
        self.media.unready = {track.part for track in tracks}
        self.media.allows_download = bool(order.get("allowsDownload", True))
        return {"parts": sorted(self.media.unready)}


def main() -> None:
    made = parser("A Plex Media Server and plex.tv in one, for tests.")
    made.add_argument("--token", help="the server's token; made up unless given")
    made.add_argument("--name", default="Stand-in")
    options = made.parse_args()
    library = load(options)
    state = State(options.state, library)
    token = options.token or state.value("token", secrets.token_urlsafe(15))
    machine = state.value("machine", identity("machine", options.seed, options.name).replace("-", ""))
    plex = PlexServer(library, options.host, options.port, token, machine, options.name)
    run(plex.server, {"token": token, "machineIdentifier": machine, "accountToken": f"account-{token}"}, options.stay, state.save)


if __name__ == "__main__":
    main()
