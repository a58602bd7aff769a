"""Articles of Wikipedia on the pages of albums and artists, and their settings, with answers that the test gives. Nobody
outside is asked, and each state is seen."""
from case import PageCase
from page import DESKTOP, PHONE
from wallanswers import ANSWERS, AT, EVIL, failure

PARAGRAPHS = [f"It is an album of Ada. {EVIL}", "It was made in a winter. " * 20, "Others followed it. " * 30, "The last paragraph."]
ARTICLE = {"title": "First Light (album)", "paragraphs": PARAGRAPHS, "language": "de", "address": "https://de.wikipedia.org/wiki/First_Light_(album)",
           "site": "Wikipedia", "licence": "CC BY-SA 4.0", "licenceAddress": "https://creativecommons.org/licenses/by-sa/4.0/",
           "match": "name", "readAt": AT}
GUESSES = [{"title": "Ada (band)", "language": "en", "about": "Scottish rock band"}, {"title": f"Ada {EVIL}", "language": "de"}]

# Makes the page think that the household has the service of walls.
DISCOVERY = """
    const done = arguments[0];
    import('/core/store.js').then(({ applyEvent, store }) => {
      applyEvent('presence', [...store.nodes, { role: 'discovery', name: 'main', version: '1', pid: 1, uptimeSeconds: 1 }]);
      done();
    })"""


