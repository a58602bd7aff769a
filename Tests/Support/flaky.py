#!/usr/bin/env python3
"""Decides whether tests that failed and then passed at the second try fail the run.

The second try tells a race from a fault; it does not excuse the race. Where CI is set, each of these tests fails the
run unless the list beside this file, `flaky`, names it with a reason and a date of the last 60 days.

Run as a program, it checks the list: each entry is well formed, recent, and names a test that exists.
"""

import datetime
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIST = pathlib.Path(__file__).with_name("flaky")
LONGEST = datetime.timedelta(days=60)


def entries(text: str, today: datetime.date) -> tuple[set[str], list[str]]:
    """Returns the names of the entries that count, and what is wrong with the others."""
    names: set[str] = set()
    problems: list[str] = []
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        parts = [part.strip() for part in line.split("|", 2)]
        try:
            name, day, reason = parts
            age = today - datetime.date.fromisoformat(day)
        except ValueError:
            problems.append(f"not \"name | date | reason\": {line}")
            continue
        if not name or not reason:
            problems.append(f"without a name or reason: {line}")
        elif age < datetime.timedelta(0):
            problems.append(f"dated in the future: {line}")
        elif age > LONGEST:
            problems.append(f"more than {LONGEST.days} days old: {line}")
        else:
            names.add(name)
    return names, problems


def may_pass(passed_second: list[str]) -> bool:
    """Names tests that passed at the second try only, and returns False where they must fail the run."""
    print(f"Passed at the second try only: {', '.join(passed_second)}", file=sys.stderr, flush=True)
    listed, problems = entries(LIST.read_text(), datetime.date.today())
    races = [name for name in passed_second if name not in listed]
    if not os.environ.get("CI") or not races:
        return True
    for problem in problems:
        print(f"Tests/Support/flaky: {problem}", file=sys.stderr, flush=True)
    print(f"FAILED: a test that passes at the second try only has a race, and Tests/Support/flaky does not list: "
          f"{', '.join(races)}", file=sys.stderr, flush=True)
    return False


def main() -> int:
    names, problems = entries(LIST.read_text(), datetime.date.today())
    for name in sorted(names):
        pattern = rf"(func {re.escape(name)}|def {re.escape(name)})\("
        found = subprocess.run(["git", "grep", "-qE", pattern, "--", "Tests/*.swift", "Tests/*.py"], cwd=ROOT, check=False)
        if found.returncode != 0:
            problems.append(f"no such test: {name}")
    for problem in problems:
        print(f"Tests/Support/flaky: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
