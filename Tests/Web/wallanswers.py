"""The places around the wall with answers that the test gives: opinions, albums that are not in the library, wishes, sources
outside the house, and reviews. Nobody outside is asked, and each state of a place is seen."""
from case import PageCase
from page import DESKTOP, PHONE

# Answers requests as the table `answers` says, by method and path; keeps what was sent. Other requests go to the service.
ANSWERS = """
    window.answers = arguments[0];
    window.sent = [];
    const { fetch } = window;
    window.fetch = async (path, options = {}) => {
      const name = `${options.method ?? 'GET'} ${String(path).replace('/api/v1/', '').split('?')[0]}`;
      const found = window.answers[name];
      if (found === undefined) return fetch(path, options);
      window.sent.push({ name, query: String(path).split('?')[1] ?? '', body: options.body ? JSON.parse(options.body) : null });
      const answer = Array.isArray(found) ? found.length > 1 ? found.shift() : found[0] : found;
      return new Response(JSON.stringify(answer), { status: answer.error ? 409 : 200, headers: { 'Content-Type': 'application/json' } });
    };"""
EVIL = "<script>alert(1)</script>"
AT = "2026-11-20T10:00:00Z"
GROUP = "11111111-2222-3333-4444-555555555555"
MISSING = {"releaseGroup": GROUP, "title": EVIL, "artist": "Ada & <b>Bo</b>", "date": "2026-10", "source": "ListenBrainz", "isWished": False,
           "links": [{"name": "MusicBrainz", "url": f"https://musicbrainz.org/release-group/{GROUP}"}, {"name": "Bad", "url": "javascript:alert(1)"}]}
REVIEW = {"summary": f"It stands at the beginning. {EVIL}", "points": ["The first point.", "The second point.", "The third point."], "tenths": 87,
          "label": "Cornerstone", "tier": 1, "keyTracks": ["First Light"], "model": "small-model", "writtenAt": AT}


def tile(**more):
    return {"id": None, "title": EVIL, "artist": "Ada & <b>Bo</b>", "year": 2026, "signal": "new", "onShelf": False,
            "reason": "New from an artist of yours.", "evidence": {"source": "ListenBrainz", "listens": 12345}, "missing": MISSING} | more


def failure(code, message):
    return {"error": {"code": code, "message": message}}


