"""Rooms on a host that does not have the music."""
import json
import random
import subprocess
import time

from household import hold, until
from links import check_listens, is_whole


def media(lab):
    """A room that has none of the files plays an album that lies with the library, to its end."""
    attic, annex = lab.attic, lab.host("annex", seeds=[lab.seed])
    annex.give_key(attic.key)
    # With another host id, the library gives this host URLs instead of paths.
    (annex.folder / "home/host-id").write_text("annex")
    annex.start("playback")
    try:
        until("the attic sees the annex", lambda: attic.room("annex"), pause=0.1)
        start = time.monotonic()
        until("the annex takes an album", lambda: annex.lunara("play", "Morning Tide", "--room", "annex") is not None)
        until("the annex plays", lambda: (annex.room("annex") or {}).get("state"), equals="playing")
        took = time.monotonic() - start
        # Prefetched tracks stay on the disk. They can come only from lunara-media, as the room gets no paths.
        until("something is fetched from the library", lambda: any(annex.folder.glob("home/playback-annex-ahead/*")))
        ended = lambda: [fact["reason"] for fact in annex.facts("playback", "playback.listen-ended")]
        until("three tracks have ended", lambda: len(ended()), equals=3)
        hold(ended() == ["finished"] * 3, f"they ended so: {ended()}")
        until("both long ones count", lambda: attic.count("library", "listens", "room = 'annex' AND counted_at IS NOT NULL"),
              equals=2)
        return f"plays {took:.1f} s after `lunara play`, three tracks to their end"
    finally:
        annex.stop(*annex.children)


def served(lab):
    """lunara-media and the library are killed in turns while a room elsewhere plays: each track is heard whole and once."""
    attic, barn = lab.attic, lab.host("barn", seeds=[lab.seed])
    tracks, kills, seconds = (24, 6, 4) if lab.is_short else (400, 200, 4)
    dice = random.Random(1)
    place = lab.folder / "music/Far Tide"
    place.mkdir()
    for number in range(1, tracks + 1):
        subprocess.run(
            ["ffmpeg", "-v", "error", "-f", "s16le", "-ar", "8000", "-ac", "1", "-i", "-", "-metadata", "artist=The Lanterns",
             "-metadata", "album=Far Tide", "-metadata", f"track={number}", place / f"{number:03}.flac"],
            input=dice.randbytes(seconds * 2 * 8000), check=True)
    barn.give_key(attic.key)
    (barn.folder / "home/host-id").write_text("barn")
    # What is fetched ahead would need neither of them.
    barn.start("playback", LUNARA_AUDIO_SPEED="4", LUNARA_PREFETCH="0")
    ended = lambda: barn.facts("playback", "playback.listen-ended")
    try:
        until("the attic sees the barn", lambda: attic.room("barn"), pause=0.1)
        hold(attic.lunara("sync", "--wait") is not None, "the new album is not read")
        until("the barn takes the album", lambda: barn.lunara("play", "Far Tide", "--room", "barn") is not None)
        until("the barn plays", lambda: (barn.room("barn") or {}).get("state"), equals="playing")
        for _ in range(kills):
            time.sleep(dice.uniform(0.02, 0.4))
            attic.kill("media")
            attic.start("media")
            time.sleep(dice.uniform(0.02, 0.4))
            attic.kill("library")
            before = attic.said("library").count("ready")
            attic.start("library", LUNARA_DISCOVER="1", **lab.neighbourhood.settings)
            until("the library is back", lambda: attic.said("library").count("ready") > before)
        meanwhile = len(ended())
        hold(meanwhile, "no track came to its end meanwhile")
        until("the barn plays on", lambda: len(ended()), at_least=min(tracks, meanwhile + 4))
        heard = [(fact["subject"]["item"]["track"]["number"], fact["reason"], fact["heard"]) for fact in ended()]
        # The player is faster than the sound, so that the time that was heard is rounded.
        odd = [one for place, one in enumerate(heard, 1)
               if one[:2] != (place, "finished") or not 0 <= one[2] - 1000 * seconds <= 40]
        hold(not odd, f"{len(odd)} of {len(heard)} tracks were not heard whole and in order: {odd[:3]}")
        failed = barn.facts("playback", "playback.track-failed")
        hold(not failed, f"{len(failed)} tracks failed: {failed[:1]}")
        return f"each killed {kills} times; {meanwhile} tracks came to their end meanwhile, all whole and in order"
    finally:
        barn.stop(*barn.children)


