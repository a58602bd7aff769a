"""Makes a collection, has a household read it, and compares what its interface says with the manifest.

Prints a table of what differs, and fails if a difference is not in gaps.py, or if one of gaps.py is not found any more.
"""
import argparse
import collections
import concurrent.futures
import fnmatch
import json
import pathlib
import sqlite3
import sys
import tempfile
import time
import urllib.parse
import urllib.request

HERE = pathlib.Path(__file__).parent
sys.path[:0] = [str(HERE.parent / "Bench"), str(HERE.parent / "Support" / "Music")]
import corpus.__main__ as maker  # noqa: E402
import gaps  # noqa: E402
from figures import fail, wait_for  # noqa: E402
from household import Household  # noqa: E402


class Answers:
    """What the household says of its tracks, by the addresses of their files."""

    def __init__(self, household):
        self.base = "http://" + household.environment["LUNARA_WEB"]
        self.household = household
        self.albums, self.stored = {}, {}
        self.files = collections.defaultdict(list)

    def get(self, path):
        with urllib.request.urlopen(self.base + "/api/v1/" + path, timeout=60) as answer:
            return json.load(answer)

    def pages(self, path):
        after = None
        while True:
            page = self.get(path + ("&after=" + urllib.parse.quote(after) if after else ""))
            yield from page["items"]
            after = page.get("next")
            if not after:
                return

    def read(self):
        # The page's interface names the tracks, and the program `lunara` says all of each.
        tracks = [track["id"] for track in self.pages("tracks?limit=200")]
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            details = list(pool.map(lambda one: self.household.ask("track", one), tracks))
            albums = sorted({detail["albumID"] for detail in details})
            self.albums = dict(zip(albums, pool.map(lambda one: self.household.ask("album", one), albums)))
        self.read_stored()
        for detail in details:
            for copy in detail["copies"]:
                if copy.get("path"):
                    seen = flat(detail, copy, self.albums[detail["albumID"]])
                    self.files[copy["path"]].append(seen | self.stored.get(copy["id"], {}))

    def read_stored(self):
        """Reads what no program shows and scrobbles and the loudness are made of."""
        database = sqlite3.connect(self.household.home / "library.sqlite")
        rows = database.execute("SELECT id, recording, release, track_gain, track_peak, album_gain, album_peak, music_ids FROM tracks")
        names = ["recordingID", "releaseID", "trackGain", "trackPeak", "albumGain", "albumPeak"]
        for number, *values, ids in rows:
            group, isrc, *artists = ids.split("\x1f") if ids else [None, None]
            found = dict(zip(names, values)) | {"releaseGroupID": group or None, "isrc": isrc or None, "artistIDs": [one for one in artists if one]}
            self.stored[f"files:t{number}"] = found
        database.close()


def flat(detail, copy, page):
    """The answers about one file under the names of the manifest."""
    track, facts, album = detail, detail.get("facts") or {}, page
    release, audio = page.get("facts") or {}, copy.get("audio") or {}
    disc = next((one for one in page.get("discs") or [] if one["disc"] == track["disc"]), {})
    work = track.get("work") or {}
    seen = {name: track.get(name) for name in (
        "title", "artist", "albumArtist", "album", "disc", "number", "numberText", "year", "rating")}
    seen |= {name: facts.get(name) for name in (
        "subtitle", "discTitle", "date", "originalDate", "key", "moods", "styles", "groupings", "languages", "comment",
        "acoustID")}
    seen |= {name: release.get(name) for name in ("labels", "catalogueNumbers", "country", "media", "barcode")}
    seen |= {name: audio.get(name) for name in ("codec", "sampleRate", "bitDepth", "channels")}
    seen |= {
        "genres": track["genres"], "duration": round(track["durationSeconds"] * 1000), "lossless": copy["isLossless"],
        "bpm": facts.get("beatsPerMinute"), "hasLyrics": detail.get("hasLyrics"), "edition": album.get("edition"),
        "types": album.get("types"), "albumDate": album.get("date"), "albumOriginalDate": album.get("originalDate"),
        "work": work.get("title"), "movement": work.get("movement"), "movementNumber": work.get("number"),
        "movementTotal": work.get("total"), "total": disc.get("total"), "cover": bool(track.get("art") or album.get("art")),
        "copies": len(detail["copies"]),
    }
    people = collections.defaultdict(list)
    for credit in detail.get("credits") or []:
        name = credit["name"] + (f" ({credit['instrument']})" if credit.get("instrument") else "")
        people[credit["role"]].append(name)
    seen["artists"] = people["artist"] or [track["artist"]]
    return seen | {"credit." + role: sorted(names) for role, names in people.items()}


