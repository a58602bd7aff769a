"""Those who have no business here, and clocks and keys that change."""
import shutil
import subprocess
import sys
import time
from pathlib import Path

from household import hold, until
from links import check_listens, play
from stranger import PacketCapture, repeated

REFUSED = "lunara_bus_refused_frames_total"


def keyless(lab):
    """Who has another key, or none, is not let in and told so."""
    attic, spare = lab.attic, lab.spare
    other = spare.folder / "other.key"
    hold(spare.lunara("key", "new", "--file", other), "no second key is made")
    refused = lambda: attic.counted(REFUSED, "library@main", "router@main")
    before = refused()
    aside = cellar(spare) | {"LUNARA_KEY_FILE": str(other)}
    spare.launch("wrong", ["lunara-playback"], **aside)
    until("it runs", lambda: "ready" in spare.said("wrong"))
    until("something is refused", lambda: refused() > before)
    if not lab.is_short:
        until("it says why it is alone", lambda: "Do both machines have the same key?" in spare.said("wrong"))
    for host in (attic, lab.kitchen):
        hold("playback@cellar" not in until(f"{host.name} tells who is there", host.nodes)[0], f"{host.name} lists who has another key")
    seen = until("it tells what it sees", lambda: spare.lunara("status", "--json", **aside))[0]
    hold("kitchen" not in seen, "who has another key sees a room")
    turned_away = refused() - before
    spare.stop("wrong")
    spare.launch("none", ["lunara-playback"], **cellar(spare), LUNARA_KEY_FILE="")
    child = spare.children["none"]
    until("it ends", lambda: child.poll() is not None)
    hold(child.returncode == 1 and "lunara key new" in spare.said("none"), f"it says {spare.said('none')}")
    return f"{turned_away:.0f} frames refused, nobody listed, nothing seen; without a key the start is refused with its remedy"


def cellar(host):
    return {"LUNARA_ROOM": "cellar", "LUNARA_HOME": f"{host.folder}/cellar", "LUNARA_RUN": f"{host.folder}/cellar-run"}


def year_off(lab):
    """A host whose clock is a year ahead changes nothing."""
    attic, spare = lab.attic, lab.spare
    aside = cellar(spare)
    Path(aside["LUNARA_HOME"]).mkdir(exist_ok=True, mode=0o700)
    (Path(aside["LUNARA_HOME"]) / "host-id").write_text("lab")
    told = len(attic.presences())
    clock = spare.folder / "clock.so"
    compiler = shutil.which("cc") or "clang"
    subprocess.run([compiler, "-shared", "-fPIC", "-O", "-o", clock, Path(__file__).parent / "clock.c"], check=True)
    spare.launch("late", ["lunara-playback"], before=["env", f"LD_PRELOAD={clock}"], **aside)
    joined = attic.until_told("HERE playback@cellar", told)
    play(lab, "cellar")
    one = attic.shown("cellar")["positionSeconds"]
    time.sleep(1)
    other = lab.kitchen.shown("cellar")["positionSeconds"]
    hold(0 <= one <= 40 and 0 <= other <= 40 and one != other, f"positions of {one} and {other} s")
    attic.set_volume("cellar", 44)
    _, changed = until("its state arrives", lambda: lab.kitchen.shown("cellar")["volume"], equals=44)
    seen = lambda: spare.lunara("status", "--json", **aside) or ""
    until("it sees all", lambda: '"kitchen"' in (all := seen()) and '"away":true' not in all.replace(" ", ""))
    until("a listen ends", lambda: spare.count("cellar/playback", "bus_facts", "kind = 'playback.listen-ended'"))
    until("its facts are read", lambda: not behind(lab, spare))
    newest = spare.rows("cellar/playback", "SELECT max(time) FROM bus_facts")[0][0] / 1e6
    hold(newest - time.time() > 300 * 86400, "its clock is not off at all")
    hold("AWAY playback@cellar" not in attic.presences()[told:], "it was away in between")
    spare.stop("late")
    attic.until_told("AWAY playback@cellar", told)
    return f"here after {joined:.1f} s, a command's effect seen elsewhere after {changed:.1f} s, its facts read"


def behind(lab, host):
    known = lab.attic.rows("scrobble", "SELECT max(seq) FROM bus_cursors WHERE node = 'playback@cellar'")[0][0] or 0
    return host.count("cellar/playback", "bus_facts", f"seq > {known}")


def said_to(host, capture):
    """Returns the messages to a host's room, and the number of them that must be refused; None until there are enough."""
    spoken = [one for one in capture.spoken_to(host.machine.address) if one[0] in host.ports("playback")]
    # A probe is open to everybody and has no effect: it is not refused, and is answered at a limited rate.
    probes = sum(b"bus.knock." in one[:20] for _, said in spoken for one in said)
    messages = sum(len(said) for _, said in spoken) - probes
    # A command that is not answered at once is sent again, so two volumes may give more than two commands.
    commands = sum(b"playback.kitchen.transport." in one[:40] for _, said in spoken for one in said)
    return (spoken, messages) if messages > 50 and commands >= 2 else None


