"""Writes the pages of docs/protocol from the contract: a section for each message and each value."""

import collections
import re
import textwrap

from graphs import Contract, Field, Type
from subjects import PAGES

LEAVES = {
    "String": "text", "Bool": "boolean", "Double": "number", "Milliseconds": "ms", "Timestamp": "time",
    "RoomName": "room", "LocalPath": "path", "Rating": "integer", "PartialDate": "text", "Item": "object",
} | {name: "integer" for name in ("Int", "Int32", "Int64", "UInt8", "UInt16", "UInt64")}

CODE = re.compile(r"`([a-z]+\.[A-Za-z]+)`")
SURVIVES = {"process": "a kill", "power": "a power cut"}
NOTE = "Generated from the documentation of the types in `{}`: edit it there, then run `make generate`."


def words(name: str) -> str:
    """The words of a type's name: `Described track` of `DescribedTrack`, `URL list` of `URLList`."""
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z][a-z0-9]*|[a-z0-9]+", name)
    parts = [part if len(part) > 1 and part.isupper() else part.lower() for part in parts]
    return parts[0][0].upper() + " ".join(parts)[1:]


def title(one: Type) -> str:
    """The title of a section."""
    return one.kind or {"LunaraError": "Error", "MusicCollection": "Collection"}.get(one.name) or words(one.name)


def anchor(title: str) -> str:
    return re.sub(r"[^a-z0-9 -]", "", title.lower()).replace(" ", "-")


