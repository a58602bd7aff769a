"""Makes the collection. Usage: python3 -m corpus FOLDER MANIFEST"""
import json
import pathlib
import sys
import tempfile

from . import dialects, folders, full
from .collection import Collection


def make(folder, manifest):
    with tempfile.TemporaryDirectory(prefix="sounds-") as scratch:
        collection = Collection(folder, scratch)
        full.add(collection)
        dialects.add(collection)
        folders.add(collection)
    pathlib.Path(manifest).write_text(json.dumps(collection.entries, indent=1, ensure_ascii=False))
    return collection.entries


if __name__ == "__main__":
    print(len(make(sys.argv[1], sys.argv[2])), "files")
