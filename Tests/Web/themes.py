"""Themes: making, changing and playing them, and the look that the page takes on."""
from case import PageCase
from testhousehold import wait_for

# The colours of the page, and its texture.
WORN = """
    const root = document.documentElement;
    return [getComputedStyle(root).getPropertyValue('--accent').trim(), root.dataset.texture ?? null, root.style.getPropertyValue('--wall') !== '']"""


class Themes(PageCase):
    def tearDown(self):
        for theme in self.household.ask("themes")["items"]:
            self.household.ask(f"themes/{theme['id']}", {}, "DELETE")
        super().tearDown()

    def make(self, **theme):
        return self.household.ask("themes", {"title": "Boat", "look": {"first": "#1f5f8b", "second": "#e8f0f2", "texture": "paper"}} | theme)

    def test_a_theme_is_made_of_albums_and_changed(self):
        page, albums = self.page, self.albums
        page.open("themes")
        page.has(".empty h2", "No themes")
        self.assertEqual(page.axe(), [])
        page.press(".head-tools .pill:last-child", "New theme")
        page.has(".theme-form")
        page.run("document.querySelector('.theme-form').getAnimations().forEach((one) => one.finish())")
        page.write(".theme-form [name=title]", "Summer <b>on</b> the boat")
        page.write(".theme-form [name=text]", "1994, and no wind.")
        page.run("document.querySelector('.theme-form [name=first]').value = '#1f5f8b'")
        self.assertEqual(page.axe(), [])
        page.press(".theme-form .pill", "Save")
        page.has(".theme h1", "Summer <b>on</b> the boat")
        page.has(".theme-text", "1994, and no wind.")
        made = self.household.ask("themes")["items"][0]
        self.assertEqual(made["look"]["first"], "#1f5f8b")
        self.household.ask(f"themes/{made['id']}", {"adding": [albums[3]["id"], albums[1]["id"]]}, "PUT")
        page.open(f"theme/{made['id']}")
        page.has(".theme .record b", albums[3]["title"])
        self.assertEqual(page.axe(), [])
        page.press(".theme .pill", "Change")
        page.write(".theme-form [name=title]", "Boat")
        page.press(".theme-form .pill", "Save")
        page.has(".theme h1", "Boat")
        page.go("themes")
        page.has(".theme-card b", "Boat")
        page.has(".theme-card small", "2 albums")

    def test_an_album_is_added_by_its_menu(self):
        page = self.page
        made = self.make()
        page.open(f"album/{self.albums[5]['id']}")
        page.press(".album .knob[aria-label=More]")
        page.press(".menu [role=menuitem]", "Add to theme")
        page.press(".menu [role=menuitem]", "Boat")
        page.said("was added to “Boat”")
        self.assertEqual([one["id"] for one in self.household.ask(f"themes/{made['id']}")["albums"]], [self.albums[5]["id"]])

    def test_what_another_device_changes_is_shown(self):
        page = self.page
        page.open("themes")
        page.has(".empty h2", "No themes")
        made = self.make()
        page.has(".theme-card b", "Boat")
        page.press(".theme-card", "Boat")
        page.has(".theme h1", "Boat")
        self.household.ask(f"themes/{made['id']}", {"title": "Ship", "adding": [self.albums[4]["id"]]}, "PUT")
        page.has(".theme h1", "Ship")
        page.has(".theme .record b", self.albums[4]["title"])
        self.household.ask(f"themes/{made['id']}", {}, "DELETE")
        page.has(".theme .empty h2", "This theme was deleted")
        self.assertEqual(page.axe(), [])
        page.press(".theme .empty .pill", "All themes")
        page.has(".empty h2", "No themes")

    def test_the_page_takes_on_the_look_of_the_theme_that_plays(self):
        page, albums = self.page, self.albums
        made = self.make(adding=[albums[3]["id"], albums[1]["id"]])
        page.open(f"theme/{made['id']}")
        plain = page.run(WORN)
        self.assertEqual(plain[1:], [None, False])
        page.press(".theme .pill", "Play")
        wait_for(lambda: self.household.room("kitchen").get("theme") == made["id"], "the theme plays")
        page.wait("the look", "return document.documentElement.dataset.texture === 'paper'")
        worn = page.run(WORN)
        self.assertTrue(worn[2] and worn[0] != plain[0], worn)
        for scheme in ("dark", "light"):
            before = page.run("return document.documentElement.style.getPropertyValue('--wall')")
            page.set_scheme(scheme, "reduce")
            page.wait("the colours of the scheme", "return document.documentElement.style.getPropertyValue('--wall') !== arguments[0]", before)
            page.go("")
            self.assertEqual(page.axe(), [])
            page.go(f"theme/{made['id']}")
            self.assertEqual(page.axe(), [])
        # An album that is played by itself has the page's own look again.
        self.play(1)
        page.wait("its own look", "return document.documentElement.dataset.texture === undefined && !document.documentElement.style.getPropertyValue('--wall')")

    def test_an_album_that_is_removed_from_a_theme_is_put_back_by_undo(self):
        page = self.page
        ids = [album["id"] for album in self.albums[:2]]
        made = self.make(adding=ids)
        page.open(f"theme/{made['id']}")
        page.has(".theme .record b", self.albums[0]["title"])
        page.run("document.querySelector('.theme .record .quick-more').click()")
        page.press(".menu [role=menuitem]", "Remove from the theme")
        held = lambda: [one["id"] for one in self.household.ask(f"themes/{made['id']}")["albums"]]
        wait_for(lambda: held() == ids[1:], "it is removed")
        page.press(".banner-act", "Undo")
        wait_for(lambda: held() == [ids[1], ids[0]], "it is back, at the end")
        page.wait("both are shown", "return document.querySelectorAll('.theme .record').length === 2")

    def test_a_deleted_theme_is_brought_back_by_undo_with_all_that_it_had(self):
        page = self.page
        plain = next(album["id"] for album in self.albums if not album.get("art"))
        covered = next(album["id"] for album in self.albums if album.get("art"))
        # The cover is of an album that the theme does not hold.
        made = self.make(text="1994, and no wind.", adding=[plain], cover=covered)
        kept = ("id", "title", "text", "look", "art", "albumCount")
        held = lambda theme: [theme.get(name) for name in kept] + [[one["id"] for one in theme["albums"]]]
        before = self.household.ask(f"themes/{made['id']}")
        self.assertIsNotNone(before["art"])
        page.open(f"theme/{made['id']}")
        page.press(".theme .knob[aria-label=More]")
        page.press(".menu [role=menuitem]", "Delete the theme")
        page.said("The theme “Boat” was deleted")
        page.has(".empty h2", "No themes")
        self.assertEqual(self.household.ask("themes")["items"], [])
        page.press(".banner-act", "Undo")
        page.has(".theme h1", "Boat")
        again = self.household.ask("themes")["items"]
        self.assertEqual([held(self.household.ask(f"themes/{one['id']}")) for one in again], [held(before)])

    def test_colours_that_cannot_be_read_are_changed(self):
        self.page.open("more")
        found = self.page.run_async("""
            const done = arguments[0];
            Promise.all([import('/themes/dress.js'), import('/core/colours.js')]).then(([{ coloursOf }, { readable }]) => {
              const faults = [];
              const steps = ['00', '40', '80', 'c0', 'ff'];
              const colours = steps.flatMap((r) => steps.flatMap((g) => steps.map((b) => `#${r}${g}${b}`)));
              for (const isDark of [false, true]) for (const first of colours) for (const second of ['#000000', '#ffffff', '#ff0000', '#00ff00', '#0000ff', first]) {
                const look = coloursOf({ first, second }, isDark);
                const soft = isDark ? '#c4b09a' : '#624c3b';
                if (readable(soft, look['--wall'], 4.5) !== soft || readable(look['--accent'], look['--wall'], 4.5) !== look['--accent']) faults.push([first, second, isDark]);
              }
              done(faults.slice(0, 5));
            }, (error) => done(String(error)));""")
        self.assertEqual(found, [])
