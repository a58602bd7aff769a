"""Modules of the page that decide by themselves what to read and when, tried with answers that the test gives."""
from case import PageCase

# Answers requests for paths that contain a text as `answer(path)` says, and passes the others on.
FAKE = """
    window.fakeFetch = (text, answer) => {
      const { fetch } = window;
      window.fetch = (path, ...rest) => (String(path).includes(text) ? answer(String(path)) : fetch(path, ...rest));
    };
    window.json = (value) => new Response(JSON.stringify(value), { headers: { 'Content-Type': 'application/json' } });"""


class Modules(PageCase):
    """Lists, colours, and the list of problems."""

    def setUp(self):
        super().setUp()
        self.page.open("more")
        self.page.run(FAKE)

    def test_volumes_are_sent_one_at_a_time_and_the_latest_wins(self):
        found = self.page.run_async("""
            const done = arguments[0];
            import('/player/sliders.js').then(async ({ volume }) => {
              const [sent, answers] = [[], []];
              const input = volume(() => ({ name: 'kitchen', volume: 5 }), ({ percent }, name) => {
                sent.push(`${name} ${percent}`);
                return new Promise((answer) => answers.push(answer));
              });
              const settle = () => new Promise((next) => setTimeout(next, 20));
              for (const percent of [10, 20, 30]) {
                input.value = percent;
                input.dispatchEvent(new Event('change'));
              }
              await settle();
              const before = [...sent];
              answers.shift()();
              await settle();
              answers.shift()();
              await settle();
              done([before, sent]);
            });""")
        self.assertEqual(found, [["kitchen 10"], ["kitchen 10", "kitchen 30"]])

    def test_a_picture_that_failed_after_every_pause_is_asked_for_when_the_page_is_connected_again(self):
        page = self.page
        page.wait("the page is connected", "return import('/core/store.js').then(({ store }) => store.link === 'open')")
        page.run("""
            const { setTimeout } = window;
            [window.tries, window.waits] = [0, []];
            window.setTimeout = (run, time, ...rest) =>
              (time >= 2000 && rest.length ? window.waits.push(() => run(...rest)) : setTimeout(run, time, ...rest));
            window.Image = class extends EventTarget {
              set src(source) {
                window.tries += 1;
                queueMicrotask(() => this.onerror());
              }
            };
            return import('/parts/cover.js').then(({ loadPicture }) => loadPicture('/none', () => {}, () => true));""")
        for tries in range(2, 6):
            page.wait("it waits", "return window.waits.length === 1")
            page.run("window.waits.shift()()")
            page.wait(f"try {tries}", "return window.tries === arguments[0]", tries)
        self.assertEqual(page.run("return window.waits.length"), 0)
        page.run("""return import('/core/store.js').then(({ setLink }) => setLink('broken'))""")
        page.frame()
        page.run("""return import('/core/store.js').then(({ setLink }) => setLink('open'))""")
        page.wait("it is asked for again", "return window.tries === 6")

    def test_a_person_who_goes_back_before_the_next_screen_is_there_stays(self):
        page = self.page
        page.go("albums")
        page.has(".record:not(.shimmering)")
        shown = page.run_async("""
            const done = arguments[0];
            // The answer comes after the placeholder would have been shown.
            const late = new Promise((answer) => setTimeout(answer, 300));
            window.fakeFetch('/albums/late', () => late.then(() => window.json({ error: { code: 'x', message: 'late' } })));
            location.hash = '#/album/late';
            setTimeout(() => history.back(), 20);
            late.then(() => setTimeout(() => done([location.hash, document.body.dataset.here,
              document.querySelector('#main .screen')?.className ?? null]), 100));""")
        self.assertEqual(shown, ["#/albums", "#/albums", "screen albums"])
        page.go("artists")
        page.has(".screen.artists")
        page.run("history.back()")
        page.has(".screen.albums")

    def test_a_cover_that_was_cut_off_is_loaded_when_its_screen_is_shown_again(self):
        self.page.run_async("""
            const done = arguments[0];
            (async () => {
              const { setCover } = await import('/parts/cover.js');
              const { h } = await import('/core/dom.js');
              const pixel = '/icon.svg';
              const source = Object.getOwnPropertyDescriptor(HTMLImageElement.prototype, 'src');
              const { setTimeout } = window;
              window.fails = true;
              // The pauses after which covers are asked for again end when the test says so.
              window.waits = [];
              window.setTimeout = (run, time, ...rest) => (
                time === 2000 ? window.waits.push(() => run(...rest)) : setTimeout(run, time, ...rest));
              // Pictures that are faked fail at first, and are a small file of the page later.
              Object.defineProperty(HTMLImageElement.prototype, 'src', { ...source, set(address) {
                const isFaked = address.includes('faked-cover');
                source.set.call(this, isFaked ? (window.fails ? '/api/v1/art/none' : pixel) : address);
              } });
              const cover = h('span', { class: 'cover', id: 'faked-frame' });
              document.querySelector('#main .screen').append(cover);
              setCover(cover, { art: 'faked-cover', title: 'Blue', artist: 'Nobody' });
              done(true);
            })();""")
        page = self.page
        page.wait("it is drawn", "return document.querySelector('#faked-frame .drawn') && window.waits.length")
        page.go("albums")
        # It is to be asked for again while its screen is in the background.
        page.run("window.fails = false; window.waits.splice(0).forEach((run) => run())")
        page.run("history.back()")
        page.wait("it is loaded", "return document.querySelector('#faked-frame img.there')")

    def test_an_opinion_that_failed_is_taken_back_and_reported_to_the_caller(self):
        found = self.page.run_async("""
            const done = arguments[0];
            (async () => {
              const { opinionOf, setOpinion } = await import('/discovery/opinions.js');
              const album = { id: 'faked', title: 'Blue' };
              let fails = true;
              window.fakeFetch('/faked/opinion', () => (fails ? Promise.reject(new TypeError('cut')) : Promise.resolve(window.json({}))));
              const all = [await setOpinion(album, 'like'), opinionOf('faked')];
              fails = false;
              all.push(await setOpinion(album, 'like'), opinionOf('faked'), await setOpinion(album, null), opinionOf('faked'));
              done(all);
            })().catch((error) => done(String(error)));""")
        self.assertEqual(found, [False, None, True, "like", True, None])

    def test_problems_are_in_their_kinds_and_more_are_read_when_asked_for(self):
        page = self.page
        page.run("""
            const items = (kind, first, count) => Array.from({ length: count }, (_, index) => ({
              path: `/music/${kind}/${first + index}.flac`, source: 'files', kind, code: `library.${kind}`, message: `Number ${first + index} is ${kind}. Run \`mend it\`.`,
              ...(kind === 'untagged' ? { track: 'files:t1' } : { cause: 'it is cut short' }),
            }));
            const counts = [{ kind: 'untagged', code: 'library.untagged', count: 1202 }, { kind: 'damaged', code: 'library.damaged', count: 2 }];
            window.asked = [];
            window.fakeFetch('/api/v1/problems', (path) => {
              window.asked.push(path);
              const query = new URL(path, location).searchParams;
              if (query.get('kind')) return Promise.resolve(window.json({ items: items(query.get('kind'), 1, 2), counts, next: null }));
              if (query.get('after')) return Promise.resolve(window.json({ items: items('untagged', 4, 1), counts, next: null }));
              return Promise.resolve(window.json({ items: [...items('untagged', 1, 3), ...items('damaged', 1, 2)], counts, next: 'more' }));
            });""")
        page.go("problems?folder=/music")
        page.has(".count", "1,204 problems")
        rows = "return [...document.querySelectorAll('.problem-row')].map((row) => row.textContent)"
        self.assertEqual(page.run("return [...document.querySelectorAll('.problem-kinds h2')].map((one) => one.textContent)"), ["Damaged files", "Files without tags"])
        self.assertEqual(page.run(rows)[0], "/music/damaged/1.flacNumber 1 is damaged. Run mend it.it is cut short")
        page.has(".problem-row code", "mend it")
        page.press(".pill", "More")
        page.has(".problem-row p", "Number 4 is untagged.")
        self.assertEqual(len(page.run(rows)), 6)
        page.wait("there are no more", "return ![...document.querySelectorAll('#main .pill')].some((one) => one.textContent === 'More' && one.getClientRects().length)")
        page.press(".pill", "Damaged files (2)")
        page.has(".pill[aria-current=page]", "Damaged files (2)")
        self.assertEqual(len(page.run(rows)), 2)
        self.assertEqual(page.run("return location.hash"), "#/problems?kind=damaged&folder=%2Fmusic")
        self.assertIn("folder=%2Fmusic", page.run("return window.asked.at(-1)"))
        self.assertEqual(page.axe(), [])
        page.run("history.back()")
        page.press(".problem-row a", "Show the track")
        page.wait("the track is asked for", "return location.hash === '#/track/files%3At1'")
