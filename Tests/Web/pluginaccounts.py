"""The accounts of plugins on the page: signing in at a stand-in for Spotify, and playing on a device of one's own."""
import base64
import hashlib
import http.server
import json
import threading
import urllib.parse

from case import PageCase

TRACK = "spotify:track:4uLU6hMCjMI75M1A2tKUQC"
FILE = {
    "manifest": {"id": "spotify", "name": "Spotify", "version": "1.0", "hosts": ["api.spotify.com"]},
    "capabilities": {"resolve": True, "search": True},
    "settings": {"requiresAuth": True, "authType": "oauth", "scopes": ["user-read-playback-state"]},
    "implementation": {
        "search": f"async (words, config) => config.token === 'A1' ? [{{ id: 'x', title: 'Lamp of ' + words, artist: 'Ada', spotifyUri: '{TRACK}' }}] : []",
        "resolve": f"async (artist, title, album, config) => config.token === 'A1' ? {{ id: 'x', title, artist, spotifyUri: '{TRACK}' }} : null",
        "play": "async () => true",
    }}
DEVICE = {"id": "d1", "name": "Ada's <b>Phone</b>", "type": "Smartphone", "is_active": False, "is_restricted": False}


class Spotify(http.server.BaseHTTPRequestHandler):
    """Stands in for Spotify: checks the proof of a sign-in, and notes what devices are asked for."""

    challenge = None
    orders: list[tuple[str, dict]] = []

    def log_message(self, *_):
        pass

    def reply(self, status, value=None):
        body = b"" if value is None else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def body(self):
        return self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()

    def do_GET(self):
        if self.headers.get("Authorization") != "Bearer A1":
            return self.reply(401, {})
        return self.reply(200, {"devices": [DEVICE]} if self.path.endswith("/devices") else {"id": "ada", "display_name": "Ada"})

    def do_POST(self):
        form = dict(urllib.parse.parse_qsl(self.body()))
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        if base64.urlsafe_b64encode(digest).decode().rstrip("=") != Spotify.challenge or form["code"] != "the code":
            return self.reply(400, {"error": "invalid_grant"})
        return self.reply(200, {"access_token": "A1", "refresh_token": "R1", "expires_in": 3600})

    def do_PUT(self):
        Spotify.orders.append((self.path, json.loads(self.body())))
        self.reply(204)


class PluginAccounts(PageCase):
    """The resolver runs as long as these tests do, with a server that stands in for Spotify."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.spotify = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Spotify)
        threading.Thread(target=cls.spotify.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{cls.spotify.server_port}"
        cls.household.start_resolver({"LUNARA_SPOTIFY_URL": address})

    @classmethod
    def tearDownClass(cls):
        for one in cls.household.ask("plugins")["plugins"]:
            cls.household.ask(f"plugins/{one['id']}", {}, "DELETE")
        cls.household.processes["resolver"].terminate()
        cls.household.processes.pop("resolver").wait(10)
        cls.spotify.shutdown()
        super().tearDownClass()

    def install(self):
        text = json.dumps(FILE).encode()
        plugin = self.household.ask("plugins", {"part": base64.b64encode(text).decode(), "offset": 0, "size": len(text)})["plugin"]
        self.household.ask("plugins/spotify/allow", {"sha256": plugin["sha256"]})

    def test_one_signs_in_for_a_plugin_and_plays_on_a_device(self):
        page = self.page
        self.install()
        page.open("settings/plugins")
        page.press(".plugin summary", "Sign in at Spotify")
        page.has(".account code", "http://127.0.0.1:8888/callback")
        self.assertEqual(page.axe(), [])
        page.write(".account [name=clientID]", "my client")
        page.press(".account form button", "Sign in")
        page.has(".account .sign-in a", "Open Spotify")
        link = page.run("return document.querySelector('.account .sign-in a').href")
        asked = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(link).query))
        self.assertEqual((asked["client_id"], asked["scope"], asked["code_challenge_method"]), ("my client", "user-read-playback-state", "S256"))
        Spotify.challenge = asked["code_challenge"]
        # An address of another sign-in is refused.
        page.write(".account [name=redirect]", "http://127.0.0.1:8888/callback?code=the%20code&state=other")
        page.press(".account .sign-in form button", "Sign in")
        page.said("belongs to no sign-in")
        page.write(".account [name=redirect]", f"http://127.0.0.1:8888/callback?code=the%20code&state={asked['state']}")
        page.press(".account .sign-in form button", "Sign in")
        page.has(".plugin .account", "Signed in at Spotify as Ada")
        self.assertEqual(page.axe(), [])
        self.assertNotIn("A1", json.dumps(self.household.ask("plugins")))

        page.open("search?q=tram")
        page.has(".plugin-hits .track b", "Lamp of tram")
        page.press(".plugin-hits .knob")
        page.press(".menu [role=menuitem]", "Where it is found")
        page.press("dialog .device button", "Devices")
        page.has("dialog .device select", "Ada's <b>Phone</b>")
        page.press("dialog .device button", "Play on your Spotify device")
        page.has("dialog .on-device", "on Ada's <b>Phone</b>")
        self.assertEqual(page.axe(), [])
        self.assertEqual([path for path, _ in Spotify.orders], ["/v1/me/player", "/v1/me/player/play?device_id=d1"])
        self.assertEqual(Spotify.orders[1][1], {"uris": [TRACK]})
        page.press("dialog button", "Close")

        page.open("settings/plugins")
        page.press(".plugin .account button", "Sign out")
        page.has(".plugin summary", "Sign in at Spotify")
