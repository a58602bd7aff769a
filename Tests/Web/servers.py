"""The fake servers of Tests/Support/Servers, as the services that a person signs in to from the page."""
import json
import pathlib
import subprocess
import urllib.request

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "Support/Servers"


class Server:
    """A fake server. It ends when its standard input closes, also where this program is killed."""

    def __init__(self, name, *options):
        self.name = name
        self.process = subprocess.Popen([FOLDER / name, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        if not line:
            raise AssertionError(f"the fake server {name} did not start")
        self.told = json.loads(line)
        self.address = f"http://127.0.0.1:{self.told['port']}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.stdout.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def order(self, verb, **order):
        """Sends a control request, which README.md beside the fake servers describes."""
        request = urllib.request.Request(
            f"{self.address}/__control__/{verb}", json.dumps(order).encode(), {"Content-Type": "application/json"}, method="POST")
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)


def environment(servers):
    """Returns the settings by which a household finds the fake servers. The tests type Subsonic's address."""
    return {
        "LUNARA_PLEX_CLOUD": servers["plex"].address, "LUNARA_LASTFM_URL": f"{servers['lastfm'].address}/2.0/",
        "LUNARA_LASTFM_KEY": servers["lastfm"].told["key"], "LUNARA_LASTFM_SECRET": servers["lastfm"].told["secret"],
        "LUNARA_LISTENBRAINZ_URL": servers["listenbrainz"].address,
    }
