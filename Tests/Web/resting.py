"""What the page leaves undone: while the music is paused, while it is hidden, and for records that stay in view."""
from case import PageCase


class Resting(PageCase):
    """The page spends nothing on what does not change."""

    def open_player(self):
        page = self.page
        page.open("playing")
        page.has(".sheet[open] h2", "First Light")
        page.wait("its light is there", "return document.querySelector('.sheet .glow.there')")
        return page

    def test_nothing_runs_while_the_music_is_paused(self):
        # The timers that the ticker sets when somebody begins and ends to listen to it, and the running animations.
        running = """
            const done = arguments[0];
            import('/player/ticker.js').then(({ everyHalfSecond }) => {
              let count = 0;
              const { setTimeout } = window;
              window.setTimeout = (run, time, ...rest) => {
                if (/everyHalfSecond|schedule/.test(new Error().stack)) count += 1;
                return setTimeout(run, time, ...rest);
              };
              const stop = everyHalfSecond(() => {});
              stop();
              window.setTimeout = setTimeout;
              done([count, document.getAnimations().filter((one) => one.playState === 'running').length]);
            })"""
        self.play(0)
        page = self.open_player()
        self.assertEqual(page.run_async(running)[0], 2)
        self.household.steer("kitchen", action="pause")
        page.has(".sheet-state", "Paused")
        self.assertEqual(page.run_async(running), [0, 0])

    def test_the_bars_of_the_mark_move_with_the_music_without_an_animation(self):
        self.play(0)
        self.page.set_scheme("light", "no-preference")
        page = self.open_player()
        level = "return document.querySelector('.sheet-state .mark i').style.getPropertyValue('--level')"
        first = page.wait("the bars move", level)
        page.wait("they move on", f"{level} !== arguments[0]", first)
        moving = page.run("return document.getAnimations().filter((one) => one.effect.target?.closest('.mark')).length")
        page.set_scheme("light", "reduce")
        self.assertEqual(moving, 0)

    def test_a_hidden_page_draws_nothing_until_it_is_shown_again(self):
        self.play(0)
        page = self.open_player()
        # The driver shows a page before it asks it, so the hidden page tells the one before it what it has heard.
        page.run("""
            window.drawn = [];
            const watch = new MutationObserver((all) => document.hidden && window.drawn.push(...all.map(({ target }) => target.nodeName)));
            for (const words of document.querySelectorAll('.sheet-words, .bar-words, .times, .sheet-panel')) {
              watch.observe(words, { subtree: true, childList: true, characterData: true });
            }
            const said = new BroadcastChannel('tried');
            return import('/core/store.js').then(({ currentRoom, subscribe }) => {
              subscribe(() => document.hidden && said.postMessage(currentRoom().track.title), { whileHidden: true });
            })""")
        with page.tab():
            page.driver.get(f"{self.household.address}/icon.svg")
            page.run("new BroadcastChannel('tried').onmessage = ({ data }) => { window.heard = data; }")
            self.household.steer("kitchen", action="next")
            page.wait("the hidden page has heard of it", "return window.heard === 'Long Shadow'")
        page.has(".sheet[open] h2", "Long Shadow")
        self.assertEqual(page.run("return window.drawn"), [])

    def test_a_page_that_was_hidden_for_a_minute_is_told_nothing_until_it_is_shown_again(self):
        self.play(0)
        page = self.page
        # A minute is over at once for the page; it tells the page before it that it has ended its stream.
        script = page.add_script("""
            const { setTimeout: later, EventSource: Stream } = window;
            window.setTimeout = (run, time, ...rest) => later(run, time === 60000 ? 20 : time, ...rest);
            window.EventSource = class extends Stream {
              close() {
                super.close();
                const said = new BroadcastChannel('tried');
                if (document.hidden) setInterval(() => said.postMessage('ended'), 200);
              }
            };""")
        self.addCleanup(page.remove_script, script)
        page.open("albums")
        page.has(".bar-words", "First Light")
        with page.tab():
            page.driver.get(f"{self.household.address}/icon.svg")
            page.run("new BroadcastChannel('tried').onmessage = ({ data }) => { window.heard = data; }")
            page.wait("the hidden page has ended its stream", "return window.heard === 'ended'")
            self.household.steer("kitchen", action="next")
        page.has(".bar-words", "Long Shadow")
        self.assertEqual(page.run("return import('/core/store.js').then(({ store }) => store.link)"), "open")

    def test_records_that_stay_are_not_touched_while_the_list_scrolls(self):
        page = self.page
        page.open("albums")
        page.wait("the covers are there", """
            const covers = [...document.querySelectorAll('.record .cover')];
            return covers.length > 12 && covers.every((one) => one.querySelector('img.there, .drawn'))""")
        # A font that arrives changes the height of what is above the list.
        page.wait("the fonts are there", "return document.fonts.status === 'loaded'")
        page.run("""
            const records = [...document.querySelectorAll('.record')];
            const kept = window.kept = records.findLast((one) => one.getBoundingClientRect().top < innerHeight);
            window.touched = [];
            new MutationObserver((all) => window.touched.push(...all.map(({ type, attributeName }) => attributeName ?? type)))
              .observe(kept, { subtree: true, childList: true, characterData: true, attributes: true });
            window.before = kept.getBoundingClientRect().top + scrollY;
            const rows = records[0].parentElement.getBoundingClientRect().top;
            scrollTo({ top: scrollY + rows + 3.5 * records[0].offsetHeight, behavior: 'instant' })""")
        page.wait("the first row has gone", "return Number(document.querySelector('.record').dataset.key) > 0")
        page.wait("the rows in view are filled", "return !document.querySelector('.record.shimmering')")
        touched, moved, inherited = page.run("""
            const top = window.kept.getBoundingClientRect().top + scrollY;
            return [window.touched, top - window.before, getComputedStyle(window.kept).getPropertyValue('--from')]""")
        self.assertEqual(touched, [])
        self.assertLess(abs(moved), 1, "it has its place on the page")
        self.assertEqual(inherited, "", "the place of the list is not that of its records")
