"""A Debian system for the tests: made once by debootstrap, then used below a temporary layer, booted by
systemd-nspawn."""
import os
import re
import signal
import subprocess
from pathlib import Path

from checking import Failure, hold, run, until

SUITE = "bookworm"
# Programs that a usual server has, besides a minimal installation.
INCLUDED = "systemd,systemd-sysv,dbus,libpam-systemd,ca-certificates,init-system-helpers"


def base(folder):
    """The system below the layers of all machines; downloaded once."""
    root = folder / f"{SUITE}-{run('dpkg', '--print-architecture').strip()}"
    if not (root / "complete").exists():
        run("rm", "-rf", root)
        run("debootstrap", "--variant=minbase", f"--include={INCLUDED}", SUITE, root, limit=1800)
        (root / "complete").touch()
    return root


class Machine:
    """A layer over the system, with a folder for packages; `boot` starts it."""

    def __init__(self, folder, cache):
        self.folder, self.root = folder, folder / "root"
        self.process, self.leader, self.mounts = None, None, []
        for name in ("upper", "work", "root"):
            (folder / name).mkdir(parents=True)
        layers = f"lowerdir={base(cache)},upperdir={folder}/upper,workdir={folder}/work"
        self.mount("-t", "overlay", "overlay", "-o", layers, self.root)
        archives = cache / "archives"
        archives.mkdir(exist_ok=True)
        self.mount("--bind", archives, self.root / "var/cache/apt/archives")
        (self.root / "etc/apt/apt.conf.d/99test").write_text('APT::Install-Recommends "false";\nAPT::Sandbox::User "root";\n')
        # The layer is deleted afterwards, so it need not reach the disk.
        (self.root / "etc/dpkg/dpkg.cfg.d/test").write_text("force-unsafe-io\n")
        (self.root / "etc/apt/apt.conf.d/docker-clean").unlink(missing_ok=True)

    def mount(self, *words):
        run("mount", *words)
        self.mounts.append(words[-1])

    def fetch(self, *packages):
        """Downloads the dependencies of packages beforehand, as a running machine has no network."""
        for name in packages:
            if "/" in name:
                run("cp", name, self.root / "root/")
        own = [f"/root/{Path(name).name}" for name in packages if "/" in name]
        more = [name for name in packages if "/" not in name]
        inside = ["chroot", self.root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", "-y"]
        run("cp", "--remove-destination", "/etc/resolv.conf", self.root / "etc/resolv.conf")
        run(*inside, "update", limit=600)
        run(*inside, "install", "--download-only", *own, *more, limit=1800)
        return own

    def boot(self):
        self.log = open(self.folder / "console", "wb")
        # The machine has a network with no other host on it.
        self.process = subprocess.Popen(
            ["systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--private-network", "--console=pipe", "-b",
             "-D", self.root, "--bind", self.root / "var/cache/apt/archives:/var/cache/apt/archives"],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT, start_new_session=True)

        def leader():
            hold(self.process.poll() is None, f"the machine ends at once:\n{self.console()}")
            children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
            for child in children:
                if os.readlink(f"/proc/{child}/ns/pid") != os.readlink("/proc/self/ns/pid"):
                    return child
            return None
        try:
            self.leader = until("a machine with a first process", 60, leader)
            until("a machine that is up", 120, lambda: self.state() in ("running", "degraded"))
        except FileNotFoundError as error:
            raise Failure(f"the machine is gone: {error}\n{self.console()}") from error

    def console(self):
        return (self.folder / "console").read_text(errors="replace")[-3000:]

    def state(self):
        return self.sh("systemctl is-system-running", check=False).strip()

    def sh(self, line, limit=120, user=None, **options):
        """Runs a line of shell in the machine, as root or as a user."""
        words = ["nsenter", "-t", self.leader, "--mount", "--uts", "--ipc", "--net", "--pid", "--cgroup", "--root", "--wd"]
        environment = ["env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive"]
        if user:
            number = self.sh(f"id -u {user}").strip()
            words += ["setpriv", f"--reuid={number}", f"--regid={number}", "--init-groups"]
            environment += [f"HOME=/home/{user}", f"USER={user}", f"XDG_RUNTIME_DIR=/run/user/{number}"]
        else:
            environment += ["HOME=/root"]
        return run(*words, *environment, "sh", "-c", line, limit=limit, **options)

    def start(self, line, user):
        """Starts a line of shell as a user, and returns the process."""
        number = self.sh(f"id -u {user}").strip()
        return subprocess.Popen(
            ["nsenter", "-t", self.leader, "--mount", "--uts", "--ipc", "--net", "--pid", "--cgroup", "--root", "--wd",
             "setpriv", f"--reuid={number}", f"--regid={number}", "--init-groups", "env", "-i",
             "PATH=/usr/bin:/bin", f"HOME=/home/{user}", f"XDG_RUNTIME_DIR=/run/user/{number}", "sh", "-c", line],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)

    def properties(self, unit, *names):
        """Properties of a unit, by name."""
        words = " ".join(f"-p {name}" for name in names)
        return dict(line.split("=", 1) for line in self.sh(f"systemctl show {unit} {words}").splitlines() if "=" in line)

    def shut(self):
        """Shuts the machine down, as a person would; it can be booted again."""
        if not self.process:
            return
        # The signal that systemd-nspawn takes for the power button.
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(30)
        self.process = None
        self.log.close()

    def close(self):
        self.shut()
        for place in reversed(self.mounts):
            run("umount", "-l", place, check=False)
        self.mounts = []


def pid_of(machine, unit):
    return int(re.sub(r"\D", "", machine.properties(unit, "MainPID").get("MainPID", "0")) or 0)
