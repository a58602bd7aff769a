"""The page for other machines: a password, a session, and encrypted connections."""
import http.client
import json
import os
import pathlib
import re
import ssl
import subprocess

PASSWORD = "a quiet evening"


def fail(message):
    raise SystemExit(f"api: {message}")


def environment(folder):
    plain = {key: value for key, value in os.environ.items() if not key.startswith("LUNARA_")}
    return plain | {"HOME": str(folder), "LUNARA_HOME": str(folder / "home"), "LUNARA_RUN": str(folder / "run"),
                    "LUNARA_WEB": "0.0.0.0:0"}


def set_password(programs, plain):
    return subprocess.run([programs / "lunara", "web", "password"], env=plain, input=PASSWORD + "\n", text=True,
                          capture_output=True, timeout=60)


def make_certificate(folder, name):
    """Makes a self-signed certificate for a name; returns the paths of it and its key."""
    certificate, key = folder / "cert.pem", folder / "key.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}", "-addext",
                    f"subjectAltName=DNS:{name}", "-keyout", key, "-out", certificate], check=True, capture_output=True)
    return certificate, key


def refused(programs, changes, code):
    """Checks that a start is refused with a code."""
    done = subprocess.run([programs / "lunara-web"], env=changes, capture_output=True, text=True, timeout=60)
    if done.returncode == 0 or code not in done.stdout + done.stderr:
        fail(f"expected {code}: {done.returncode} {done.stdout} {done.stderr}")


def steps(port, certificate):
    context = ssl.create_default_context(cafile=certificate)
    connection = http.client.HTTPSConnection("localhost", port, context=context, timeout=60)

    def ask(method, path, body=None, **headers):
        connection.request(method, path, body, {"Content-Type": "application/json", **headers})
        answer = connection.getresponse()
        return answer.status, answer.read(), answer.getheader("Set-Cookie")

    for path in ("/api/v1/rooms", "/api/v1/events", "/now/kitchen", "/metrics"):
        if ask("GET", path)[0] != 401:
            fail(f"{path} was given to a stranger")
    if ask("POST", "/api/v1/session", json.dumps({"password": "wrong"}))[0] != 401:
        fail("a wrong password was taken")
    status, text, cookie = ask("POST", "/api/v1/session", json.dumps({"password": PASSWORD}))
    if status != 200 or not re.fullmatch("lunara_session=[0-9a-f]{64}; Path=/; Max-Age=[0-9]+; HttpOnly; SameSite=Strict; Secure",
                                         cookie or ""):
        fail(f"signing in: {status} {text} {cookie}")
    session = cookie.split(";")[0]
    if ask("GET", "/api/v1/rooms", Cookie=session)[:2] != (200, b"[]"):
        fail("who is signed in is not answered")
    if ask("DELETE", "/api/v1/session", Cookie=session)[0] != 200 or ask("GET", "/api/v1/rooms", Cookie=session)[0] != 401:
        fail("a session outlived its sign-out")


def check(programs, folder):
    """Sets a password as a person does, and uses the page as a browser on another machine does."""
    folder = pathlib.Path(folder)
    folder.mkdir()
    plain = environment(folder)
    refused(programs, plain, "web.passwordNeeded")
    done = set_password(programs, plain)
    kept = folder / "home" / "credentials" / "web.json"
    if done.returncode != 0 or kept.stat().st_mode & 0o777 != 0o600 or PASSWORD in kept.read_text():
        fail(f"the password was not kept as it should: {done.stderr}")
    refused(programs, plain | {"LUNARA_WEB_CERT": str(kept), "LUNARA_WEB_KEY": str(kept)}, "http.badCertificate")
    certificate, key = make_certificate(folder, "localhost")
    served = plain | {"LUNARA_WEB_CERT": str(certificate), "LUNARA_WEB_KEY": str(key)}
    with subprocess.Popen([programs / "lunara-web"], env=served, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True) as web:
        try:
            for line in web.stdout:
                if found := re.search(r"the page is at https://0\.0\.0\.0:(\d+)", line):
                    steps(int(found[1]), certificate)
                    return
            fail("the page did not begin to be served")
        finally:
            web.terminate()