def prose(text: str, indent: str = "") -> str:
    return textwrap.fill(text, 120, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


class Pages:
    """The pages by name, as text."""

    def __init__(self, contract: Contract, codes: set[str]):
        self.contract, self.codes = contract, codes
        self.types = {usr: one for usr, one in contract.types.items()
                      if "Encodable" in one.conforms and one.name not in LEAVES and (one.isEnum or one.fields or one.kind)
                      and not ("RawRepresentable" in one.conforms and not one.isEnum)}
        self.reached = self.find_reached()
        self.inlined = self.find_inlined()
        self.page_of = {file: page for page, (_, _, files) in PAGES.items() for file in files}
        self.titles = {usr: title(one) for usr, one in self.types.items() if usr in self.reached}
        self.names = {".".join(one.path): usr for usr, one in self.types.items() if usr in self.reached - self.inlined}
        self.short = {}
        for name, usr in self.names.items():
            self.short[name.rpartition(".")[2]] = None if name.rpartition(".")[2] in self.short else usr
        self.owner: tuple = ()

    def targets(self, type_: tuple):
        """The types of the contract that a type holds."""
        if type_[0] in ("named", "generic") and type_[-1] in self.types:
            yield type_[-1]
        if type_[0] != "named":
            yield from self.targets(type_[1])

    def find_reached(self) -> set[str]:
        """The messages, and the values that they hold, directly or within others."""
        reached: set[str] = set()
        waiting = [usr for usr, one in self.types.items() if one.kind]
        while waiting:
            usr = waiting.pop()
            if usr not in reached:
                reached.add(usr)
                one = self.types[usr]
                waiting += [other for field in one.fields for other in self.targets(field.type)]
                waiting += self.targets(one.answer) if one.answer else []
        return reached

    def find_inlined(self) -> set[str]:
        """The types without a section: answers whose fields stand in the table of their request, and names without
        documentation, which stand in the rows that have them."""
        shown = [self.types[usr] for usr in self.reached]
        answers = collections.Counter(one.answer[-1] for one in shown if one.answer)
        held = {usr for one in shown for field in one.fields for usr in self.targets(field.type)}
        inlined = {usr for usr, count in answers.items() if usr in self.types and usr not in held and not self.types[usr].kind
                   and not self.types[usr].isEnum and count == 1}
        inlined |= {one.answer[-1] for one in shown if one.answer and one.answer[0] == "generic"}
        return inlined | {usr for usr in self.reached if self.types[usr].isEnum and not self.types[usr].has_values
                          and not any(case.doc for case in self.types[usr].cases)}

    def page(self, usr: str) -> str:
        one = self.types[usr]
        file = one.file.rpartition("/")[2].removesuffix(".swift")
        if file not in self.page_of:
            raise SystemExit(f"generate: no page of Tests/Lint/contract/subjects.py has the messages of {one.file}")
        return self.page_of[file]

    def link(self, usr: str, page: str) -> str:
        name, other = self.titles[usr], self.page(usr)
        label = f"`{name}`" if self.types[usr].kind else name[0].lower() + name[1:]
        return f"[{label}]({'' if other == page else f'{other}.md'}#{anchor(name)})"

    def spell(self, type_: tuple, page: str, item: tuple = ()) -> str:
        """A type as it is on the wire."""
        if type_[0] == "list":
            return f"[{self.spell(type_[1], page, item)}]"
        if type_[0] == "map":
            return "object"
        if type_[0] == "optional":
            return f"{self.spell(type_[1], page, item)}?"
        name, usr = type_[1], type_[-1]
        if name == "Item" and item:
            return self.spell(item, page)
        if usr in self.types:
            return self.link(usr, page) if usr not in self.inlined else "text" if self.types[usr].isEnum else "object"
        if name in LEAVES:
            return LEAVES[name]
        alias = self.contract.aliases.get(usr)
        if alias and alias[0] == "generic":
            return "id" if alias[2] == "ItemID" else "text"
        if usr in self.contract.types:
            return "text"
        raise SystemExit(f"generate: the form of {name} on the wire is not known")

    def say(self, text: str, page: str) -> str:
        """The documentation of a declaration in the words of the wire: without nil, and with links to other messages."""
        text = re.sub(r"(^|\. )nil\b", r"\1Absent", text.replace("Nil", "nil"))
        text = re.sub(r"\bnil\b", "absent", text)

        def name(found: re.Match) -> str:
            word = found[1].lstrip(".")
            near = [".".join([*self.owner[:length], word]) for length in range(len(self.owner), -1, -1)]
            usr = next((self.names[path] for path in near if path in self.names), self.short.get(word))
            return self.link(usr, page) if usr and word[0].isupper() else f"`{word}`"
        return re.sub(r"`([^`]+)`", name, text)

    def meaning(self, field: Field, page: str) -> str:
        text = self.say(field.doc.replace("\n", " "), page)
        for usr in self.targets(field.type):
            if usr in self.inlined and self.types[usr].isEnum:
                text += f" One of {listed(self.types[usr])}."
        return text.replace("|", "\\|").strip()

    def rows(self, fields: list[Field], page: str, mark: str = "", item: tuple = ()) -> list[str]:
        return [f"| {mark}`{field.name}` | {self.spell(field.type, page, item)}{'?' if field.isOptional else ''} "
                f"| {self.meaning(field, page)} |".replace("|  |", "| |") for field in fields]

    def section(self, usr: str, page: str) -> str:
        one = self.types[usr]
        self.owner = one.path
        parts = [f"### `{one.kind}`" if one.kind else f"### {self.titles[usr]}"]
        doc, since = one.doc, re.search(r"\s*\bSince (0\.\d+)\.", one.doc)
        if since:
            doc = doc.replace(since[0], "").strip()
        if one.kind:
            parts.append(self.head(one, since[1] if since else "0.1"))
        elif since:
            doc = f"{doc} Since {since[1]}."
        parts += [self.paragraphs(self.say(text, page)) for text in (doc, one.kept_doc.replace("True: ", "It is kept: ")) if text]
        rows = self.rows(one.fields, page)
        if one.answer:
            text, more = self.answer(one, page)
            parts.append(text)
            rows += more
        if rows:
            parts.append("\n".join(["| field | type | meaning |", "|---|---|---|", *rows]))
        if one.cases:
            isTolerant = "TolerantName" in one.conforms
            lines = [self.case(case, page) for case in one.cases if not (isTolerant and case.name == "unknown")]
            parts += ["\n".join(lines), "Any other word is read as `unknown`." if isTolerant else ""]
        return "\n\n".join(part for part in parts if part)

    def answer(self, one: Type, page: str) -> tuple[str, list[str]]:
        """The sentence about an answer, and its rows where it has no section."""
        # The head names the codes; they stay in the sentence where it says more of them, such as when one is given.
        said = re.sub(r"(?:[;,] r| ?\bR)efused with (?:`[\w.]+`(?:, | and |, and )?)+\.?$", ".", self.say(one.answer_doc, page))
        said = lower(said.replace("..", ".").strip(" ")) if said != "." else ""
        said = said.removeprefix("answers ")
        usr = one.answer[-1]
        if usr not in self.types:
            comes = re.match(r"(after|once|at once|before)\b", said)
            return prose(f"The answer is empty{' and comes ' if comes else '. '}{said if comes else upper(said)}"
                         if said else "The answer is empty."), []
        if usr in self.inlined:
            rows = self.rows(self.types[usr].fields, page, "→ ", one.answer[1] if one.answer[0] == "generic" else ())
            return prose(f"Answer: {said}") if said else "", rows
        isRepeated = said.rstrip(".").removeprefix("the ") == self.titles[usr].lower()
        return prose(f"The answer is {self.spell(one.answer, page)}{'.' if isRepeated or not said else f': {said}'}"), []

    def case(self, case, page: str) -> str:
        members = [f"`{name}`" for name in case.members]
        with_ = f", with {' and '.join([', '.join(members[:-1]), members[-1]] if members[1:] else members)}" if members else ""
        doc = lower(self.say(case.doc.replace("\n", " "), page))
        return prose(f"- `{case.name}`{with_}{': ' + doc if doc else ''}", "  ")

    def paragraphs(self, text: str) -> str:
        return "\n\n".join(prose(line, "  " if line.startswith("- ") else "") for line in text.split("\n")).replace("\n\n- ", "\n- ")

    def head(self, one: Type, since: str) -> str:
        domain, _, rest = one.kind.partition(".")
        words_ = [one.delivery, f"`{domain}.{'ROOM' if domain == 'playback' else 'main'}.{rest}.`", f"since {since}"]
        if one.survives:
            words_.append(f"survives {SURVIVES[one.survives]}")
        if errors := self.errors(one):
            words_.append("errors " + ", ".join(f"`{code}`" for code in errors))
        return prose(" · ".join(words_))

    def errors(self, one: Type) -> list[str]:
        """The codes with which a request may be refused: those that its documentation names as such."""
        said = [one.doc, one.answer_doc, *(field.doc for field in one.fields)] if one.answer else []
        found = [code for text in said for sentence in re.split(r"(?<=\.)\s", text) if "refused" in sentence.lower()
                 for code in CODE.findall(sentence)]
        return [code for code in dict.fromkeys(found) if code in self.codes]

    def write(self) -> dict[str, str]:
        """Returns the pages by the names of their files."""
        sections = collections.defaultdict(list)
        for usr in sorted(self.reached, key=lambda usr: (self.types[usr].file, self.types[usr].line)):
            if usr not in self.inlined:
                sections[self.page(usr)].append(usr)
        result = {}
        for page, (heading, about, files) in PAGES.items():
            own = sorted(sections[page], key=lambda usr: (not self.types[usr].kind, files.index(
                self.types[usr].file.rpartition("/")[2].removesuffix(".swift")), self.types[usr].line))
            folders = sorted({self.types[usr].file.split("/")[1] for usr in own})
            note = NOTE.format("` and `".join(f"Shared/{folder}" for folder in folders))
            parts = [f"# {heading}", prose(f"{note} [Types of fields](../protocol.md#units-and-types). {about}".strip())]
            seen = set()
            for usr in own:
                if self.titles[usr] in seen:
                    raise SystemExit(f"generate: docs/protocol/{page}.md has two sections {self.titles[usr]}")
                seen.add(self.titles[usr])
                part = "## Messages" if self.types[usr].kind else "## Values"
                if part not in parts:
                    parts.append(part)
                parts.append(self.section(usr, page))
            result[f"{page}.md"] = "\n\n".join(parts) + "\n"
        return result


def listed(one: Type) -> str:
    names = [f"`{case.name}`" for case in one.cases if case.name != "unknown"]
    return ", ".join(names)


def upper(text: str) -> str:
    """The text as a sentence."""
    return text[:1].upper() + text[1:]


def lower(text: str) -> str:
    """The text as the rest of a sentence."""
    first = text.partition(" ")[0]
    return text if not text or first.isupper() and len(first) > 1 or text[0] in "`[" else text[0].lower() + text[1:]
