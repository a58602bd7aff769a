"""Has the library scan music files that are damaged in thousands of ways, in rounds, each with a new library.

The library has to live, to end each scan in time with little memory, and to say of each file that it is a track or what
is wrong with it. Files that end the reader of tags are counted, and kept in .build/fuzz/found.

Usage: mutated.py [--files N] [--seed N] FOLDER-OF-PROGRAMS, or mutated.py --seeds FOLDER
"""
import argparse
import collections
import pathlib
import random
import shutil
import sqlite3
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
sys.path[:0] = [str(HERE.parent / "Bench"), str(HERE.parent / "Support" / "Music")]
import corpus.__main__ as maker  # noqa: E402
import scan  # noqa: E402
from figures import fail  # noqa: E402
from sizes import Memory  # noqa: E402

ROUND = 10_000
PER_FOLDER = 50
# Larger files are mostly sound, which is not what is tested.
LARGEST = 200_000
# The most private memory in MB, and the most seconds for each thousand files.
MEMORY, PACE = 64, 60
BREAKS_READER = "library.fileBreaksReader"
# The order of Tests/Fuzz/TagReader.
ENDINGS = {ending: number for number, ending in enumerate(
    "flac mp3 ogg opus m4a wav aif wma wv ape mpc tta spx oga aac dsf dff mod xm it s3m".split())}


def seeds(folder):
    """The contents of the collection's files, with their endings, and the texts of its CUE sheets."""
    maker.make(folder / "music", folder / "manifest.json")
    files = [path for path in (folder / "music").rglob("*") if path.is_file() and path.stat().st_size <= LARGEST]
    sheets = [path.read_bytes() for path in files if path.suffix.lower() == ".cue"]
    others = {".cue", ".jpg", ".png", ".lrc", ".txt", ".nomedia", ""}
    return [(path.suffix, path.read_bytes()) for path in files if path.suffix.lower() not in others], sheets


def mutate(data, chance):
    """Changes a file in one to six places, most of them where tags stand."""
    data = bytearray(data)
    for _ in range(chance.randint(1, 6)):
        if not data:
            break
        edge = min(len(data), 4096)
        place = chance.choice([
            lambda: chance.randrange(edge), lambda: len(data) - 1 - chance.randrange(edge), lambda: chance.randrange(min(edge, 128)),
            lambda: chance.randrange(len(data)),
        ])()
        kind = chance.randrange(8)
        if kind == 0:
            data[place] = chance.randrange(256)
        elif kind == 1:
            data[place] ^= 1 << chance.randrange(8)
        elif kind == 2:
            # Sizes and counts.
            width = chance.choice([2, 4, 8])
            data[place:place + width] = chance.choice([b"\xff", b"\x00", b"\x7f", b"\x80"]) * width
        elif kind == 3:
            del data[place:place + chance.randint(1, 64)]
        elif kind == 4:
            data[place:place] = data[place:place + chance.randint(1, 256)]
        elif kind == 5:
            del data[place:]
        elif kind == 6:
            data[place:place] = bytes(chance.randrange(256) for _ in range(chance.randint(1, 32)))
        else:
            other = chance.randrange(len(data))
            count = chance.randint(1, 64)
            data[place:place + count], data[other:other + count] = data[other:other + count], data[place:place + count]
    return bytes(data)


def fill(folder, files, seeds, sheets, chance):
    for number in range(files):
        inside = folder / f"{number // PER_FOLDER:04}"
        inside.mkdir(parents=True, exist_ok=True)
        ending, data = chance.choice(seeds)
        # Names that are numbers, so that no sheet or rule means them by chance.
        (inside / f"{number:06}{ending}").write_bytes(mutate(data, chance))
        if sheets and chance.randrange(40) == 0:
            (inside / f"{number:06}.cue").write_bytes(mutate(chance.choice(sheets), chance))


def check(folder, files, programs, found):
    """Scans a folder. Returns the seconds, the most memory, and the problems by their codes."""
    home = pathlib.Path(tempfile.mkdtemp(prefix="mutated-"))
    service = scan.Lunara(folder, home, programs, log="error")
    try:
        memory, began = Memory(service.process.pid), time.monotonic()
        while service.runs() == 0:
            if service.process.poll() is not None:
                fail(f"the library ended with {service.process.returncode}; its files are in {folder}")
            if time.monotonic() - began > 30 + PACE * files / 1000:
                fail(f"the scan did not end; its files are in {folder}")
            time.sleep(0.02)
        seconds, most = time.monotonic() - began, memory.stop()
        with sqlite3.connect(f"file:{home}/library.sqlite?mode=ro", uri=True) as database:
            # A file that a sheet cuts has rows of its tracks instead.
            listed = database.execute(
                "SELECT count(*) FROM files f WHERE segment = 0 AND CAST(name AS TEXT) NOT LIKE '%.cue' AND (track IS NOT NULL OR "
                "problem IS NOT NULL OR EXISTS (SELECT 1 FROM files s WHERE s.folder = f.folder AND s.name = f.name AND s.segment > 0))"
            ).fetchone()[0]
            problems = collections.Counter(code for code, in database.execute(
                "SELECT json_extract(problem, '$.code') FROM files WHERE problem IS NOT NULL"))
            broken = database.execute("SELECT d.path, f.name FROM files f JOIN folders d ON d.id = f.folder "
                                      "WHERE json_extract(f.problem, '$.code') = ?", [BREAKS_READER]).fetchall()
        for path, name in broken:
            found.mkdir(parents=True, exist_ok=True)
            shutil.copy(pathlib.Path(path.decode()) / name.decode(), found)
        if listed != files:
            fail(f"{files - listed} of {files} files are neither tracks nor problems; they are in {folder}")
        if most > MEMORY:
            fail(f"the library took {most:.0f} MB; its files are in {folder}")
        return seconds, most, problems
    finally:
        service.process.terminate()
        service.process.wait()
        shutil.rmtree(home)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--files", type=int, default=1000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--seeds", type=pathlib.Path, help="only write the files for lunara-fuzz-tags into this folder")
    options.add_argument("programs", type=pathlib.Path, nargs="?")
    arguments = options.parse_args()
    found = HERE.parent.parent / ".build" / "fuzz" / "found"
    done, seconds, most, problems, chance = 0, 0.0, 0.0, collections.Counter(), random.Random(arguments.seed)
    with tempfile.TemporaryDirectory(prefix="seeds-") as scratch:
        originals, sheets = seeds(pathlib.Path(scratch))
        if arguments.seeds:
            for number, (ending, data) in enumerate(originals):
                # The first byte chooses the ending; libFuzzer tries the others.
                (arguments.seeds / f"seed-{number}").write_bytes(bytes([ENDINGS.get(ending.lower()[1:], 0)]) + data)
            return
        while done < arguments.files:
            files = min(ROUND, arguments.files - done)
            # It stays where a round fails.
            folder = pathlib.Path(tempfile.mkdtemp(prefix="mutated-"))
            fill(folder, files, originals, sheets, chance)
            took, memory, seen = check(folder, files, arguments.programs.resolve(), found)
            shutil.rmtree(folder)
            done, seconds, most = done + files, seconds + took, max(most, memory)
            problems.update(seen)
            if arguments.files > ROUND:
                print(f"{done:,} files, {seconds:.0f} s", file=sys.stderr, flush=True)
    told = ", ".join(f"{count:,} {code}" for code, count in problems.most_common())
    print(f"mutated: {done:,} damaged files of {len(originals)} were scanned in {seconds:.0f} s with at most {most:.0f} MB: {told}")


if __name__ == "__main__":
    main()
