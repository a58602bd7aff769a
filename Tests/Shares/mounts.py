"""Shares on this machine, each by the program that people mount one with, and a server on loopback where it needs one."""
import getpass
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys

from figures import free_port, wait_for

# The interpreter for which Debian's modules are installed.
PYTHON = "/usr/bin/python3"


class Share:
    """A folder, and a mount that shows it. The programs run in groups of their own, so that their children hang and end
    with them."""

    def __init__(self, scratch):
        self.name = type(self).__name__.lower()
        self.scratch = scratch / self.name
        self.behind, self.mount = self.scratch / "behind", self.scratch / "share"
        for folder in (self.behind, self.mount):
            folder.mkdir(parents=True)
        self.log = open(self.scratch / "log", "ab")
        self.server = self.client = None

    def spawn(self, *words, **more):
        return subprocess.Popen([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log,
                                start_new_session=True, **more)

    def begin(self):
        """Mounts it."""
        if not self.server:
            self.server = self.serve()
        self.client = self.connect()
        wait_for(lambda: os.path.ismount(self.mount), f"the mount of {self.name}", limit=20, pause=0.05)

    def end(self):
        """Unmounts it, as a server does that goes or a person that ends the mount."""
        subprocess.run(["umount", "-l", self.mount], capture_output=True)
        self.kill(self.client)
        self.client = None

    def close(self):
        self.answer()
        self.end()
        self.kill(self.server)
        self.log.close()

    @staticmethod
    def kill(program):
        if program:
            try:
                os.killpg(program.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            program.wait()

    def serve(self):
        return None

    def signal(self, number):
        # The server hangs where there is one; else the program that serves the mount.
        program = self.server or self.client
        for pid in [program.pid, *below(program.pid)]:
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass

    def hang(self):
        self.signal(signal.SIGSTOP)

    def answer(self):
        if self.server or self.client:
            self.signal(signal.SIGCONT)


def below(pid):
    """The children of a process and theirs, also in sessions of their own, as sshd has one for each connection."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
        except (FileNotFoundError, ProcessLookupError):
            continue
        if parent == pid:
            found += [int(folder.name), *below(int(folder.name))]
    return found


class Bindfs(Share):
    needs = ["bindfs"]

    def connect(self):
        return self.spawn("bindfs", "-f", "--no-allow-other", self.behind, self.mount)


class Sshfs(Share):
    needs = ["sshfs", "ssh-keygen", "/usr/sbin/sshd"]

    def serve(self):
        self.port = free_port()
        for name in ("host", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.scratch / name], check=True)
        shutil.copy(self.scratch / "user.pub", self.scratch / "authorized")
        (self.scratch / "sshd").write_text(
            f"Port {self.port}\nListenAddress 127.0.0.1\nHostKey {self.scratch}/host\nPidFile none\nUsePAM no\n"
            f"AuthorizedKeysFile {self.scratch}/authorized\nStrictModes no\nPermitRootLogin yes\nPasswordAuthentication no\n"
            "Subsystem sftp internal-sftp\n")
        # sshd as root wants this folder, which its unit would make.
        if os.geteuid() == 0:
            os.makedirs("/run/sshd", mode=0o755, exist_ok=True)
        return self.spawn("/usr/sbin/sshd", "-D", "-e", "-f", self.scratch / "sshd")

    def connect(self):
        options = [f"port={self.port}", f"IdentityFile={self.scratch}/user", "UserKnownHostsFile=/dev/null",
                   "StrictHostKeyChecking=no", "ro", "dcache_timeout=1"]
        wait_for(lambda: is_open(self.port), "sshd", limit=10, pause=0.05)
        return self.spawn("sshfs", "-f", f"{getpass.getuser()}@127.0.0.1:{self.behind}", self.mount, "-o", ",".join(options))


class Rclone(Share):
    """A WebDAV server, mounted."""

    needs = ["rclone"]

    def rclone(self, *words):
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.scratch)}
        return self.spawn("rclone", *words, "--config", "", "--dir-cache-time", "1s", env=environment)

    def serve(self):
        self.port = free_port()
        return self.rclone("serve", "webdav", self.behind, "--addr", f"127.0.0.1:{self.port}")

    def connect(self):
        wait_for(lambda: is_open(self.port), "the WebDAV server", limit=10, pause=0.05)
        return self.rclone("mount", ":webdav:", self.mount, "--webdav-url", f"http://127.0.0.1:{self.port}",
                           "--read-only", "--cache-dir", self.scratch / "cache")


class Faulty(Share):
    """A file system that answers as broken servers do; `fail` chooses how."""

    needs = [PYTHON]

    def connect(self):
        (self.scratch / "fault").write_text("")
        return self.spawn(PYTHON, "-B", pathlib.Path(__file__).parent / "faulty.py", self.behind, self.mount,
                          self.scratch / "fault")

    def fail(self, how):
        (self.scratch / "fault.new").write_text(how)
        (self.scratch / "fault.new").rename(self.scratch / "fault")


def is_open(port):
    with socket.socket() as link:
        return link.connect_ex(("127.0.0.1", port)) == 0


def missing(scratch):
    """What this machine lacks for the shares, as words for people; empty if nothing."""
    if not os.access("/dev/fuse", os.R_OK | os.W_OK):
        return "/dev/fuse"
    if os.geteuid() != 0:
        return "root"
    programs = {program for kind in (Bindfs, Sshfs, Rclone, Faulty) for program in kind.needs if not shutil.which(program)}
    if subprocess.run([PYTHON, "-c", "import fusepy"], capture_output=True).returncode:
        programs.add("python3-fusepy")
    return ", ".join(sorted(programs)) or failure(scratch)


def failure(scratch):
    """Why nothing can be mounted here, as in a container that may not; empty if it can."""
    share = Bindfs(scratch / "trial")
    try:
        share.begin()
        return ""
    except SystemExit:
        return "the right to mount"
    finally:
        share.close()


if __name__ == "__main__":
    sys.exit("run Tests/Shares/shares")
