"""Hosts that name nobody and find each other by Avahi."""
import signal
import subprocess
import time

from household import hold, until
from links import is_whole

BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>system</type><listen>unix:path={folder}/bus</listen><auth>EXTERNAL</auth>
<policy context="default"><allow user="*"/><allow own="*"/><allow send_destination="*" eavesdrop="true"/>
<allow eavesdrop="true"/></policy></busconfig>
"""
AVAHI = """[server]
host-name={name}
use-ipv6=no
allow-interfaces=eth0
[wide-area]
enable-wide-area=no
[publish]
publish-hinfo=no
publish-workstation=no
"""
# Two daemons on one machine would share their pid file, so each has a /run of its own.
OWN_RUN = 'mount -t tmpfs none /run && mkdir /run/avahi-daemon && exec "$@"'


class Neighbourhood:
    """A system bus of a host's own, and Avahi's daemon on it."""

    def __init__(self, host):
        self.host, self.daemon = host, None
        self.settings = {"DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={host.folder}/bus"}
        (host.folder / "bus.conf").write_text(BUS.format(folder=host.folder))
        (host.folder / "avahi.conf").write_text(AVAHI.format(name=host.name))
        self.bus = self._run("dbus-daemon", f"--config-file={host.folder}/bus.conf", "--nofork", "--nopidfile")
        until(f"{host.name} has a system bus", lambda: (host.folder / "bus").exists(), pause=0.02)

    def _run(self, *words):
        log = open(self.host.folder / f"{words[0]}.log", "ab")
        # The process is killed when the lab ends, in whatever way.
        return subprocess.Popen(
            self.host.machine.enter("setpriv", "--pdeathsig", "KILL", "--", *words),
            env=self.host.environment | self.settings, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def start(self):
        self.daemon = self._run(
            "unshare", "--mount", "--", "sh", "-c", OWN_RUN, "sh", "avahi-daemon", "--no-drop-root", "--no-chroot",
            "--no-rlimits", f"--file={self.host.folder}/avahi.conf")

    def stop(self, how=signal.SIGTERM):
        if self.daemon:
            self.daemon.send_signal(how)
            self.daemon.wait()
        self.daemon = None

    def close(self):
        self.stop(signal.SIGKILL)
        self.bus.kill()
        self.bus.wait()


def found(lab):
    """Rooms that name nobody find the household by Avahi, whatever its daemon does."""
    attic, porch, loft, stranger = lab.attic, lab.host("porch"), lab.host("loft"), lab.host("stranger")
    for host in (porch, loft):
        host.give_key(attic.key)
    hold(stranger.lunara("key", "new"), "the stranger gets no key")
    near = [lab.neighbourhood, *map(Neighbourhood, (porch, loft, stranger))]
    try:
        for one in (near[0], near[1], near[3]):
            one.start()
        start = time.monotonic()
        porch.start("playback", LUNARA_DISCOVER="1", **near[1].settings)
        until("the porch sees all", lambda: is_whole(porch))
        until("the attic sees the porch", lambda: is_here(attic, "porch"))
        took = time.monotonic() - start

        # A second household announces itself on the same network; the two do not contact each other.
        refused = lambda: attic.counted("lunara_bus_refused_frames_total", "library@main")
        before = refused()
        stranger.start("library", LUNARA_DISCOVER="1", **near[3].settings)
        until("the stranger's library runs", lambda: "library@main" in stranger.nodes())

        # One daemon is killed and one stops properly, while a room without a daemon starts.
        near[0].stop(signal.SIGKILL)
        near[1].stop()
        loft.start("playback", LUNARA_DISCOVER="1", **near[2].settings)
        until("the loft's room runs", lambda: "playback@loft" in loft.nodes())
        time.sleep(1)
        until("without the daemon they keep each other", lambda: is_whole(porch) and is_here(attic, "porch"))
        hold(seen_by(loft) == ["playback@loft"], "the loft finds somebody without a daemon")
        for one in near[:3]:
            one.start()
        start = time.monotonic()
        until("the loft sees all", lambda: is_whole(loft) and is_here(loft, "porch"))
        again = time.monotonic() - start
        hold((seen := seen_by(stranger)) == ["library@main"], f"the stranger sees {seen}")
        hold((after := refused()) == before, f"{after - before:g} frames of the stranger were turned away")
        return f"all seen {took:.1f} s after a start, and {again:.1f} s after the daemons' return; a stranger is left alone"
    finally:
        for host in (porch, loft, stranger):
            host.stop(*host.children)
        for one in near[1:]:
            one.close()
        near[0].stop()


def seen_by(host):
    return list(until(f"{host.name} tells whom it sees", host.nodes)[0])


def is_here(host, room):
    return (host.room(room) or {}).get("away") is False
