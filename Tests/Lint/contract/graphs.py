"""Reads the messages and values of the modules Model and Messages from the compiler's symbol graphs.

A symbol graph has the types, their properties and their documentation, but no values. The kind of a message, the raw
value of a case and the like are read from the line of the source that the graph names.
"""

import dataclasses
import json
import pathlib
import re

MODULES = ["Model", "Messages"]
# The module that says which types are shown over HTTP as they are.
SHAPES = "Client"


@dataclasses.dataclass
class Field:
    """A property of a type, under its name on the wire."""
    name: str
    type: tuple
    doc: str
    isOptional: bool = False


@dataclasses.dataclass
class Case:
    """A case of an enumeration: its name on the wire, and the members of its form if it has associated values."""
    name: str
    doc: str
    members: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Type:
    """A struct or an enumeration."""
    path: tuple
    module: str
    file: str
    line: int
    doc: str
    isEnum: bool
    conforms: set = dataclasses.field(default_factory=set)
    fields: list = dataclasses.field(default_factory=list)
    cases: list = dataclasses.field(default_factory=list)
    kind: str = ""
    survives: str = ""
    answer: tuple = ()
    answer_doc: str = ""
    kept_doc: str = ""
    has_values: bool = False

    @property
    def name(self) -> str:
        """The name without that of the namespace."""
        return "".join(self.path[1:] if len(self.path) > 1 and self.module == "Messages" else self.path)

    @property
    def delivery(self) -> str:
        """`fact`, `state`, `signal`, `request` or `command`; empty for a value."""
        for protocol, word in [("Fact", "fact"), ("State", "state"), ("Signal", "signal"),
                               ("CommandRequest", "command"), ("ReadRequest", "request")]:
            if protocol in self.conforms:
                return word
        return ""


class Contract:
    """The types of both modules by their identifiers in the graphs."""

    def __init__(self, root: pathlib.Path, folder: pathlib.Path):
        self.root = root
        self.types: dict[str, Type] = {}
        self.aliases: dict[str, tuple] = {}
        self.alias_names: dict[str, str] = {}
        self.lines: dict[str, list[str]] = {}
        graphs = [json.loads((folder / f"{module}.symbols.json").read_text()) for module in MODULES]
        graphs += [json.loads(path.read_text()) for module in MODULES for path in sorted(folder.glob(f"{module}@*.symbols.json"))]
        symbols = [(graph["module"]["name"], symbol) for graph in graphs for symbol in graph["symbols"]]
        for module, symbol in symbols:
            self.add_type(module, symbol)
        shapes = [json.loads(path.read_text()) for path in sorted(folder.glob(f"{SHAPES}@*.symbols.json"))]
        for graph in [*graphs, *shapes]:
            for relation in graph["relationships"]:
                if relation["kind"] == "conformsTo" and relation["source"] in self.types:
                    target = relation.get("targetFallback") or relation["target"]
                    self.types[relation["source"]].conforms.add(re.sub(r"^s:\d+\w+?\d+(\w+)P$", r"\1", target).split(".")[-1])
        owners = {(one.module, one.path): one for one in self.types.values()}
        for module, symbol in sorted(symbols, key=lambda pair: self.place(pair[1])):
            owner = owners.get((module, tuple(symbol["pathComponents"][:-1])))
            if owner:
                self.add_member(owner, symbol)
        by_name = {".".join(one.path): usr for usr, one in self.types.items()} | self.alias_names
        for one in self.types.values():
            if one.has_values and "Encodable" in one.conforms:
                self.add_form(one, by_name)

    def add_form(self, owner: Type, by_name: dict[str, str]) -> None:
        """Adds the members that an enumeration with values has on the wire: those of its private struct `Form`."""
        sources = [path.read_text() for path in sorted((self.root / owner.file).parent.glob("*.swift"))]
        mark = f"\nextension {'.'.join(owner.path)}: Codable {{\n"
        text = next((source.partition(mark)[2].partition("\n}\n")[0] for source in sources if mark in source), "")
        form = text.partition("private struct Form: Codable {")[2].partition("\n  }\n")[0]
        raw = dict(re.findall(r'case (\w+) = "([^"]+)"', form))
        for doc, name, spelling in re.findall(r"((?:    ///.*\n)*)    var (\w+): (.+)", form):
            parts = [(token, by_name.get(token) or by_name.get(f"{owner.path[0]}.{token}", ""))
                     for token in re.findall(r"[\w.]+|[\[\]:?]", "String" if spelling == "Name" else spelling)]
            type_ = parse([(token.split(".")[-1], usr) if usr else (token, usr) for token, usr in parts])
            optional = type_[0] == "optional"
            sentence = " ".join(line.strip().removeprefix("///").strip() for line in doc.strip().split("\n"))
            owner.fields.append(Field(name, type_[1] if optional else type_, sentence, optional))
        written = {case: (raw.get(name, name), re.findall(r"(\w+): ", members))
                   for case, name, members in re.findall(r"case \.(\w+)[^:\n]*?:\s+Form\(name: \.(\w+)(?:, )?([^\n]*)\)", text)}
        # `case .url(let url, …)` has more than one colon only in its labels, so the pattern above finds each case once.
        for case in owner.cases:
            case.name, case.members = written.get(case.name, (case.name, []))

    def place(self, symbol: dict) -> tuple:
        where = symbol.get("location")
        if not where:
            return ("", 0, 0)
        path = re.sub(r"^.*?/(?=Shared/)", "", where["uri"])
        return (path, where["position"]["line"], where["position"]["character"])

    def source(self, symbol: dict) -> str:
        """The line of the source on which a symbol is declared, from its name on."""
        path, line, character = self.place(symbol)
        if path not in self.lines:
            self.lines[path] = (self.root / path).read_text().split("\n")
        return self.lines[path][line].encode()[character:].decode()

    def add_type(self, module: str, symbol: dict) -> None:
        kind = symbol["kind"]["identifier"]
        usr = symbol["identifier"]["precise"]
        if kind in ("swift.struct", "swift.enum"):
            path, line, _ = self.place(symbol)
            self.types[usr] = Type(tuple(symbol["pathComponents"]), module, path, line, documentation(symbol), kind == "swift.enum")
        elif kind == "swift.typealias":
            fragments = [f for f in symbol["declarationFragments"]]
            self.alias_names[".".join(symbol["pathComponents"])] = usr
            self.aliases[usr] = parse(after(fragments, " = "))

    def add_member(self, owner: Type, symbol: dict) -> None:
        kind, name = symbol["kind"]["identifier"], symbol["pathComponents"][-1]
        fragments = symbol["declarationFragments"]
        spelled = "".join(f["spelling"] for f in fragments)
        if kind == "swift.property" and "{ get" not in spelled:
            type_ = parse(after(fragments, ": "))
            optional = type_[0] == "optional"
            owner.fields.append(Field(name, type_[1] if optional else type_, documentation(symbol), optional))
        elif kind == "swift.enum.case":
            raw = re.match(r'\w+ = "([^"]*)"', self.source(symbol).replace("`", ""))
            owner.cases.append(Case(raw[1] if raw else name.partition("(")[0].strip("`"), documentation(symbol)))
            owner.has_values = owner.has_values or "(" in name
        elif kind == "swift.type.property" and name == "kind":
            if found := re.match(r'kind = "([^"]+)"', self.source(symbol)):
                owner.kind = found[1]
        elif kind == "swift.type.property" and name == "survives":
            found = re.search(r"Durability\.(\w+)|\.(\w+)", self.source(symbol))
            owner.survives = (found[1] or found[2]) if found else ""
        elif kind == "swift.type.property" and name == "isKept" and "= true" in self.source(symbol):
            owner.kept_doc = documentation(symbol)
        elif kind == "swift.typealias" and name == "Answer":
            owner.answer = self.aliases[symbol["identifier"]["precise"]]
            owner.answer_doc = documentation(symbol)


