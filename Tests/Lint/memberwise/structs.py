"""Reads the structs of a module from its sources, which swift-format has laid out: a body is indented by two spaces more
than its declaration. No compiler is asked, as the sources do not compile before their initialisers are written."""

import dataclasses
import pathlib
import re

ACCESS = ("public", "package")
# The end of the first line of a struct that asks for an initialiser in a module where not every struct gets one.
MARK = "// memberwise"

MODIFIERS = r"(?:(?:@\w+(?:\([^)]*\))?|\w+(?:\(\w+\))?) )*"
TYPE = re.compile(rf"({MODIFIERS})(struct|enum|class|actor|protocol|extension|typealias) ([\w.]+)")
PROPERTY = re.compile(rf"({MODIFIERS})(let|var) (\w+|`\w+`)(.*)", re.S)
INITIALISER = re.compile(rf"{MODIFIERS}init[?!]?[<(]")


class Fault(Exception):
    """A declaration for which no initialiser can be written."""


@dataclasses.dataclass
class Property:
    """A stored property that an initialiser sets."""
    name: str
    type: str
    value: str = ""


@dataclasses.dataclass
class Struct:
    """A public or package struct with stored properties and no initialiser in its body."""
    file: pathlib.PurePath
    path: tuple
    access: str
    is_marked: bool
    properties: list
    fault: str = ""


@dataclasses.dataclass
class Body:
    """A declaration whose members are being read."""
    indent: int
    path: tuple
    kind: str
    access: str = ""
    is_marked: bool = False
    has_initialiser: bool = False
    properties: list = dataclasses.field(default_factory=list)
    fault: str = ""


class Module:
    """The structs of a module, and the paths of all its types, by which a type is named from outside."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        self.structs: list[Struct] = []
        self.types: set[tuple] = set()
        self.imports: dict[pathlib.PurePath, list[str]] = {}
        for source in sorted(folder.rglob("*.swift")):
            file = source.relative_to(folder)
            if file.parts[0] != "Generated":
                self.read(file, source.read_text())

    def read(self, file: pathlib.PurePath, text: str) -> None:
        self.imports[file] = re.findall(r"^(?:public |package )?import (\w+)$", text, re.M)
        open_bodies: list[Body] = []
        for indent, declaration in declarations(text):
            while open_bodies and indent <= open_bodies[-1].indent:
                self.close(file, open_bodies.pop())
            body = open_bodies[-1] if open_bodies else None
            if indent != (body.indent + 2 if body else 0):
                continue
            if found := TYPE.match(declaration):
                path = (body.path if body else ()) + tuple(found[3].split("."))
                if found[2] != "extension":
                    self.types.add(path)
                access = next((word for word in found[1].split() if word in ACCESS), "")
                open_bodies.append(Body(indent, path, found[2], access, declaration.endswith(MARK)))
            elif body and body.kind == "struct":
                read_member(body, declaration)
        for body in reversed(open_bodies):
            self.close(file, body)

    def close(self, file: pathlib.PurePath, body: Body) -> None:
        if body.kind == "struct" and body.access and body.properties and not body.has_initialiser:
            self.structs.append(Struct(file, body.path, body.access, body.is_marked, body.properties, body.fault))

    def qualified(self, text: str, path: tuple) -> str:
        """Spells a type or a value of the struct at `path` as an extension does, which does not see the types beside it."""
        def spell(found: re.Match) -> str:
            name = found[0]
            if name.startswith('"') or (*path, name) in self.types:
                return name
            outer = next((path[:end] for end in range(len(path) - 1, 0, -1) if (*path[:end], name) in self.types), ())
            return ".".join((*outer, name))

        return re.sub(r'"(?:[^"\\]|\\.)*"|(?<![\w.])[A-Z]\w*', spell, text)


def declarations(text: str):
    """The declarations of a source, each on one line without its comments, with their indentation."""
    lines = text.split("\n")
    number = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        if line.count('"""') % 2:
            while number < len(lines) and '"""' not in lines[number]:
                number += 1
            number += 1
            continue
        parts = [line.strip()]
        if not parts[0] or parts[0].startswith(("//", "#", "}")):
            continue
        indent = len(line) - len(line.lstrip())
        # What is indented further belongs to the declaration until its body begins.
        while number < len(lines) and not parts[-1].removesuffix(MARK).rstrip().endswith("{") and lines[number].strip():
            next_indent = len(lines[number]) - len(lines[number].lstrip())
            closes = next_indent == indent and lines[number].strip()[0] in "{)]}"
            if next_indent <= indent and not closes:
                break
            parts.append(lines[number].strip())
            number += 1
        yield indent, " ".join(parts)


def read_member(body: Body, declaration: str) -> None:
    """Notes an initialiser or a stored property of a struct."""
    if INITIALISER.match(declaration):
        body.has_initialiser = True
    found = PROPERTY.match(declaration)
    words = found[1].split() if found else []
    if not found or "static" in words:
        return
    type_, _, value = found[4].partition(" = ")
    if " {" in type_ or found[2] == "let" and value:
        # It is computed, or a constant with the same value in every copy.
        return
    type_ = type_.removeprefix(":").strip() or inferred(value)
    place = f"{'.'.join(body.path)}.{found[3]}"
    body.properties.append(Property(found[3], type_, value))
    accessible = ACCESS[: ACCESS.index(body.access) + 1] if body.access else words
    if not type_:
        body.fault = body.fault or f"{place} needs a type, such as `: Int`"
    elif not set(words) & set(accessible) and (not body.is_marked or "private" in words):
        body.fault = body.fault or f"{place} is not {body.access} as its struct is"
    elif re.search(r"private\(set\)|lazy|weak|unowned|@", found[1]) or "{" in value:
        body.fault = body.fault or f"{place} is no plain property"


def inferred(value: str) -> str:
    """The type of a property that is declared by its value alone; empty where it is not plain to see."""
    if value in ("true", "false"):
        return "Bool"
    if re.fullmatch(r"-?[\d_]+", value):
        return "Int"
    if re.fullmatch(r'"(?:[^"\\]|\\.)*"', value):
        return "String"
    made = re.fullmatch(r"([A-Z][\w.]*)\(.*\)", value)
    return made[1] if made else ""
