"""One tree of values, written as XML: plain values are attributes, lists and mappings are elements."""
from __future__ import annotations

from typing import Any, Callable
from xml.sax.saxutils import escape, quoteattr


def xml(name: str, content: dict[str, Any], element: Callable[[str, dict[str, Any]], str] = lambda key, child: key) -> bytes:
    """`element` says what a child of a key is called where that is not the key itself."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    _write(name, content, element, lines)
    return "\n".join(lines).encode()


def _write(name: str, content: dict[str, Any], element: Callable[[str, dict[str, Any]], str], lines: list[str]) -> None:
    words, children = [name], []
    for key, value in content.items():
        if isinstance(value, list):
            children += [(key, child) for child in value]
        elif isinstance(value, dict):
            children.append((key, value))
        elif value is not None:
            words.append(f"{key}={quoteattr(text(value))}")
    if not children:
        lines.append(f"<{' '.join(words)} />")
        return
    lines.append(f"<{' '.join(words)}>")
    for key, child in children:
        if isinstance(child, dict):
            _write(element(key, child), child, element, lines)
        else:
            lines.append(f"<{key}>{escape(text(child))}</{key}>")
    lines.append(f"</{name}>")


def text(value: Any) -> str:
    return str(int(value)) if isinstance(value, bool) else str(value)


def stringed(value: Any) -> Any:
    """The same tree with numbers as strings, and booleans as "1" and "0"."""
    if isinstance(value, dict):
        return {key: stringed(each) for key, each in value.items()}
    if isinstance(value, list):
        return [stringed(each) for each in value]
    return text(value) if isinstance(value, (int, float)) else value
