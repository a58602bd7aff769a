"""Measures what the page costs while it moves: frames of lists that scroll, the wall after a tap, playing, and many places.

Frames are the times between two calls of `requestAnimationFrame`, in milliseconds. A long task is one that keeps the page busy for more
than 50 ms, as the browser counts them. The processor time is that of all processes of the browser.
"""
import os
import pathlib
import time

from figures import heading, median, memory as memory_of, row, table
from page import DESKTOP, Page
from testhousehold import wait_for
from wallhousehold import READY

# The window of a usual desktop, for which the bars are.
WINDOW = (1440, 900)
SECONDS = 6
WATCHED = 20
PLACES = 1000
TAPS = 11

# Keeps the times between frames and the long tasks, from `watchFrames` on.
WATCH = """
    window.longTasks = [];
    new PerformanceObserver((list) => list.getEntries().forEach(({ duration }) => window.longTasks.push(duration)))
      .observe({ type: 'longtask' });
    window.watchFrames = () => {
      window.frames_ = [];
      window.longTasks.length = 0;
      window.isWatching = true;
      let last = performance.now();
      const note = (now) => {
        window.frames_.push(now - last);
        last = now;
        if (window.isWatching) requestAnimationFrame(note);
      };
      requestAnimationFrame((now) => { last = now; requestAnimationFrame(note); });
    };"""

# Scrolls by 24 pixels a frame for a number of milliseconds.
CONTINUOUS = """
    const [length, done] = arguments;
    window.watchFrames();
    const end = performance.now() + length;
    const step = (now) => {
      scrollBy({ top: 24, behavior: 'instant' });
      if (now < end) return requestAnimationFrame(step);
      window.isWatching = false;
      done();
    };
    requestAnimationFrame(step)"""

# A page of as many boxes as the list has records in view, without any code: what the browser itself needs to scroll.
PLAIN = """
    const box = document.createElement('div');
    box.style.cssText = 'display:grid;grid-template-columns:repeat(6,1fr);gap:16px;padding:16px';
    for (let index = 0; index < 3000; index += 1) {
      const one = document.createElement('div');
      one.style.cssText = `height:220px;background:hsl(${index * 37 % 360} 40% 60%)`;
      one.textContent = `Record ${index}`;
      box.append(one);
    }
    document.body.replaceChildren(box);"""

# Presses a link, and ends with the frame after the covers in view are there.
TAP = """
    const [selector, done] = arguments;
    const from = performance.now();
    const look = () => {
      const tiles = [...document.querySelectorAll('.tile')].filter((one) => one.getBoundingClientRect().top < innerHeight);
      if (!tiles.length) return requestAnimationFrame(look);
      requestAnimationFrame(() => setTimeout(() => done(performance.now() - from)));
    };
    document.querySelector(selector).click();
    requestAnimationFrame(look)"""


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def wheel(page):
    """Turns the wheel by 120 pixels, ten times a second."""
    page.run("window.watchFrames()")
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        page.command("Input.dispatchMouseEvent", {"type": "mouseWheel", "x": 800, "y": 450, "deltaX": 0, "deltaY": 120})
        time.sleep(0.1)
    page.run("window.isWatching = false")


def show_frames(page, name):
    frames, tasks = page.run("return [window.frames_, window.longTasks]")
    row(name, len(frames), f"{median(frames):.0f} ms", f"{percentile(frames, 0.95):.0f} ms", f"{max(frames):.0f} ms",
        f"{len(tasks)}" + (f", at most {max(tasks):.0f} ms" if tasks else ""))


def scrolling(page, places):
    """Scrolls each place with the wheel and without pause, and a page without code beside them."""
    heading("The page: frames while it scrolls")
    table("place", "frames", "p50", "p95 (bar 34 ms)", "most", "tasks over 50 ms")
    page.driver.get("about:blank")
    page.open("more")
    page.run(WATCH + PLAIN)
    wheel(page)
    show_frames(page, "boxes without code, wheel")
    page.driver.execute_async_script(CONTINUOUS, SECONDS * 1000)
    show_frames(page, "boxes without code, without pause")
    for name, place, ready in places:
        page.open(place)
        page.run(WATCH)
        page.wait(f"{name} is there", ready)
        time.sleep(2)
        wheel(page)
        show_frames(page, f"{name}, wheel")
        page.run("scrollTo({ top: 0, behavior: 'instant' })")
        time.sleep(2)
        page.driver.execute_async_script(CONTINUOUS, SECONDS * 1000)
        show_frames(page, f"{name}, without pause")


