"""Doing things with what was found: several albums, menus, swipes, and the queue beside the page."""
from selenium.webdriver.common.action_chains import ActionChains

from case import PageCase
from page import DESKTOP, PHONE, Keys
from testhousehold import wait_for

WIDE = (1440, 900)
# Presses a record of the grid with the keys that are given, as a mouse does.
CLICK = """
    const link = [...document.querySelectorAll('.record:not(.shimmering)')][arguments[0]].querySelector('a');
    link.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ...arguments[1] }))"""


# The links, buttons and fields that are lower or narrower than 44 pixels. Links in running text are as high as their line,
# the bar with the letters is as high as the window allows, and what is not seen yet is not measured.
SMALL = """
    return [...document.querySelectorAll('#main :is(a[href], button, input, select, summary), .menu [role=menuitem], .filter :is(button, a)')]
      .filter((one) => {
        const box = (one.closest('label') ?? one).getBoundingClientRect();
        const isSeen = box.width && box.height && getComputedStyle(one).opacity !== '0' && !one.closest('.jump-bar') && !one.disabled;
        const isInText = one.matches('a') && getComputedStyle(one).display === 'inline';
        return isSeen && !isInText && (box.height < 43.5 || box.width < 43.5);
      }).map((one) => `${one.tagName} ${one.className} ${one.textContent}`)"""


