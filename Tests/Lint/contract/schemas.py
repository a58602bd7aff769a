"""Writes the schemas of api/openapi.json that are marked with `x-generated`, and the types of the page, api/types.d.ts.

A marked schema follows the type that the mark names: its members, their types, and which are required. Descriptions,
bounds such as `minimum`, and the values of a text that is no enumeration in Swift stay as they are written by hand.
`x-names` gives the names of a shape by hand that has all properties of its type, some under another name. A schema
with `x-extends` has the members of the schema that this names before its own.
"""

import json
import re

from graphs import Contract, Field, Type

MARK, NAMED, EXTENDS = "x-generated", "x-names", "x-extends"
BY_HAND = ["description", "enum", "minimum", "maximum", "minLength", "maxLength", "pattern", "format", "multipleOf", "maxItems", "minItems"]
REFERENCE = "#/components/schemas/"
# Types of the model with a schema of another name.
NAMES = {"LunaraError": "Fault", "MusicCollection": "Collection"}


def reference(name: str) -> dict:
    return {"$ref": REFERENCE + name}


class Schemas:
    """The schemas of the description, with the marked ones as their types want them."""

    def __init__(self, contract: Contract, text: str):
        self.contract, self.text = contract, text
        self.schemas = json.loads(text)["components"]["schemas"]
        self.types = {".".join(one.path): usr for usr, one in contract.types.items()}
        self.marked = {schema[MARK]: name for name, schema in self.schemas.items() if MARK in schema}
        self.uses_message = False
        # The types whose schemas are being written, one within the other.
        self.within: list[str] = []

    def write(self) -> str:
        """The text of the description."""
        before = dict(self.schemas)
        for path, name in self.marked.items():
            if path not in self.types:
                raise SystemExit(f"generate: {MARK} of the schema {name} names no type: {path}")
            one = self.contract.types[self.types[path]]
            former = self.schemas[name]
            isOfFields = one.conforms & {"FieldShaped", "MessageShaped"} and "ExtendedShaped" not in one.conforms
            if NAMED not in former and not isOfFields:
                raise SystemExit(f"generate: the JSON of {path}, of which the schema {name} is generated, is not that of its fields")
            self.uses_message = "MessageShaped" in one.conforms
            marks = {key: former[key] for key in (MARK, NAMED) if key in former}
            self.schemas[name] = marks | self.object(one, former)
        for name, former in before.items():
            if EXTENDS in former:
                self.schemas[name] = former | self.extended(former, before[former[EXTENDS]], self.schemas[former[EXTENDS]])
        text = self.text
        for name, schema in self.schemas.items():
            if schema is before[name]:
                continue
            begin = text.index(f'\n   "{name}": ', text.index('\n  "schemas": {')) + 1
            # The schema ends where the next one or the end of all begins.
            end = re.compile(r'\n(?=   "\w|  \})').search(text, begin).start()
            comma = "," if text[end - 1] == "," else ""
            text = f'{text[:begin]}   "{name}": {spread(schema)}{comma}{text[end:]}'
        return text

    def extended(self, former: dict, base_before: dict, base: dict) -> dict:
        """The members of a schema that has those of another one before its own."""
        own = {name: member for name, member in former["properties"].items() if name not in base_before["properties"]}
        return {"properties": base["properties"] | own, "required": base["required"] + [name for name in former["required"] if name in own]}

    def object(self, one: Type, former: dict) -> dict:
        members, names = former.get("properties", {}), former.get(NAMED, {})
        fields = [(names.get(field.name, self.name(field)), field) for field in one.fields]
        schema = {"type": "object"} | {key: former[key] for key in ("description",) if key in former}
        return schema | {
            "properties": {name: self.cursor(self.schema(field.type, members.get(name, {})), name) for name, field in fields},
            "additionalProperties": False,
            **({"required": needed} if (needed := [name for name, field in fields if self.isNeeded(field)]) else {}),
        }

    def name(self, field: Field) -> str:
        """The name of a member: outside of messages durations are in seconds, and say so."""
        isDuration = field.type[:2] == ("named", "Milliseconds") and not self.uses_message
        return field.name + "Seconds" if isDuration else field.name

    def isNeeded(self, field: Field) -> bool:
        return not field.isOptional or field.name == "next" and not self.uses_message

    def cursor(self, schema: dict, name: str) -> dict:
        """The schema of a member, which is null for the cursor on the last page."""
        return schema | {"type": ["string", "null"]} if name == "next" and not self.uses_message else schema

    def schema(self, type_: tuple, former: dict) -> dict:
        """The schema of a member, with what the former one has by hand."""
        made = self.plain(type_, former)
        named = self.schemas.get(former.get("$ref", "").removeprefix(REFERENCE), {})
        if named and "$ref" not in made and named["type"] == made["type"] != "object":
            # A schema by hand says more about a text, a number or a list.
            made = {"$ref": former["$ref"]}
        return made | {key: former[key] for key in BY_HAND if key in former and key not in made}

    def plain(self, type_: tuple, former: dict) -> dict:
        if type_[0] == "list":
            return {"type": "array", "items": self.schema(type_[1], former.get("items", {}))}
        if type_[0] != "named":
            raise SystemExit(f"generate: no schema is known for {type_}")
        name, usr = type_[1], type_[-1]
        leaves = {
            "String": {"type": "string"}, "Bool": {"type": "boolean"}, "Double": {"type": "number"},
            "Timestamp": {"type": "string", "format": "date-time"}, "PartialDate": {"type": "string"}, "RoomName": reference("RoomName"),
            "LocalPath": {"type": "string"} if self.uses_message else reference("Path"),
            "Milliseconds": {"type": "integer"} if self.uses_message else {"type": "number"},
            "Rating": {"type": "integer"} if self.uses_message else reference("Stars"),
        } | {integer: {"type": "integer"} for integer in ("Int", "Int32", "Int64", "UInt64")}
        if name in leaves:
            return leaves[name]
        if alias := self.contract.aliases.get(usr):
            return reference("ID") if alias[2] == "ItemID" else {"type": "string"}
        one = self.contract.types[usr]
        if one.isEnum:
            return {"type": "string", "enum": [case.name for case in one.cases]}
        if component := self.marked.get(".".join(one.path)):
            return reference(component)
        isByHand = "JSONRepresentable" in one.conforms and not one.conforms & {"FieldShaped", "MessageShaped"}
        if isByHand or "ExtendedShaped" in one.conforms or name in NAMES:
            # Its shape is code by hand or more than its fields, and so is its schema.
            return former or reference(NAMES.get(name, name))
        if usr in self.within:
            # A type that holds itself ends where the schema by hand does.
            return former
        self.within.append(usr)
        made = self.object(one, self.schemas.get(former.get("$ref", "").removeprefix(REFERENCE), former))
        self.within.pop()
        return made


