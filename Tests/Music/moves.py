"""Takes one file of each format out of a collection, tags it anew, and brings it back in another folder.

The library has to know each again by its sound alone: its track keeps its id. Fails where one does not.
"""
import argparse
import pathlib
import shutil
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
sys.path[:0] = [str(HERE.parent / "Bench"), str(HERE.parent / "Support" / "Music")]
from corpus import sounds, tagging  # noqa: E402
from figures import fail, wait_for  # noqa: E402
from household import Household  # noqa: E402
from music import Answers  # noqa: E402

# One file of each sound: `aac-mp4` has the same as `aac`. Matroska mixes tags and sound.
FORMATS = ["mp3", "mp2", "flac", "vorbis", "opus", "ogg-flac", "speex", "aac", "alac", "wav", "aiff", "wavpack", "tta", "wma",
           "dsf", "dff", "adts", "ac3"]
# Formats that have no tags of their own carry those of MP3 before the sound.
FREE = {"adts": "id3", "ac3": "ape"}


def write(path, sound, tags):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(sound.bytes)
    tagging.write(path, FREE.get(sound.name, sound.tagging), tags)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("programs", type=pathlib.Path)
    arguments = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="moves-") as scratch:
        scratch = pathlib.Path(scratch)
        music, made = scratch / "music", scratch / "sounds"
        made.mkdir()
        every = sounds.make(made)
        chosen = [every[name] for name in FORMATS]
        for sound in chosen:
            write(music / "before" / sound.name / f"one.{sound.ending}", sound, {"title": sound.name, "album": "Before"})
        stays = music / "stays" / "one.flac"
        write(stays, every["flac-mono"], {"title": "stays", "album": "Stays"})
        with Household(arguments.programs.resolve(), scratch / "home", music) as household:
            before = tracks(household, len(chosen) + 1)
            shutil.rmtree(music / "before")
            household.ask("sync", "--accept-deletions")
            tracks(household, 1)
            for number, sound in enumerate(chosen):
                tags = {"title": f"Another {number}", "artist": "Somebody", "album": "After", "comment": "x" * 9000}
                write(music / "after" / f"{sound.name}.{sound.ending}", sound, tags)
            household.ask("sync")
            after = tracks(household, len(chosen) + 1)
    lost = [sound.name for sound in chosen if before[sound.name] != after[sound.name]]
    print(f"moves: {len(chosen)} formats came back with other tags, {len(lost)} of them as other tracks")
    if lost:
        fail("other tracks: " + ", ".join(lost))


def tracks(household, count):
    """Returns the ids of the tracks by the names of their sounds, as soon as there are so many."""
    def found():
        answers = Answers(household)
        return len(list(answers.pages("tracks?limit=200"))) == count
    wait_for(found, f"{count} tracks", limit=120, pause=0.2)
    answers = Answers(household)
    ids = {}
    for track in answers.pages("tracks?limit=200"):
        path = pathlib.PurePath(household.ask("track", track["id"])["copies"][0]["path"])
        ids[path.parent.name if path.stem == "one" else path.stem] = track["id"]
    return ids


if __name__ == "__main__":
    main()