def rebooted(lab):
    """The library's host reboots while a room plays its music: the room plays on with what it has fetched ahead."""
    attic, shed = lab.attic, lab.host("shed", seeds=[lab.seed])
    shed.give_key(attic.key)
    (shed.folder / "home/host-id").write_text("shed")
    shed.start("playback")
    try:
        until("the attic sees the shed", lambda: attic.room("shed"), pause=0.1)
        for words in (["Morning Tide"], ["Evening Ebb", "--later"]):
            hold(shed.lunara("play", *words, "--room", "shed") is not None, "the shed does not play")
        until("the shed plays", lambda: (shed.room("shed") or {}).get("state"), equals="playing")
        fetched = lambda: len([*shed.folder.glob("home/playback-shed-ahead/*")])
        until("what comes next is fetched", fetched, at_least=5)
        ended = lambda: [fact["reason"] for fact in shed.facts("playback", "playback.listen-ended")]

        # A power cut of the attic: its cable and all its processes, at once.
        attic.machine.cut()
        attic.kill(*attic.children)
        before, start = len(ended()), time.monotonic()
        until("tracks end while the attic is down", lambda: len(ended()), at_least=before + 3)
        dark = time.monotonic() - start
        failed = shed.facts("playback", "playback.track-failed")
        hold(not failed, f"{len(failed)} tracks failed: {failed[:1]}")

        attic.machine.join()
        attic.start("library", LUNARA_DISCOVER="1", **lab.neighbourhood.settings)
        attic.start("media", "router", "scrobble", "web")
        lab.work(attic)
        start = time.monotonic()
        until("the attic sees all", lambda: is_whole(attic) and is_here(attic, "shed"), pause=0.1)
        back = time.monotonic() - start
        until("all six have ended", lambda: len(ended()), equals=6)
        hold(ended() == ["finished"] * 6, f"they ended so: {ended()}")
        check_listens(lab, shed)
        until("the library counts all five that are long", lambda: attic.count(
            "library", "listens", "room = 'shed' AND counted_at IS NOT NULL"), equals=5)
        until("all facts are everywhere", lab.heard_all)
        # The room still accepts a command to play.
        until("the shed takes an album", lambda: shed.lunara("play", "Morning Tide", "--room", "shed") is not None)
        return (f"down for {dark:.0f} s, in which 3 tracks came to their end and none failed; all seen {back:.1f} s after the start; "
                f"six tracks heard to their end, the five that count counted once")
    finally:
        shed.stop(*shed.children)


def travelled(lab):
    """An album that travels: with the cable cut and library, router and page dead, a restarted room plays it to its end."""
    attic, cabin = lab.attic, lab.host("cabin", seeds=[lab.seed])
    cabin.give_key(attic.key)
    (cabin.folder / "home/host-id").write_text("cabin")
    cabin.start("playback")
    try:
        until("the attic sees the cabin", lambda: attic.room("cabin"), pause=0.1)
        until("the cabin keeps an album", lambda: cabin.lunara("offline", "add", "Morning Tide", "--room", "cabin") is not None)
        kept = lambda: json.loads(cabin.lunara("offline", "--room", "cabin", "--json") or "[]")
        took = until("the album is whole", lambda: [album["state"] for album in kept()], equals=["whole"])[1]

        cabin.machine.cut()
        attic.kill("library", "router", "web")
        cabin.kill("playback")
        cabin.start("playback")
        start = time.monotonic()
        until("the cabin plays alone", lambda: cabin.lunara("play", "Morning Tide", "--room", "cabin") is not None)
        asked = time.monotonic() - start
        ended = lambda: [fact["reason"] for fact in cabin.facts("playback", "playback.listen-ended")]
        until("three tracks have ended", lambda: len(ended()), equals=3)
        hold(ended() == ["finished"] * 3, f"they ended so: {ended()}")
        failed = cabin.facts("playback", "playback.track-failed")
        hold(not failed, f"{len(failed)} tracks failed: {failed[:1]}")

        cabin.machine.join()
        attic.start("library", LUNARA_DISCOVER="1", **lab.neighbourhood.settings)
        attic.start("router", "web")
        until("the attic sees all", lambda: is_whole(attic) and is_here(attic, "cabin"), pause=0.1)
        start = time.monotonic()
        check_listens(lab, cabin)
        until("the library counts both long ones", lambda: attic.count(
            "library", "listens", "room = 'cabin' AND counted_at IS NOT NULL"), equals=2)
        hold(len(ended()) == 3, "something was heard twice")
        return (f"whole after {took:.1f} s; alone it plays {asked:.1f} s after its start, three tracks to their end; both that "
                f"count reach the scrobbler {time.monotonic() - start:.1f} s after the return")
    finally:
        cabin.stop(*cabin.children)


def is_here(host, room):
    return (host.room(room) or {}).get("away") is False
