"""The colours of covers: vivid, two of them, and readable."""
from case import PageCase
from testhousehold import wait_for

# Draws 50 covers of all hues, and returns for each the contrasts of what stands on its glow.
FIFTY = """
    const done = arguments[0];
    (async () => {
      const vivid = await import('/parts/vivid.js');
      const { contrast, readable } = await import('/core/colours.js');
      const { bytesOf, colourOf, luminanceOf, toLab } = await import('/core/oklab.js');
      const draw = (size, colours) => {
        const canvas = document.createElement('canvas');
        canvas.width = canvas.height = size;
        const pen = canvas.getContext('2d');
        colours.forEach((colour, index) => {
          pen.fillStyle = colour;
          pen.fillRect(0, index * size / colours.length, size, size / colours.length + 1);
        });
        return pen.getImageData(0, 0, size, size).data;
      };
      const found = [];
      for (let number = 0; number < 50; number += 1) {
        const hue = number * 7.2;
        const light = [12, 30, 50, 70, 92][number % 5];
        const colours = [`hsl(${hue} 80% ${light}%)`, `hsl(${hue + 40 + number * 3} 60% 50%)`, '#777', number % 2 ? '#111' : '#f4f0e8'];
        const pair = vivid.vividPair(draw(64, colours));
        const glow = vivid.glowPixels(draw(28, colours), 28, pair);
        let brightest = 0;
        let text = 21;
        for (let at = 0; at < glow.length; at += 4) {
          const bytes = [...glow.slice(at, at + 3)];
          brightest = Math.max(brightest, luminanceOf(bytes));
          for (const ink of ['#fff6e9', '#ecdecc']) text = Math.min(text, contrast(ink, colourOf(bytes)));
        }
        for (const ground of [vivid.brightestGrey, '#764a2a', '#432b17']) {
          const fitted = vivid.fitPair(pair, ground);
          const chroma = (colour) => Math.hypot(...toLab(bytesOf(colour)).slice(1));
          found.push({
            number, brightest, text, control: Math.min(contrast(fitted.first, ground), contrast(fitted.second, ground)),
            words: contrast(readable(pair.first, ground, 4.6), ground), chroma: Math.min(chroma(fitted.first), chroma(fitted.second)),
            on: Math.min(contrast(vivid.onPair(fitted), fitted.first), contrast(vivid.onPair(fitted), fitted.second)),
          });
        }
      }
      done(found);
    })().catch((error) => done(String(error)));"""

# Gives an element the colours of covers of all hues, and returns their contrasts with paper and with the wall: the page's own and those
# of themes of all hues. Returns the contrasts of the page's own colours with each wall, too.
TINTS = """
    const done = arguments[0];
    (async () => {
      const { applyPalette, contrast, setWall } = await import('/core/colours.js');
      const { coloursOf } = await import('/themes/dress.js');
      const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
      const root = document.documentElement;
      const element = document.body.appendChild(document.createElement('p'));
      const hsl = (hue, light) => {
        const channel = (at) => {
          const place = (at + hue / 30) % 12;
          const spread = Math.min(light, 100 - light) * 0.8;
          return Math.round((light - spread * Math.max(-1, Math.min(place - 3, 9 - place, 1))) * 2.55).toString(16).padStart(2, '0');
        };
        return `#${channel(0)}${channel(8)}${channel(4)}`;
      };
      const worn = Object.keys(coloursOf({ first: '#1f5f8b', second: '#e8f0f2' }, isDark));
      const looks = [null, '#e8f0f2', '#0b0b0b', ...Array.from({ length: 6 }, (_, at) => hsl(at * 60, 50))];
      const found = [];
      for (const second of looks) {
        const colours = second ? coloursOf({ first: '#1f5f8b', second }, isDark) : {};
        for (const name of worn) colours[name] ? root.style.setProperty(name, colours[name]) : root.style.removeProperty(name);
        setWall(colours['--wall'] ?? null);
        const page = (name) => getComputedStyle(root).getPropertyValue(name).trim();
        const words = ['--ink', '--ink-soft', '--danger', '--accent'].map((name) => contrast(page(name), page('--wall')));
        const line = ['--edge', '--focus'].map((name) => contrast(page(name), page('--wall')));
        found.push({ second, ground: '--wall', words: Math.min(...words), line: Math.min(...line) });
        for (let hue = 0; hue < 360; hue += 24) for (const light of [20, 38, 56, 80]) {
          const colour = hsl(hue, light);
          applyPalette(element, { first: colour, second: colour });
          const style = getComputedStyle(element);
          const value = (name) => style.getPropertyValue(name).trim();
          for (const ground of ['--wall', '--paper']) found.push({
            colour, second, ground, words: contrast(value('--tint'), value(ground)), line: contrast(value('--tint-two'), value(ground)),
          });
        }
      }
      for (const name of worn) root.style.removeProperty(name);
      setWall(null);
      element.remove();
      done(found);
    })().catch((error) => done(String(error)));"""

