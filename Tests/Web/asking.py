"""The conversation with a plugin on the page: its model is a stand-in, which uses tools."""
import base64
import http.server
import json
import threading

from case import PageCase
from testhousehold import wait_for

FILE = {
    "manifest": {"id": "talker", "name": "<b>Talker</b>", "version": "1.0", "author": "Ada", "hosts": []},
    "capabilities": {"chat": True, "generate": True},
    "settings": {"configurable": {"server": {"type": "text", "label": "Address"}}},
    "implementation": {
        "chat": "async (messages, tools, config) => (await fetch(config.server + '/chat', { method: 'POST', body: JSON.stringify({ messages, tools }) })).json()",
        "generate": "async (words, config, history) => [{ title: 'Queue of ' + words, artist: 'Ada' }, { title: 'Second', artist: 'Ada' }]",
    }}


class Model(http.server.BaseHTTPRequestHandler):
    """Answers a person's words with a call of the tool that they name, and a tool's result with its text."""

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        last = body["messages"][-1]
        if last["role"] == "user" and last["content"].startswith("tool "):
            name = last["content"].split(" ")[1]
            answer = {"content": "", "toolCalls": [{"id": "c1", "name": name, "arguments": {}}]}
        else:
            answer = {"content": f"<i>It said</i> {last['content'][:60]}", "toolCalls": None}
        text = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *values):
        pass


class Asking(PageCase):
    """The resolver runs as long as these tests do."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.model = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
        threading.Thread(target=cls.model.serve_forever, daemon=True).start()
        cls.household.start_resolver()
        data = json.dumps(FILE).encode()
        plugin = cls.household.ask("plugins", {"part": base64.b64encode(data).decode(), "offset": 0, "size": len(data)})["plugin"]
        cls.household.ask("plugins/talker/allow", {"sha256": plugin["sha256"]})
        address = f"http://127.0.0.1:{cls.model.server_port}"
        cls.household.ask("plugins/talker", {"settings": [{"name": "server", "value": address}]}, "PUT")
        consent = {"setting": "server", "address": address, "sha256": plugin["sha256"], "allowed": True}
        cls.household.ask("plugins/talker", {"server": consent}, "PUT")

    @classmethod
    def tearDownClass(cls):
        cls.household.ask("plugins/talker", {}, "DELETE")
        cls.household.processes["resolver"].terminate()
        cls.household.processes.pop("resolver").wait(10)
        cls.model.shutdown()
        super().tearDownClass()

    def say(self, words):
        wait_for(lambda: self.page.run("return document.querySelector('.ask-form button')?.disabled === false"), "the form")
        self.page.write(".ask-form input", words)
        self.page.press(".ask-form button", "Send")

    def test_a_tool_is_used_and_clearing_asks_first(self):
        page = self.page
        self.play(0)
        page.open("ask")
        page.has("#nav a[data-name=ask]", "Ask")
        self.assertEqual(page.axe(), [])
        self.say("tool get_position")
        page.has(".chat-action", "Looked what plays")
        # A tag in an answer is text.
        page.has(".chat-plugin", "<i>It said</i>")
        self.say("tool queue_clear")
        page.has("dialog h2", "Clear the queue of")
        self.assertEqual(page.axe(), [])
        page.press("dialog button", "Do not")
        page.has(".chat-action[data-failed]", "nobody agreed")
        self.assertTrue(self.order())
        self.say("tool queue_clear")
        page.press("dialog button", "Do it")
        wait_for(lambda: not self.order(), "the queue is empty")

    def test_a_queue_is_made_by_words(self):
        page = self.page
        page.open("ask")
        page.write(".ask-form input", "rain")
        page.press(".ask-form button", "Make a queue")
        page.has(".chat-action", "2 tracks")
        wait_for(self.order, "the queue", equals=["Queue of rain", "Second"])

    def test_a_queue_that_was_replaced_by_one_of_words_is_brought_back(self):
        page = self.page
        self.play(0)
        before = self.order()
        page.open("ask")
        page.has(".bar:not([hidden]) .bar-words b", before[0])
        wait_for(lambda: page.run("return document.querySelector('.ask-form button')?.disabled === false"), "the form")
        page.write(".ask-form input", "snow")
        page.press(".ask-form button", "Make a queue")
        wait_for(self.order, "the queue", equals=["Queue of snow", "Second"])
        page.press(".banner-act", "Undo")
        wait_for(self.order, "the former queue", equals=before)

    def test_the_history_is_told_only_once_it_is_allowed(self):
        page = self.page
        page.open("settings/plugins")
        page.has(".sharing .switch-words", "Let it use what was played")
        self.assertFalse(self.household.ask("sharing")["plugins"][0]["seesHistory"])
        page.run("document.querySelector('.sharing input').click()")
        wait_for(lambda: self.household.ask("sharing")["plugins"][0]["seesHistory"], "it is allowed")
        self.assertEqual(page.axe(), [])