def spread(schema: dict) -> str:
    """A schema with one member a line."""
    flat = lambda value: json.dumps(value, ensure_ascii=False)  # noqa: E731
    lines = []
    for key, value in schema.items():
        if key == "properties" and value:
            inner = ",\n".join(f"     {flat(name)}: {flat(one)}" for name, one in value.items())
            lines.append(f'    "properties": {{\n{inner}\n    }}')
        else:
            lines.append(f"    {flat(key)}: {flat(value)}")
    return "{\n" + ",\n".join(lines) + "\n   }"


def declarations(schemas: dict) -> str:
    """The types of TypeScript for the schemas of the description."""
    parts = ["// Generated from the schemas of openapi.json. Edit these, or the types that they follow, and run `make generate`.\n"]
    for name, schema in schemas.items():
        parts.append(comment(schema, ""))
        if schema.get("type") == "object" and schema.get("properties"):
            parts.append(f"export interface {name} {members(schema, '')}\n")
        else:
            parts.append(f"export type {name} = {spell(schema, '')};\n")
    return "".join(parts)


def comment(schema: dict, indent: str) -> str:
    return f"{indent}/** {schema['description']} */\n" if "description" in schema else ""


def members(schema: dict, indent: str) -> str:
    needed = schema.get("required", [])
    inner = indent + "  "
    lines = [f"{comment(one, inner)}{inner}{key(name)}{'' if name in needed else '?'}: {spell(one, inner)};\n"
             for name, one in schema["properties"].items()]
    return "{\n" + "".join(lines) + indent + "}"


def key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z_]\w*", name) else json.dumps(name)


def spell(schema: dict, indent: str) -> str:
    """The type of TypeScript of a schema."""
    if "$ref" in schema:
        return schema["$ref"].removeprefix(REFERENCE)
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(one) for one in schema["enum"])
    for word in ("oneOf", "anyOf"):
        if word in schema:
            return " | ".join(spell(one, indent) for one in schema[word])
    kinds = schema.get("type", [])
    spelled = []
    for kind in [kinds] if isinstance(kinds, str) else kinds:
        if kind == "array":
            inner = spell(schema.get("items", {}), indent)
            spelled.append(f"({inner})[]" if " | " in inner else f"{inner}[]")
        elif kind == "object":
            more = schema.get("additionalProperties")
            spelled.append(members(schema, indent) if schema.get("properties")
                           else f"Record<string, {spell(more, indent) if isinstance(more, dict) else 'unknown'}>")
        else:
            spelled.append({"integer": "number", "null": "null"}.get(kind, kind))
    return " | ".join(spelled) or "unknown"
