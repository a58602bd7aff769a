"""The page behind nginx with deploy/nginx/lunara.conf, in which only the paths are changed."""
import contextlib
import http.client
import json
import os
import pathlib
import re
import socket
import ssl
import subprocess

from safety import PASSWORD, environment, fail, make_certificate, set_password

NAME = "music.example.org"
CONF = pathlib.Path(__file__).parents[2] / "deploy" / "nginx" / "lunara.conf"
NGINX = "/usr/sbin/nginx"


def placed(text, changes):
    """The file with other paths, each of which must occur in it."""
    for old, new in changes:
        if old not in text:
            fail(f"{CONF.name} has no {old!r}")
        text = text.replace(old, new)
    return text


def listener():
    """A socket on a free port of loopback that nginx inherits, so that nobody else can take the port meanwhile."""
    one = socket.create_server(("127.0.0.1", 0))
    one.set_inheritable(True)
    return one


def write_settings(folder, encrypted, plain, page):
    certificate, key = make_certificate(folder, NAME)
    site = placed(CONF.read_text(), [
        ("listen 443 ssl http2;", f"listen 127.0.0.1:{encrypted} ssl http2;"), ("  listen [::]:443 ssl http2;\n", ""),
        ("listen 80;", f"listen 127.0.0.1:{plain};"), ("  listen [::]:80;\n", ""),
        (f"/etc/letsencrypt/live/{NAME}/fullchain.pem", str(certificate)),
        (f"/etc/letsencrypt/live/{NAME}/privkey.pem", str(key)), ("http://127.0.0.1:8787", f"http://127.0.0.1:{page}")])
    (folder / "site.conf").write_text(site)
    # nginx's worker must be able to use this folder, too.
    user = "user root;\n" if os.geteuid() == 0 else ""
    kept = "".join(f"  {kind}_temp_path {folder}/{kind};\n" for kind in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
    (folder / "nginx.conf").write_text(
        f"daemon off;\nworker_processes 1;\n{user}pid {folder}/nginx.pid;\nerror_log stderr;\nevents {{}}\n"
        f"http {{\n  access_log off;\n{kept}  include {folder}/site.conf;\n}}\n")
    return certificate


@contextlib.contextmanager
def running(command, **more):
    """A process that is ended by its id."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def steps(port, plain, certificate):
    context = ssl.create_default_context(cafile=certificate)

    def connect():
        connection = http.client.HTTPSConnection(NAME, port, context=context, timeout=60)
        connection.sock = context.wrap_socket(socket.create_connection(("127.0.0.1", port), timeout=60), server_hostname=NAME)
        return connection

    def ask(method, path, body=None, **headers):
        connection = connect()
        connection.request(method, path, body, {"Content-Type": "application/json", **headers})
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return answer, text

    answer, text = ask("GET", "/", **{"Accept-Encoding": "gzip"})
    if answer.status != 200 or answer.getheader("Content-Encoding") != "gzip" or not text.startswith(b"\x1f\x8b"):
        fail(f"the page behind nginx: {answer.status} {text[:200]}")
    if "max-age" not in (answer.getheader("Strict-Transport-Security") or ""):
        fail("behind nginx browsers are not told to stay with HTTPS")
    if ask("GET", "/api/v1/rooms")[0].status != 401:
        fail("behind nginx a stranger was let in")
    # As a browser sends it, with the port.
    origin = {"Origin": f"https://{NAME}:{port}"}
    answer, text = ask("POST", "/api/v1/session", json.dumps({"password": PASSWORD}), **origin)
    cookie = answer.getheader("Set-Cookie") or ""
    if answer.status != 200 or not cookie.endswith("; Secure"):
        fail(f"signing in behind nginx: {answer.status} {text} {cookie}")
    session = {"Cookie": cookie.split(";")[0]}
    if ask("GET", "/api/v1/rooms", **session)[1] != b"[]":
        fail("behind nginx who is signed in is not answered")
    connection = connect()
    connection.request("GET", "/api/v1/events", headers=session)
    events = connection.getresponse()
    seen = b""
    while b"event: snapshot\n" not in seen:
        piece = events.read1(4096)
        if not piece:
            fail(f"the events behind nginx ended: {events.status} {seen[:200]}")
        seen += piece
    connection.close()
    unsafe = http.client.HTTPConnection("127.0.0.1", plain, timeout=60)
    unsafe.request("GET", "/rooms", headers={"Host": NAME})
    answer = unsafe.getresponse()
    if (answer.status, answer.getheader("Location")) != (301, f"https://{NAME}/rooms"):
        fail(f"without encryption: {answer.status} {answer.getheader('Location')}")
    unsafe.close()


def check(programs, folder):
    """Starts the page's service and nginx in front of it, and sends requests through both."""
    folder = pathlib.Path(folder)
    folder.mkdir()
    plain = environment(folder) | {"LUNARA_WEB": "127.0.0.1:0", "LUNARA_WEB_PROXY": "127.0.0.1,::1", "LUNARA_WEB_NAMES": NAME}
    if (done := set_password(programs, plain)).returncode != 0:
        fail(f"the password was not set: {done.stderr}")
    with running([programs / "lunara-web"], env=plain) as web, listener() as encrypted, listener() as unsafe:
        found = None
        for line in web.stdout:
            if found := re.search(r"the page is at http://127\.0\.0\.1:(\d+)", line):
                break
        if not found:
            fail("the page did not begin to be served")
        ports = encrypted.getsockname()[1], unsafe.getsockname()[1]
        certificate = write_settings(folder, *ports, int(found[1]))
        command = [NGINX, "-p", str(folder), "-c", str(folder / "nginx.conf")]
        inherited = {"env": plain | {"NGINX": f"{encrypted.fileno()};{unsafe.fileno()};"},
                     "pass_fds": [encrypted.fileno(), unsafe.fileno()]}
        tried = subprocess.run([*command, "-t"], capture_output=True, text=True, timeout=60, **inherited)
        if tried.returncode != 0 or "[warn]" in tried.stderr:
            fail(f"nginx does not take {CONF}: {tried.stderr}")
        with running(command, **inherited):
            # The sockets listen already, so early requests wait.
            steps(*ports, certificate)
