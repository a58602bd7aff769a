"""Every place of the page in its four states: loading, failed, full and empty. stateplaces.py lists the places."""
from case import PageCase
from stateplaces import EMPTY, FAILED, LOADING, PLACES

# Answers requests that read as `window.mode` says: `full`, `held` (when it is set to something else), `refused` by the
# service, `cut`, or `empty`. `set(answers, nothing)` sets answers for the place that is tried.
HOOK = """
    window.mode = 'full';
    const real = window.fetch;
    const waiting = new Set();
    const headers = { 'Content-Type': 'application/json' };
    const json = (value, status = 200) => new Response(JSON.stringify(value), { status, headers });
    const message = 'The library does not answer. It may be restarting.';
    const refusal = { error: { code: 'library.unavailable', message } };
    let [answers, nothing] = [{}, {}];
    const counts = ['total', 'trackCount', 'itemCount'];
    const none = (name, one) => (Array.isArray(one) ? [] : name === 'next' ? null : counts.includes(name) ? 0 : one);
    const emptied = (value) => Object.fromEntries(Object.entries(value).map(([name, one]) => [name, none(name, one)]));
    const answerOf = async (name, mode, ask) => {
      if (mode === 'cut') throw new TypeError('Failed to fetch');
      if (mode === 'refused') return json(refusal, 503);
      if (mode === 'empty') return json(nothing[name] ?? emptied(answers[name] ?? await (await ask()).json()));
      return answers[name] ? json(answers[name]) : ask();
    };
    window.fetch = (path, options = {}) => {
      const ask = () => real(path, options);
      const name = String(path).split('?')[0].replace('/api/v1/', '');
      if (!String(path).startsWith('/api/v1/') || options.method || ['session'].includes(name)) return ask();
      if (window.mode !== 'held') return answerOf(name, window.mode, ask);
      return new Promise((done, fail) => {
        waiting.add(() => answerOf(name, window.mode, ask).then(done, fail));
        options.signal?.addEventListener('abort', () => fail(new DOMException('Aborted', 'AbortError')));
      });
    };
    window.setAnswers = (...both) => { [answers, nothing] = both; };
    window.setMode = (mode) => {
      window.mode = mode;
      if (mode === 'held') return;
      for (const release of waiting) release();
      waiting.clear();
    };"""

# Has all screens made anew, and goes to an address. The list of other screens is always there in between.
LEAVE = """
    const done = arguments[0];
    location.hash = '#/more';
    // A wall that was read is kept for the next visit.
    import('/discovery/feeds.js').then(({ forgetFeeds }) => forgetFeeds());
    import('/core/router.js').then(({ discardScreens }) => {
      const wait = () => {
        const isThere = document.body.dataset.here === '#/more' && document.querySelector('.more-link');
        if (!isThere) return setTimeout(wait, 10);
        discardScreens(true);
        for (const close of document.querySelectorAll('.banner-close')) close.click();
        done();
      };
      wait();
    });"""

SEEN = """
    const seen = (selector) => [...document.querySelectorAll(`#main :is(${selector})`)]
      .filter((one) => one.getClientRects().length);"""
# The elements that tell the eye, and a screen reader, that something is being read.
IS_LOADING = SEEN + """
    const words = seen('[role=status]').some((one) => /Loading|Searching|being asked|being read/.test(one.textContent));
    const toEye = words || seen('.shimmer, .shimmering, .moon').length > 0;
    const toReader = words || seen('[aria-busy=true]').length > 0;
    return toEye && toReader;"""
# Messages without content that are shown though nothing was read yet.
TOO_EARLY = SEEN + """
    return [...seen('.empty, .soft')].map((one) => one.textContent).filter((text) => text.includes(arguments[0]))"""
AGAIN = SEEN + """
    const button = seen('button').find((one) => one.textContent.trim() === 'Try again');
    const box = button?.closest('[role=alert], .empty, [role=status]');
    return box && /does not answer|could not/.test(box.textContent) ? button : null;"""
# A place with two lists has two buttons. Requests are answered again in the moment of the press, not before it: until
# then a place that an event has read anew has to fail once more, or there would be nothing to press.
PRESS = SEEN + """
    const buttons = seen('button').filter((one) => one.textContent.trim() === 'Try again');
    if (!buttons.length) return 0;
    window.isSame = true;
    window.setMode('full');
    buttons.forEach((one) => one.click());
    return buttons.length"""
IS_FULL = SEEN + """
    return seen(arguments[0]).some((one) => one.textContent.includes(arguments[1]));"""
LEFT = SEEN + """
    return [...seen('.shimmer, .waiting, [aria-busy=true]').map((one) => one.outerHTML.slice(0, 80)),
      ...seen('button').filter((one) => one.textContent.trim() === 'Try again').map((one) => 'Try again')];"""
IS_EMPTY = SEEN + """
    return seen('.empty, .soft, [role=status]').map((one) => one.textContent)
      .some((text) => text.includes(arguments[0]) && text.length > arguments[0].length);"""

# Changes what the page knows by events `[[name, content]]`, and returns events that change it back.
EVENTS = """
    return import('/core/store.js').then(({ applyEvent, store }) => arguments[0].map(([name, content]) => {
      const former = [name, store[name]];
      applyEvent(name, content);
      return former;
    }))"""

# Has the page count its connection as lost, and as made again.
LOSE = "return import('/core/store.js').then(({ setLink }) => setLink('lost'))"
CONNECT = """
    return import('/core/store.js').then(({ applyEvent, store }) => applyEvent('snapshot', {
      ...store, queues: [...store.queues.values()], outputs: [...store.outputs.values()],
    }))"""


