"""The resources of processes and folders over a run: samples, their file, and the slopes that decide the verdict."""
import os
import re
import statistics

MEASURES = {"memory": "kB of memory of its own (Private_Dirty)", "descriptors": "open descriptors", "threads": "threads",
            "cpu": "seconds of CPU", "disk": "bytes on disk"}


def process(pid):
    """Private memory in kB, descriptors, threads and seconds of CPU of a process; None where it has ended."""
    try:
        with open(f"/proc/{pid}/smaps_rollup") as file:
            memory = int(re.search(r"Private_Dirty:\s+(\d+)", file.read())[1])
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        cpu = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        return {"memory": memory, "descriptors": len(os.listdir(f"/proc/{pid}/fd")), "threads": int(fields[17]), "cpu": cpu}
    except (OSError, TypeError, IndexError):
        return None


def disk(home):
    """Bytes of each database below a folder with its log, by name; and of all files."""
    sizes = {"whole home folder": 0}
    for place, _, names in os.walk(home):
        for name in names:
            try:
                size = os.lstat(os.path.join(place, name)).st_size
            except FileNotFoundError:
                continue
            sizes["whole home folder"] += size
            if found := re.fullmatch(r"(.+\.sqlite)(-wal|-shm)?", name):
                sizes[found[1]] = sizes.get(found[1], 0) + size
    return sizes


class Samples:
    """Rows of (virtual day, subject, measure, value), written to the file as they come."""

    def __init__(self, path):
        self.rows, self.file = [], open(path, "w")
        print("day,what,measure,value", file=self.file)

    def add(self, day, what, measure, value):
        self.rows.append((day, what, measure, value))
        print(f"{day:.4f},{what},{measure},{value}", file=self.file, flush=True)

    def take(self, day, pids, home):
        for name, pid in pids.items():
            for measure, value in (process(pid) or {}).items():
                self.add(day, name, measure, value)
        for name, value in disk(home).items():
            self.add(day, name, "disk", value)

    def line(self, what, measure, since=0.0):
        return [(day, value) for day, name, kind, value in self.rows if (name, kind) == (what, measure) and day >= since]

    def lines(self, measure):
        """All lines of a measure, by subject."""
        found = {}
        for day, what, kind, value in self.rows:
            if kind == measure:
                found.setdefault(what, []).append((day, value))
        return found


def slope(points):
    """The median of the slopes between all pairs that are at least a fifth of the time apart (Theil and Sen). Outliers
    and
    bursts do not change it much."""
    if len(points) < 10:
        return 0.0
    points = points[:: max(1, len(points) // 200)]
    apart = (points[-1][0] - points[0][0]) / 5
    slopes = [(b - a) / (t - s) for i, (s, a) in enumerate(points) for t, b in points[i + 1:] if t - s >= apart]
    return statistics.median(slopes) if slopes else 0.0


def by_day(points, width=0.5):
    """Growth of a counter in each `width` of a day, as a value per day. A restart begins a new count."""
    rates, start, total, last = [], None, 0.0, None
    for day, value in points:
        if start is None:
            start, total, last = day, 0.0, value
            continue
        total += value - last if value >= last else value
        last = value
        if day - start >= width:
            rates.append(((day + start) / 2, total / (day - start)))
            start, total = day, 0.0
    return rates
