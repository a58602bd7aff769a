"""The base of tests with plugins: the resolver runs as long as they do; other tests have a household without plugins."""
import base64
import json

from case import PageCase


class PluginCase(PageCase):
    """A test of the page in a household with plugins. Each begins and ends without any."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.household.start_resolver()

    @classmethod
    def tearDownClass(cls):
        cls.household.processes["resolver"].terminate()
        cls.household.processes.pop("resolver").wait(10)
        super().tearDownClass()

    def tearDown(self):
        super().tearDown()
        for one in self.household.ask("plugins")["plugins"]:
            self.household.ask(f"plugins/{one['id']}", {}, "DELETE")

    def offer(self, file):
        text = json.dumps(file).encode()
        return self.household.ask("plugins", {"part": base64.b64encode(text).decode(), "offset": 0, "size": len(text)})["plugin"]

    def install(self, file):
        plugin = self.offer(file)
        return self.household.ask(f"plugins/{plugin['id']}/allow", {"sha256": plugin["sha256"]})

    def log(self, plugin):
        """Returns what a plugin wrote to its log."""
        return self.household.ask(f"plugins/{plugin}/test", {})["log"]
