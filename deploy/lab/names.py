"""Hosts that are replaced by others under the same name."""
import shutil
import time

from household import hold, until
from links import check_listens, play


def replaced_alive(lab):
    """A room is taken over by new hardware from a host that lives."""
    attic, former, heir = lab.attic, lab.holder, lab.heir
    play(lab, "den", albums=2)
    attic.set_volume("den", 55)
    items = until("the queue is told", lambda: queue(attic))[0]
    hold(items == 6, f"the queue has {items} tracks")
    refused = heir.launch("playback", ["lunara-playback"])
    until("who comes without --take-over ends", lambda: refused.poll() is not None)
    hold(refused.returncode == 1 and "playback@den is held by another machine" in heir.said("playback"),
         f"it ended with {refused.returncode}, saying {heir.said('playback')[-300:]}")

    start = time.monotonic()
    heir.start("playback", LUNARA_TAKE_OVER="1")
    until("the former holder ends", lambda: former.children["playback"].poll() is not None)
    until("the heir has the queue", lambda: is_held(lab, items))
    took = time.monotonic() - start
    hold((room := attic.shown("den"))["volume"] == 55, f"the volume became {room['volume']}")
    hold("is held by another machine" in former.said("playback"), "the former holder does not say why it ended")
    retire(lab, former)
    until("its listens are counted", lambda: not check_listens(lab, former))
    former.stop("playback")
    lab.holder, lab.heir = heir, former
    return f"refused without --take-over; with it the queue of {items} was taken over in {took:.1f} s; the former one only serves its journal"


def replaced_dead(lab):
    """A room is taken over from a host that is gone, and comes back with facts that nobody had."""
    attic, former, heir = lab.attic, lab.holder, lab.heir
    hold(attic.lunara("stop", "--room", "den") is not None, "the den does not stop")
    play(lab, "den", albums=3)
    items = until("the queue is told", lambda: queue(attic))[0]
    told = len(attic.presences())
    former.machine.cut()
    attic.until_told("AWAY playback@den", told)
    until("the lonely room ends a listen", lambda: len(late(lab, former)), at_least=2)
    former.kill("playback")
    lost = len(late(lab, former))

    # A room that has a queue of its own keeps it, so the heir's data are removed, as on new hardware.
    for file in [*heir.folder.glob("home/playback-*"), *heir.folder.glob("home/bus/playback@*")]:
        shutil.rmtree(file) if file.is_dir() else file.unlink()
    start = time.monotonic()
    heir.start("playback", LUNARA_TAKE_OVER="1")
    until("the heir has the queue", lambda: is_held(lab, items))
    took = time.monotonic() - start
    former.machine.join()
    start = time.monotonic()
    retire(lab, former)
    until("its late listens are counted", lambda: not late(lab, former))
    arrived = time.monotonic() - start
    check_listens(lab, former)
    former.stop("playback")
    lab.holder, lab.heir = heir, former
    return (f"the queue of {items} was taken from what others keep in {took:.1f} s; {lost} late listens counted "
            f"{arrived:.1f} s after the former host's return")


def queue(host):
    return (host.lunara("queue", "--room", "den", "--json") or "").count('"title"')


def is_held(lab, items):
    room = lab.attic.room("den")
    return room and not room["away"] and lab.heir.children["playback"].poll() is None and queue(lab.attic) == items


def late(lab, host):
    """Returns the listens of a host that have ended and that the scrobbler has not read yet."""
    known = lab.attic.rows("scrobble", "SELECT max(seq) FROM bus_cursors WHERE journal = "
                           f"'{identity(host)}'")[0][0] or 0
    return host.rows("playback", f"SELECT seq FROM bus_facts WHERE kind = 'playback.listen-ended' AND seq > {known}")


def identity(host):
    return host.rows("playback", "SELECT identity FROM bus_journal")[0][0]


def retire(lab, former):
    """Starts the room again whose name was taken over: it has to serve its journal under another name."""
    former.start("playback")
    until("the former holder serves its journal", lambda: "node=playback@retired-" in former.said("playback"))
    until("the attic sees it", lambda: any(name.startswith("playback@retired-") for name in lab.attic.nodes()))