def is_equal(name, expected, seen):
    if isinstance(expected, float) and seen is not None:
        return abs(expected - seen) < 0.02
    if name == "duration":
        # Encoders add silence; a block of DSD is 12 ms.
        return seen is not None and abs(expected - seen) <= 150
    return expected == seen


def differences(entries, answers):
    """Returns each difference as its case, file, field, what is expected and what is said."""
    found = []
    for entry in entries:
        seen = answers.files.get(entry["path"], [])

        def differ(field, expected, said):
            found.append((entry["case"], entry["name"], field, expected, said))
        if bool(seen) != entry["listed"]:
            differ("listed", entry["listed"], bool(seen))
            continue
        for name, expected in entry["expect"].items():
            if name == "tracks":
                if len(seen) != expected:
                    differ(name, expected, len(seen))
            elif not is_equal(name, expected, seen[0].get(name)):
                differ(name, expected, seen[0].get(name))
    return found


def judge(found):
    """Splits differences into those that nobody knew of and the patterns of gaps.py that nothing matches any more."""
    used, unknown = set(), []
    for one in found:
        name = f"{one[0]}:{one[2]}"
        matching = [pattern for pattern, _ in gaps.GAPS if fnmatch.fnmatchcase(name, pattern)]
        used.update(matching)
        if not matching:
            unknown.append(one)
    return unknown, [pattern for pattern, _ in gaps.GAPS if pattern not in used]


def is_read(household):
    sources = household.ask("status")["sources"]
    return sources and sources[0]["health"] == "ready" and sources[0]["tracks"] > 0


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--keep", type=pathlib.Path, help="make the collection in this folder and leave it there")
    options.add_argument("programs", type=pathlib.Path)
    arguments = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="music-") as scratch:
        scratch = pathlib.Path(scratch)
        music = arguments.keep or scratch / "music"
        music.mkdir(parents=True, exist_ok=True)
        began = time.monotonic()
        entries = maker.make(music, scratch / "manifest.json")
        made = time.monotonic() - began
        # Some files have tags in another encoding than they say, which a person has to name.
        settings = {"LUNARA_TAG_ENCODING": f"cp1251={music.resolve()}/text/cp1251"}
        with Household(arguments.programs.resolve(), scratch / "home", music, settings) as household:
            wait_for(lambda: is_read(household), "the collection in `lunara status`", limit=300, pause=0.2)
            answers = Answers(household)
            answers.read()
    found = differences(entries, answers)
    unknown, closed = judge(found)
    print(f"music: {len(entries)} files made in {made:.0f} s, {len(found)} differences, {len(found) - len(unknown)} of them known")
    if unknown:
        print("\n| case | file | field | expected | said |\n|---|---|---|---|---|")
        for one in unknown:
            print("| " + " | ".join(str(cell)[:70] for cell in one) + " |")
    if closed:
        print("\nThese gaps are closed, so take them out of Tests/Music/gaps.py: " + ", ".join(closed))
    if unknown or closed:
        fail(f"{len(unknown)} unknown differences, {len(closed)} closed gaps")


if __name__ == "__main__":
    main()
