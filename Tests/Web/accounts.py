"""Signing in from the page, against fake servers of the services."""
from selenium.common.exceptions import NoAlertPresentException

from case import ALBUMS, PageCase
from testhousehold import wait_for


class Accounts(PageCase):
    """Signing in to sources and services. Each test removes what it added, so that the albums stay the same."""

    def fill(self, form, **fields):
        for name, text in fields.items():
            self.page.write(f"{form} input[name={name}]", text)

    def source(self, kind):
        return next((one for one in self.household.ask("sources")["items"] if one["kind"] == kind), None)

    def remove(self, name):
        page = self.page
        page.press(f".source[data-key='{name}'] .pill", "Remove")
        wait_for(self.confirmed, "the page asks for confirmation")
        page.wait("it is gone from the page", f"return !document.querySelector(\".source[data-key='{name}']\")")
        self.household.wait_for_albums(ALBUMS)

    def confirmed(self):
        try:
            self.page.driver.switch_to.alert.accept()
        except NoAlertPresentException:
            return False
        return True

    def test_plex_is_signed_in_to_with_a_code_and_removed(self):
        page = self.page
        page.open("settings/sources")
        page.press(".add .pill", "Sign in to Plex")
        page.has(".sign-in a[target=_blank][href*='app.plex.tv/auth']")
        code = page.run("return document.querySelector('.sign-in .code').textContent")
        self.servers["plex"].order("claim", code=code)
        page.said("Signed in")
        source = wait_for(lambda: self.source("plex"), "the source")
        wait_for(lambda: (self.source("plex") or {}).get("albums"), "its albums")
        page.has(f".source[data-key='{source['name']}'] h3")
        page.open("albums?sort=added")
        page.has(".record:not(.shimmering)")
        self.assertGreater(self.household.ask("albums?limit=1&first=0")["total"], ALBUMS)
        page.go("settings/sources")
        self.remove(source["name"])

    def test_a_sign_in_outlasts_a_moment_without_answers(self):
        page = self.page
        page.open("settings/sources")
        page.press(".add .pill", "Sign in to Plex")
        page.has(".sign-in a[target=_blank][href*='app.plex.tv/auth']")
        code = page.run("return document.querySelector('.sign-in .code').textContent")
        page.run("""
            const { fetch } = window;
            window.failures = 0;
            window.fetch = (path, ...rest) => {
              if (!path.includes('sign-ins/') || window.failures === 2) return fetch(path, ...rest);
              window.failures += 1;
              return window.failures === 1 ? Promise.reject(new TypeError('cut'))
                : Promise.resolve(new Response('{"error":{"code":"bus.away","message":"It does not answer."}}', { status: 503 }));
            }""")
        page.wait("two answers failed", "return window.failures === 2")
        self.servers["plex"].order("claim", code=code)
        page.said("Signed in")
        source = wait_for(lambda: self.source("plex"), "the source")
        page.has(f".source[data-key='{source['name']}'] h3")
        self.remove(source["name"])

    def test_private_listening_is_shown_and_switched_off_where_it_is_switched_on(self):
        page = self.page
        choose = """
            const box = [...document.querySelectorAll('.field')].find((one) => one.textContent.includes('Private listening')).querySelector('select');
            box.value = arguments[0];
            box.dispatchEvent(new Event('change', { bubbles: true }))"""
        shown = """
            const box = [...document.querySelectorAll('.field')].find((one) => one.textContent.includes('Private listening')).querySelector('select');
            return box.selectedOptions[0].textContent.startsWith(arguments[0])"""
        page.open("settings/scrobbling")
        page.wait("it is off", shown, "off")
        page.run(choose, "3600")
        page.wait("it says until when", shown, "on until ")
        page.open("settings/scrobbling")
        page.wait("it says so in a new document", shown, "on until ")
        page.run(choose, "")
        page.said("Private listening is off.")
        page.wait("it is off again", shown, "off")
        wait_for(lambda: not self.household.ask("status")["scrobbles"].get("privateUntil"), "listens are sent again")

    def test_a_subsonic_server_is_added_with_a_password_and_removed(self):
        page = self.page
        server = self.servers["subsonic"]
        page.open("settings/sources")
        card = "form.add[data-key=subsonic]"
        self.fill(card, address="http://127.0.0.1:1", user=server.told["user"], secret="not the password")
        page.press(f"{card} button[type=submit]", "Add")
        page.said("127.0.0.1:1 does not answer.", kind="error")
        self.fill(card, address=server.address)
        page.press(f"{card} button[type=submit]", "Add")
        page.said("refuses the user name or the password", kind="error")
        self.assertIsNone(self.source("subsonic"))
        self.fill(card, secret=server.told["password"])
        page.press(f"{card} button[type=submit]", "Add")
        source = wait_for(lambda: self.source("subsonic"), "the source")
        wait_for(lambda: (self.source("subsonic") or {}).get("albums"), "its albums")
        page.has(f".source[data-key='{source['name']}'] h3")
        self.remove(source["name"])

    def test_scrobbling_accounts_are_signed_in_to_and_out_of(self):
        page = self.page
        page.open("settings/scrobbling")
        page.press(".add .pill", "Sign in to Last.fm")
        page.has(".sign-in a[target=_blank]")
        self.servers["lastfm"].order("allow")
        page.has(".source h3", "Last.fm")
        self.fill("form.add", secret="not a token")
        page.press("form.add button[type=submit]", "Add account")
        page.said(kind="error")
        self.fill("form.add", secret=self.servers["listenbrainz"].told["token"])
        page.press("form.add button[type=submit]", "Add account")
        page.has(".source h3", "ListenBrainz")
        for left in (1, 0):
            page.press(".source .pill", "Sign out")
            page.wait("one is signed out", "return [...document.querySelectorAll('.source .pill')].filter((one) => one.textContent.includes('Sign out')).length === arguments[0]", left)
        # An account stays in the list only while listens wait for it.
        self.assertEqual([one for one in self.household.ask("scrobbles/accounts")["items"] if not one["pending"] + one["failed"]], [])
