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
