"""Rooms on a host that does not have the music."""
import time

from household import hold, until


def media(lab):
    """A room that has none of the files plays an album that lies with the library, to its end."""
    attic, annex = lab.attic, lab.host("annex", seeds=[lab.seed])
    annex.give_key(attic.key)
    # Another host for the library, which then gives it addresses and no paths.
    (annex.folder / "home/host-id").write_text("annex")
    annex.start("playback")
    try:
        until("the attic sees the annex", 20, lambda: attic.room("annex"), pause=0.1)
        start = time.monotonic()
        hold(annex.lunara("play", "Morning Tide", "--room", "annex") is not None, "the annex does not play")
        until("the annex plays", 10, lambda: (annex.room("annex") or {}).get("state") == "playing")
        took = time.monotonic() - start
        hold(":8788" in annex.connections("playback"), "nothing comes from the library's media endpoint")
        ended = lambda: [fact["reason"] for fact in annex.facts("playback", "playback.listen-ended")]
        until("three tracks have ended", 40, lambda: len(ended()) == 3)
        hold(ended() == ["finished"] * 3, f"they ended so: {ended()}")
        until("both long ones count", 10, lambda: attic.count("library", "listens", "room = 'annex' AND counted_at IS NOT NULL") == 2)
        return f"plays {took:.1f} s after `lunara play`, three tracks to their end"
    finally:
        annex.stop(*annex.children)