def wall_taps(page):
    """Opens the wall from another place, each time in a new document: when a person has found the link, and at once."""
    heading("The page: from a tap on Wall to its covers")
    table("tap", "p50 (bar 400 ms)", "most", f"tasks over 50 ms in {TAPS} taps")
    for name, pause in (("two seconds after the page", 2), ("in the moment when the page is ready", 0)):
        took, tasks = [], []
        for _ in range(TAPS):
            page.open("more")
            page.run(WATCH)
            time.sleep(pause)
            page.run("window.longTasks.length = 0")
            took.append(page.driver.execute_async_script(TAP, '#nav a[href="#/wall"]'))
            page.wait("the wall rests", READY)
            tasks += page.run("return window.longTasks")
        row(name, f"{median(took):.0f} ms", f"{max(took):.0f} ms", f"{len(tasks)}" + (f", at most {max(tasks):.0f} ms" if tasks else ""))


def walls_at_rest(household, albums):
    """Shows what the service of walls holds and spends after the taps."""
    heading(f"The service of walls, {albums:,} albums")
    table("what", "figure", "bar")
    process = household.processes["discovery"].pid
    time.sleep(20)
    held = memory_of(process)
    row("private memory", f"{(held['Private_Clean'] + held['Private_Dirty']) / 1000:.1f} MB", "20 MB")
    from_ = processor_time(process)
    time.sleep(WATCHED)
    row("processor time at rest", f"{(processor_time(process) - from_) / WATCHED * 100:.2f} % of a core", "nil")


def processor_time(root):
    """Returns the processor time in seconds of a process and of all below it."""
    children, spent = {}, {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            children.setdefault(int(fields[1]), []).append(int(entry.name))
            spent[int(entry.name)] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    total, waiting = 0.0, [root]
    while waiting:
        process = waiting.pop()
        total += spent.get(process, 0)
        waiting += children.get(process, [])
    return total


def rests(process):
    """Waits until a process takes less than 2 % of a core for 5 s."""
    while True:
        before = processor_time(process)
        time.sleep(5)
        if processor_time(process) - before < 0.1:
            return


def playing(household, page):
    """Plays music for a while with some places in view, and with the page hidden."""
    heading("The page: processor time of the browser while music plays")
    table("in view", "of one core (bar 10 %)")
    browser = page.driver.service.process.pid

    def spend(name, pause=4):
        time.sleep(pause)
        from_, begun = processor_time(browser), time.monotonic()
        time.sleep(WATCHED)
        row(name, f"{(processor_time(browser) - from_) / (time.monotonic() - begun) * 100:.1f} %")
    page.open("albums")
    spend("albums, nothing plays")
    page.run("document.querySelector('.record .quick').click()")
    wait_for(lambda: household.room("kitchen")["state"], "the room plays", equals="playing")
    spend("albums")
    page.go("playing")
    page.has(".sheet .knob.main")
    spend("the player")
    page.open("ambient")
    spend("the full screen")
    page.open("albums")
    page.has(".record:not(.shimmering) b")
    with page.tab():
        # A page that nobody has seen for a minute ends its stream.
        spend("hidden, behind another tab", 75)
    household.ask("rooms/kitchen/queue", {"action": "clear"})


def memory(household, page):
    """Visits many places one after another, and counts what is left after the collection of what is unused."""
    heading(f"The page: what {PLACES:,} places leave")
    table("places visited", "heap", "nodes", "listeners")
    albums = [one["id"] for one in household.ask("albums?first=0&limit=100")["items"]]
    artists = [one["id"] for one in household.ask("artists?first=0&limit=20")["items"]]
    round_ = ["", "albums", "artists", "tracks", "genres", "search", "queue", "rooms", "history", "statistics", "wall", "settings", "garden"]
    page.command("HeapProfiler.enable")
    page.command("Performance.enable")
    page.open("")

    def count(visited):
        page.command("HeapProfiler.collectGarbage")
        found = {one["name"]: one["value"] for one in page.command("Performance.getMetrics")["metrics"]}
        row(visited, f"{found['JSHeapUsedSize'] / 1e6:.1f} MB", f"{found['Nodes']:,.0f}", f"{found['JSEventListeners']:,.0f}")
    count(0)
    for visited in range(1, PLACES + 1):
        kind = visited % 3
        place = round_[visited // 3 % len(round_)] if kind == 0 else \
            f"album/{albums[visited % len(albums)]}" if kind == 1 else f"artist/{artists[visited % len(artists)]}"
        page.go(place)
        if visited in (100, 250, 500, 750, PLACES):
            page.go("more")
            count(visited)


def all_of(household, albums):
    """Measures all of it, in one browser; the household makes walls."""
    (household.folder / "home/discovery").mkdir(exist_ok=True)
    household.start_discovery()
    wait_for(lambda: (household.maybe("wall") or {}).get("items"), "the wall")
    # The library makes thumbnails for a while after a scan.
    rests(household.processes["library"].pid)
    with Page(household.address, DESKTOP) as page:
        page.resize(WINDOW)
        wall_taps(page)
        walls_at_rest(household, albums)
        scrolling(page, [("albums", "albums", "return document.querySelector('.record:not(.shimmering) b')"),
                         ("tracks", "tracks", "return document.querySelector('.track b')"), ("the wall", "wall", READY)])
        playing(household, page)
        memory(household, page)