class WallAnswers(PageCase):
    """Each test opens the page with a table of answers."""

    def begin(self, answers, place, size=DESKTOP, scheme="light"):
        self.page.resize(size)
        self.page.set_scheme(scheme, "reduce")
        self.page.open("more")
        self.page.run(ANSWERS, {"GET opinions/ids": {"revision": 1, "isSame": False, "likes": [], "dislikes": [], "next": None}} | answers)
        self.page.go(place)

    def sent(self, name):
        return self.page.run("return window.sent.filter((one) => one.name === arguments[0])", name)

    def opinion_path(self, album):
        return "PUT albums/" + album["id"].replace(":", "%3A") + "/opinion"

    def wall(self, tiles):
        return {"GET wall": {"seed": 7, "dial": 3, "items": tiles, "next": "x", "round": 1, "endsRound": True, "wall": {"seed": 7, "dial": 3, "first": 100}},
                "GET genres": {"genres": [], "unmatched": []}}

    def shelf_tile(self, album):
        return tile(id=album["id"], title=album["title"], artist=album["artist"], onShelf=True, signal="charts", reason="Played most.", missing=None)

    def test_an_album_that_is_not_on_the_shelf_is_dimmed_and_its_card_has_links_and_a_wish(self):
        page = self.page
        self.begin(self.wall([tile(), self.shelf_tile(self.albums[0])]) | {f"PUT discovery/wishes/{GROUP}": {"done": True}}, "wall")
        page.has(".tile[data-missing] .tile-badge", "Not in the library")
        self.assertEqual(page.run("return document.querySelector('.tile-open').getAttribute('aria-label')"), f"{EVIL} by Ada & <b>Bo</b>, not in the library")
        self.assertEqual(page.run("return document.querySelectorAll('.tile[data-missing] .tile-tools:not([hidden])').length"), 0)
        self.assertEqual(page.axe(), [])
        page.press(".tile-open")
        page.has("dialog.reason h2", EVIL)
        page.has("dialog.reason .soft", "October 2026")
        page.has("dialog.reason dd", "12,345")
        links = page.run("return [...document.querySelectorAll('dialog.reason .link')].map((one) => [one.textContent, one.rel, one.protocol])")
        self.assertEqual(links, [["MusicBrainz", "noopener noreferrer", "https:"]])
        self.assertEqual(page.axe(), [])
        page.press("dialog.reason button", "Put on the wish list")
        page.has("dialog.reason [aria-pressed=true]", "On the wish list")
        self.assertEqual(self.sent(f"PUT discovery/wishes/{GROUP}")[0]["body"], {"isWished": True})
        page.press("dialog.reason [aria-label=Close]")
        page.has(".wall-note p", "That was every album.")

    def test_a_chart_does_not_say_of_an_album_that_was_never_played_that_it_is_played_most(self):
        page = self.page
        played, other = self.shelf_tile(self.albums[0]), self.shelf_tile(self.albums[1])
        played["evidence"] = {"plays": 40, "place": 1}
        other |= {"evidence": {}, "reason": "Not played yet; by Ada, of whom you have 4 albums."}
        self.begin(self.wall([played, other]), "wall")
        for number, words in ((0, "Played most"), (1, "From your genres")):
            page.run("document.querySelectorAll('.tile-open')[arguments[0]].dispatchEvent(new KeyboardEvent('keydown', { key: 'i', bubbles: true }))", number)
            page.has("dialog.reason .signal", words)
            page.press("dialog.reason [aria-label=Close]")
            page.wait("it is closed", "return !document.querySelector('dialog.reason')")

    def test_a_heart_and_a_cross_give_opinions_at_once_and_a_dislike_can_be_undone(self):
        page = self.page
        one, other = self.albums[:2]
        answers = self.wall([self.shelf_tile(one), self.shelf_tile(other)]) | {
            self.opinion_path(one): {"before": None}, self.opinion_path(other): failure("library.unknownID", "There is no such album.")}
        self.begin(answers, "wall")
        # The buttons come when the tile is pointed at, or has the focus.
        page.run("document.querySelectorAll('.tile-open').forEach((one) => one.focus())")
        page.press(".tile .like")
        page.has(".tile .like[aria-pressed=true]")
        page.press(".tile .dislike")
        page.said(f"“{one['title']}” is in no wall or feed any more.")
        page.wait("it has left", "return document.querySelectorAll('.tile').length === 1")
        page.press(".banner-act", "Undo")
        page.wait("it is back at its place", "return document.querySelector('.tile-open')?.getAttribute('aria-label').startsWith(arguments[0])", one["title"])
        self.assertEqual([entry["body"]["opinion"] for entry in self.sent(self.opinion_path(one))], ["like", "dislike", None])
        # A refused opinion is taken back on screen.
        page.run("document.querySelectorAll('.tile-open')[1].focus(); document.querySelectorAll('.tile')[1].querySelector('.dislike').click()")
        page.said("There is no such album.", "error")
        page.wait("it is there again", "return document.querySelectorAll('.tile').length === 2")
        # The page of an album has both too.
        page.go("album/" + one["id"])
        page.press(".cover-words .like")
        page.has(".cover-words .like[aria-pressed=true]")
        self.assertEqual(page.axe(), [])

    def test_likes_and_dislikes_are_listed_with_problems_and_taken_back(self):
        page = self.page
        one = self.albums[0]
        like = {"id": one["id"], "title": one["title"], "artist": one["artist"], "year": 1999, "opinion": "like", "at": AT,
                "problems": [{"service": "plex", "error": {"code": "library.sourceAway", "message": "The server does not answer."}}]}
        gone = {"id": "files:agone", "title": EVIL, "artist": "Ada", "opinion": "dislike", "at": AT, "isHere": False}
        sharing = {"services": [{"service": "plex", "title": "Plex", "sends": "A rating of 5 stars for a like.", "isOn": True, "waiting": 2, "failed": 1,
                                 "problem": {"code": "library.sourceAway", "message": "The server does not answer."}}]}
        answers = {"GET opinions": [{"items": [like], "next": None}, {"items": [gone], "next": None}], "GET opinions/sharing": sharing,
                   "PUT opinions/sharing/plex": {"done": True}, "POST opinions/retry": {"done": True}, self.opinion_path(one): {"before": "like"}}
        self.begin(answers, "likes")
        page.has(".opinion-row a", one["title"])
        page.has(".opinion-row .problem-line", "Plex: The server does not answer.")
        page.has(".opinion-row span", EVIL)
        page.has(".opinion-row small", "Not in the library")
        page.has(".likes .source .soft", "2 opinions waiting · 1 opinion refused")
        for scheme, size in [("light", DESKTOP), ("dark", PHONE)]:
            page.set_scheme(scheme, "reduce")
            page.resize(size)
            self.assertEqual(page.axe(), [], scheme)
        page.press(".likes .source button", "Try again")
        page.said("Plex is told again.")
        self.assertEqual(self.sent("POST opinions/retry")[0]["body"], {"service": "plex"})
        page.press(".likes .switch")
        page.wait("it is sent", "return window.sent.some(({ name, body }) => name === 'PUT opinions/sharing/plex' && body.isOn === false)")
        page.run("window.answers['GET opinions'] = { items: [], next: null }")
        page.press(".opinion-row button", "Take back")
        page.said(f"The like of “{one['title']}” was taken back.")
        page.has(".likes .soft", "Press the heart of an album")
        page.press(".banner-act", "Undo")
        page.wait("it is given again", "return window.sent.some(({ name, body }) => name === arguments[0] && body.opinion === 'like')", self.opinion_path(one))

    def test_the_wish_list_has_what_was_wished_with_what_sources_know_of_it(self):
        page = self.page
        known = {"id": 7, "artist": MISSING["artist"], "album": EVIL, "providers": [], "addedAt": AT, "releaseGroup": GROUP, "missing": MISSING | {"isWished": True}}
        other = {"id": 5, "artist": "Moondog", "providers": ["spotify"], "addedAt": AT}
        self.begin({"GET wishes": {"items": [known, other], "next": None}, "DELETE wishes/7": {"done": True}}, "wishes")
        page.has(".wish-row b", EVIL)
        page.has(".wish-row span", "October 2026")
        page.has(".wish-row small", "named by ListenBrainz")
        page.wait("an artist has the service that has it", "return [...document.querySelectorAll('.wish-row')].some((one) => one.textContent.includes('Moondog') && one.textContent.includes('spotify'))")
        self.assertEqual(page.axe(), [])
        page.run("window.answers['GET wishes'] = { items: [], next: null }")
        page.press(".wish-row button", "Remove")
        page.has(".wishes .soft", "No wishes.")
        self.assertEqual(len(self.sent("DELETE wishes/7")), 1)
        self.assertEqual(page.axe(), [])

    def settings_answers(self, **more):
        source = {"name": "listenbrainz-popularity", "readAt": None, "items": 0, "outside": {
            "title": "ListenBrainz: popularity", "adds": "What the world hears of your albums.", "sends": "The MusicBrainz ids of your albums.",
            "isOn": False, "needs": "An account at ListenBrainz, under Scrobbling."}}
        broken = source | {"name": "musicbrainz", "readAt": AT, "items": 12, "problem": {"code": "discovery.sourceAway", "message": EVIL},
                           "outside": source["outside"] | {"title": "MusicBrainz", "isOn": True, "needs": None, "nextAt": "2126-11-26T12:00:00Z"}}
        reviews = {"endpoint": None, "model": None, "hasKey": False, "dailyCap": 20, "today": 0, "kept": 3, "sends": "The artist, title, year, genres and label of an album."}
        return {"GET discovery": {"shelf": {"generation": 1, "albums": 132, "dial": 3, "reading": False}, "dials": [], "sources": []},
                "GET discovery/sources": {"sources": [{"name": "library", "readAt": AT, "items": 132}, source, broken], "showsMissing": False},
                "GET discovery/articles": {"isOn": False, "languages": ["en"], "kept": 0, "sends": "The ids of albums."},
                "GET discovery/reviews": reviews} | more

    def test_sources_outside_say_what_leaves_the_house_beside_their_switches(self):
        page = self.page
        answers = self.settings_answers(**{"PUT discovery/sources/listenbrainz-popularity": {"done": True}, "PUT discovery/missing": {"done": True},
                                           "POST discovery/sources/refresh": {"done": True}})
        self.begin(answers, "settings/walls")
        page.has(".wall-settings .leaves", "Leaves the house: The MusicBrainz ids of your albums.")
        page.has(".wall-settings .needs", "An account at ListenBrainz")
        page.has(".wall-settings .source-line", EVIL)
        self.assertEqual(page.run("return document.querySelectorAll('.wall-settings .source').length"), 2)
        for scheme, size in [("light", DESKTOP), ("dark", PHONE)]:
            page.set_scheme(scheme, "reduce")
            page.resize(size)
            self.assertEqual(page.axe(), [], scheme)
        page.press(".wall-settings .source .switch")
        page.wait("it is sent", "return window.sent.some(({ name, body }) => name === 'PUT discovery/sources/listenbrainz-popularity' && body.isOn === true)")
        page.press(".wall-settings .switches .switch")
        page.wait("it is sent", "return window.sent.some(({ name, body }) => name === 'PUT discovery/missing' && body.isOn === true)")
        page.press(".wall-settings .source button", "Read again")
        page.said("MusicBrainz is read again soon.")

    def test_reviews_are_switched_on_by_an_endpoint_and_a_model_and_the_key_is_not_told(self):
        page = self.page
        now = self.settings_answers()["GET discovery/reviews"] | {"endpoint": "http://127.0.0.1:11434/v1", "model": "small", "hasKey": True, "today": 4}
        self.begin(self.settings_answers(**{"PUT discovery/reviews": now}), "settings/walls")
        page.write(".wall-settings input[name=endpoint]", "http://127.0.0.1:11434/v1")
        page.write(".wall-settings input[name=model]", "small")
        page.write(".wall-settings input[name=key]", "s3cret")
        page.run("window.answers['GET discovery/reviews'] = arguments[0]", now)
        page.press(".wall-settings form button", "Switch on")
        page.said("Reviews are on.")
        self.assertEqual(self.sent("PUT discovery/reviews")[0]["body"], {"endpoint": "http://127.0.0.1:11434/v1", "model": "small", "key": "s3cret", "dailyCap": 20})
        page.has(".wall-settings .soft", "4 of 20 written today · 3 reviews kept.")
        self.assertNotIn("s3cret", page.run("return [...document.querySelectorAll('.wall-settings input')].map((one) => one.value).join()"))
        self.assertEqual(page.axe(), [])
        page.press(".wall-settings form button", "Switch reviews off")
        page.said("Reviews are off.")
        self.assertIsNone(self.sent("PUT discovery/reviews")[-1]["body"]["endpoint"])

    def open_review(self, answers):
        """Opens the second tab of an album, in a page that thinks that the household has walls."""
        album = self.albums[0]
        path = "albums/" + album["id"].replace(":", "%3A") + "/review"
        self.page.open("more")
        self.page.wait("the state is there", "return document.body.dataset.state")
        self.page.run_async("""
            const done = arguments[0];
            import('/core/store.js').then(({ applyEvent, store }) => {
              applyEvent('presence', [...store.nodes, { role: 'discovery', name: 'main', version: '1', pid: 1, uptimeSeconds: 1 }]);
              done();
            })""")
        self.page.run(ANSWERS, {f"GET {path}": answers[0], f"POST {path}": answers[1]})
        self.page.go("album/" + album["id"])
        self.page.press("[role=tab]", "Review")
        return path

    def test_a_review_is_written_when_its_tab_is_opened_and_shown_as_written_by_a_model(self):
        page = self.page
        status = {"album": self.albums[0]["id"], "isBeingMade": False, "isOn": True}
        path = self.open_review([[status, status | {"isBeingMade": True}, status | {"review": REVIEW}], [status | {"isBeingMade": True}]])
        page.has(".review-wait", "The review is being written")
        page.has(".review-label", "Cornerstone")
        page.has(".review-rating", "8.7 of 10")
        page.has(".review-summary", EVIL)
        page.has(".review-origin", "Written by a model (small-model)")
        page.has(".review-origin", "It may be wrong.")
        self.assertNotIn("First Light", page.run("return document.querySelector('.review').textContent"))
        self.assertEqual(len(self.sent(f"POST {path}")), 1)
        for scheme, size in [("light", DESKTOP), ("dark", PHONE)]:
            page.set_scheme(scheme, "reduce")
            page.resize(size)
            self.assertEqual(page.axe(), [], scheme)
        # The old review stays visible while another one is written.
        page.run("window.answers[arguments[0]] = arguments[1]", f"POST {path}", status | {"isBeingMade": True, "review": REVIEW})
        page.press(".review button", "Write it again")
        page.has(".review-wait", "A new review is being written")
        page.has(".review-label", "Cornerstone")
        self.assertEqual(self.sent(f"POST {path}")[-1]["body"], {"isAgain": True})

    def test_a_review_that_failed_or_is_switched_off_says_what_to_do(self):
        page = self.page
        status = {"album": self.albums[0]["id"], "isBeingMade": False, "isOn": True}
        path = self.open_review([status | {"problem": {"code": "discovery.badReview", "message": f"The model answered in prose. {EVIL}"}}, failure("discovery.reviewCap", "All 20 reviews of today are written.")])
        page.has(".review-problem p", EVIL)
        self.assertEqual(self.sent(f"POST {path}"), [])
        self.assertEqual(page.axe(), [])
        page.press(".review-problem button", "Try again")
        page.has(".review-problem p", "All 20 reviews of today are written.")
        self.open_review([status | {"isOn": False}, {}])
        page.has(".review h2", "Reviews are off")
        # The tabs are reached by arrow keys, and the tracks are there again.
        page.run("document.querySelector('[role=tab][aria-selected=true]').focus(); document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true, cancelable: true }))")
        page.has(".album-body .track")
        self.assertEqual(page.axe(), [])
