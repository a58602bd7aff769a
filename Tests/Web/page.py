"""The page in chromium, driven by chromedriver: opening places, finding elements, waiting, judging accessibility."""
import importlib.resources
import json

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException, WebDriverException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from house import LIMIT, wait_for

PHONE = (390, 844)
DESK = (1280, 860)

# What was opened anew remembers no choices, and notes each banner, as most of them go again within seconds.
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

# The first visible element of a selector that has a text, or any.
FOUND = """
    const found = [...document.querySelectorAll(arguments[0])].find((one) => one.getClientRects().length
      && (arguments[1] === null || one.textContent.includes(arguments[1])));"""


class Page:
    """One browser on one household; it ends with the `with` block."""

    def __init__(self, address, size=DESK, scale=1):
        options = Options()
        options.binary_location = "/usr/bin/chromium"
        for word in ["--headless=new", "--no-sandbox", "--hide-scrollbars", "--disable-gpu", "--disable-dev-shm-usage",
                     "--no-first-run", "--disable-background-networking", "--disable-component-update",
                     f"--window-size={size[0]},{size[1]}"]:
            options.add_argument(word)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        self.driver.set_page_load_timeout(LIMIT)
        self.driver.set_script_timeout(LIMIT)
        self.address = address
        self.command("Page.addScriptToEvaluateOnNewDocument", {"source": FRESH})
        self.resize(size, scale)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()

    def resize(self, size, scale=1):
        self.command("Emulation.setDeviceMetricsOverride",
                     {"width": size[0], "height": size[1], "deviceScaleFactor": scale, "mobile": size[0] < 600})

    def command(self, name, parameters=None):
        return self.driver.execute_cdp_cmd(name, parameters or {})

    def wear(self, scheme, motion="no-preference"):
        """Light or dark, and whether a person wants motion."""
        features = [{"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": motion}]
        self.command("Emulation.setEmulatedMedia", {"features": features})

    def open(self, place=""):
        """Opens a place anew, as by its address, and waits until the page stands."""
        self.driver.get("about:blank")
        self.driver.get(f"{self.address}/#/{place}")
        self.wait("the page stands", "return Boolean(document.getElementById('ready') && document.querySelector('#main .place'))")

    def go(self, place):
        """Goes to a place as a link does, and waits until it is shown; the sheet lies over what was there."""
        self.run("location.hash = arguments[0]", f"#/{place}")
        if place != "playing":
            self.wait(f"{place} is shown", "return document.body.dataset.here === location.hash && !document.querySelector('#main .waiting')")

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def wait(self, what, script, *arguments):
        """Waits until a script answers true; what is not there yet is no fault."""
        def ask():
            try:
                return self.run(script, *arguments)
            except (StaleElementReferenceException, WebDriverException) as error:
                if "javascript error" in str(error) or "stale" in str(error):
                    return None
                raise
        return wait_for(ask, what)

    def has(self, selector, text=None):
        """The first visible element, with this text where one is given."""
        return self.wait(f"{selector} {text or ''}", f"{FOUND} return found ?? null", selector, text)

    def said(self, words="", kind=""):
        """Waits until a banner with these words has been shown since the page was opened, be it there still or not."""
        self.wait(f"a banner {kind} {words}", """
            return window.said.some((one) => one.kinds.includes(arguments[1]) && one.words.includes(arguments[0]))""", words, kind)

    def press(self, selector, text=None):
        """Presses what is visible, as a click does. It is found and pressed at once: what is drawn anew in between is another one."""
        self.wait(f"{selector} {text or ''}, to press it", FOUND + """
            found?.scrollIntoView({ block: 'center' });
            if (found) setTimeout(() => found.click());
            return Boolean(found)""", selector, text)

    def write(self, selector, text):
        """Writes into a visible field, as a person who types."""
        self.wait(f"{selector}, to write in it", FOUND + """
            if (!found) return false;
            found.value = arguments[2];
            found.dispatchEvent(new Event('input', { bubbles: true }));
            return true""", selector, None, text)

    def keys(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()

    def axe(self):
        """What axe-core has to complain of: WCAG 2.2 A and AA, and what it calls best practice."""
        if not self.run("return Boolean(window.axe)"):
            self.run((importlib.resources.files("axe_core_python") / "axe.min.js").read_text())
        found = self.driver.execute_async_script(
            "const done = arguments[0]; axe.run(document, { resultTypes: ['violations'] }).then((all) => done(all.violations), (e) => done([{ id: String(e), nodes: [] }]))")
        return [f"{one['id']}: {json.dumps([node['html'][:160] + ' ' + (node.get('failureSummary') or '')[:200] for node in one['nodes'][:3]])}" for one in found]

    def complaints(self):
        """What the browser has complained of itself, such as a broken policy or a script that failed."""
        lines = [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]
        return [line for line in lines if "Failed to load resource" not in line and "net::ERR" not in line]


__all__ = ["DESK", "PHONE", "Keys", "Page"]