PAIR = """
    const [colours, done] = arguments;
    (async () => {
      const { vividPair, fitPair, brightestGrey } = await import('/parts/vivid.js');
      const { bytesOf, toLab } = await import('/core/oklab.js');
      const canvas = document.createElement('canvas');
      canvas.width = canvas.height = 64;
      const pen = canvas.getContext('2d');
      let from = 0;
      for (const [colour, share] of colours) {
        pen.fillStyle = colour;
        pen.fillRect(0, from * 64, 64, share * 64 + 1);
        from += share;
      }
      const pair = fitPair(vividPair(pen.getImageData(0, 0, 64, 64).data), brightestGrey);
      done([pair.first, pair.second].map((colour) => {
        const [, a, b] = toLab(bytesOf(colour));
        return { hue: (Math.atan2(b, a) * 180 / Math.PI + 360) % 360, chroma: Math.hypot(a, b) };
      }));
    })().catch((error) => done(String(error)));"""

# Returns the contrasts on the light of 216 colours, in light and in dark colours of the page.
LIGHTS = """
    const done = arguments[0];
    (async () => {
      const { lightOf } = await import('/parts/light.js');
      const { contrast, readable } = await import('/core/colours.js');
      const { bytesOf, colourOf, toLab } = await import('/core/oklab.js');
      const steps = [0, 51, 102, 153, 204, 255];
      const all = steps.flatMap((red) => steps.flatMap((green) => steps.map((blue) => [red, green, blue])));
      done([false, true].flatMap((isDark) => all.map((bytes) => {
        const ground = colourOf(lightOf(bytes, isDark));
        const inks = isDark ? ['#f5e9d9', '#c4b09a'] : ['#2a1c13', '#624c3b'];
        const tint = readable(colourOf(bytes), isDark ? '#271d17' : '#fbf6ec', 4.6);
        return {
          bytes, isDark, text: Math.min(...inks.map((ink) => contrast(ink, ground))), control: contrast(tint, ground),
          chroma: Math.hypot(...toLab(bytesOf(ground)).slice(1)),
        };
      })));
    })().catch((error) => done(String(error)));"""


