"""Likes, sources outside the house and reviews with the real services; a language model is a server of this test."""
import http.server
import json
import threading
import urllib.error

from testhousehold import wait_for
from wallhousehold import WallCase

ANSWER = {"summary": "It stands at the beginning of something. Others followed it.", "points": ["The first point.", "The second point.", "The third point."],
          "rating": None, "label": "Cornerstone", "key_tracks": ["First Light", "Long Shadow", "Slow Water"]}


class Model:
    """An endpoint of OpenAI's form. `says` is what it answers."""

    def __init__(self):
        self.says = "It is a fine record."
        self.asked = []
        model = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                model.asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                body = json.dumps({"choices": [{"message": {"role": "assistant", "content": model.says}, "finish_reason": "stop"}]}).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}/v1"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def end(self):
        self.server.shutdown()
        self.server.server_close()


class Opinions(WallCase):
    """What the page says and does with the services behind it."""

    def test_a_like_and_a_dislike_are_stored_listed_and_taken_back(self):
        page = self.page
        self.begin()
        one, other = self.last()["items"][:2]
        page.run("document.querySelectorAll('.tile-open').forEach((tile, at) => at < 2 && tile.focus())")
        page.press(".tile .like")
        wait_for(lambda: self.household.ask("opinions/ids")["likes"], "the like is stored", equals=[one["id"]])
        page.run("document.querySelectorAll('.tile .dislike')[1].click()")
        page.said(f"“{other['title']}” is in no wall or feed any more.")
        wait_for(lambda: self.household.ask("opinions/ids")["dislikes"] == [other["id"]], "the dislike is stored")
        wait_for(lambda: (lambda state: (state["likes"], state["dislikes"]) == (1, 1))(self.household.ask("discovery")), "walls know both")
        # Changes by another page or the command line are seen here too.
        self.household.ask(f"albums/{one['id']}/opinion", {"opinion": None}, "PUT")
        page.wait("the heart is empty", "return !document.querySelector('.tile .like[aria-pressed=true]')")
        self.household.ask(f"albums/{one['id']}/opinion", {"opinion": "like"}, "PUT")
        page.has(".tile .like[aria-pressed=true]")
        page.go("likes")
        page.has(".opinion-row a", one["title"])
        page.has(".opinion-row a", other["title"])
        self.assertEqual(page.axe(), [])
        for title in (one["title"], other["title"]):
            page.press(f".opinion-row button[aria-label*='{title}']")
            page.said(f"of “{title}” was taken back.")
        wait_for(lambda: (lambda ids: ids["likes"] + ids["dislikes"] == [])(self.household.ask("opinions/ids")), "both are taken back")

    def test_every_source_outside_is_off_and_says_what_leaves_the_house(self):
        page = self.page
        self.begin("settings/walls")
        outside = [one["outside"] for one in self.household.ask("discovery/sources")["sources"] if one.get("outside")]
        self.assertTrue(outside)
        self.assertFalse([one["title"] for one in outside if one["isOn"]])
        for one in outside:
            page.has(".wall-settings .leaves", one["sends"])
        self.assertEqual(page.run("return document.querySelectorAll('.wall-settings .source .switch:not(:checked)').length"), len(outside))
        self.assertEqual(page.axe(), [])
        page.press(".wall-settings .switches .switch")
        wait_for(lambda: self.household.ask("discovery/sources")["showsMissing"], "it is stored")
        page.press(".wall-settings .switches .switch")
        wait_for(lambda: not self.household.ask("discovery/sources")["showsMissing"], "it is stored")

    def test_a_model_writes_a_review_and_one_in_prose_is_an_error(self):
        page = self.page
        model = Model()
        self.addCleanup(model.end)
        album = self.household.ask("albums?limit=1")["items"][0]["id"]
        self.begin("settings/walls")
        page.write(".wall-settings input[name=endpoint]", model.address)
        page.write(".wall-settings input[name=model]", "small")
        page.press(".wall-settings form button", "Switch on")
        page.said("Reviews are on.")
        page.go(f"album/{album}")
        page.press("[role=tab]", "Review")
        page.has(".review-problem p")
        self.assertEqual(page.axe(), [])
        model.says = json.dumps(ANSWER)
        page.press(".review-problem button", "Try again")
        page.has(".review-label", "Cornerstone")
        page.has(".review-origin", "Written by a model (small)")
        self.assertEqual(page.axe(), [])
        # It is kept, and nobody is asked again.
        asked = len(model.asked)
        page.go("more")
        page.go(f"album/{album}")
        page.has(".review-label", "Cornerstone")
        self.assertEqual(len(model.asked), asked)
        with self.assertRaises(urllib.error.HTTPError):
            self.household.ask("discovery/reviews", {"endpoint": "no address"}, "PUT")
        self.household.ask("discovery/reviews", {"endpoint": None}, "PUT")