def replayed(lab):
    """Frames that were recorded on the wire are said again."""
    attic, kitchen = lab.attic, lab.kitchen
    outsider = lab.outsider()
    capture = PacketCapture(lab.bridge, kitchen.machine.port)
    kitchen.kill("playback")
    kitchen.start("playback")
    until("the room is back", lambda: (attic.room("kitchen") or {}).get("away") is False)
    for volume in (61, 62):
        attic.set_volume("kitchen", volume)
    spoken, told = until("enough was heard", lambda: said_to(kitchen, capture), pause=0.5)[0]
    capture.close()
    attic.set_volume("kitchen", 20)
    den = attic.shown("den")

    def again(host, node):
        ports = until(f"{node} listens at both ports", lambda: len(found := host.ports("playback")) == 2 and found)[0]
        before = attic.counted(REFUSED, node)
        moved = [(ports[port % 2], said) for port, said in spoken]
        with repeated(outsider, host.machine.address, moved):
            until(f"{node} refuses all {told} frames", lambda: attic.counted(REFUSED, node) - before, at_least=told)

    again(kitchen, "playback@kitchen")
    again(lab.holder, "playback@den")
    kitchen.kill("playback")
    kitchen.start("playback")
    until("the room is back", lambda: (attic.room("kitchen") or {}).get("away") is False)
    again(kitchen, "playback@kitchen")
    volume = attic.shown("kitchen")["volume"]
    hold(volume == 20, f"a command that was repeated took effect: the kitchen's volume is {volume}")
    volume = attic.shown("den")["volume"]
    hold(volume == den["volume"], f"a command for another took effect: the den's volume was {den['volume']}, is {volume}")
    return f"{told} frames, two commands among them, repeated to the same run, to another room and to the next run: all refused"


def flooded(lab):
    """A stranger opens 2,000 connections and sends 100 Mbit/s of noise."""
    seconds = 3 if lab.is_short else 10
    attic, kitchen = lab.attic, lab.kitchen
    outsider = lab.outsider()
    play(lab, "kitchen", albums=4)
    told = len(attic.presences())
    listens = kitchen.count("playback", "bus_facts")
    target = kitchen.ports("playback")
    flood = subprocess.Popen(
        outsider.enter(sys.executable, Path(__file__).parent / "stranger.py", kitchen.machine.address, seconds, 2000, 100, *target),
        stdout=subprocess.PIPE, text=True)
    heard = lambda: attic.count("sink@attic", "heard", "node = 'chaos@kitchen'")
    most, last, at = 0, heard(), time.monotonic()
    widest, meanwhile = kitchen.size("playback"), last
    while flood.poll() is None:
        if (now := heard()) > last:
            last, at = now, time.monotonic()
        most = max(most, time.monotonic() - at)
        widest = max(widest, kitchen.size("playback"))
        time.sleep(0.05)
    connections, megabits = flood.stdout.read().split()
    start = time.monotonic()
    made = kitchen.count("chaos@kitchen", "bus_facts")
    until("the facts are there", heard, at_least=made)
    until("the room takes a command", lambda: attic.lunara("volume", "33", "--room", "kitchen") is not None)
    until("its state is seen", lambda: (attic.room("kitchen") or {}).get("volume"), equals=33)
    back = time.monotonic() - start
    lab.bar(back <= 5, f"back only after {back:.1f} s")
    played = kitchen.count("playback", "bus_facts") - listens
    hold(played >= seconds / 4, f"the room said only {played} facts while it was flooded")
    gone = [line for line in attic.presences()[told:] if line.startswith("AWAY")]
    return (f"{connections} connections, {megabits} Mbit/s for {seconds} s: the room plays on ({played} facts), {last - meanwhile} "
            f"facts came meanwhile, the longest silence {most:.1f} s, away: {', '.join(gone) or 'nobody'}; "
            f"at most {widest[0]} descriptors and {widest[1]} kB; back after {back:.1f} s")


def rotated(lab):
    """The household's key is changed in its three steps while all goes on."""
    attic = lab.attic
    play(lab, "kitchen", albums=3)
    hosts = [attic, lab.kitchen, lab.den]
    told = {host: len(host.presences()) for host in hosts}
    made = attic.count("chaos@attic", "bus_facts")
    listens = lambda: lab.kitchen.facts("playback", "playback.listen-ended")
    began = len(listens())
    key = attic.lunara("key", "show", "--json")
    for step in ([], ["--promote"], ["--finish"]):
        hold(attic.lunara("key", "rotate", *step), f"key rotate {step} is refused")
        lab.give_key()
        for host in lab.hosts:
            hold(host is lab.heir or host.lunara("key", "reload") is not None, f"key reload fails in the {host.name}")
        # The chaos nodes read the key file every half second.
        time.sleep(1.5)
        hold((state := attic.shown("kitchen")["state"]) == "playing", f"after key rotate {step} the kitchen is {state}")
    time.sleep(4)
    until("all facts are everywhere", lab.heard_all)
    for host in hosts:
        news = host.presences()[told[host]:]
        hold(not any(line.startswith("AWAY") for line in news), f"{host.name} lost sight: {news}")
    after = attic.lunara("key", "show", "--json")
    hold(after != key and after.count('"id"') == 1, "the key is not another one")
    attic.set_volume("kitchen", 41)
    reasons = [fact["reason"] for fact in listens()[began:]]
    hold(reasons and set(reasons) == {"finished"}, f"listens ended so meanwhile: {reasons}")
    check_listens(lab, lab.kitchen)
    return (f"{attic.count('chaos@attic', 'bus_facts') - made} facts meanwhile, nobody away; the music never stopped "
            f"({len(reasons)} tracks came to their end)")
