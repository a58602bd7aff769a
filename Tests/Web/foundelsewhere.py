"""Plugins on the page: the consent to one, its settings, what it finds in a search, and where a track is found."""
import json

from plugincase import PluginCase

FILE = {
    "manifest": {"id": "lamp", "name": "<b>Lamp</b>", "version": "1.2", "author": "Ada", "hosts": ["lamp.example"]},
    "capabilities": {"resolve": True, "search": True},
    "settings": {"configurable": {"shade": {"type": "text", "label": "Shade"}, "apiKey": {"type": "password", "label": "Key"}}},
    "implementation": {
        "search": "async (words, config) => [{ id: 'x', title: 'Lamp of ' + words, artist: 'Ada', duration: 61, album: config.shade }]",
        "resolve": "async (artist, title, album, config) => ({ id: 'x', title, artist, album: config.shade })",
    }}


class Plugins(PluginCase):
    """What the page shows of plugins, and of what they find."""

    def test_a_plugin_is_shown_before_it_is_used_and_its_settings_are_kept(self):
        page = self.page
        page.open("settings/plugins")
        page.has("[role=status]", "There are no plugins.")
        page.run("""
            const box = document.querySelector('form.add input[type=file]');
            const files = new DataTransfer();
            files.items.add(new File([arguments[0]], 'lamp.axe'));
            box.files = files.files;
        """, json.dumps(FILE))
        page.press("form.add button", "Look at it")
        # A tag in a name is text.
        page.has(".asking h3", "<b>Lamp</b> 1.2, by Ada")
        page.has(".asking dd", "lamp.example")
        self.assertEqual(self.household.ask("plugins")["plugins"], [])
        page.press(".asking button", "Use it")
        page.said("is switched on.")
        page.has(".plugin .switch-words", "used as 1.")
        self.assertEqual(page.axe(), [])
        page.press(".plugin summary", "Settings")
        page.write(".plugin input[name=shade]", "green")
        page.write(".plugin input[name=apiKey]", "s3cret")
        page.press(".plugin form button", "Save")
        page.said("are saved.")
        settings = {one["name"]: one for one in self.household.ask("plugins")["plugins"][0]["settings"]}
        self.assertEqual((settings["shade"]["value"], settings["apiKey"]["set"]), ("green", True))
        self.assertNotIn("value", settings["apiKey"])

    def test_a_server_that_a_plugin_proposes_is_asked_for_and_never_sent_by_the_form(self):
        page = self.page
        server = "http://127.0.0.1:1"
        file = json.loads(json.dumps(FILE))
        file["settings"]["configurable"]["server"] = {"type": "text", "label": "Server", "default": server}
        self.install(file)
        page.open("settings/plugins")
        page.has(".plugin .server", f"may it reach {server}?")
        self.assertEqual(page.axe(), [])
        page.press(".plugin summary", "Settings")
        self.assertEqual(page.run("const box = document.querySelector('.plugin input[name=server]'); return [box.value, box.placeholder]"), ["", server])
        page.write(".plugin input[name=shade]", "green")
        page.press(".plugin form button", "Save")
        page.said("are saved.")
        plugin = self.household.ask("plugins")["plugins"][0]
        self.assertEqual({one["name"]: one["set"] for one in plugin["settings"]}, {"shade": True, "apiKey": False, "server": False})
        self.assertEqual([(one["address"], one["allowed"]) for one in plugin["servers"]], [(server, False)])
        page.press(".plugin .server button", "Allow")
        page.said(f"may reach {server}.")
        page.has(".plugin .server", f"It may reach {server}.")
        page.press(".plugin .server button", "Stop")
        page.has(".plugin .server", f"may it reach {server}?")

    def test_a_file_of_another_author_takes_over_only_what_is_ticked(self):
        page = self.page
        self.install(FILE)
        self.household.ask("plugins/lamp", {"settings": [{"name": "shade", "value": "green"}, {"name": "apiKey", "value": "s3cret"}]}, "PUT")
        file = json.loads(json.dumps(FILE))
        file["manifest"] |= {"author": "Mallory", "version": "2.0"}
        page.open("settings/plugins")
        page.has(".plugin .switch-words", "Ada")
        page.run("""
            const box = document.querySelector('form.add input[type=file]');
            const files = new DataTransfer();
            files.items.add(new File([arguments[0]], 'lamp.axe'));
            box.files = files.files;
        """, json.dumps(file))
        page.press("form.add button", "Look at it")
        page.has(".asking .switch-words", "Take over the value of the setting apiKey")
        self.assertEqual(page.axe(), [])
        self.assertEqual(page.run("return [...document.querySelectorAll('.asking input')].map((one) => one.checked)"), [False, False])
        page.run("document.querySelectorAll('.asking input')[1].click()")
        page.press(".asking button", "Update to 2.0")
        page.said("is switched on.")
        plugin = self.household.ask("plugins")["plugins"][0]
        self.assertEqual({one["name"]: one["set"] for one in plugin["settings"]}, {"shade": True, "apiKey": False})

    def test_what_plugins_find_stands_behind_the_librarys_hits_and_can_be_queued(self):
        page = self.page
        self.install(FILE)
        page.open("search?q=tram")
        page.has(".plugin-hits h2", "<b>Lamp</b>")
        page.has(".plugin-hits .track b", "Lamp of tram")
        self.assertEqual(page.axe(), [])
        page.press(".plugin-hits .knob")
        page.press(".menu [role=menuitem]", "Play next")
        page.said("“Lamp of tram” plays next")
        page.press(".plugin-hits .knob")
        page.press(".menu [role=menuitem]", "Where it is found")
        page.has("dialog .plugin-badge", "<b>Lamp</b>")
        page.has("dialog small", "95 %")
        self.assertEqual(page.axe(), [])
        page.press("dialog button", "Wrong song")
        page.has("dialog small", "you called it the wrong song")
        page.press("dialog button", "Use it again")
        page.has("dialog small", "by the order of plugins")
        page.press("dialog button", "Forget")
        page.has("dialog small", "by the order of plugins")
        page.press("dialog button", "Close")
