"""The page in chromium, driven by chromedriver: opening screens, finding elements, waiting, checking accessibility."""
import contextlib
import importlib.resources
import json

from selenium import webdriver
from selenium.common.exceptions import JavascriptException, StaleElementReferenceException, WebDriverException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from testhousehold import LIMIT, wait_for

PHONE = (390, 844)
DESKTOP = (1280, 860)

# Each opened page starts without preferences, and records all banners, as most of them vanish within seconds.
FRESH = """
    try { localStorage.clear(); localStorage.setItem('lunara.room', '"kitchen"'); } catch {}
    window.said = [];
    document.addEventListener('DOMContentLoaded', () => {
      const box = document.getElementById('banners');
      const note = (one) => window.said.push({ kinds: one.className, words: one.textContent });
      if (!box) return;
      [...box.children].forEach(note);
      new MutationObserver((changes) => changes.forEach((change) => change.addedNodes.forEach(note))).observe(box, { childList: true });
    })"""

# Finds the first visible element of a selector, with a text if one is given.
FOUND = """
    const found = [...document.querySelectorAll(arguments[0])].find((one) => one.getClientRects().length
      && (arguments[1] === null || one.textContent.includes(arguments[1])));"""


class Page:
    """A browser with the page of a household. It ends with the `with` block."""

    def __init__(self, address, size=DESKTOP, scale=1):
        options = Options()
        options.binary_location = "/usr/bin/chromium"
        # Without its flooding protection; otherwise chromium ignores changes of the address after 200 in 10 s.
        for word in ["--headless=new", "--disable-ipc-flooding-protection", "--no-sandbox", "--hide-scrollbars", "--disable-gpu",
                     "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking", "--disable-component-update",
                     f"--window-size={size[0]},{size[1]}"]:
            options.add_argument(word)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        self.driver.set_page_load_timeout(LIMIT)
        self.driver.set_script_timeout(LIMIT)
        self.address = address
        self.add_script(FRESH)
        self.resize(size, scale)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()

    def resize(self, size, scale=1):
        self.command("Emulation.setDeviceMetricsOverride",
                     {"width": size[0], "height": size[1], "deviceScaleFactor": scale, "mobile": size[0] < 600})
        self.frame()

    def command(self, name, parameters=None):
        return self.driver.execute_cdp_cmd(name, parameters or {})

    def set_scheme(self, scheme, motion="no-preference"):
        """Sets the colour scheme, light or dark, and the preference for motion."""
        features = [{"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": motion}]
        self.emulate(features)

    def set_forced_colours(self):
        """Shows the page in the few colours of a person who needs contrast, until `set_scheme` is called."""
        self.emulate([{"name": "forced-colors", "value": "active"}])

    def emulate(self, features):
        self.command("Emulation.setEmulatedMedia", {"features": features})
        self.frame()

    def has_the_rest(self):
        """Waits until the page has loaded what its first screen does not need; the style sheets of other screens come last."""
        self.wait("all else is loaded", """
            const last = [...document.querySelectorAll('link[href="discovery/wall.css"], link[href="discovery/places.css"]')];
            return document.querySelector('dialog.sheet') && last.length === 2 && last.every((link) => link.sheet)""")

    def frame(self):
        """Waits for the next frame. Styles change at once, but scripts hear of it only in a frame, before they are asked to draw."""
        self.run("return new Promise((done) => requestAnimationFrame(() => done(true)))")

    def add_script(self, source):
        """Runs a script before those of each document that is opened. Returns its identifier."""
        return self.command("Page.addScriptToEvaluateOnNewDocument", {"source": source})["identifier"]

    def remove_script(self, identifier):
        self.command("Page.removeScriptToEvaluateOnNewDocument", {"identifier": identifier})

    def set_touch(self, is_on):
        """Makes the device one with a touch screen, or one without."""
        self.command("Emulation.setTouchEmulationEnabled", {"enabled": is_on})

    def touch(self, points):
        """Touches the window at the first point `(x, y)`, moves to the others, and ends the touch."""
        for index, (x, y) in enumerate(points):
            self.command("Input.dispatchTouchEvent",
                         {"type": "touchMove" if index else "touchStart", "touchPoints": [{"x": x, "y": y}]})
        self.command("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def bring_to_front(self):
        self.command("Page.bringToFront")

    @contextlib.contextmanager
    def tab(self, kind="tab"):
        """Opens an empty tab before the others, or a window beside them. It is closed with the `with` block."""
        first = self.driver.current_window_handle
        self.driver.switch_to.new_window(kind)
        try:
            self.bring_to_front()
            yield
        finally:
            self.driver.close()
            self.driver.switch_to.window(first)
            self.bring_to_front()

    def open(self, place=""):
        """Opens an address in a new document, and waits until the page is ready."""
        self.driver.get("about:blank")
        self.driver.get(f"{self.address}/#/{place}")
        self.wait("the page is ready", "return Boolean(document.getElementById('ready') && document.querySelector('#main .screen'))")

    def go(self, place):
        """Goes to an address as a link does, and waits until its screen is shown. The sheet lies over the screen before."""
        self.run("location.hash = arguments[0]", f"#/{place}")
        if place != "playing":
            self.wait(f"{place} is shown", "return document.body.dataset.here === location.hash && !document.querySelector('#main .waiting')")

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def run_async(self, script, *arguments):
        """Runs a script whose last argument is a function that ends it with a result."""
        return self.driver.execute_async_script(script, *arguments)

    def wait(self, what, script, *arguments):
        """Waits until a script returns a true value. An element that is missing or stale counts as not yet."""
        def ask():
            try:
                return self.run(script, *arguments)
            except (JavascriptException, StaleElementReferenceException):
                return None
            except WebDriverException as error:
                if "javascript error" in str(error) or "stale" in str(error):
                    return None
                raise
        try:
            return wait_for(ask, what)
        except AssertionError as error:
            raise AssertionError(f"{error}; {self.shown()}") from None

    def shown(self):
        """Returns what the page shows, for the message of a test that fails."""
        try:
            return self.run("""
                const { here, state } = document.body.dataset;
                const words = document.getElementById('main')?.innerText.replace(/\\s+/g, ' ').slice(0, 400);
                const focus = document.activeElement?.outerHTML.slice(0, 150);
                return `${location.hash} is asked for, ${here} is shown, ${state} is the state, ${focus} has the focus; the words: ${words}`""")
        except WebDriverException as error:
            return f"the page does not say what it shows: {error.msg}"

    def has(self, selector, text=None):
        """Waits for a visible element, with this text if one is given, and returns the first."""
        return self.wait(f"{selector} {text or ''}", f"{FOUND} return found ?? null", selector, text)

    def said(self, words="", kind=""):
        """Waits until a banner with these words has been shown since the page was opened, even if it has vanished again."""
        self.wait(f"a banner {kind} {words}", """
            return window.said.some((one) => one.kinds.includes(arguments[1]) && one.words.includes(arguments[0]))""", words, kind)

    def press(self, selector, text=None):
        """Clicks a visible element. It is found and clicked in one script, as the page may replace it in between; a
        click on an element that the page has replaced does nothing, so then the new one is looked for."""
        self.wait(f"{selector} {text or ''}, to press it", """
            const given = arguments;
            function find() {""" + FOUND + """ return found ?? null; }
            const first = find(...given);
            first?.scrollIntoView({ block: 'center' });
            // The click comes after this script, as it may ask the person something, which would hold the script up.
            const click = () => {
              const now = first.isConnected ? first : find(...given);
              if (now) now.click();
              else setTimeout(click, 20);
            };
            if (first) setTimeout(click);
            return Boolean(first)""", selector, text)

    def write(self, selector, text):
        """Types into a visible field."""
        self.wait(f"{selector}, to write in it", FOUND + """
            if (!found) return false;
            found.value = arguments[2];
            found.dispatchEvent(new Event('input', { bubbles: true }));
            return true""", selector, None, text)

    def keys(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()

    def axe(self):
        """Returns the violations that axe-core finds: of WCAG 2.2 A and AA, and of its best practices."""
        if not self.run("return Boolean(window.axe)"):
            self.run((importlib.resources.files("axe_core_python") / "axe.min.js").read_text())
        found = self.driver.execute_async_script(
            "const done = arguments[0]; axe.run(document, { resultTypes: ['violations'] }).then((all) => done(all.violations), (e) => done([{ id: String(e), nodes: [] }]))")
        return [f"{one['id']}: {json.dumps([node['html'][:160] + ' ' + (node.get('failureSummary') or '')[:200] for node in one['nodes'][:3]])}" for one in found]

    def complaints(self):
        """Returns the errors in the browser's console, such as a violated policy or a script that failed."""
        lines = [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]
        # Requests that failed, such as that of the browser for another version of the worker, are not errors of the page.
        failed = ("Failed to load resource", "net::ERR", "error occurred when fetching the script")
        return [line for line in lines if not any(words in line for words in failed)]


__all__ = ["DESKTOP", "PHONE", "Keys", "Page"]
