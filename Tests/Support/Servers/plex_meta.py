"""What `includeMeta=1` says about the filters, orders and fields of a music section: those that this stand-in knows."""
from __future__ import annotations

from typing import Any

OPERATORS = {
    "integer": [("=", "is"), ("!=", "is not"), (">>=", "is greater than"), ("<<=", "is less than")],
    "string": [("=", "contains"), ("!=", "does not contain"), ("==", "is"), ("!==", "is not"), ("<=", "begins with"),
               (">=", "ends with")],
    "date": [("<<=", "is before"), (">>=", "is after")],
    "tag": [("=", "is"), ("!=", "is not")]}
FIELDS = {"title": "string", "userRating": "integer", "viewCount": "integer", "skipCount": "integer", "lastViewedAt": "date",
          "lastRatedAt": "date", "addedAt": "date", "updatedAt": "date", "genre": "tag", "mood": "tag", "collection": "tag"}
ORDERS = {"titleSort": "Title", "addedAt": "Date Added", "lastViewedAt": "Date Played", "viewCount": "Plays", "userRating": "Rating"}
TYPES = {8: "artist", 9: "album", 10: "track"}


def meta(section: int) -> dict[str, Any]:
    return {"Type": [_type(section, number, name) for number, name in TYPES.items()],
            "FieldType": [{"type": type, "Operator": [{"key": key, "title": title} for key, title in signs]}
                          for type, signs in OPERATORS.items()]}


def _type(section: int, number: int, name: str) -> dict[str, Any]:
    where = f"/library/sections/{section}"
    fields = FIELDS | ({"year": "integer", "studio": "string"} if name == "album" else {})
    filters = [{"filter": tag, "filterType": "string", "key": f"{where}/{tag}?type={number}", "title": tag.capitalize(), "type": "filter"}
               for tag in ("genre", "mood", "collection")]
    orders = [{"default": "asc", "defaultDirection": "asc", "descKey": f"{key}:desc", "key": key, "title": title}
              for key, title in ORDERS.items()]
    return {"key": f"{where}/all?type={number}", "type": name, "title": f"{name.capitalize()}s", "active": name == "artist",
            "Filter": filters, "Sort": orders,
            "Field": [{"key": f"{name}.{field}", "title": field, "type": type} for field, type in fields.items()]}