class Doing(PageCase):
    """Selections, menus, swipes and the queue."""

    def titles(self, count):
        return [album["title"] for album in self.albums[:count]]

    def queued_albums(self):
        seen = dict.fromkeys(item["album"] for item in self.household.ask("rooms/kitchen/queue?limit=100")["items"])
        return list(seen)

    def test_several_albums_are_chosen_and_queued_together(self):
        page = self.page
        page.open("albums")
        page.has(".record:not(.shimmering)")
        page.run(CLICK, 0, {"ctrlKey": True})
        page.has(".selection b", "1 selected")
        page.run(CLICK, 2, {"shiftKey": True})
        page.has(".selection b", "3 selected")
        page.run(CLICK, 1, {})
        page.has(".selection b", "2 selected")
        self.assertEqual(page.run("return location.hash"), "#/albums")
        self.assertEqual(page.axe(), [])
        page.press(".selection .pill", "Play later")
        first, _, third = self.titles(3)
        wait_for(self.queued_albums, "both are queued", equals=[first, third])
        page.wait("the choice has ended", "return !document.querySelector('.selection, .selecting')")
        page.run(CLICK, 0, {"ctrlKey": True})
        page.has(".selection")
        page.keys(Keys.ESCAPE)
        page.wait("the choice has ended", "return !document.querySelector('.selection, .selecting')")
        page.run(CLICK, 0, {"metaKey": True})
        page.press(".selection .pill", "All")
        page.has(".selection b", f"{len(self.albums)} selected")
        page.press(".selection .pill", "Done")

    def test_the_button_of_a_card_and_the_long_press_open_the_same_menu(self):
        page = self.page
        page.open("albums")
        record = page.has(".record:not(.shimmering)")
        names = "return [...document.querySelectorAll('.menu [role=menuitem]')].map((one) => one.textContent)"
        ActionChains(page.driver).context_click(record).perform()
        page.has(".menu [role=menuitem]", "Select")
        by_click = page.run(names)
        page.keys(Keys.ESCAPE)
        page.run("arguments[0].querySelector('.quick-more').click()", record)
        page.has(".menu [role=menuitem]", "Select")
        self.assertEqual(page.run(names), by_click)
        page.press(".menu [role=menuitem]", "Select")
        page.has(".selection b", "1 selected")
        page.press(".selection .pill", "Done")

    def test_the_menu_of_a_track_leads_to_its_artist(self):
        page = self.page
        page.open("search?q=light")
        row = page.has(".track")
        artist = page.run("return arguments[0].querySelector('.track-words span').textContent.split(' · ')[0]", row)
        ActionChains(page.driver).context_click(row).perform()
        page.press(".menu [role=menuitem]", "Go to artist")
        page.has(".screen.artist h1", artist)

    def test_the_artist_of_a_track_is_not_that_of_an_album_of_several(self):
        self.play(0)
        script = self.page.add_script("""
            {
              const { fetch } = window;
              window.fetch = async (path, ...rest) => {
                const answer = await fetch(path, ...rest);
                if (!/^\\/api\\/v1\\/albums\\/[^?/]+$/.test(String(path))) return answer;
                return new Response(JSON.stringify({ ...await answer.json(), artist: 'Various Artists' }));
              };
            }""")
        self.addCleanup(self.page.remove_script, script)
        page = self.page
        page.open("playing")
        page.has(".sheet[open] .sheet-artist")
        page.wait("its name leads to it", "return document.querySelector('.sheet-artist').getAttribute('href')?.startsWith('#/search?q=')")
        artist = page.run("return document.querySelector('.sheet-artist').textContent")
        page.press(".sheet-artist")
        page.has(".screen.artist h1", artist)

    def test_one_event_has_one_banner(self):
        page = self.page
        page.open("more")
        page.run_async("""
            const done = arguments[0];
            import('/parts/banners.js').then(({ showBanner }) => {
              showBanner('It failed.', { key: 'one', kind: 'error' });
              showBanner('It failed.', { key: 'other', kind: 'error', lasting: true });
              showBanner('It failed.', { key: 'third', kind: 'error' });
              done(true);
            })""")
        self.assertEqual(page.run("return [...document.querySelectorAll('.banner')].map((one) => one.dataset.key)"), ["other"])

    def test_alerts_and_undo_stay_when_more_banners_come(self):
        page = self.page
        page.open("more")
        page.run_async("""
            const done = arguments[0];
            import('/parts/banners.js').then(({ showBanner }) => {
              showBanner('An alert.', { key: 'alert', lasting: true });
              showBanner('It was cleared.', { key: 'undo', action: { name: 'Undo', run: () => { window.undone = true; } } });
              for (const key of ['one', 'two', 'three']) showBanner(`Word ${key}.`, { key });
              done(true);
            })""")
        keys = "return [...document.querySelectorAll('.banner')].map((one) => one.dataset.key)"
        self.assertEqual(page.run(keys), ["alert", "undo", "three"])
        self.assertEqual(page.axe(), [])
        page.press(".banner-act", "Undo")
        page.wait("it is undone", "return window.undone")
        # Two notes that were deleted have an Undo each.
        page.run_async("""
            const done = arguments[0];
            import('/parts/banners.js').then(({ hideBanner, showBanner }) => {
              hideBanner('alert');
              for (const key of ['note 1', 'note 2']) showBanner('It was deleted.', { key, action: { name: 'Undo', run() {} } });
              done(true);
            })""")
        self.assertEqual(page.run(keys)[-2:], ["note 1", "note 2"])

    def test_a_banner_is_seen_over_a_dialog(self):
        page = self.page
        page.open("albums")
        page.press(".filter-button")
        page.has("dialog.filter[open]")
        page.run_async("""
            const done = arguments[0];
            import('/parts/banners.js').then(({ showBanner }) => {
              showBanner('It failed.', { key: 'one', kind: 'error', lasting: true });
              done(true);
            })""")
        page.has("dialog.filter .banner", "It failed.")
        self.assertEqual(page.axe(), [])
        page.keys(Keys.ESCAPE)
        page.wait("it is still there", "return document.querySelector('#skip + aside .banner') && !document.querySelector('dialog[open]')")
        page.press(".banner-close")

    def test_what_was_queued_is_taken_back(self):
        page = self.page
        self.play()
        before = self.order()
        page.open("albums")
        record = page.has(".record:not(.shimmering)")
        ActionChains(page.driver).context_click(record).perform()
        page.press(".menu [role=menuitem]", "Play next")
        page.said("plays next in")
        wait_for(lambda: len(self.order()) > len(before), "it is queued")
        page.press(".banner-act", "Undo")
        wait_for(self.order, "the queue is as before", equals=before)

    def test_a_swipe_over_a_track_queues_it_or_opens_its_menu(self):
        page = self.page
        page.resize(PHONE)
        page.set_touch(True)
        self.addCleanup(page.set_touch, False)
        page.open(f"album/{self.albums[0]['id']}")
        row = page.has(".track")
        page.run_async("""
            const done = arguments[0];
            const ready = matchMedia('(pointer: coarse)').matches ? Promise.resolve() : import('/find/swipes.js').then((swipes) => swipes.startSwipes());
            Promise.all([ready, import('/core/stylesheets.js').then(({ loadStyles }) => loadStyles('find/find.css'))]).then(() => done(true))""")

        def swipe(by):
            page.run("arguments[0].scrollIntoView({ block: 'center' })", row)
            x, y = page.run("const { x, y, width, height } = arguments[0].getBoundingClientRect(); return [x + width / 2, y + height / 2]", row)
            page.touch([(x + by * step / 8, y) for step in range(9)])

        swipe(40)
        page.wait("the row is back in its place", "return !document.querySelector('.swiped, .swipe-hint')")
        self.assertEqual(self.order(), [])
        swipe(130)
        wait_for(lambda: len(self.order()), "the track is queued", equals=1)
        page.press(".banner-act", "Undo")
        wait_for(self.order, "it is taken back", equals=[])
        swipe(-130)
        page.has(".menu [role=menuitem]", "Play next")
        page.keys(Keys.ESCAPE)

    def test_the_queue_stands_beside_the_page_and_each_edit_is_taken_back(self):
        page = self.page
        page.resize(WIDE)
        self.play()
        before = self.order()
        page.open("albums")
        page.has(".record:not(.shimmering)")
        page.run("document.activeElement.blur()")
        ActionChains(page.driver).key_down(Keys.SHIFT).send_keys("q").key_up(Keys.SHIFT).perform()
        page.has(".queue-panel .track")
        page.has(".queue-panel > .soft", f"{len(before) - 1} tracks left · ")
        self.assertEqual(page.axe(), [])
        # The page makes room for it.
        self.assertLessEqual(page.run("return document.querySelector('main').getBoundingClientRect().right"),
                             page.run("return document.querySelector('.queue-panel').getBoundingClientRect().left") + 1)
        page.run("document.querySelectorAll('.queue-panel [aria-label^=Remove]')[1].click()")
        wait_for(lambda: len(self.order()) == len(before) - 1, "one is removed")
        page.press(".banner-act", "Undo")
        wait_for(self.order, "it is there again", equals=before)
        page.wait("the rows are as before", "return document.querySelectorAll('.queue-panel .track').length === arguments[0]", len(before))
        page.run("document.querySelectorAll('.queue-panel .handle')[1].focus()")
        page.keys(Keys.ARROW_DOWN)
        wait_for(lambda: self.order()[1] == before[2], "it is moved")
        page.wait("the move is announced", "return document.getElementById('announcer')?.textContent.includes(`is now at place 3 of`)")
        page.keys(Keys.ARROW_UP)
        wait_for(self.order, "it is moved back", equals=before)
        page.press(".queue-panel .pill", "Clear")
        wait_for(self.order, "it is cleared", equals=[])
        page.has(".panel-none")
        page.press(".banner-act", "Undo")
        wait_for(self.order, "it is there again", equals=before)
        # It stays on the next visit of this browser. Each new document of a test begins without what was stored.
        self.assertEqual(page.run("return localStorage.getItem('lunara.queuePanel')"), "true")
        added = page.add_script("localStorage.setItem('lunara.queuePanel', 'true')")
        self.addCleanup(page.remove_script, added)
        page.driver.refresh()
        page.resize(DESKTOP)
        page.press(".queue-panel .panel-head .knob")
        page.wait("it is hidden", "return !document.querySelector('.queue-panel')")

    def test_what_is_pressed_is_as_large_as_a_finger(self):
        page = self.page
        page.resize(PHONE)
        self.play()
        album = self.albums[0]
        page.open("")
        for place in ("", "albums", "artists", "search?q=light", "genres", "genre/Folk", "queue", "rooms", "playlists", "folders", "more",
                      f"album/{album['id']}", f"artist/{album['artistID']}", "settings/sources"):
            page.go(place)
            page.wait("it is filled", "return !document.querySelector('#main .shimmering')")
            self.assertEqual(page.run(SMALL), [], place)
        page.go("albums")
        page.press(".filter-button")
        page.press(".filter [data-kind=artist]")
        page.has(".filter-letters button")
        self.assertEqual(page.run(SMALL), [])
        page.keys(Keys.ESCAPE)

    def test_shelves_reach_both_edges_of_a_very_wide_window(self):
        page = self.page
        page.resize((2560, 1300))
        page.open("albums")
        page.has(".record:not(.shimmering)")
        edges = """
            const main = document.querySelector('main').getBoundingClientRect();
            const grid = document.querySelector(arguments[0]);
            const box = grid.getBoundingClientRect();
            const plank = getComputedStyle(grid, '::before');
            return [box.left + parseFloat(plank.left) - main.left, main.right - (box.right - parseFloat(plank.right)), document.documentElement.scrollWidth - document.documentElement.clientWidth]"""
        for edge in page.run(edges, ".album-grid"):
            self.assertLess(abs(edge), 2)
        page.go(f"artist/{self.albums[0]['artistID']}")
        page.has(".album-grid .record:not(.shimmering)")
        for edge in page.run(edges, ".album-grid"):
            self.assertLess(abs(edge), 2)
        band = page.run("const a = document.querySelector('.cover-head').getBoundingClientRect(), b = document.querySelector('main').getBoundingClientRect(); return [a.left - b.left, b.right - a.right]")
        for edge in band:
            self.assertLess(abs(edge), 2)
        last = page.run("return Math.max(...[...document.querySelectorAll('.album-grid .record')].map((one) => one.getBoundingClientRect().right))")
        self.assertLessEqual(last, page.run("return document.querySelector('.screen').getBoundingClientRect().right") + 1)

    def test_sliders_and_stars_are_seen_in_forced_colours(self):
        page = self.page
        page.set_forced_colours()
        self.play()
        page.open("")
        slider = page.has(".bar .volume-slider")
        self.assertIn("Highlight", page.run("return getComputedStyle(arguments[0]).getPropertyValue('--filled')", slider))
        self.assertEqual(page.run("return getComputedStyle(arguments[0]).forcedColorAdjust", slider), "none")
