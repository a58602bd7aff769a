"""Finds properties that are assigned or declared by position: `(self.a, self.b) = (a, b)`, `static let (a, b) = (1, 2)`.

A reader has to count to see which value goes where, and a swapped pair compiles. Tuples that a call returns are fine, as
is a swap, which needs no temporary this way.
"""

import re

_NAME = r"[\w$][\w.$?!]*(?:\[[^\]\n]*\])?"
_ASSIGNED = re.compile(
    rf"(?:^ *|[{{;] |\bin |^ *(?:case [^\n]*|default): )\(\s*({_NAME}(?:,\s*{_NAME})+)\s*\)\s*=\s*\(", re.M)
_DECLARED = re.compile(
    r"^ *(?:(?:public|package|private|fileprivate|internal|static|nonisolated)(?:\(\w+\))? )+(?:let|var) \([^)\n]*,[^)\n]*\)"
    r"(?:: \([^\n]*?\))? = \(", re.M)


def _list(text: str, start: int) -> str | None:
    """The inside of the brackets that open before `start`, if a list of several elements ends the statement."""
    depth, commas, quoted = 1, 0, False
    for place in range(start, len(text)):
        sign = text[place]
        if sign == '"' and text[place - 1] != "\\":
            quoted = not quoted
        elif not quoted:
            depth += (sign in "([{") - (sign in ")]}")
            commas += sign == "," and depth == 1
            if depth == 0:
                return text[start:place] if commas and re.match(r" *(?:\n|\}|;|$)", text[place + 1:]) else None
    return None


def _swaps(lefts: str, rights: str) -> bool:
    """True if a value reads a name that is assigned before it; the parameter `a` is another name than `self.a`."""
    names = [name.strip() for name in lefts.split(",")]
    return any(re.search(rf"(?<![\w.]){re.escape(name)}\b(?!:)", rights) for name in names)


def by_position(text: str) -> list[int]:
    """The numbers of the lines of a Swift file on which several properties are set by position."""
    places = []
    for found in _ASSIGNED.finditer(text):
        rights = _list(text, found.end())
        if rights is not None and not _swaps(found[1], rights):
            places.append(found.start(1))
    places += [found.end() for found in _DECLARED.finditer(text) if _list(text, found.end()) is not None]
    return sorted(text.count("\n", 0, place) + 1 for place in places)


def check() -> list[str]:
    """The examples for which the rule does not say what it should."""
    wrong = [
        "  init(a: A, b: B) { (self.a, self.b) = (a, b) }", "    (left, padding) = (0, 0)\n",
        "    case .none: (title, text) = (\"a, b\", nil)\n", "    list.forEach { one in (one.a, one.b) = (f(1, 2), 3) }",
        "    (\n      self.first, self.second\n    ) = (\n      first, second\n    )\n",
        "  private static let (most, fewest) = (10, 2)\n", "  package var (a, b): (Int, Int?) = (1, nil)\n",
    ]
    fine = [
        "    (left, right) = (right, left)\n", "    (a, b) = (b, a + b)\n", "    (a, b) = pair(1, 2)\n",
        "    (self.a, self.b) = isOn ? (1, 2) : (3, 4)\n", "    let (a, b) = (1, 2)\n", "    if (a, b) == (1, 2) { return }\n",
        "    /// `(a, b) = (1, 2)` sets both.\n", "    (a, b) = (1, 2).swapped\n",
    ]
    return [f"not found: {one.strip()}" for one in wrong if len(by_position(one)) != 1] \
        + [f"found: {one.strip()}" for one in fine if by_position(one)]
