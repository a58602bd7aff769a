#!/usr/bin/env python3
"""Covers to thumbnails: lunara-artwork beside vipsthumbnail on the same pictures, in one run.

Usage: covers.py [--short] [--covers N] FOLDER-OF-PROGRAMS

Both make 300 and 1024 px of each cover as JPEG of quality 82 without metadata. lunara-artwork also extracts colours.
vipsthumbnail runs once for each size over all covers, on all processors; both run at the same low priority. --short takes 40 covers, and fails only where a thumbnail is missing.
"""
import argparse
import json
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time

import figures

SIZES = (1024, 300)


def make_covers(folder, count):
    """Makes photograph-like JPEGs of 600 to 1,400 px, each with other bytes."""
    kinds = min(count, 20)
    for index in range(kinds):
        side = 600 + 100 * (index % 9)
        subprocess.run(
            ["ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i",
             f"mandelbrot=size={side}x{side}:start_scale={3 / (1 + index % 17)}:start_x={-0.7 - index / 500}:maxiter=200",
             "-vf", "noise=alls=12", "-frames:v", "1", "-q:v", "3", folder / f"kind-{index}.jpg"], check=True)
    paths = []
    for index in range(count):
        path = folder / f"{index:05}.jpg"
        # Bytes behind the end of the picture are ignored, but make it another file.
        path.write_bytes((folder / f"kind-{index % kinds}.jpg").read_bytes() + str(index).encode())
        paths.append(path)
    for index in range(kinds):
        (folder / f"kind-{index}.jpg").unlink()
    return paths


def with_worker(program, paths, folder):
    """Returns the elapsed seconds and the processor's seconds."""
    folder.mkdir()
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    wants = [{"size": size, "format": "jpg"} for size in SIZES]
    waiting, outcomes = list(enumerate(paths)), []
    before, start = os.times(), time.monotonic()
    worker = subprocess.Popen([program], stdin=theirs)
    theirs.close()
    sent = 0
    while len(outcomes) < len(paths):
        # As many jobs as the library gives it at once.
        while waiting and sent - len(outcomes) < 2 * min(4, os.cpu_count()):
            index, path = waiting.pop(0)
            files = [os.open(path, os.O_RDONLY)]
            files += [os.open(folder / f"{index}.{size}.jpg", os.O_RDWR | os.O_CREAT) for size in SIZES]
            socket.send_fds(ours, [json.dumps({"id": index, "wants": wants}).encode()], files)
            for file in files:
                os.close(file)
            sent += 1
        outcomes.append(json.loads(ours.recv(1 << 17)))
    ours.close()
    worker.wait()
    took, after = time.monotonic() - start, os.times()
    made = sum(path.stat().st_size > 0 for path in folder.glob("*.jpg"))
    if any("palette" not in outcome for outcome in outcomes) or made != 2 * len(paths):
        figures.fail(f"lunara-artwork made {made} thumbnails of {len(paths)} covers")
    return took, after.children_user + after.children_system - before.children_user - before.children_system


def with_vipsthumbnail(paths, folder):
    folder.mkdir()
    names = "\0".join(map(str, paths))
    before, start = os.times(), time.monotonic()
    for size in SIZES:
        subprocess.run(
            ["nice", "-n", "10", "xargs", "-0", "-n", "50", "-P", str(os.cpu_count()), "vipsthumbnail", "--size", f"{size}x{size}>",
             "-o", f"{folder}/%s.{size}.jpg[Q=82,strip,optimize_coding]"],
            input=names, text=True, check=True, env=os.environ | {"VIPS_CONCURRENCY": "1"})
    took, after = time.monotonic() - start, os.times()
    made = len(list(folder.glob("*.jpg")))
    if made != 2 * len(paths):
        figures.fail(f"vipsthumbnail made {made} thumbnails of {len(paths)} covers")
    return took, after.children_user + after.children_system - before.children_user - before.children_system


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--short", action="store_true")
    options.add_argument("--covers", type=int)
    options.add_argument("programs", type=pathlib.Path)
    options = options.parse_args()
    count = options.covers or (40 if options.short else 10_000)
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="covers-"))
    try:
        (scratch / "covers").mkdir()
        paths = make_covers(scratch / "covers", count)
        figures.heading(f"{count} covers to thumbnails of 300 and 1024 px")
        print("| what | elapsed | covers a second | processor |\n|---|---|---|---|")
        rates = {}
        runs = [("vipsthumbnail", with_vipsthumbnail), ("lunara-artwork, with the colours", None)]
        for name, run in runs:
            took, used = (run(paths, scratch / "theirs") if run else
                          with_worker(options.programs.resolve() / "lunara-artwork", paths, scratch / "ours"))
            rates[name] = count / took
            print(f"| {name} | {took:.1f} s | {count / took:.0f} | {used:.1f} s |", flush=True)
        ours, theirs = rates[runs[1][0]], rates[runs[0][0]]
        print(f"\nThe rate is {100 * ours / theirs:.0f} % of that of vipsthumbnail (bar: 90 %).")
    finally:
        shutil.rmtree(scratch)


if __name__ == "__main__":
    main()