class States(PageCase):
    """Each place is one test, whose parts are its states."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        ask = cls.household.ask
        album = ask(f"albums/{cls.albums[0]['id']}")
        track = album["tracks"][0]["id"]
        playlist = ask("playlists", {"title": "Of states", "ids": [track]})["id"]
        look = {"first": "#1f5f8b", "second": "#e8f0f2", "texture": "paper"}
        theme = ask("themes", {"title": "Of states", "look": look, "adding": [album["id"]]})["id"]
        for kind, place in (("playlists", playlist), ("themes", theme)):
            cls.addClassCleanup(lambda path=f"{kind}/{place}": ask(path, {}, "DELETE"))
        cls.ids = {"album": album["id"], "track": track, "artist": album["artistID"], "playlist": playlist,
                   "theme": theme}
        cls.make_entries(ask, album["id"])
        cls.page.set_scheme("light", "reduce")
        cls.page.open("more")
        cls.page.run(HOOK)

    @classmethod
    def make_entries(cls, ask, album):
        """Makes a note, a todo, a mark, a like and a wish."""
        note = ask("notes", {"id": album, "text": "Of states"})["note"]
        todo = ask("todos", {"id": album, "about": "cover", "text": "Of states"})["todo"]
        mark = ask("marks", {"id": album, "text": "Of states"})["mark"]
        ask(f"albums/{album}/opinion", {"opinion": "like"}, "PUT")
        ask("wishes", {"artist": "Ada", "album": "Wanted"})
        cls.addClassCleanup(lambda: ask(f"notes/{note}", {}, "DELETE"))
        cls.addClassCleanup(lambda: ask(f"todos/{todo}", {"state": "dismissed"}, "PUT"))
        cls.addClassCleanup(lambda: ask(f"marks/{mark}", {"state": "kept"}, "PUT"))
        cls.addClassCleanup(lambda: ask(f"albums/{album}/opinion", {"opinion": None}, "PUT"))
        cls.addClassCleanup(lambda: [ask(f"wishes/{one['id']}", {}, "DELETE") for one in ask("wishes")["items"]])

    def begin(self, place, mode):
        """Goes to a place whose requests are answered in a mode."""
        page = self.page
        address = place.address.format(id=self.ids.get(place.made))
        page.run("window.setMode('full')")
        page.run_async(LEAVE)
        page.run("""
            window.setAnswers(arguments[0], arguments[1]);
            window.setMode(arguments[2]);
            location.hash = arguments[3]""", place.answers, place.nothing, mode, f"#/{address}")

    def full(self, place):
        self.page.wait(f"{place.name} is full", IS_FULL, *place.full)
        self.page.wait(f"nothing is left of other states: {place.name}", f"return !(() => {{ {LEFT} }})().length")

    def loading(self, place):
        self.begin(place, "held")
        self.page.wait(f"{place.name} says that it loads", IS_LOADING)
        if place.empty:
            self.assertEqual(self.page.run(TOO_EARLY, place.empty), [], "an empty text flashes")
        self.page.run("window.setMode('full')")
        self.full(place)
        self.assertEqual(self.page.axe(), [])

    def failed(self, place, mode):
        self.begin(place, mode)
        self.page.wait(f"{place.name} says that it failed ({mode})", f"return Boolean((() => {{ {AGAIN} }})())")
        self.page.wait("all is tried again", PRESS)
        self.full(place)
        self.assertTrue(self.page.run("return window.isSame"), "the page was not loaded anew")

    def lost(self, place):
        """What failed for want of a connection is read again when it is back, without a press."""
        self.page.run(LOSE)
        self.begin(place, "cut")
        self.page.wait(f"{place.name} says that it failed (lost)", f"return Boolean((() => {{ {AGAIN} }})())")
        self.page.run("window.setMode('full'); window.isSame = true")
        self.page.run(CONNECT)
        self.full(place)
        self.assertTrue(self.page.run("return window.isSame"), "the page was not loaded anew")

    def empty(self, place):
        if place.nothing.get("queue"):
            self.household.ask("rooms/kitchen/queue", {"action": "clear"})
        self.begin(place, "empty")
        events = place.nothing.get("events", [])
        former = self.page.run(EVENTS, events)
        try:
            self.page.wait(f"{place.name} says that it is empty", IS_EMPTY, place.empty)
            self.assertEqual(self.page.axe(), [])
            self.assertNotRegex(self.page.run("return document.getElementById('main').innerText"), r"\b0 of 0\b")
        finally:
            self.page.run(EVENTS, former)

    def show(self, place):
        """Tries a place in the states that it has."""
        if LOADING in place.without:
            self.begin(place, "full")
            self.full(place)
            self.assertEqual(self.page.axe(), [])
        else:
            with self.subTest(state=LOADING):
                self.loading(place)
        for mode in ("refused", "cut"):
            if FAILED not in place.without:
                with self.subTest(state=FAILED, by=mode):
                    self.failed(place, mode)
        if FAILED not in place.without:
            with self.subTest(state=FAILED, by="lost"):
                self.lost(place)
        if EMPTY not in place.without:
            with self.subTest(state=EMPTY):
                self.empty(place)
        self.page.run("window.setMode('full')")


def test_of(place):
    def run(self):
        if place.name == "queue":
            self.play(0)
            self.page.wait("the page has heard it", "return document.body.dataset.state === 'playing'")
        self.show(place)
    return run


for one in PLACES:
    setattr(States, f"test_states_of_{one.name}", test_of(one))
