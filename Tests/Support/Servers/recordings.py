"""Holds the shapes of the stand-in's answers against recordings of real servers: every key, and what kind of value it has."""
from __future__ import annotations

import json
import pathlib
import re
from typing import Any
from xml.etree import ElementTree

from checking import Checker, StandIn

JSON = {"Accept": "application/json"}
CLIENT = {"X-Plex-Client-Identifier": "referee"}
# Words are of any kind: an album may be called 1989.
WORDS = {"title", "titleSort", "summary", "tag", "name", "code", "id@Guid", "product", "text", "parentTitle", "grandparentTitle", "title1"}
# Fields that music playback never looks at, or that only some versions or libraries have.
ABSENT = {"Preferences", "Extras", "Related", "Stations", "PopularLeaves", "augmentationKey", "location", "transcoderVideoBitrates", "transcoderVideoQualities",
          "transcoderVideoRemuxOnly", "transcoderVideoResolutions", "photoAutoTag", "art@MediaContainer", "thumb@MediaContainer",
          "platformVersion"}

Shape = dict[str, set[str]]


def kind(value: Any) -> str:
    if isinstance(value, bool):
        return "truth"
    if isinstance(value, (int, float)):
        return "number"
    return "none" if value is None else "text"


def xml_kind(text: str) -> str:
    return "number" if re.fullmatch(r"-?\d+(\.\d+)?", text) else "text"


def shape_of_json(value: Any, name: str, shape: Shape) -> Shape:
    """Which kinds of value every key has, by the name of what holds it."""
    for key, each in value.items():
        if isinstance(each, dict):
            shape_of_json(each, key, shape)
            shape.setdefault(f"{key}@{name}", set()).add("element")
        elif isinstance(each, list):
            shape.setdefault(f"{key}@{name}", set()).add("list")
            for child in each:
                if isinstance(child, dict):
                    shape_of_json(child, key, shape)
        else:
            shape.setdefault(f"{key}@{name}", set()).add(kind(each))
    return shape


def shape_of_xml(element: ElementTree.Element, shape: Shape) -> Shape:
    for key, text in element.attrib.items():
        shape.setdefault(f"{key}@{element.tag}", set()).add(xml_kind(text))
    for child in element:
        if child.tag not in ABSENT:
            shape.setdefault(f"{child.tag}@{element.tag}", set()).add("element")
            shape_of_xml(child, shape)
    return shape


def is_any(key: str, names: set[str]) -> bool:
    return key in names or key.partition("@")[0] in names or key.partition("@")[2] in names


def hold(checker: Checker, what: str, recorded: Shape, ours: Shape, optional: frozenset[str] = frozenset()) -> None:
    for key, kinds in recorded.items():
        if is_any(key, ABSENT | optional):
            continue
        checker.check(f"{what}: {key} is missing", key in ours)
        if key in ours and not is_any(key, WORDS) and "none" not in kinds | ours[key]:
            checker.check(f"{what}: {key} is {ours[key]}, recorded as {kinds}", ours[key] & kinds)


