"""Cables that are pulled, cut without a word, slow or lossy."""
import time

from household import hold, until

SERVICES = {"library@main", "router@main", "scrobble@main", "web@main", "playback@kitchen", "playback@den"}


def meeting(lab):
    """A room joins with one seed and the key, and every host sees all."""
    took = max(
        until(f"{host.name} sees all", lambda: is_whole(host), pause=0.1)[1] for host in (lab.attic, lab.kitchen, lab.den))
    for host in (lab.attic, lab.kitchen, lab.den):
        until(f"{host.name} shows both rooms", lambda: host.room("kitchen") and host.room("den"))
    until("the catalogue is whole", lambda: (lab.attic.lunara("albums", "--json") or "").count('"title"'), equals=2)
    return f"after {took:.1f} s"


def is_whole(host):
    nodes = host.nodes()
    return SERVICES <= set(nodes) and not any(nodes[name] for name in SERVICES)


def play(lab, room, albums=1):
    # The router may see a restarted room a moment later than this host does.
    until(f"{room} takes an album", lambda: lab.attic.lunara("play", "Morning Tide", "--room", room) is not None)
    for _ in range(albums - 1):
        hold(lab.attic.lunara("play", "Evening Ebb", "--later", "--room", room) is not None, f"{room} takes no album")
    until(f"{room} plays", lambda: (lab.attic.room(room) or {}).get("state"), equals="playing")


def cut(lab):
    """A room's cable is pulled while facts arise on both sides."""
    seconds = 10 if lab.is_short else 60
    attic, kitchen = lab.attic, lab.kitchen
    play(lab, "kitchen", albums=3 if lab.is_short else 9)
    told = len(attic.presences()), len(kitchen.presences())
    kitchen.machine.cut()
    start = time.monotonic()
    attic.until_told("AWAY playback@kitchen", told[0])
    kitchen.until_told("AWAY router@main", told[1])
    away = time.monotonic() - start
    lab.bar(away <= 4.2, f"away only after {away:.1f} s")
    told = len(attic.presences()), len(kitchen.presences())
    time.sleep(max(0, seconds - (time.monotonic() - start)))

    heard = lambda: attic.count("sink@attic", "heard", "node = 'chaos@kitchen'")
    before = heard()
    made = kitchen.count("chaos@kitchen", "bus_facts")
    there = attic.count("chaos@attic", "bus_facts")
    returned = lambda: kitchen.count("sink@kitchen", "heard", "node = 'chaos@attic'")
    listens = kitchen.count("playback", "bus_facts")
    kitchen.machine.join()
    first = until("a first fact", lambda: heard() > before, pause=0.01)[1]
    start = time.monotonic() - first
    until("the attic has caught up", heard, pause=0.01, at_least=made)
    until("the kitchen has caught up", returned, pause=0.01, at_least=there)
    until("scrobble has read the listens", lambda: place(attic, "scrobble", "playback@kitchen"), pause=0.01,
          at_least=listens)
    caught_up = time.monotonic() - start
    attic.until_told("HERE playback@kitchen", told[0])
    kitchen.until_told("HERE router@main", told[1])
    back = time.monotonic() - start
    until("both see all", lambda: is_whole(attic) and is_whole(kitchen))
    check_listens(lab, kitchen)
    hold(made > before, "no fact arose while the cable was out")
    lab.bar(caught_up <= 2, f"caught up only after {caught_up:.1f} s (first fact after {first:.1f} s)")
    return (f"{seconds} s: away seen after {away:.1f} s, first fact {first:.2f} s after its return, all "
            f"{made - before} and {listens} of the room after {caught_up:.2f} s (bar 2 s), nobody away after {back:.1f} s")


def place(host, reader, node):
    rows = host.rows(reader, f"SELECT max(seq) FROM bus_cursors WHERE node = '{node}'")
    return rows[0][0] or 0


def check_listens(lab, host):
    """Checks that every listen that ended in a host's room and was long enough is counted once."""
    ended = host.facts("playback", "playback.listen-ended")
    due = {
        fact["subject"]["listen"] for fact in ended
        if (length := fact["subject"]["item"]["track"]["duration"]) > 30_000 and 2 * fact["heard"] >= length}
    counted = lambda: [fact["subject"]["listen"] for fact in lab.attic.facts("scrobble", "scrobble.listen-counted")]
    until("all listens are counted", lambda: due <= set(counted()))
    # Further listens are counted meanwhile, so both checks use one reading.
    every = counted()
    hold(len(every) == len(set(every)), "a listen was counted twice")


def half_open(lab):
    """A host is gone without a FIN, and its processes die meanwhile."""
    attic, kitchen = lab.attic, lab.kitchen
    before = {name: attic.size(name) for name in ("router", "scrobble", "sink")}
    told = len(attic.presences())
    kitchen.machine.cut()
    start = time.monotonic()
    kitchen.kill("playback", "handler", "sink", "commander")
    attic.until_told("AWAY playback@kitchen", told)
    away = time.monotonic() - start
    # Each of the four nodes that are gone is dialled again every second: this must not leak memory or descriptors.
    time.sleep(5)
    early = {name: attic.size(name) for name in before}
    time.sleep(2 if lab.is_short else 30)
    grown = {name: attic.size(name) for name in before}
    for name, (descriptors, resident) in grown.items():
        hold(descriptors - early[name][0] <= 12, f"{name} went from {early[name][0]} descriptors to {descriptors}")
        hold(descriptors - before[name][0] <= 40, f"{name} went from {before[name][0]} descriptors to {descriptors}")
        hold(resident - before[name][1] <= 8192, f"{name} went from {before[name][1]} kB to {resident} kB")
    kitchen.machine.join()
    kitchen.start("playback")
    lab.work(kitchen)
    start = time.monotonic()
    until("it is back", lambda: is_whole(attic))
    back = time.monotonic() - start
    until("all facts are everywhere", lab.heard_all)
    most = max(after[0] - before[name][0] for name, after in grown.items())
    more = max(after[1] - before[name][1] for name, after in grown.items())
    return f"away after {away:.1f} s; at most {most} descriptors and {more} kB more meanwhile; back {back:.1f} s after its start"


def lossy(lab):
    """A slow cable that loses 5 % and lets frames overtake each other."""
    attic, den = lab.attic, lab.den
    seconds = 10 if lab.is_short else 30
    den.machine.worsen(delay=0.04, jitter=0.02, loss=0.05)
    play(lab, "kitchen", albums=2)
    start = time.monotonic()
    worst, at_den = 0, lambda: den.count("sink@den", "heard", "node = 'chaos@attic'")
    while time.monotonic() - start < seconds:
        head = attic.count("chaos@attic", "bus_facts")
        worst = max(worst, until("the facts arrive", at_den, pause=0.02, at_least=head)[1])
        time.sleep(0.1)
    attic.set_volume("kitchen", 37)
    _, converged = until("the state arrives", lambda: (den.room("kitchen") or {}).get("volume"), equals=37)
    relay = den.machine.mend()
    until("all facts are everywhere", lab.heard_all)
    until("the den is back", lambda: is_whole(attic) and is_whole(den))
    return (f"{relay.carried} frames carried, {relay.lost} lost, {relay.overtaken} overtaken; facts at most {worst:.1f} s "
            f"late; a volume seen after {converged:.1f} s")