def documentation(symbol: dict) -> str:
    """The documentation of a symbol, each paragraph on one line; empty if it is inherited from a protocol."""
    comment = symbol.get("docComment")
    if not comment or symbol["kind"]["identifier"] == "swift.type.property" and symbol["pathComponents"][-1] == "kind":
        return ""
    lines = [line["text"].rstrip() for line in comment["lines"]]
    paragraphs: list[str] = []
    fresh = True
    for line in lines:
        text = line.strip()
        if not text:
            fresh = True
        elif fresh or text.startswith("- "):
            paragraphs.append(text)
            fresh = False
        else:
            paragraphs[-1] += f" {text}"
    return "\n".join(paragraphs)


def after(fragments: list[dict], mark: str) -> list[tuple[str, str]]:
    """The parts of a declaration behind a mark, as spellings and identifiers."""
    parts: list[tuple[str, str]] = []
    found = False
    for one in fragments:
        spelling = one["spelling"]
        if not found and mark in spelling and one["kind"] == "text":
            found = True
            spelling = spelling.partition(mark)[2]
        if found and spelling:
            parts.append((spelling, one.get("preciseIdentifier", "")))
    return parts


def parse(parts: list[tuple[str, str]]) -> tuple:
    """The type that a declaration spells: `("named", name, identifier)`, `("list", type)`, `("map", type)`,
    `("optional", type)` or `("generic", argument, name, identifier)`."""
    tokens: list[tuple[str, str]] = []
    for spelling, usr in parts:
        tokens += [(usr and spelling or token, usr) for token in ([spelling] if usr else re.findall(r"[\[\]?:.<>,]|\w+", spelling))]

    def one(at: int) -> tuple[tuple, int]:
        if tokens[at][0] == "[":
            inner, at = one(at + 1)
            if tokens[at][0] == ":":
                value, at = one(at + 1)
                inner = ("map", value)
            else:
                inner = ("list", inner)
            at += 1
        else:
            name, usr = tokens[at]
            at += 1
            while at < len(tokens) and tokens[at][0] == ".":
                name, usr = tokens[at + 1]
                at += 2
            inner = ("named", name, usr)
            if at < len(tokens) and tokens[at][0] == "<":
                argument, at = one(at + 1)
                inner, at = ("generic", argument, name, usr), at + 1
        while at < len(tokens) and tokens[at][0] == "?":
            inner, at = ("optional", inner), at + 1
        return inner, at

    return one(0)[0]