def compare(stand_in: StandIn, folder: pathlib.Path) -> int:
    checker = Checker("recordings")
    token = {"X-Plex-Token": stand_in.about["token"]}
    if not folder.is_dir():
        raise SystemExit(f"recordings: there is no folder {folder}")

    def key(kind: str, title: str) -> str:
        return stand_in.order("find", kind=kind, title=title)[0]["key"]

    track, album, artist = key("track", "Morning Ferry"), key("album", "Salt and Lantern"), key("artist", "The North Window")
    page = "X-Plex-Container-Start=0&X-Plex-Container-Size=50"
    playlist = re.search(rb'key="(/playlists/\d+/items)"', stand_in.get("/playlists", token)[2])
    assert playlist
    pairs = [("04-", "/"), ("06-", "/library/sections"), ("07-", f"/library/sections/1/all?type=9&{page}"),
             ("08-", f"/library/metadata/{album}"), ("09-", f"/library/sections/1/all?type=8&{page}"), ("10-*fixed", f"/library/metadata/{artist}"),
             ("11-", "/playlists"), ("12-", "/library/sections/1/genre?type=9"), ("15-", "/playlists"),
             ("16-", f"/library/sections/1/all?type=10&{page}"), ("17-", f"/library/metadata/{track}?checkFiles=1"),
             ("18-", playlist[1].decode())]
    for beginning, path in pairs:
        files = sorted((folder / "pms-1.29").glob(beginning + "*.xml"))
        checker.check(f"the recording {beginning}", files)
        for file in files[:1]:
            recorded = shape_of_xml(ElementTree.fromstring(file.read_bytes()), {})
            ours = shape_of_xml(ElementTree.fromstring(stand_in.get(path, token)[2]), {})
            optional = frozenset({"viewCount@Playlist", "lastViewedAt@Playlist"})
            hold(checker, f"{file.name[:14]} {path}", recorded, ours, optional)
    compare_json(checker, stand_in, folder / "misc", token, track)
    compare_pages(checker, stand_in, folder / "misc", token)
    return checker.end()


def compare_json(checker: Checker, stand_in: StandIn, misc: pathlib.Path, token: dict[str, str], track: str) -> None:
    account = {"X-Plex-Token": stand_in.about["accountToken"]}
    pairs = [("library_sections.one-music.pms1.32.json", "/library/sections", token, "GET"),
             ("library_sections.two-music.pms1.24.json", "/library/sections", token, "GET"),
             ("track_detail.flac-loudness.json", f"/library/metadata/{track}", token, "GET"),
             ("plextv-v2-pins-POST-short.json", "/api/v2/pins", CLIENT, "POST"),
             ("plextv-v2-pins-POST-strong.example.json", "/api/v2/pins?strong=true", CLIENT, "POST"),
             ("plextv-pins-400.json", "/api/v2/pins", {}, "POST")]
    for name, path, headers, method in pairs:
        ours = json.loads(stand_in.get(path, headers | JSON, method)[2])
        recorded = json.loads((misc / name).read_text())
        optional = frozenset({"identifier@MediaContainer", "mediaTagPrefix@MediaContainer", "mediaTagVersion@MediaContainer"})
        hold(checker, name, shape_of_json(recorded, "", {}), shape_of_json(ours, "", {}), optional if "sections" in name else frozenset())
    resources = json.loads(stand_in.get("/api/v2/resources?includeHttps=1", account | JSON)[2])
    file = next((misc.parent / "pms-1.29").glob("03-*.xml"))
    recorded_keys = set(next(ElementTree.fromstring(file.read_bytes()).iter("resource")).attrib)
    checker.check("resources: keys", recorded_keys <= set(resources[-1]), recorded_keys - set(resources[-1]))


def compare_pages(checker: Checker, stand_in: StandIn, misc: pathlib.Path, token: dict[str, str]) -> None:
    """Errors are the same small pages, byte for byte, and every answer has the headers that were recorded."""
    for name, path, headers in (("400", "/library/sections/1/all?title", token), ("404", "/nowhere", token),
                                ("401-api", "/library/sections", {}), ("401-root", "/", {})):
        status, _, body = stand_in.get(path, headers)
        checker.equal(f"status of {path}", status, int(name[:3]))
        checker.equal(f"page {name}", body, (misc / f"{name}.body.html").read_bytes().rstrip(b"\n"))
    text = (misc / "response-headers.txt").read_text()
    for title, path, headers in (("XML 200", "/library/sections", token), ("JSON 200", "/library/sections", token | JSON),
                                 ("401", "/library/sections", {})):
        block = text.partition(f"## {title}\n")[2].partition("##")[0]
        seen = stand_in.get(path, headers)[1]
        for line in block.strip().splitlines():
            name, _, value = line.partition(": ")
            # The checker's own client asks for a closed connection.
            if name not in ("Connection", "Keep-Alive"):
                checker.equal(f"{title}: {name}", seen[name], value)
