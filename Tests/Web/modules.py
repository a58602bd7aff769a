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
    """Lists and colours."""

    def setUp(self):
        super().setUp()
        self.page.open("more")
        self.page.run(FAKE)

    def test_a_part_of_a_list_that_failed_is_read_again_after_a_pause(self):
        found = self.page.driver.execute_async_script("""
            const done = arguments[0];
            (async () => {
              const { CursorList, IndexedList, retryPause } = await import('/core/lists.js');
              const waits = [];
              const { setTimeout } = window;
              window.setTimeout = (run, time, ...rest) => (time === retryPause ? waits.push(run) : setTimeout(run, time, ...rest));
              const counts = [];
              for (const make of [(changed) => new IndexedList('faked', {}, 60, changed), (changed) => new CursorList('faked', {}, changed)]) {
                let asked = 0;
                let fails = true;
                window.fakeFetch('/faked', () => {
                  asked += 1;
                  return fails ? Promise.reject(new TypeError('cut')) : Promise.resolve(window.json({ items: [{ id: 1 }], total: 1 }));
                });
                const list = make(() => {});
                const settle = () => new Promise((next) => setTimeout(next, 20));
                list.ensure(0, 10);
                await settle();
                list.ensure(0, 10);
                await settle();
                counts.push(asked, list.error?.code ?? null);
                fails = false;
                waits.shift()();
                list.ensure(0, 10);
                await settle();
                counts.push(asked, list.get(0)?.id ?? null);
              }
              done(counts);
            })().catch((error) => done(String(error)));""")
        self.assertEqual(found, [1, "page.unreachable", 2, 1] * 2)

    def test_colours_that_come_late_do_not_replace_those_of_a_later_track(self):
        found = self.page.driver.execute_async_script("""
            const done = arguments[0];
            (async () => {
              const { withAlbum, forgetAlbums } = await import('/core/albumcache.js');
              const answers = {};
              window.fakeFetch('/albums/faked', (path) => new Promise((answer) => { answers[path.slice(-1)] = answer; }));
              const settle = () => new Promise((next) => setTimeout(next, 20));
              const shown = [];
              const show = (album) => shown.push(album?.palette ?? null);
              const element = document.createElement('div');
              withAlbum(element, { albumID: 'faked1' }, show);
              withAlbum(element, { albumID: 'faked2' }, show);
              answers[2](window.json({ id: 'faked2', palette: 'second' }));
              await settle();
              answers[1](window.json({ id: 'faked1', palette: 'first' }));
              await settle();
              // After a change of the catalogue the album is read again.
              delete answers[2];
              withAlbum(element, { albumID: 'faked2' }, show);
              await settle();
              const isCached = !answers[2];
              forgetAlbums();
              withAlbum(element, { albumID: 'faked2' }, show);
              answers[2](window.json({ id: 'faked2', palette: 'changed' }));
              await settle();
              done([shown, isCached]);
            })().catch((error) => done(String(error)));""")
        self.assertEqual(found, [["second", "second", "changed"], True])
