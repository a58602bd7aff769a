"""Tools of the conformance checks: starting a stand-in, stating what has to hold, and counting what does not."""
from __future__ import annotations

import contextlib
import json
import os
import pathlib
import subprocess
import sys
import urllib.request
from typing import Any, Iterator

HERE = pathlib.Path(__file__).parent


def recordings_folder() -> pathlib.Path | None:
    """Returns the folder of recordings that LUNARA_RECORDINGS names, relative to the project's root; None where it names none."""
    folder = os.environ.get("LUNARA_RECORDINGS")
    return HERE.resolve().parents[2] / folder if folder else None


class Checker:
    def __init__(self, name: str) -> None:
        self.name, self.checks, self.wrong = name, 0, 0

    def check(self, what: str, is_right: object, seen: object = "") -> None:
        self.checks += 1
        if not is_right:
            self.wrong += 1
            print(f"{self.name}: WRONG: {what}" + (f": {seen!r}" if seen != "" else ""), file=sys.stderr)

    def equal(self, what: str, seen: object, wanted: object) -> None:
        self.check(what, seen == wanted, f"{seen!r} instead of {wanted!r}")

    @contextlib.contextmanager
    def raises(self, what: str, kind: type[BaseException] | tuple[type[BaseException], ...]) -> Iterator[None]:
        """The code inside has to end with this error."""
        try:
            yield
        except kind:
            self.check(what, True)
        except Exception as other:  # noqa: BLE001  # any other end is what is to be reported
            self.check(what, False, other)
        else:
            self.check(what, False, "no error")

    @contextlib.contextmanager
    def part(self, what: str) -> Iterator[None]:
        """A client that fails ends this part only; the other parts are still checked."""
        try:
            yield
        except Exception as error:  # noqa: BLE001
            self.check(what, False, error)

    def end(self) -> int:
        print(f"{self.name}: {self.checks} checks, {self.wrong} wrong")
        return 1 if self.wrong or not self.checks else 0


class StandIn:
    """A running stand-in and its control endpoint."""

    def __init__(self, child: subprocess.Popen[str]) -> None:
        assert child.stdout
        self.about: dict[str, Any] = json.loads(child.stdout.readline())
        self.url = f"http://127.0.0.1:{self.about['port']}"

    def order(self, verb: str, /, **order: Any) -> Any:
        request = urllib.request.Request(f"{self.url}/__control__/{verb}", json.dumps(order).encode(), method="POST")
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def get(self, path: str, headers: dict[str, str] | None = None, method: str = "GET") -> tuple[int, Any, bytes]:
        """Status, headers and bytes, whatever the status is."""
        request = urllib.request.Request(self.url + path, headers=headers or {}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read()


@contextlib.contextmanager
def started(program: str, *words: str) -> Iterator[StandIn]:
    """Starts the stand-in of this name; it ends with the block, when its standard input closes."""
    child = subprocess.Popen([sys.executable, "-B", str(HERE / program), *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield StandIn(child)
    finally:
        assert child.stdin
        child.stdin.close()
        if child.wait(timeout=10):
            print(f"{program} ended with status {child.returncode}", file=sys.stderr)
