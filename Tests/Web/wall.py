"""The wall and what is around it, in a household of its own: pages, tiles, cards, genres, the dial, motion, diagnostics."""
import json
import pathlib

from page import PHONE, Keys
from testhousehold import wait_for
from wallhousehold import ALBUMS, READY, WallCase

TAXONOMY = pathlib.Path(__file__).resolve().parent.parent.parent / "Services/Discovery/Taxonomy/taxonomy.json"

LABELS = "return [...document.querySelectorAll('.tile-open')].slice(0, 12).map((one) => one.getAttribute('aria-label').split(', ')[0])"

SAME = f"return (() => {{ {LABELS} }})().join() === arguments[0].join()"


class Wall(WallCase):
    """Tests of the wall with the real service."""

    def labels(self):
        return self.page.run(LABELS)

    def test_a_household_without_walls_is_told_what_they_are_and_one_button_starts_them(self):
        self.assertNotIn("discovery", self.household.processes)
        page = self.page
        page.open("")
        page.press(".head a", "Wall")
        page.has(".first-view h2", "What shall I hear?")
        self.assertEqual(page.axe(), [])
        page.press(".first-view button", "Make my wall")
        self.household.start_discovery()
        page.wait("the wall is there", READY)
        self.assertEqual(page.axe(), [])

    def test_covers_have_no_gaps_and_pages_follow_one_at_a_time_without_repeats(self):
        page = self.page
        self.begin(size=PHONE)
        boxes = page.run("""
            return [...document.querySelectorAll('.tile')].slice(0, 4).map((one) => {
              const { left, top, width, height } = one.getBoundingClientRect();
              return [left, top, width, height];
            })""")
        (left, top, width, height), second, third, _ = boxes
        # Firefox shows a bar beside a page that scrolls.
        whole = page.run("return document.documentElement.clientWidth")
        self.assertEqual((left, width, second[0], second[0] + second[2]), (0, whole / 2, whole / 2, whole))
        self.assertEqual((third[0], third[1]), (0, top + height))
        self.assertEqual(page.run("return document.documentElement.scrollWidth"), whole)
        self.assertEqual(len(self.last()["items"]), 100)
        # No tile ends within a pixel, where the page would be seen as a line, at a width that has no whole columns.
        page.resize((1283, 860))
        page.wait("the tiles have another width", "return document.querySelector('.tile').getBoundingClientRect().width !== arguments[0]", width)
        self.assertEqual(page.run("""
            return [...document.querySelectorAll('.tile')].map((one) => one.getBoundingClientRect())
              .filter(({ left, width, height }) => !Number.isInteger(left) || !Number.isInteger(width) || width !== height).length"""), 0)

        def ended():
            page.run("scrollTo({ top: document.body.scrollHeight, behavior: 'instant' })")
            return page.run("return window.walls.some(({ endsRound }) => endsRound) && window.walls.at(-1).round === 2")
        wait_for(ended, "the second round")
        page.has(".wall-note", "That was every album. A new round begins.")
        pages = page.run("return window.walls.map(({ round, items }) => ({ round, ids: items.map(({ id }) => id) }))")
        shown = [one for entry in pages if entry["round"] == 1 for one in entry["ids"]]
        self.assertEqual((len(shown), len(set(shown))), (ALBUMS - 1, ALBUMS - 1))
        self.assertEqual(page.run("return window.mostAtOnce"), 1)
        page.wait("pages are announced", "return /more albums?, [0-9]+ in all/.test(document.querySelector('.wall > [role=status]').textContent)")

    def test_the_same_wall_at_the_same_place_stays_through_navigation_and_a_new_one_comes_with_a_new_page(self):
        page = self.page
        self.begin()
        page.run("scrollTo({ top: 700, behavior: 'instant' })")
        page.wait("it is drawn", "return scrollY === 700 && document.querySelector('.tile')")
        # The tiles around the new place are drawn with the next frame.
        page.run("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        before = self.labels()
        seed = self.last()["seed"]
        page.run("document.querySelector('.tile-open').click()")
        page.has(".screen.album h1")
        page.run("history.back()")
        page.wait("it is back", "return document.body.dataset.here === '#/wall' && scrollY === 700")
        page.wait("the same tiles are drawn", SAME, before)
        page.press("#nav a", "Home")
        page.has("h1", "Your music")
        page.press("#nav a", "Wall")
        page.wait("it is back", "return document.body.dataset.here === '#/wall' && scrollY === 700")
        page.wait("the same tiles are drawn", SAME, before)
        self.assertEqual(self.last()["seed"], seed)
        self.begin()
        self.assertNotEqual(self.last()["seed"], seed)

    def test_the_first_wall_is_asked_for_at_the_tap_and_its_parts_are_there_before_unless_data_is_saved(self):
        page = self.page
        self.begin("more")
        times = """
            const of = (end) => performance.getEntriesByType('resource').filter(({ name }) => name.endsWith(end)).map((one) => one.startTime);
            return [of('/discovery/wall.js'), of('/api/v1/wall')]"""
        saving = page.add_script("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })")
        try:
            page.open("more")
            page.wait("all else is loaded", "return document.querySelector('dialog.sheet')")
            self.assertEqual(page.run(times), [[], []])
            page.run("location.hash = '#/wall'")
            page.wait("the wall is there", READY)
            (module,), (wall,) = page.run(times)
            self.assertLessEqual(wall, module)
            # No module is read later than those that the page has named.
            self.assertEqual(page.run("""
                const named = [...document.querySelectorAll('link[rel=modulepreload]')].map(({ href }) => href);
                return performance.getEntriesByType('resource').filter(({ name, startTime }) => name.endsWith('.js')
                  && startTime > arguments[0] && !named.includes(name)).map(({ name }) => name)""", wall), [])
        finally:
            page.remove_script(saving)
        page.open("more")
        page.wait("the parts are there", """
            return Boolean(document.querySelector('link[rel=modulepreload][href="discovery/wall.js"]')
              && document.querySelector('link[rel=stylesheet][href="discovery/wall.css"]')?.sheet)""")
        self.assertEqual(page.run(times)[1], [])
        page.go("wall")
        page.wait("the wall is there", READY)
        self.assertEqual(len(page.run(times)[1]), 1)

    def test_another_position_of_the_dial_makes_a_new_wall_at_once(self):
        page = self.page
        self.begin()
        before = self.last()
        page.press(".dial-button")
        page.has("dialog.dial p", "My Personal Taste")
        page.has("dialog.dial p", "Mystery Selections")
        self.assertEqual(page.run("return [...document.querySelectorAll('dialog .dial-row')].map((one) => [one.querySelector('.switch-words span').textContent, one.querySelector('small').textContent, one.querySelector('input').checked])")[2],
                         ["Mixed Crate", "Balanced", True])
        self.assertEqual(page.axe(), [])
        # By the keyboard the rows stay open.
        page.keys(Keys.ARROW_DOWN)
        page.wait("the wall is another", "return window.walls.at(-1).dial === 4 && !document.querySelector('.wall[data-phase]')")
        self.assertNotEqual(self.last()["seed"], before["seed"])
        self.assertEqual(self.household.ask("discovery")["shelf"]["dial"], 4)
        page.press("dialog.dial input[value='3']")
        page.wait("the wall is another", "return window.walls.at(-1).dial === 3")
        page.press("dialog.dial button", "Close")
        page.has(".dial-button[aria-label='Dial: Mixed Crate']")
        page.go("settings/walls")
        page.press(".dial-card input[value='2']")
        wait_for(lambda: self.household.ask("discovery")["shelf"]["dial"], "it is stored", equals=2)
        page.go("wall")
        page.wait("the wall is another", "return window.walls.at(-1).dial === 2 && document.querySelector('.tile')")
        self.household.ask("discovery/dial", {"dial": 3}, "PUT")

    def test_a_tile_plays_the_wall_on_and_the_grid_marks_what_plays(self):
        page = self.page
        self.begin()
        # The buttons of a tile are reached from its cover.
        page.run("document.querySelector('.tile-open').focus()")
        page.keys(Keys.TAB)
        self.assertIn("Dislike Record", page.run("return document.activeElement.getAttribute('aria-label')"))
        page.keys(Keys.TAB, Keys.TAB)
        self.assertIn("Play Record", page.run("return document.activeElement.getAttribute('aria-label')"))
        page.keys(Keys.ENTER)
        page.has(".tile[data-state=playing] .tile-open[aria-label$=', Playing']")
        first, second = (one["id"] for one in self.last()["items"][:2])
        queue = self.household.ask("rooms/kitchen/queue")
        self.assertEqual((queue["items"][0]["albumID"], queue["continuation"]["wall"]), (first, self.last()["wall"]))
        self.household.steer("kitchen", action="next")
        page.wait("the second one is marked", """
            const [one, other] = document.querySelectorAll('.tile');
            return !one.dataset.state && other.dataset.state === 'playing'""")
        self.assertEqual(self.household.room("kitchen")["track"]["albumID"], second)
        page.run("document.querySelectorAll('.tile-open')[4].focus()")
        page.keys("i")
        page.press("dialog.reason button", "Play next")
        page.said("plays next in Kitchen.")

    def test_the_card_of_a_tile_says_why_it_is_there_and_takes_less_like_it(self):
        page = self.page
        self.begin()
        tile = self.last()["items"][0]
        page.run("document.querySelector('.tile-open').focus()")
        page.keys("i")
        page.has("dialog.reason h2", tile["title"])
        page.has("dialog.reason .reason-sentence", tile["reason"])
        page.has("dialog.reason .signal")
        self.assertEqual(page.axe(), [])
        page.press("dialog.reason button", "Less like this")
        page.said(f"Fewer albums like “{tile['title']}” are shown for 90 days.")
        page.press(".banner-act", "Undo")
        page.said(f"Albums like “{tile['title']}” may be shown again.")
        # The focus is back at the tile, and a right click shows the card too.
        self.assertEqual(page.run("return document.activeElement.className"), "tile-open")
        page.run("document.querySelector('.tile .cover').dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true, button: 2, clientX: 400, clientY: 300 }))")
        page.has("dialog.reason h2", tile["title"])
        page.press("dialog.reason button", "Album")
        page.has(".screen.album h1", tile["title"])

    def test_the_whole_grid_is_reached_by_arrow_keys(self):
        page = self.page
        self.begin()
        page.run("document.querySelector('.tile-open').focus()")
        place = "return Number(document.activeElement.closest('.tile').dataset.key)"
        columns = page.run("return Number(getComputedStyle(document.querySelector('.wall-grid')).getPropertyValue('--columns'))")
        page.keys(Keys.ARROW_RIGHT)
        self.assertEqual(page.run(place), 1)
        page.keys(*[Keys.ARROW_DOWN] * 12)
        self.assertEqual(page.run(place), 1 + 12 * columns)
        page.keys(Keys.ENTER)
        page.has(".screen.album h1")

    def test_the_bar_has_the_genres_of_the_shelf_and_leads_back_to_the_same_wall(self):
        page = self.page
        self.begin()
        before, seed = self.labels(), self.last()["seed"]
        page.wait("the genres are there", "return document.querySelectorAll('.wall-pills li').length === 3")
        height = page.run("return document.querySelector('.wall-bar').offsetHeight")
        page.press(".wall-pills a", "Jazz")
        page.wait("the feed is there", "return window.walls.at(-1).genre === 'jazz' && document.querySelector('.tile') && !document.querySelector('.wall[data-phase]')")
        feed = self.labels()
        page.has(".wall-pills .first", "Jazz")
        self.assertEqual(page.run("return document.querySelector('.wall-bar').offsetHeight"), height)
        page.press(".wall-pills [aria-pressed=false]")
        page.wait("one is chosen", "return window.walls.at(-1).subcategories?.length === 1 && document.querySelector('.wall-pills [aria-pressed=true]')")
        page.press(".wall-pills [aria-pressed=false]")
        page.wait("two are chosen", "return window.walls.at(-1).subcategories?.length === 2 && document.querySelectorAll('.wall-pills [aria-pressed=true]').length === 2")
        self.assertEqual(page.axe(), [])
        page.press(".wall-pills .first")
        page.wait("the wall is back", "return location.hash === '#/wall' && document.querySelector('.wall-pills [aria-current=page]') && !document.querySelector('.wall[data-phase]')")
        self.assertEqual((self.labels(), page.run("return window.walls[0].seed")), (before, seed))
        # The feed stays too, and has an address.
        page.go("wall/jazz")
        page.wait("the same feed", READY)
        self.assertEqual(self.labels(), feed)

    def test_tiles_scatter_and_a_new_tap_settles_them_and_nothing_moves_for_who_prefers_that(self):
        page = self.page
        self.begin(motion="no-preference")
        plan = page.run_async("""
            const done = arguments[0];
            import('/discovery/motion.js').then(({ scatterPlan }) => done([scatterPlan(40, () => 0), scatterPlan(5, () => 1), scatterPlan(0)]))""")
        self.assertEqual((len(plan[0]), len({one["index"] for one in plan[0]}), plan[0][0], plan[0][-1]["delay"]), (16, 16, {"index": 0, "delay": 0}, 150))
        self.assertEqual((len(plan[1]), plan[2]), (5, []))
        page.wait("the controls have risen", "return document.querySelectorAll('.wall-pills li').length === 3 && !document.querySelector('.wall[data-launch]')")
        page.run("""
            window.phases = [];
            new MutationObserver(() => window.phases.push(document.querySelector('.wall').dataset.phase ?? 'idle'))
              .observe(document.querySelector('.wall'), { attributes: true, attributeFilter: ['data-phase'] });
            location.hash = '#/wall/jazz'""")
        page.wait("tiles move", "return window.phases.includes('exiting') && document.getAnimations().some((one) => one.effect.target?.classList.contains('tile'))")
        page.run("location.hash = '#/wall/folk'")
        page.wait("the last one is shown", "return document.querySelector('.wall-pills .first')?.textContent === 'Folk' && document.querySelector('.tile') && !document.querySelector('.wall[data-phase]')")
        self.assertEqual(page.run("return window.phases.slice(-2)"), ["entering", "idle"])
        self.assertEqual(page.run("return [...document.querySelectorAll('.tile')].filter((one) => getComputedStyle(one).opacity !== '1').length"), 0)
        self.begin()
        page.run("""
            window.moved = 0;
            const { animate } = Element.prototype;
            Element.prototype.animate = function (...rest) { window.moved += 1; return animate.apply(this, rest); };
            location.hash = '#/wall/jazz'""")
        page.wait("the feed is there", "return document.querySelector('.wall-pills .first') && document.querySelector('.tile') && !document.querySelector('.wall[data-phase]')")
        self.assertEqual(page.run("return window.moved"), 0)

    def test_a_wall_that_fails_or_is_empty_says_so_and_can_be_asked_for_again(self):
        page = self.page
        self.begin("more")
        page.run("""
            const { fetch } = window;
            window.wallAnswer = () => new Response(JSON.stringify({ error: { code: 'bus.timeout', message: 'It took <b>too long</b>.' } }), { status: 504, headers: { 'Content-Type': 'application/json' } });
            window.fetch = (path, ...rest) => (window.wallAnswer && /\\/wall(\\?|$)/.test(String(path)) ? Promise.resolve(window.wallAnswer()) : fetch(path, ...rest))""")
        page.go("wall")
        page.has(".wall-over h2", "The wall could not be made")
        page.has(".wall-over p", "It took <b>too long</b>.")
        self.assertEqual(page.axe(), [])
        page.run("window.wallAnswer = () => new Response(JSON.stringify({ seed: 1, dial: 3, items: [], next: null }), { headers: { 'Content-Type': 'application/json' } })")
        page.press(".wall-over button", "Try again")
        page.has(".wall-over h2", "No album is left for the wall")
        self.assertEqual(page.axe(), [])

    def test_diagnostics_show_what_walls_are_made_of_and_genres_can_be_assigned(self):
        page = self.page
        self.begin("discovery")
        page.has("h1", "How walls are made")
        self.assertEqual(page.run("return [...document.querySelectorAll('.weights tbody tr')].map((row) => row.textContent.replaceAll(' ', ''))")[0],
                         "1MyCrate45%23of5030%15of5015%8of505%2of505%2of50")
        page.has(".nodes b", "Library")
        before = self.household.ask("genres")
        self.assertEqual([one["tag"] for one in before["unmatched"]], ["Zibblecore"])
        page.has(".coverage p", f"{before['matched']} of {before['tagged']} albums with tags are in a genre")
        self.assertEqual(page.axe(), [])
        page.run("const box = document.querySelector('.tag-row select'); box.value = 'jazz'; box.dispatchEvent(new Event('change', { bubbles: true }))")
        page.press(".tag-row button", "Add")
        page.said("“Zibblecore” belongs to Jazz now.")
        wait_for(lambda: self.household.ask("genres")["matched"] == before["tagged"], "all albums have a genre")
        page.press(".banner-act", "Undo")
        wait_for(lambda: self.household.ask("genres")["matched"] == before["matched"], "it is taken back")
        page.has(".tag-row select")

    def test_the_editor_knows_all_genres_of_the_taxonomy(self):
        known = [[one["id"], one["name"], [[sub["id"], sub["name"]] for sub in one.get("subcategories", [])]]
                 for one in json.loads(TAXONOMY.read_text())["genres"]]
        self.begin("more")
        shown = self.page.run_async("const done = arguments[0]; import('/discovery/genres.js').then(({ genres }) => done(genres))")
        self.assertEqual(shown, known)

    def test_nothing_is_wrong_in_dark_colours_on_a_phone_or_with_text_of_twice_the_size(self):
        page = self.page
        self.begin(scheme="dark", size=PHONE)
        self.assertEqual(page.axe(), [])
        for place in ["discovery", "settings/walls"]:
            page.go(place)
            self.assertEqual(page.axe(), [], place)
        page.run("document.documentElement.style.fontSize = '200%'")
        for place in ["wall", "discovery", "settings/walls"]:
            page.go(place)
            page.wait("it is laid out", "return document.querySelector('#main .screen')")
            self.assertLessEqual(page.run("return document.documentElement.scrollWidth"), PHONE[0], place)
