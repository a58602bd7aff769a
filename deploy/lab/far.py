"""Rooms on a host that does not have the music."""
import json
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
        # Prefetched tracks stay on the disk. They can come only from the library's media endpoint, as the room gets no
        # paths.
        until("something is fetched from the library", lambda: any(annex.folder.glob("home/playback-annex-ahead/*")))
        ended = lambda: [fact["reason"] for fact in annex.facts("playback", "playback.listen-ended")]
        until("three tracks have ended", lambda: len(ended()), equals=3)
        hold(ended() == ["finished"] * 3, f"they ended so: {ended()}")
        until("both long ones count", lambda: attic.count("library", "listens", "room = 'annex' AND counted_at IS NOT NULL"),
              equals=2)
        return f"plays {took:.1f} s after `lunara play`, three tracks to their end"
    finally:
        annex.stop(*annex.children)


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
        attic.start("router", "scrobble", "web")
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
