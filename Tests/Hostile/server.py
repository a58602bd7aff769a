"""A hostile server: an OpenSubsonic server whose answers a proxy breaks."""
import gzip
import http.client
import json
import re
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

SERVERS = Path(__file__).resolve().parent.parent / "Support/Servers"
NUMBER = re.compile(rb"(?<=:)-?\d+(\.\d+)?(?=[,}])")
TEXT = re.compile(rb'(?<=":")[^"\\]*(?=")')
WORST = [b"1e308", b"-1e308", b"9223372036854775808", b"-9223372036854775808", b"1e999", b"-1", b"null", b"\"x\"", b"[]", b"{}"]
NO_LISTS = b'{"subsonic-response":{"status":"ok","version":"1.16.1","type":"stand-in","serverVersion":"1","openSubsonic":true,"playlists":{}}}'


class HostileServer:
    """Passes requests on to a stand-in, and breaks a part of the answers: `rate` of those about the catalogue, and of
    sounds and pictures always, once `is_hostile` is set. Half of its lists of playlists are then empty."""

    def __init__(self, dice, files, bait, rate=0.3):
        self.dice, self.files, self.bait, self.rate = dice, files, bait, rate
        self.is_hostile, self.broken, self.lock = False, 0, threading.Lock()
        self.bomb = gzip.compress(b'{"subsonic-response":{"status":"ok","x":[' + b"0," * (64 << 20) + b"0]}}", 9)
        self.child = subprocess.Popen(
            [sys.executable, "-B", SERVERS / "subsonic_server.py", "--synthetic", "200", "--seconds", "40", "--stay"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.about = json.loads(self.child.stdout.readline())
        owner = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            timeout = 20

            def log_message(self, *_):
                pass

            def do_GET(self):
                owner.answer(self)

            do_POST = do_HEAD = do_GET

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):
                pass  # Its clients hang up in the middle of what it sends, as they should.

        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, request):
        body = request.rfile.read(int(request.headers.get("Content-Length") or 0))
        method = request.path.partition("?")[0].rpartition("/")[2].removesuffix(".view")
        is_media = method in ("stream", "download", "getCoverArt")
        with self.lock:
            breaks = self.is_hostile and (is_media or self.dice.random() < self.rate)
            empties = self.is_hostile and method == "getPlaylists" and self.dice.random() < 0.5
            self.broken += breaks or empties
            chosen = self.dice.randrange(9) if breaks else None
        try:
            if empties:
                self.send(request, 200, {"Content-Type": "application/json"}, NO_LISTS)
            elif chosen is None:
                self.send(request, *self.right(request, body))
            elif is_media:
                self.media(request, method, chosen)
            else:
                self.catalogue(request, body, chosen)
        except OSError:
            request.close_connection = True

    def right(self, request, body):
        connection = http.client.HTTPConnection("127.0.0.1", self.about["port"], timeout=20)
        try:
            headers = {name: value for name, value in request.headers.items() if name.lower() not in ("host", "connection", "accept-encoding")}
            connection.request(request.command, request.path, body, headers)
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        finally:
            connection.close()

    def send(self, request, status, headers, body):
        request.send_response(status)
        for name, value in headers.items():
            if name.lower() not in ("content-length", "connection", "date", "server", "transfer-encoding"):
                request.send_header(name, value)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    def redirect(self, request, status):
        self.send(request, status, {"Location": self.bait.url("redirected")}, b"")

    def media(self, request, method, chosen):
        with self.lock:
            body = self.files.cover() if method == "getCoverArt" else self.files.sound()[1]
        kind = {"Content-Type": "image/jpeg" if method == "getCoverArt" else "audio/mpeg"}
        match chosen:
            case 0: self.redirect(request, 302)
            case 1: self.redirect(request, 307)
            case 2: self.send(request, 206, kind | {"Content-Range": f"bytes 99-{len(body)}/7"}, body)
            case 3: self.endless(request, body)
            case _: self.send(request, 200, kind, body)

    def catalogue(self, request, body, chosen):
        match chosen:
            case 0: self.redirect(request, 307)
            case 1: self.send(request, 200, {"Content-Type": "application/json", "Content-Encoding": "gzip"}, self.bomb)
            case 2: self.endless(request, b'{"subsonic-response":[' + b"[" * 60_000)
            case 3: self.send(request, 200, {"Content-Type": "application/json"}, b"[" * 200_000)
            case 4: self.send(request, 200, {f"X-{number}": "x" * 4000 for number in range(90)}, b"{}")
            case _:
                status, headers, right = self.right(request, body)
                with self.lock:
                    if chosen == 5:
                        right = TEXT.sub(self.worded, right)
                    elif chosen < 8:
                        right = NUMBER.sub(lambda found: self.dice.choice(WORST) if self.dice.random() < 0.2 else found[0], right)
                    else:
                        right = self.files.mutate(right or b"{}")
                self.send(request, status, headers, right)

    def worded(self, found):
        """Returns the words of a hostile tag in place of one text in ten, as JSON without its quotes."""
        return json.dumps(self.files.words()).encode()[1:-1] if self.dice.random() < 0.1 else found[0]

    def endless(self, request, piece):
        """Sends a piece again and again until the reader hangs up, at most a gigabyte."""
        request.close_connection = True
        request.send_response(200)
        request.send_header("Connection", "close")
        request.end_headers()
        for _ in range((1 << 30) // len(piece) + 1):
            request.wfile.write(piece)

    def close(self):
        self.server.shutdown()
        self.child.terminate()
        self.child.wait()