class Colours(PageCase):
    """The colours of the player."""

    def setUp(self):
        super().setUp()
        self.page.open("more")

    def pair(self, *colours):
        found = self.page.run_async(PAIR, colours)
        self.assertIsInstance(found, list, found)
        return found

    def test_contrast_holds_for_fifty_covers_of_every_colour(self):
        found = self.page.run_async(FIFTY)
        self.assertIsInstance(found, list, found)
        self.assertEqual(len(found), 150)
        for one in found:
            self.assertGreaterEqual(one["control"], 3, one)
            self.assertGreaterEqual(one["words"], 4.5, one)
            self.assertGreaterEqual(one["text"], 4.5, one)
            self.assertGreaterEqual(one["on"], 4.5, one)
            self.assertLessEqual(one["brightest"], 0.0755, one)
            self.assertGreaterEqual(one["chroma"], 0.03, one)

    def test_words_in_the_colour_of_a_cover_are_readable_on_paper_and_on_every_wall(self):
        for scheme in ("light", "dark"):
            self.page.set_scheme(scheme, "reduce")
            found = self.page.run_async(TINTS)
            self.assertIsInstance(found, list, found)
            self.assertEqual(len(found), 9 * (1 + 15 * 4 * 2))
            for one in found:
                self.assertGreaterEqual(one["words"], 4.5, (scheme, one))
                self.assertGreaterEqual(one["line"], 3, (scheme, one))

    def test_text_is_readable_on_the_light_behind_an_album_of_every_colour(self):
        found = self.page.run_async(LIGHTS)
        self.assertIsInstance(found, list, found)
        self.assertEqual(len(found), 432)
        for one in found:
            self.assertGreaterEqual(one["text"], 4.5, one)
            self.assertGreaterEqual(one["control"], 3, one)
        self.assertGreater(max(one["chroma"] for one in found if one["isDark"]), 0.04, "it has colour")
        self.assertGreater(max(one["chroma"] for one in found if not one["isDark"]), 0.08, "it has colour")

    def test_the_light_behind_an_album_is_that_of_its_cover(self):
        page = self.page
        page.open(f"album/{next(one['id'] for one in self.albums if one.get('art'))}")
        page.has(".cover-head .blur.there")
        for scheme in ("light", "dark"):
            page.set_scheme(scheme, "reduce")
            page.wait("one of the two is shown", """
                const [one, ...more] = [...document.querySelectorAll('.blur canvas')]
                  .filter((canvas) => canvas.getClientRects().length);
                return !more.length && one.className === arguments[0]""", "bright" if scheme == "light" else "dark")
            # The one that was hidden is painted when the browser is idle.
            page.wait(f"it is painted in {scheme}", """
                const canvas = document.querySelector(arguments[0]);
                const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
                return Math.max(...Array.from({ length: data.length / 4 }, (_, at) => {
                  const bytes = data.slice(at * 4, at * 4 + 3);
                  return Math.max(...bytes) - Math.min(...bytes);
                })) > 15""", f".blur .{'bright' if scheme == 'light' else 'dark'}")

    def test_the_colours_of_an_album_follow_the_scheme_when_it_changes(self):
        page = self.page
        page.set_scheme("light", "reduce")
        album = f"albums/{next(one['id'] for one in self.albums if one.get('art'))}"
        page.open(album.replace("albums", "album"))
        page.has(".cover-head .blur.there")
        # The library finds the colours of a cover when its picture is first asked for.
        wait_for(lambda: self.household.ask(album).get("palette"), "the colours of the cover")
        page.open(album.replace("albums", "album"))
        try:
            for scheme, paper in (("light", "#fbf6ec"), ("dark", "#271d17"), ("light", "#fbf6ec")):
                page.set_scheme(scheme, "reduce")
                # No colour is readable on both papers.
                page.wait(f"the colours are readable on {scheme} paper", """
                    return import('/core/colours.js').then(({ contrast }) => ['.cover-head', '.album .lines'].every((selector) =>
                      contrast(document.querySelector(selector).style.getPropertyValue('--tint'), arguments[0]) >= 4.5))""", paper)
        finally:
            page.set_scheme("light", "reduce")

    def test_an_orchard_in_red_and_green_gives_red_and_green(self):
        # Leaves, apples, branches, and a pale sky.
        found = self.pair(("#3f6b2a", 0.4), ("#2c4a1e", 0.15), ("#b3261e", 0.12), ("#5a4632", 0.18), ("#d9d4c5", 0.15))
        hues = sorted(one["hue"] for one in found)
        self.assertTrue(10 < hues[0] < 45, found)
        self.assertTrue(115 < hues[1] < 160, found)
        for one in found:
            self.assertGreater(one["chroma"], 0.1, found)

    def test_a_small_vivid_spot_on_a_dark_cover_is_found(self):
        found = self.pair(("#101014", 0.85), ("#2456d6", 0.1), ("#e8c21a", 0.05))
        hues = sorted(one["hue"] for one in found)
        self.assertTrue(75 < hues[0] < 115 and 240 < hues[1] < 285, found)

    def test_a_cover_in_one_colour_gets_its_neighbour(self):
        first, second = self.pair(("#7a1f2b", 1))
        self.assertGreater(abs(first["hue"] - second["hue"]) % 360, 15)

    def test_a_cover_without_colour_gets_those_of_the_house(self):
        found = self.pair(("#111111", 0.5), ("#dddddd", 0.5))
        for one in found:
            self.assertTrue(60 < one["hue"] < 110, found)
