"""The part of plex.tv that a player needs: PINs, the account of a token, and the servers it may use."""
from __future__ import annotations

import json
import random
import string
import time
from typing import Any

from model import identity
from plex_wire import wants_json
from tree import xml
from web import Answer, Request, json_answer

USER = {"id": 4242, "uuid": "5f4e3d2c1b0a9988", "username": "listener", "title": "Listener", "email": "listener@example.org",
        "friendlyName": "", "locale": None, "confirmed": True, "emailOnlyAuth": False, "hasPassword": True, "protected": False,
        "thumb": "https://plex.tv/users/5f4e3d2c1b0a9988/avatar", "mailingListActive": False, "country": "NO", "guest": False,
        "restricted": False, "home": False, "homeAdmin": False, "homeSize": 1, "rememberExpiresAt": 0, "maxHomeSize": 15}


def moment(at: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at))


class PlexTV:
    def __init__(self, machine: str, token: str, name: str) -> None:
        self.machine, self.token, self.name = machine, token, name
        # Tokens of the account. The token of the server is another one, which the resources contain.
        self.accounts: set[str] = {f"account-{token}"}
        self.pins: dict[int, dict[str, Any]] = {}
        self.chance = random.Random()
        self.lifetime = 900
        self.connections: list[dict[str, Any]] = []

    def answer(self, request: Request) -> Answer | None:
        path = request.path
        if path == "/api/v2/pins" and request.method == "POST":
            return self.make_pin(request)
        if path.startswith("/api/v2/pins/") and request.method == "GET":
            return self.poll(request, path.rpartition("/")[2])
        if path == "/api/v2/user" and request.method == "GET":
            return self.user(request)
        if path == "/api/v2/resources" and request.method == "GET":
            return self.resources(request)
        return None

    def refusal(self, request: Request, status: int, code: int, message: str) -> Answer:
        if wants_json(request):
            return json_answer({"errors": [{"code": code, "message": message, "status": status}]}, status)
        return Answer(status, xml("errors", {"error": [{"code": code, "message": message, "status": status}]}), "application/xml")

    def written(self, request: Request, name: str, value: dict[str, Any], status: int = 200) -> Answer:
        if wants_json(request):
            return json_answer(value, status)
        value = {key: "" if each is None else each for key, each in value.items()}
        return Answer(status, xml(name, value), "application/xml; charset=utf-8")

    # PINs.

    def make_pin(self, request: Request) -> Answer:
        client = request.named("X-Plex-Client-Identifier")
        if not client:
            return self.refusal(request, 400, 1000, "X-Plex-Client-Identifier is missing")
        is_strong = request.query("strong").lower() in ("true", "1")
        letters = string.ascii_lowercase + string.digits if is_strong else "ABCDEFGHJKLMNPQRSTUVWXYZ123456789"
        code = "".join(self.chance.choices(letters, k=25 if is_strong else 4))
        number, now = self.chance.randrange(10**8, 10**9), time.time()
        life = self.lifetime * (2 if is_strong else 1)
        self.pins[number] = {"id": number, "code": code, "client": client, "product": request.named("X-Plex-Product") or "0",
                             "born": now, "ends": now + life, "token": None}
        return self.written(request, "pin", self.pin(self.pins[number]), 201)

    def pin(self, pin: dict[str, Any]) -> dict[str, Any]:
        place = {"code": "NO", "european_union_member": False, "continent_code": "EU", "country": "Norway", "city": "Bergen",
                 "time_zone": "Europe/Oslo", "postal_code": "5003", "in_privacy_restricted_country": True,
                 "in_privacy_restricted_region": True, "subdivisions": "Vestland", "coordinates": "60.39, 5.32"}
        return {"id": pin["id"], "code": pin["code"], "product": pin["product"], "trusted": False,
                "qr": f"https://plex.tv/api/v2/pins/qr/{pin['code']}", "clientIdentifier": pin["client"], "location": place,
                "expiresIn": max(0, int(pin["ends"] - time.time())), "createdAt": moment(pin["born"]), "expiresAt": moment(pin["ends"]),
                "authToken": pin["token"], "newRegistration": None}

    def poll(self, request: Request, text: str) -> Answer:
        pin = self.pins.get(int(text)) if text.isdigit() else None
        if pin is None or time.time() > pin["ends"] or request.named("X-Plex-Client-Identifier") != pin["client"]:
            return self.refusal(request, 404, 1020, "Code not found or expired")
        return self.written(request, "pin", self.pin(pin))

    def claim(self, order: dict[str, Any]) -> dict[str, Any]:
        """Acts as a person who types the code at plex.tv/link: by code, by id, or the newest."""
        found = [pin for pin in self.pins.values() if order.get("code") in (None, pin["code"]) and order.get("id") in (None, pin["id"])]
        if not found:
            raise KeyError("no such PIN")
        token = str(order.get("token", f"account-{identity(found[-1]['id'])[:20]}"))
        found[-1]["token"] = token
        self.accounts.add(token)
        return {"id": found[-1]["id"], "token": token}

    def expire(self, order: dict[str, Any]) -> None:
        for pin in self.pins.values():
            if order.get("code") in (None, pin["code"]):
                pin["ends"] = 0

    # The account.

    def user(self, request: Request) -> Answer:
        token = request.named("X-Plex-Token")
        if token not in self.accounts:
            return self.refusal(request, 401, 1001, "User could not be authenticated")
        subscription = {"active": True, "subscribedAt": "2020-01-01 00:00:00 UTC", "status": "Active", "plan": "lifetime"}
        user: dict[str, Any] = USER | {"authToken": token, "subscription": subscription, "scrobbleTypes": ""}
        if not wants_json(request):
            user |= {"profile": {"autoSelectAudio": True, "defaultAudioLanguage": "en", "defaultSubtitleLanguage": "en",
                                 "autoSelectSubtitle": 0}}
        return self.written(request, "user", user)

    def resources(self, request: Request) -> Answer:
        if request.named("X-Plex-Token") not in self.accounts:
            return self.refusal(request, 401, 1001, "User could not be authenticated")
        address, _, port = request.host.partition(":")
        here = {"protocol": "http", "address": address, "port": int(port or 80), "uri": f"http://{request.host}", "local": True,
                "relay": False, "IPv6": False}
        server = {"name": self.name, "product": "Plex Media Server", "productVersion": "1.41.0.1", "platform": "Linux",
                  "platformVersion": "12", "device": "PC", "clientIdentifier": self.machine, "createdAt": "2020-01-01T00:00:00Z",
                  "lastSeenAt": moment(time.time()), "provides": "server", "ownerId": None, "sourceTitle": None,
                  "publicAddress": "192.0.2.1", "accessToken": self.token, "owned": True, "home": False, "synced": False,
                  "relay": True, "presence": True, "httpsRequired": False, "publicAddressMatches": True,
                  "dnsRebindingProtection": False, "natLoopbackSupported": False, "connections": self.connections + [here]}
        player: dict[str, Any] = {"name": "A player", "product": "Player", "productVersion": "1.0", "platform": "Android", "platformVersion": "13",
                  "device": "Phone", "clientIdentifier": identity("player"), "createdAt": "2020-01-01T00:00:00Z",
                  "lastSeenAt": "2020-01-01T00:00:00Z", "provides": "client,player", "ownerId": None, "sourceTitle": None,
                  "publicAddress": "192.0.2.1", "accessToken": None, "owned": True, "home": False, "synced": False, "relay": False,
                  "presence": False, "httpsRequired": False, "publicAddressMatches": True, "dnsRebindingProtection": False,
                  "natLoopbackSupported": False, "connections": []}
        if wants_json(request):
            body = json.dumps([player, server], separators=(",", ":")).encode()
            return Answer(200, body, "application/json")
        rows = [{name: "" if value is None else value for name, value in each.items() if name != "connections"}
                | {"connections": {"connection": each["connections"]}} for each in (player, server)]
        return Answer(200, xml("resources", {"resource": rows}), "application/xml; charset=utf-8")
