"""What the packages do on a Debian that has nothing else: they are installed, run, die, restart, upgrade and go."""
import json

from checking import build, hold, until
from machine import Machine, pid_of

# A plugin that finds a track by any words, and asks nobody.
PLUGIN = {
    "manifest": {"id": "tones", "name": "Tones", "version": "1.0.0"}, "capabilities": {"resolve": True},
    "implementation": {"search": "async (words) => [{ id: '1', title: `Found by ${words}`, artist: 'Tones' }]"}}
# The engine that runs plugins, which only households with plugins need.
ENGINE = "libjavascriptcoregtk-4.1-0"
SERVICES = ["lunara-library", "lunara-router", "lunara-scrobble", "lunara-web"]


class Life:
    """The steps, in order; each finds the machine as the one before left it."""

    def __init__(self, machine, programs, folder, packages):
        self.machine, self.programs, self.folder, self.packages = machine, programs, folder, packages
        self.room = None

    def units(self):
        return SERVICES + [f"lunara-playback@{self.room}"]

    def active(self, unit):
        return self.machine.properties(f"{unit}.service", "ActiveState", "SubState").get("SubState") == "running"

    def all_run(self):
        return all(self.active(unit) for unit in self.units())

    def status(self, user=None):
        return json.loads(self.machine.sh("lunara status --json", user=user))

    def fetched(self):
        """Packages of Debian that they need are found by apt"""
        self.own = self.machine.fetch(*self.packages, "ffmpeg", ENGINE)
        return "without a network from here on"

    def installed(self):
        """apt installs them on a system that runs, and each service says that it is ready"""
        self.machine.boot()
        self.room = self.machine.sh("uname -n").strip().lower()
        self.machine.sh("printf 'LUNARA_AUDIO=null\\n' >/tmp/env")
        said = self.machine.sh(f"apt-get install -y {' '.join(self.own)} ffmpeg", limit=600)
        until("services that run", 60, self.all_run)
        hold("lunara-room" in said, said)
        for unit in self.units():
            found = self.machine.properties(f"{unit}.service", "Type", "NRestarts", "WatchdogUSec", "UnitFileState", "User")
            hold(found["Type"] == "notify" and found["WatchdogUSec"] not in ("0", "infinity"), f"{unit}: {found}")
            hold(found["NRestarts"] == "0", f"{unit} was started again {found['NRestarts']} times")
            hold(found["UnitFileState"] == "enabled" and found["User"] == "lunara", f"{unit}: {found}")
        return f"{len(self.units())} services, room {self.room}"

    def configured(self):
        """Settings are taken from /etc/lunara/lunara.env, and are nobody else's to read"""
        machine = self.machine
        hold(machine.sh("stat -c '%a %U %G' /etc/lunara/lunara.env").strip() == "640 root lunara", "lunara.env may be read")
        machine.sh("cat /tmp/env >>/etc/lunara/lunara.env; mkdir -p /srv/music; systemctl restart lunara.target lunara-\\*")
        until("services that run", 60, self.all_run)
        return self.machine.sh("stat -c '%a %U:%G' /run/lunara /var/lib/lunara").split("\n")[0]

    def clean(self):
        """Units pass systemd-analyze verify where they are installed, manual included"""
        said = self.machine.sh(
            "systemd-analyze --man=no verify /usr/lib/systemd/system/lunara*.service /usr/lib/systemd/system/lunara.target",
            check=False)
        hold(not said.strip(), said)
        said = self.machine.sh("journalctl -b -p warning --no-pager -o cat _SYSTEMD_UNIT=lunara-library.service", check=False)
        return f"{len(said.splitlines())} warnings of the library in the journal"

    def steered(self):
        """Who is in the group lunara steers it, others do not"""
        machine = self.machine
        machine.sh("useradd -m ann; useradd -m ben; usermod -aG lunara ann")
        nodes = {f"{node['role']}@{node['name']}" for node in self.status("ann")["nodes"]}
        hold({"library@main", f"playback@{self.room}"} <= nodes, f"ann sees {nodes}")
        machine.sh("lunara status")
        said = machine.sh("lunara status --json; test $? = 3 && echo NONE", user="ben", check=False)
        hold("NONE" in said, f"ben, who is no member, gets: {said}")
        return f"{len(nodes)} nodes"

    def watched(self):
        """The watchdog is fed, and a service that stands still is started again"""
        machine, unit = self.machine, "lunara-router"
        machine.sh(f"mkdir -p /run/systemd/system/{unit}.service.d; printf '[Service]\\nWatchdogSec=4\\n' "
                   f">/run/systemd/system/{unit}.service.d/test.conf; systemctl daemon-reload; systemctl restart {unit}")
        until("a router that runs", 30, lambda: self.active(unit))
        pid = pid_of(machine, unit)

        def stamp():
            return int(machine.properties(unit, "WatchdogTimestampMonotonic")["WatchdogTimestampMonotonic"])
        first = stamp()
        until("a sign of life", 30, lambda: stamp() > first)
        hold(pid_of(machine, unit) == pid, "the router was started again though it works")
        machine.sh(f"kill -STOP {pid}")
        until("another router", 60, lambda: pid_of(machine, unit) not in (0, pid) and self.active(unit))
        machine.sh(f"rm -r /run/systemd/system/{unit}.service.d; systemctl daemon-reload; systemctl restart {unit}")
        until("a router that runs", 30, lambda: self.active(unit))
        return "killed by SIGABRT, and back"

    def logged(self):
        """The journal has entries by service and by room"""
        machine = self.machine
        said = machine.sh(f"journalctl --no-pager -o json LUNARA_ROOM={self.room}")
        entries = [json.loads(line) for line in said.splitlines()]
        hold(entries and all(entry["LUNARA_SERVICE"] == "playback" for entry in entries), f"entries: {said[:300]}")
        hold(any(entry["MESSAGE"].startswith("ready") for entry in entries), "no room says that it is ready")
        # Other words of libraries have no fields: they would be about a right that they lack, over and over.
        said = machine.sh("journalctl --no-pager -o json _TRANSPORT=stdout + _TRANSPORT=syslog -u 'lunara-*'")
        strays = [str(json.loads(line)["MESSAGE"]) for line in said.splitlines()]
        # A container's first process may not grant LimitNICE.
        strays = [line for line in strays if not line.endswith("errno=13")]
        hold(len(strays) < 5, f"printed and not logged, {len(strays)} times: {sorted(set(strays))[:5]}")
        return f"{len(entries)} of the room {self.room}"

    def killed(self):
        """What is killed is started again"""
        machine = self.machine
        former = {unit: pid_of(machine, unit) for unit in self.units()}
        hold(all(former.values()), f"not all run: {former}")
        machine.sh(f"kill -9 {' '.join(map(str, former.values()))}")
        until("all services anew", 60, lambda: self.all_run() and all(
            pid_of(machine, unit) not in (0, pid) for unit, pid in former.items()))
        return f"{len(former)} at once"

    def secret(self):
        """A credential reaches the service it is for, and no other"""
        machine = self.machine
        machine.sh("mkdir -p -m 700 /etc/credstore; lunara key new --file /etc/credstore/lunara.household-key; "
                   "printf 'a-token\\n' >/etc/credstore/lunara.plex-token; systemctl restart lunara-library lunara-web")
        until("services that run", 60, self.all_run)

        def passed(unit):
            return machine.sh(f"ls /run/credentials/{unit}.service", check=False).split()
        hold(set(passed("lunara-library")) == {"lunara.household-key", "lunara.plex-token"}, f"library: {passed('lunara-library')}")
        hold(passed("lunara-web") == ["lunara.household-key"], f"web: {passed('lunara-web')}")
        machine.sh("rm -r /etc/credstore; lunara key new; systemctl restart lunara-library lunara-web")
        until("services that run", 60, self.all_run)
        mode = machine.sh("stat -c '%a %U %G' /etc/lunara/household.key").strip()
        hold(mode == "640 root lunara", f"the key that root made is {mode}")
        machine.sh("rm /etc/lunara/household.key; systemctl restart lunara-library lunara-web")
        until("services that run", 60, self.all_run)
        return "the household's key, a token"

    def bound(self):
        """A drop-in shows the services a folder of music in a home that nobody else may enter"""
        machine = self.machine
        machine.sh("install -d -m 700 -o ann -g ann /home/ann; install -d -o ann -g ann /home/ann/Music; "
                   "mkdir -p /etc/systemd/system/lunara-.service.d; "
                   "printf '[Service]\\nBindReadOnlyPaths=/home/ann/Music:/srv/music\\n' >/etc/systemd/system/lunara-.service.d/music.conf; "
                   "ffmpeg -v error -f lavfi -i sine=duration=120 -metadata title=Hum -metadata album=Tones -metadata artist=Ann "
                   "/home/ann/Music/hum.flac; systemctl daemon-reload; systemctl restart lunara-\\*")
        until("services that run", 60, self.all_run)
        machine.sh("lunara sources add /srv/music", user="ann")
        until("the album in the catalogue", 60, lambda: "Tones" in machine.sh("lunara albums", user="ann"))
        machine.sh("lunara play Tones", user="ann")
        until("sound", 60, lambda: "playing" in machine.sh("lunara rooms --json", user="ann"))
        return "and the room plays from it"

    def rotated(self):
        """The household's key is changed in its three steps while the music plays"""
        machine = self.machine
        machine.sh("lunara key new; systemctl restart lunara-\\*")
        until("services that run", 60, self.all_run)
        machine.sh("lunara resume", user="ann")
        until("sound", 60, lambda: "playing" in machine.sh("lunara rooms --json", user="ann"))
        former = {unit: pid_of(machine, unit) for unit in self.units()}
        key = machine.sh("lunara key show --json")
        for number, step in enumerate(("", "--promote", "--finish"), 1):
            machine.sh(f"lunara key rotate {step}; lunara key reload")
            for unit in self.units():
                until(f"{unit} with the new keys", 60, lambda: number <= machine.sh(
                    f"journalctl --no-pager -o cat _PID={former[unit]} _SYSTEMD_UNIT={unit}.service").count("keys were read again"))
            hold("playing" in machine.sh("lunara rooms --json", user="ann"), f"no music after key rotate {step}")
        after = machine.sh("lunara key show --json")
        hold(after != key and after.count('"id"') == 1, f"the keys are {after}")
        hold(all(pid_of(machine, unit) == pid for unit, pid in former.items()), "a service was started again")
        machine.sh("rm /etc/lunara/household.key; systemctl restart lunara-\\*")
        until("services that run", 60, self.all_run)
        return "nothing was restarted"

    def plugged(self):
        """A plugin runs within the limits of its unit"""
        machine = self.machine
        machine.sh(f"apt-get install -y {ENGINE}", limit=600)
        (machine.root / "srv/tones.axe").write_text(json.dumps(PLUGIN))
        machine.sh("install -d -o lunara -g lunara /var/lib/lunara/plugins")
        until("a resolver that runs", 60, lambda: self.active("lunara-resolver"))
        machine.sh("lunara plugins add /srv/tones.axe --yes", user="ann")
        said = machine.sh("lunara search hello --everywhere", user="ann")
        hold("Found by hello" in said, said)
        limits = machine.sh("cat $(grep -lx lunara-plugin /proc/[0-9]*/comm | sed s/comm/status/)")
        hold("Seccomp:\t2" in limits and "NoNewPrivs:\t1" in limits, limits)
        return "found by it"

    def upgraded(self):
        """An upgrade starts the new version, and keeps data, settings and what plays"""
        machine = self.machine
        packages = build(self.programs, self.folder / "second", version="99.0")
        # As after version 0.1.0, which had no path units.
        machine.sh("systemctl stop lunara-media.path lunara-resolver.path lunara-discovery.path lunara-providers.path; "
                   "rm -f /etc/systemd/system/lunara.target.wants/lunara-*.path; "
                   "rm -rf /var/lib/systemd/deb-systemd-helper-enabled/lunara*; systemctl daemon-reload")
        machine.sh("lunara resume", user="ann")
        until("sound", 60, lambda: "playing" in machine.sh("lunara rooms --json", user="ann"))
        former = {unit: pid_of(machine, unit) for unit in self.units()}
        own = []
        for package in packages:
            machine.sh("mkdir -p /root/new")
            own.append(f"/root/new/{package.split('/')[-1]}")
            with open(package, "rb") as file, open(machine.root / own[-1][1:], "wb") as copy:
                copy.write(file.read())
        machine.sh(f"apt-get install -y {' '.join(own)}", limit=300)
        until("all services anew", 60, lambda: self.all_run() and all(
            pid_of(machine, unit) not in (0, pid) for unit, pid in former.items()))
        for unit in ("lunara-media.path", "lunara-resolver.path", "lunara-discovery.path", "lunara-providers.path"):
            found = machine.properties(unit, "UnitFileState", "ActiveState")
            hold(found["UnitFileState"] == "enabled" and found["ActiveState"] == "active", f"{unit}: {found}")
        hold("LUNARA_AUDIO=null" in machine.sh("cat /etc/lunara/lunara.env"), "the settings are gone")
        hold("Tones" in machine.sh("lunara albums", user="ann"), "the library is gone")
        until("sound", 60, lambda: "playing" in machine.sh("lunara rooms --json", user="ann"))
        return machine.sh("dpkg-query -W lunara lunara-room").replace("\n", " ").replace("\t", " ")

    def left(self):
        """What was stopped on purpose stays so over an upgrade"""
        machine = self.machine
        machine.sh("systemctl stop lunara.target")
        until("services that are gone", 60, lambda: not any(self.active(unit) for unit in self.units()))
        machine.sh("apt-get install -y --reinstall /root/new/*.deb", limit=300)
        hold(not any(self.active(unit) for unit in self.units()), "an upgrade started what was stopped")
        machine.sh("systemctl start lunara.target")
        until("services that run", 60, self.all_run)
        return "and starts when it is told to"

    def rebooted(self):
        """After a reboot all of it is back"""
        self.machine.shut()
        self.machine.boot()
        until("services that run", 120, self.all_run)
        hold("Tones" in self.machine.sh("lunara albums", user="ann"), "the library is gone")
        return "by lunara.target"

    def demonstrated(self):
        """`lunara up --demo` plays for a person, beside the system's services"""
        machine = self.machine
        machine.sh("systemctl stop lunara.target")
        until("services that are gone", 60, lambda: not any(self.active(unit) for unit in self.units()))
        machine.sh("loginctl enable-linger ben")
        until("a manager of ben's own", 60, lambda: machine.sh("systemctl is-active user@$(id -u ben)", check=False).strip(),
              equals="active")
        up = machine.start("LUNARA_AUDIO=null exec lunara up --demo >/home/ben/up.log 2>&1", "ben")
        try:
            until("READY", 300, lambda: "READY" in machine.sh("cat /home/ben/up.log", check=False))
            until("the demo's albums", 120, lambda: "Night Lines" in machine.sh("lunara albums", user="ben", check=False))
            machine.sh("lunara play 'Night Lines'", user="ben")
            until("sound", 60, lambda: "playing" in machine.sh("lunara rooms --json", user="ben"))
        finally:
            machine.sh("kill $(head -n 1 /run/user/$(id -u ben)/lunara/up.lock)", check=False)
            up.wait(60)
        return "Night Lines"

    def enabled(self):
        """`lunara enable` runs it without a login and after a reboot, `lunara disable` ends that"""
        machine = self.machine
        said = machine.sh("LUNARA_AUDIO=null lunara enable --room den --music /home/ben/.local/share/lunara/demo", user="ben", check=False)
        hold("lunara-playback@den.service" in said, said)
        until("the room den", 60, lambda: "den" in machine.sh("lunara rooms", user="ben", check=False))
        machine.sh("systemctl disable --quiet lunara.target")
        machine.shut()
        machine.boot()
        until("the room den", 120, lambda: "den" in machine.sh("lunara rooms", user="ben", check=False))
        machine.sh("lunara play 'Night Lines'", user="ben")
        until("sound", 60, lambda: "playing" in machine.sh("lunara rooms --json", user="ben"))
        machine.sh("lunara disable", user="ben")
        hold(machine.sh("lunara status; test $? = 3 && echo NONE", user="ben", check=False).endswith("NONE\n"), "something still runs")
        hold("lunara" not in machine.sh("ls /home/ben/.config/systemd/user 2>/dev/null", check=False).replace("lunara.target.wants", ""), "units are left")
        machine.sh("systemctl enable --quiet --now lunara.target")
        until("services that run", 60, self.all_run)
        return "den"

    def removed(self):
        """Removed, they leave data and settings; installed again, they go on with them"""
        machine = self.machine
        machine.sh("apt-get remove -y lunara lunara-room", limit=300)
        hold("lunara-" not in machine.sh("systemctl list-units --plain --no-legend 'lunara*'", check=False), "a unit is left")
        hold(machine.sh("ls /var/lib/lunara/library.sqlite /etc/lunara/lunara.env").count("\n") == 2, "data are gone")
        machine.sh("apt-get install -y /root/new/*.deb", limit=300)
        until("services that run", 60, self.all_run)
        hold("Tones" in machine.sh("lunara albums", user="ann"), "the library is gone")
        return "data kept"

    def purged(self):
        """Purged, they leave nothing but the user"""
        machine = self.machine
        machine.sh("apt-get purge -y lunara", limit=300)
        hold("library.sqlite" not in machine.sh("ls /var/lib/lunara"), "the library's data are left")
        hold(f"playback-{self.room}.sqlite" in machine.sh("ls /var/lib/lunara"), "the room's data are gone")
        machine.sh("apt-get purge -y lunara-room", limit=300)
        left = machine.sh("ls -d /var/lib/lunara /etc/lunara /run/lunara /usr/lib/lunara /etc/systemd/system/lunara* 2>/dev/null", check=False)
        left = left.replace("/etc/systemd/system/lunara-.service.d\n", "")
        hold(not left.strip(), f"left: {left}")
        hold("lunara" in machine.sh("getent passwd lunara"), "the user is gone")
        return "nothing left"


def run(attempt, cache, folder, programs, packages):
    machines = []

    def made():
        machines.append(Machine(folder / "machine", cache))
        return "a layer over Debian 12"
    try:
        if not attempt("A Debian of its own is made", made):
            return
        life = Life(machines[0], programs, folder, packages)
        steps = [life.fetched, life.installed, life.configured, life.clean, life.steered, life.watched, life.logged, life.killed,
                 life.secret, life.bound, life.rotated, life.plugged, life.upgraded, life.left, life.rebooted, life.demonstrated,
                 life.enabled, life.removed, life.purged]
        for step in steps:
            # Each step finds what the one before left: after one that failed, nothing can be said.
            if not attempt(step.__doc__, step):
                break
    finally:
        for machine in machines:
            machine.close()