class Articles(PageCase):
    """Each test opens the page with a table of answers."""

    def begin(self, answers, place):
        self.page.open("more")
        self.page.wait("the state is there", "return document.body.dataset.state")
        self.page.run_async(DISCOVERY)
        self.page.run(ANSWERS, answers)
        self.page.go(place)

    def sent(self, name):
        return self.page.run("return window.sent.filter((one) => one.name === arguments[0])", name)

    def open_album(self, read, found=None, chosen=None, tab=True):
        """Opens the tab of an album; returns the path of its article."""
        album = self.albums[0]
        path = "albums/" + album["id"].replace(":", "%3A") + "/article"
        self.begin({f"GET {path}": read, f"POST {path}": found or {}, f"PUT {path}": chosen or {}}, "album/" + album["id"])
        if tab:
            self.page.press("[role=tab]", "About")
        return path

    def status(self, **more):
        return {"album": self.albums[0]["id"], "isBeingSearched": False, "isOn": True} | more

    def look(self):
        """Looks for faults that a screen reader or a small screen would have, in both themes."""
        for scheme, size in [("light", DESKTOP), ("dark", PHONE), ("light", PHONE), ("dark", DESKTOP)]:
            self.page.set_scheme(scheme, "reduce")
            self.page.resize(size)
            self.assertEqual(self.page.axe(), [], f"{scheme} {size}")
            self.assertLessEqual(self.page.run("return document.documentElement.scrollWidth - innerWidth"), 0, f"{scheme} {size}")

    def test_an_article_is_searched_when_the_album_is_opened_and_shown_with_source_and_licence(self):
        page = self.page
        searching = self.status(isBeingSearched=True)
        path = self.open_album([self.status(), searching, self.status(article=ARTICLE, searchedAt=AT)], [searching], tab=False)
        page.wait("it is searched", "return window.sent.some(({ name }) => name.startsWith('POST') && name.endsWith('/article'))")
        page.press("[role=tab]", "About")
        page.has(".article h2", "First Light (album)")
        page.has(".article-text p", EVIL)
        self.assertEqual(page.run("return document.querySelector('.article-text').lang"), "de")
        links = page.run("return [...document.querySelectorAll('.article-origin a')].map((one) => [one.textContent, one.href, one.rel])")
        self.assertEqual(links, [["Wikipedia in German", ARTICLE["address"], "noopener noreferrer"],
                                 ["CC BY-SA 4.0", ARTICLE["licenceAddress"], "noopener noreferrer"]])
        page.has(".article-origin", "found by its name")
        self.assertEqual(len(self.sent(f"POST {path}")), 1)
        self.look()
        # A long text is shortened.
        self.assertFalse(page.run("return document.querySelectorAll('.article-text p')[3].checkVisibility()"))
        page.press(".article button", "Show all")
        page.has(".article-text p", "The last paragraph.")
        # The article that there is stays while another search runs.
        page.run("window.answers[arguments[0]] = arguments[1]", f"POST {path}", self.status(isBeingSearched=True, article=ARTICLE))
        page.run("window.answers[arguments[0]] = arguments[1]", f"GET {path}", self.status(isBeingSearched=True, article=ARTICLE))
        page.press(".article button", "Search again")
        page.has(".article-wait", "The article is being searched")
        page.has(".article h2", "First Light (album)")
        self.assertEqual(self.sent(f"POST {path}")[-1]["body"], {"isAgain": True})

    def test_several_pages_are_a_question_that_a_person_answers(self):
        page = self.page
        asking = self.status(guesses=GUESSES, searchedAt=AT)
        path = self.open_album([asking], None, [self.status(article=ARTICLE | {"match": "person"})])
        page.has(".article-question h2", "Which page is about")
        page.has(".guess span", "Scottish rock band")
        page.has(".guess b", EVIL)
        self.assertEqual(self.sent(f"POST {path}"), [])
        self.look()
        page.press(".guess button", "This one")
        page.has(".article-origin", "chosen by you")
        self.assertEqual(self.sent(f"PUT {path}")[0]["body"], {"page": GUESSES[0]})
        page.wait("the panel has the focus", "return document.activeElement.classList.contains('article')")
        # A wrong one goes, and is not searched again by itself.
        page.run("window.answers[arguments[0]] = arguments[1]", f"PUT {path}", self.status(searchedAt=AT))
        page.run("window.answers[arguments[0]] = arguments[1]", f"POST {path}", self.status(searchedAt=AT))
        page.press(".article button", "This is a wrong page")
        page.has(".article h2", "No article")
        self.assertEqual(self.sent(f"PUT {path}")[-1]["body"], {"page": None})
        self.look()

    def test_what_failed_or_is_off_says_what_to_do(self):
        page = self.page
        problem = {"code": "discovery.articleAway", "message": f"Wikipedia cannot be read now. {EVIL}"}
        recent = page.run("return new Date().toISOString()")
        path = self.open_album([self.status(problem=problem, searchedAt=recent)], failure("discovery.articlesOff", "Articles are off."))
        page.has(".article-problem p", EVIL)
        self.assertEqual(self.sent(f"POST {path}"), [])
        self.look()
        page.press(".article-problem button", "Try again")
        page.has(".article h2", "Articles are off")
        page.has(".article a", "Settings of articles")
        self.look()
        path = self.open_album([self.status(isOn=False)])
        page.has(".article h2", "Articles are off")
        self.assertEqual(self.sent(f"POST {path}"), [])
        # The article that was read before is there although articles are off, and no button would ask Wikipedia.
        self.open_album([self.status(isOn=False, article=ARTICLE | {"address": "javascript:alert(1)"})])
        page.has(".article h2", "First Light (album)")
        self.assertEqual(page.run("return [...document.querySelectorAll('.article button')].map((one) => one.textContent)"), ["Show all"])
        self.assertEqual(page.run("return [...document.querySelectorAll('.article a')].map((one) => one.textContent)"), ["CC BY-SA 4.0"])

    def test_an_artist_has_an_article_below_the_albums(self):
        page = self.page
        artist = self.household.ask("artists?limit=1")["items"][0]
        path = "artists/" + artist["id"].replace(":", "%3A") + "/article"
        status = {"artist": artist["id"], "isBeingSearched": False, "isOn": True}
        self.begin({f"GET {path}": [status], f"POST {path}": [status | {"searchedAt": AT}]}, "artist/" + artist["id"])
        page.has(".artist .article h2", "No article")
        self.look()
        page.run("window.answers[arguments[0]] = arguments[1]", f"POST {path}", status | {"article": ARTICLE | {"match": "id", "language": "en"}})
        page.press(".article button", "Search again")
        page.has(".artist .article-origin a", "Wikipedia")
        self.look()

    def test_articles_are_switched_on_with_languages_and_say_what_leaves_the_house(self):
        page = self.page
        settings = {"isOn": False, "languages": ["en"], "kept": 3, "sends": "The ids of albums, or their names."}
        self.begin({"GET discovery": {"shelf": {"generation": 1, "albums": 132, "dial": 3, "reading": False}, "dials": [], "sources": []},
                    "GET discovery/sources": {"sources": [], "showsMissing": False}, "GET discovery/articles": [settings],
                    "PUT discovery/articles": settings,
                    "GET discovery/reviews": {"endpoint": None, "model": None, "hasKey": False, "dailyCap": 20, "today": 0, "kept": 3, "sends": ""}},
                   "settings/walls")
        page.has(".article-settings .leaves", "Leaves the house: The ids of albums, or their names.")
        page.has(".article-settings .soft", "3 articles kept.")
        self.look()
        page.press(".article-settings .switch")
        page.wait("it is sent", "return window.sent.some(({ name, body }) => name === 'PUT discovery/articles' && body.isOn === true)")
        page.has(".article-settings input[name=languages]")
        page.write(".article-settings input[name=languages]", "de, en pt")
        page.press(".article-settings button", "Save the languages")
        page.said("The languages are stored.")
        self.assertEqual(self.sent("PUT discovery/articles")[-1]["body"], {"languages": ["de", "en", "pt"]})
